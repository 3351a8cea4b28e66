import Testing
import WatchTransfer

@testable import WireFormat

/// Encodings that are not plain (faults B1 to B6 and B16): the scan stops them before protobuf-c.
struct EncodingFaultTests {
  /// A named stimulus.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let payload: [UInt8]
    let error: WireError

    init(_ name: String, _ payload: [UInt8], _ error: WireError) {
      self.name = name
      self.payload = payload
      self.error = error
    }

    var testDescription: String { name }
  }

  static let fetch = Wire.bytes(10, Wire.fetch)
  static let cursor = Wire.bytes(1, Wire.id) + Wire.number(2, 5) + Wire.number(3, 257)

  static let rows: [Row] = [
    Row("B1: a tag without a value", [0x50], .malformed(.wireType)),
    Row("B1: a length past the end", [0x52, 0x07, 0x08, 0x02], .malformed(.truncated)),
    Row(
      "B1: an inner length past the message's end", Wire.bytes(10, [0x22, 9]) + Wire.id,
      .malformed(.truncated)),
    Row("B1: a length of 2^63", [0x52] + Wire.varint(1 << 63), .malformed(.truncated)),
    Row("B1: a varint that does not end", Wire.bytes(10, [0x08, 0x80]), .malformed(.truncated)),
    Row("B1: a tag that does not end", [0xD2], .malformed(.truncated)),
    Row("B1: half a double", Wire.tag(99, 1) + [1, 2, 3, 4], .malformed(.truncated)),
    Row("B1: half a fixed32", Wire.tag(99, 5) + [1, 2], .malformed(.truncated)),
    Row("B1: a known field of another wire type", Wire.number(10, 1), .malformed(.wireType)),
    Row("B1: a number as bytes", Wire.bytes(10, Wire.bytes(1, [2])), .malformed(.wireType)),
    Row("B1: bytes as a fixed64", Wire.bytes(10, Wire.double(4, 1)), .malformed(.wireType)),
    Row("B1: wire type 6", [0x56], .malformed(.wireType)),
    Row("B1: wire type 7 of an unknown field", Wire.tag(99, 7), .malformed(.wireType)),
    Row("B1: a group", [0x53, 0x54], .malformed(.group)),
    Row("B1: an unknown group", Wire.tag(99, 3) + Wire.tag(99, 4), .malformed(.group)),
    Row("B1: the end of a group", [0x54], .malformed(.group)),
    Row("B1: field number 0", [0x02, 0x00], .malformed(.fieldNumber)),
    Row("B1: field number 2^29", Wire.number(1 << 29, 1), .malformed(.fieldNumber)),
    Row("B1: a field number past 32 bits", Wire.number(1 << 40, 1), .malformed(.fieldNumber)),
    Row("B2: 17 unknown fields", fetch + repeated(17, Wire.number(99, 1)), .tooManyFields),
    Row("B3: 16,000 unknown fields", repeated(16_000, Wire.number(99, 1)), .tooManyFields),
    Row(
      "B3: 32,000 empty sub-messages", Wire.bytes(1, repeated(32_000, [0x1A, 0x00])), .tooManyFields
    ),
    Row("B3: 513 fields", Wire.bytes(13, repeated(512, [0x08, 0x01])), .tooManyFields),
    Row(
      "B3: 512 packed numbers and two fields around them",
      Wire.bytes(13, Wire.bytes(1, repeated(511, [1]))), .tooManyFields),
    Row(
      "B4: a singular sub-message 16,000 times",
      Wire.bytes(1, repeated(16_000, [0x22, 0x02, 0x10, 0x01])), .duplicateField),
    Row("B4: a number twice", Wire.bytes(10, Wire.fetch + Wire.number(1, 2)), .duplicateField),
    Row("B5: one member of the oneof twice", fetch + fetch, .duplicateField),
    Row("B5: two members of the oneof", fetch + Wire.bytes(9, []), .duplicateField),
    Row("B5: no member of the oneof", [], .emptyMessage),
    Row("B5: a newer client's message", Wire.bytes(40, [8, 1]), .emptyMessage),
    Row("B6: nested 10,000 deep", nested(10_000), .malformed(.wireType)),
    Row("B7: an enum of 2^31", Wire.bytes(10, Wire.number(1, 1 << 31)), .malformed(.number)),
    Row(
      "B7: an enum that is 1 in its low 32 bits", Wire.bytes(10, Wire.number(1, 1 << 32 | 1)),
      .malformed(.number)),
    Row("B16: a tag longer than it needs to be", [0xD2, 0x00, 0x00], .malformed(.varint)),
    Row(
      "B16: a length longer than it needs to be", [0x52, 0x86, 0x00] + Wire.fetch,
      .malformed(.varint)),
    Row(
      "B16: a number longer than it needs to be", Wire.bytes(10, [0x08, 0x82, 0x00]),
      .malformed(.varint)),
    Row(
      "B16: a varint of 11 bytes", Wire.bytes(14, [0x08] + repeated(10, [0x80]) + [1]),
      .malformed(.varint)),
    Row(
      "B16: a varint of 65 bits", Wire.bytes(14, [0x08] + repeated(9, [0xFF]) + [2]),
      .malformed(.varint)),
    Row(
      "B16: a flag of 2", Wire.bytes(16, Wire.number(1, 1) + Wire.number(3, 2)), .malformed(.number)
    ),
    Row("B16: a flag of two bytes", Wire.bytes(16, [0x18, 0x81, 0x00]), .malformed(.varint)),
    Row("a uint32 of 2^32", Wire.bytes(1, Wire.number(1, 1 << 32)), .malformed(.number)),
    Row("random text", Array("GET / HTTP/1.1".utf8), .malformed(.wireType)),
  ]

  /// Field 1, a length, and inside again field 1 …
  static func nested(_ depth: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<depth where bytes.count < 60_000 {
      // Built from the inside out, and kept linear: the tag and length go in front at the end.
      bytes.append(contentsOf: Wire.varint(UInt64(bytes.count)).reversed() + [0x0A])
    }
    return bytes.reversed()
  }

  @Test(arguments: rows)
  func `An encoding that is not plain ends the connection`(row: Row) {
    let decoder = MessageDecoder()
    #expect(fromClient(row.payload, decoder) == .failure(row.error))
    #expect(row.error.goodbye == .malformed)
    // Nothing of the failure is left behind.
    let good = ClientMessage.pong(Pong(nonce: 8))
    #expect(fromClient(payload(good), decoder) == .success(good))
  }

  @Test func `B2: 16 unknown fields are stepped over, of every wire type, in every message`() throws
  {
    let unknown =
      repeated(4, Wire.number(99, 1)) + repeated(4, Wire.bytes(63, Wire.id))
      + repeated(4, Wire.double(64, 1)) + repeated(4, Wire.tag(536_870_911, 5) + [1, 2, 3, 4])
    let message = Wire.bytes(10, unknown + Wire.fetch) + unknown
    let plain = Fetch(view: WidgetView(kind: .today, family: .small, appearance: .both))
    #expect(fromClient(message) == .success(.fetch(plain)))
  }

  @Test func `Fields count up to their limit, and a limit of 0 lets nothing through`() {
    func decoder(_ change: (inout DecodeLimits) -> Void) -> MessageDecoder {
      var limits = DecodeLimits.fromClient
      change(&limits)
      return MessageDecoder(limits: limits)
    }
    let ping = payload(ClientMessage.ping(Ping(nonce: 1)))
    #expect(throws: Never.self) { try fromClient(ping, decoder { $0.fieldsMax = 2 }).get() }
    #expect(fromClient(ping, decoder { $0.fieldsMax = 1 }) == .failure(.tooManyFields))
    #expect(fromClient(ping, decoder { $0.fieldsMax = 0 }) == .failure(.tooManyFields))
    let unknown = ping + Wire.number(99, 1)
    #expect(throws: Never.self) {
      try fromClient(unknown, decoder { $0.unknownFieldsMax = 1 }).get()
    }
    #expect(fromClient(unknown, decoder { $0.unknownFieldsMax = 0 }) == .failure(.tooManyFields))
  }

  @Test func `B6: messages are nested up to the limit`() {
    let hello = payload(
      ClientMessage.hello(
        Hello(token: repeated(32, [1]), clock: DeviceClock(wall: Instant(milliseconds: 1)))))
    func decoder(_ depth: Int) -> MessageDecoder {
      var limits = DecodeLimits.fromClient
      limits.depthMax = depth
      return MessageDecoder(limits: limits)
    }
    #expect(throws: Never.self) { try fromClient(hello, decoder(3)).get() }
    #expect(fromClient(hello, decoder(2)) == .failure(.tooDeep))
    #expect(fromClient(hello, decoder(0)) == .failure(.tooDeep))
  }

  @Test
  func `A frame that needs more memory than the arena has is refused, and the next one is not`() {
    var limits = DecodeLimits.fromClient
    limits.arenaBytesMax = 1_024
    let decoder = MessageDecoder(limits: limits)
    let act = Act(
      incarnation: IncarnationID(high: 1, low: 1), number: 1, confirmed: 0,
      body: repeated(1_024, [1]))
    #expect(fromClient(payload(ClientMessage.act(act)), decoder) == .failure(.tooExpensive))
    #expect(throws: Never.self) {
      try fromClient(payload(ClientMessage.ping(Ping(nonce: 1))), decoder).get()
    }
    limits.arenaBytesMax = 0
    #expect(
      fromClient(payload(ClientMessage.resume(nil)), MessageDecoder(limits: limits))
        == .failure(.tooExpensive))
  }

  @Test func `A client's worst legal frames fit the arena`() throws {
    let body = repeated(65_400, [1])
    let act = Act(incarnation: IncarnationID(high: 1, low: 1), number: 1, confirmed: 0, body: body)
    #expect(throws: Never.self) { try fromClient(payload(ClientMessage.act(act))).get() }
    // 512 fields, each a sub-message of its own, is the most that unpacking is ever asked for.
    let entries = Wire.bytes(8, repeated(507, Wire.bytes(5, [])))
    #expect(fromClient(entries) == .failure(.unexpectedMessage))
  }

  @Test func `Packed numbers are read as the plain ones are`() {
    #expect(
      fromServer(Wire.bytes(13, Wire.bytes(1, [1, 3]))) == .success(.reload([.streak, .match])))
    #expect(
      fromServer(Wire.bytes(13, [0x08, 1, 0x08, 3])) == .success(.reload([.streak, .match])))
    #expect(fromServer(Wire.bytes(13, Wire.bytes(1, [0x81]))) == .failure(.malformed(.truncated)))
  }

  @Test func `B18: a server's message from a client is a breach of protocol`() {
    var sampler = Sampler(seed: 18)
    for _ in 0..<200 {
      let message = sampler.serverMessage()
      switch message {
      case .ping, .pong, .goodbye: continue
      default: break
      }
      #expect(fromClient(payload(message)) == .failure(.unexpectedMessage))
    }
    #expect(WireError.unexpectedMessage.goodbye == .protocolError)
    #expect(fromServer(payload(ClientMessage.resume(nil))) == .failure(.unexpectedMessage))
    #expect(fromServer([]) == .failure(.emptyMessage))
  }
}
