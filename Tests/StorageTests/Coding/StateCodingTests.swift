import Authority
import Testing
import WatchTransfer

@testable import Storage

/// States as a checkpoint holds them.
@Suite struct StateCodingTests {
  private static func encoded(_ state: AccountState) -> [UInt8] {
    var writer = ByteWriter()
    state.encode(into: &writer)
    return writer.bytes
  }

  private static func decoded(_ bytes: [UInt8]) throws -> AccountState {
    var reader = ByteReader(bytes)
    let state = try AccountState(from: &reader)
    try reader.expectEnd()
    return state
  }

  @Test(
    "A state read back is equal, encodes to the same bytes, and goes on the same",
    arguments: UInt64(1)...12)
  func roundTrip(seed: UInt64) throws {
    var history = CodingHistory(seed: seed)
    for _ in 0..<5 {
      history.run(60)
      let bytes = Self.encoded(history.state)
      let copy = try Self.decoded(bytes)
      #expect(copy == history.state)
      #expect(Self.encoded(copy) == bytes)
      var ahead = history
      var aheadOfCopy = history
      aheadOfCopy.state = copy
      ahead.run(60)
      aheadOfCopy.run(60)
      #expect(ahead.state == aheadOfCopy.state)
      for kind in FacetKind.allCases {
        #expect(project(copy, kind) == project(history.state, kind))
      }
    }
  }

  @Test("A journal that was stored replays to the same state", arguments: UInt64(20)...24)
  func storedJournal(seed: UInt64) throws {
    var history = CodingHistory(seed: seed)
    history.run(300)
    var replayed = AccountState()
    for (index, events) in history.journal.enumerated() {
      var writer = ByteWriter()
      for event in events { event.encode(into: &writer) }
      var reader = ByteReader(writer.bytes)
      var read: [Event] = []
      while !reader.isAtEnd { read.append(try Event(from: &reader)) }
      #expect(read == events)
      replayed.apply(read, revision: UInt64(index + 1))
    }
    #expect(replayed == history.state)
    #expect(Self.encoded(replayed) == Self.encoded(history.state))
  }

  @Test("An empty state has these bytes; another form is an error")
  func empty() throws {
    let bytes = Self.encoded(AccountState())
    #expect(
      hexadecimal(of: bytes) == "020000000355544300000000000001000100010000000100000000000000")
    #expect(try Self.decoded(bytes) == AccountState())
    var newer = bytes
    newer[0] = 3
    #expect(throws: StoredFormError.unknownTag(3, of: "state form")) { try Self.decoded(newer) }
  }

  @Test("Bytes that end early or were changed are an error or a state, never a trap")
  func damaged() throws {
    var history = CodingHistory(seed: 7)
    history.run(80)
    let bytes = Self.encoded(history.state)
    for count in stride(from: 0, to: bytes.count, by: 11) {
      #expect(throws: StoredFormError.self) { try Self.decoded(Array(bytes[..<count])) }
    }
    for position in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[position] ^= 0xFF
      if let state = try? Self.decoded(changed) {
        for kind in FacetKind.allCases { _ = project(state, kind) }
      }
    }
  }
}
