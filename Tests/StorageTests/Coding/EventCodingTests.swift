import Authority
import Testing
import WatchTransfer

@testable import Storage

/// Events as a journal holds them.
@Suite struct EventCodingTests {
  private static func encoded(_ event: Event) -> [UInt8] {
    var writer = ByteWriter()
    event.encode(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ bytes: [UInt8]) throws -> Event {
    var reader = ByteReader(bytes)
    let event = try Event(from: &reader)
    try reader.expectEnd()
    return event
  }

  @Test("Each event has the bytes it always had", arguments: SampleEvents.golden.indices)
  func golden(index: Int) throws {
    let sample = SampleEvents.golden[index]
    #expect(hexadecimal(of: Self.encoded(sample.event)) == sample.bytes)
    let bytes = try #require(hexadecimalBytes(of: sample.bytes))
    #expect(try Self.decoded(bytes) == sample.event)
  }

  @Test("Every kind of event is among the samples")
  func complete() {
    let tags = Set(SampleEvents.golden.compactMap { Self.encoded($0.event).first })
    let known: [ClosedRange<UInt8>] = [
      1...7, 16...25, 32...44, 48...61, 64...71, 80...92, 120...120,
      128...133, 140...140,
    ]
    #expect(tags == Set(known.flatMap { Array($0) }))
  }

  @Test("Bytes that end early are an error, wherever", arguments: SampleEvents.golden.indices)
  func truncated(index: Int) throws {
    let bytes = Self.encoded(SampleEvents.golden[index].event)
    for count in 0..<bytes.count {
      #expect(throws: StoredFormError.self) { try Self.decoded(Array(bytes[..<count])) }
    }
    #expect(throws: StoredFormError.trailingBytes(1)) { try Self.decoded(bytes + [0]) }
  }

  @Test(
    "Changed bytes are an event or an error, never a trap", arguments: SampleEvents.golden.indices)
  func damaged(index: Int) throws {
    let bytes = Self.encoded(SampleEvents.golden[index].event)
    for position in bytes.indices {
      for value: UInt8 in [0, 1, 2, 0x7F, 0x80, 0xC0, 0xFF] {
        var changed = bytes
        changed[position] = value
        if let event = try? Self.decoded(changed) {
          #expect(try Self.decoded(Self.encoded(event)) == event || value != bytes[position])
        }
      }
    }
  }

  @Test(
    "A tag that no event has is an error",
    arguments: [0, 8, 15, 26, 31, 45, 47, 62, 63, 72, 79, 93, 111, 119, 121, 134, 139, 255]
      as [UInt8])
  func unknownTag(tag: UInt8) {
    #expect(throws: StoredFormError.unknownTag(UInt64(tag), of: "event")) {
      try Self.decoded([tag] + Array(repeating: 0, count: 64))
    }
  }
}
