import Testing
import WatchTransfer

@testable import WireFormat

/// What stands first in a byte stream (faults A1 to A14).
struct FrameTests {
  @Test(
    arguments: [
      ("A1: a length of 0", [0, 0, 0, 0], .failed(.empty)),
      ("A2: one above the limit", [0, 1, 0, 1], .failed(.tooLarge(bytes: 65_537, max: 65_536))),
      ("A2: at the limit, nothing there yet", [0, 1, 0, 0], .incomplete(needed: 65_536)),
      (
        "A3: all bits", [0xFF, 0xFF, 0xFF, 0xFF],
        .failed(.tooLarge(bytes: 4_294_967_295, max: 65_536))
      ),
      (
        "A3: the sign bit", [0x80, 0, 0, 0],
        .failed(.tooLarge(bytes: 2_147_483_648, max: 65_536))
      ),
      ("A5: nothing", [], .incomplete(needed: 4)),
      ("A5: a part of a prefix", [0, 0, 0], .incomplete(needed: 1)),
      ("A6: a part of a payload", [0, 0, 0, 3, 1], .incomplete(needed: 2)),
      ("one byte", [0, 0, 0, 1, 9], .frame(length: 1)),
      ("A13: garbage behind a good frame", [0, 0, 0, 1, 9, 0xFF, 0xFF], .frame(length: 1)),
    ] as [(String, [UInt8], FrameScan)])
  func `A length is judged as soon as it is there`(
    name: String, bytes: [UInt8], expected: FrameScan
  ) {
    #expect(scan(bytes) == expected, "\(name)")
  }

  @Test func `A2: a payload at the limit is a frame`() {
    let max = FrameLimits.greetingFrameBytesMax
    #expect(scan([0, 0, 4, 0] + repeated(max, [1]), max: max) == .frame(length: max))
    #expect(scan([0, 0, 4, 1], max: max) == .failed(.tooLarge(bytes: max + 1, max: max)))
    #expect(scan([0, 0, 0, 1], max: 0) == .failed(.tooLarge(bytes: 1, max: 0)))
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "PROXY TCP4 1.2.3.4 5.6.7.8",
    "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "\r\n\r\n\0\r\nQUIT\n", "{\"hello\": 1}",
  ])
  func `A11, A12: other protocols are too large, whatever the limit`(start: String) {
    guard
      case .failed(.tooLarge) = scan(Array(start.utf8), max: FrameLimits.serverFrameBytesMax)
    else {
      Issue.record("\(start) was not refused")
      return
    }
  }

  @Test func `Errors name the goodbye they lead to`() {
    #expect(FrameError.empty.goodbye == .malformed)
    #expect(FrameError.tooLarge(bytes: 9, max: 8).goodbye == .frameTooLarge)
  }

  @Test func `A10: two frames split anywhere give the same two messages`() throws {
    let messages: [ClientMessage] = [
      .fetch(Fetch(view: WidgetView(kind: .streak, family: .inline, appearance: .day))),
      .ping(Ping(nonce: 300, shownRevision: 7)),
    ]
    let encoder = MessageEncoder()
    let stream = messages.flatMap { encoder.frame($0) }
    for cut in 0...stream.count {
      #expect(try read(stream, inPartsEndingAt: [cut, stream.count]) == messages, "cut at \(cut)")
    }
    #expect(try read(stream, inPartsEndingAt: Array(1...stream.count)) == messages)
  }

  @Test func `A13: a good frame is read before the garbage behind it fails`() throws {
    let good = ClientMessage.pong(Pong(nonce: 1))
    let stream = MessageEncoder().frame(good) + [0, 0, 0, 2, 0xFF, 0xFF]
    var rest = stream[...]
    let first = try take(&rest)
    #expect(try first.map { try fromClient($0).get() } == good)
    let second = try take(&rest)
    #expect(second.map { fromClient($0) } == .failure(.malformed(.truncated)))
  }

  /// Reads as a connection does: bytes come in parts, frames are taken while there are any.
  private func read(
    _ stream: [UInt8], inPartsEndingAt ends: [Int]
  ) throws -> [ClientMessage] {
    var messages: [ClientMessage] = []
    var buffer: ArraySlice<UInt8> = []
    var start = 0
    for end in ends {
      buffer += stream[start..<end]
      start = end
      while let payload = try take(&buffer) { messages.append(try fromClient(payload).get()) }
    }
    #expect(buffer.isEmpty)
    return messages
  }

  private func take(_ buffer: inout ArraySlice<UInt8>) throws -> [UInt8]? {
    switch scan(Array(buffer)) {
    case .incomplete: return nil
    case .failed(let error): throw error
    case .frame(let length):
      let payload = Array(buffer.dropFirst(FrameLimits.prefixBytes).prefix(length))
      buffer = buffer.dropFirst(FrameLimits.prefixBytes + length)
      return payload
    }
  }
}
