import Testing
import WatchTransfer

@testable import WireFormat

/// Messages whose encoding is plain and whose values are not (faults B7 to B20).
struct MessageFaultTests {
  /// A named stimulus.
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let payload: [UInt8]
    let field: String

    init(_ name: String, _ payload: [UInt8], _ field: String) {
      self.name = name
      self.payload = payload
      self.field = field
    }

    var testDescription: String { name }
  }

  static let token = Wire.bytes(2, repeated(32, [7]))

  static func hello(_ more: [UInt8]) -> [UInt8] {
    Wire.bytes(1, Wire.number(1, 1) + token + more)
  }

  static func outbox(_ id: [UInt8], _ confirmed: UInt64, _ oldest: UInt64, _ next: UInt64)
    -> [UInt8]
  {
    Wire.bytes(
      3,
      Wire.bytes(1, id) + Wire.number(2, confirmed) + Wire.number(3, oldest) + Wire.number(4, next))
  }

  static func otherID(_ last: UInt8) -> [UInt8] { Wire.id.dropLast() + [last] }

  static func act(_ number: UInt64, _ confirmed: UInt64, _ more: [UInt8] = []) -> [UInt8] {
    Wire.bytes(
      3, Wire.bytes(1, Wire.id) + Wire.number(2, number) + Wire.number(3, confirmed) + more)
  }

  static let receipt = Wire.bytes(1, Wire.id) + Wire.number(2, 1) + Wire.number(3, 3)

  static let client: [Row] = [
    Row("B17: an empty greeting", Wire.bytes(1, []), "version"),
    Row("no token", Wire.bytes(1, Wire.number(1, 1)), "token"),
    Row(
      "a token of 31 bytes", Wire.bytes(1, Wire.number(1, 1) + Wire.bytes(2, repeated(31, [7]))),
      "token"),
    Row(
      "a token of 33 bytes", Wire.bytes(1, Wire.number(1, 1) + Wire.bytes(2, repeated(33, [7]))),
      "token"),
    Row("an empty token", Wire.bytes(1, Wire.number(1, 1) + Wire.bytes(2, [])), "token"),
    Row(
      "B19: five outboxes", hello((1...5).flatMap { outbox(otherID($0), 0, 1, 1) }), "incarnations"),
    Row(
      "B20: one outbox twice", hello(outbox(Wire.id, 0, 1, 1) + outbox(Wire.id, 0, 1, 1)),
      "incarnations"),
    Row("an outbox whose next is 0", hello(outbox(Wire.id, 0, 1, 0)), "incarnations"),
    Row(
      "an outbox that confirmed what it never numbered", hello(outbox(Wire.id, 5, 1, 5)),
      "incarnations"),
    Row("an outbox whose oldest is 0", hello(outbox(Wire.id, 0, 0, 1)), "incarnations"),
    Row("an outbox that misses a number", hello(outbox(Wire.id, 5, 7, 9)), "incarnations"),
    Row("D9: an outbox at 2^53", hello(outbox(Wire.id, 0, 1, 1 << 53)), "next"),
    Row("an outbox of 15 bytes", hello(outbox(Array(Wire.id.dropLast()), 0, 1, 1)), "incarnation"),
    Row("an outbox without numbers", hello(Wire.bytes(3, Wire.bytes(1, Wire.id))), "confirmed"),
    Row("a code of 7 digits", hello(Wire.bytes(7, Array("1234567".utf8))), "code"),
    Row("a code of 9 digits", hello(Wire.bytes(7, Array("123456789".utf8))), "code"),
    Row("a code with a letter", hello(Wire.bytes(7, Array("1234567a".utf8))), "code"),
    Row("an empty code", hello(Wire.bytes(7, [])), "code"),
    Row("an empty device name", hello(Wire.bytes(8, [])), "device_name"),
    Row("a device name of 129 bytes", hello(Wire.bytes(8, repeated(129, [65]))), "device_name"),
    Row("B9: a device name with a line feed", hello(Wire.bytes(8, [65, 10])), "device_name"),
    Row("B8: a device name that is no UTF-8", hello(Wire.bytes(8, [0xFF])), "device_name"),
    Row("a cursor of nothing", hello(Wire.bytes(4, [])), "cursor.epoch"),
    Row(
      "a cursor without its set",
      Wire.bytes(9, Wire.bytes(1, Wire.bytes(1, Wire.id) + Wire.number(2, 1))), "cursor.set"),
    Row(
      "a cursor of 2^64 - 1",
      Wire.bytes(
        9, Wire.bytes(1, Wire.bytes(1, Wire.id) + Wire.number(2, .max) + Wire.number(3, 1))),
      "cursor.revision"),
    Row("B17: an empty envelope", Wire.bytes(3, []), "incarnation"),
    Row("act number 0", act(0, 0), "number"),
    Row("act number 2^53", act(1 << 53, 0), "number"),
    Row("D9: act number 2^64 - 1", act(.max, 0), "number"),
    Row("a confirmed of 2^53", act(1, 1 << 53), "confirmed"),
    Row(
      "an act without confirmed", Wire.bytes(3, Wire.bytes(1, Wire.id) + Wire.number(2, 1)),
      "confirmed"),
    Row(
      "D7: an incarnation of 1 byte",
      Wire.bytes(3, Wire.bytes(1, [1]) + Wire.number(2, 1) + Wire.number(3, 0)), "incarnation"),
    Row("an act with the receipt of another", act(2, 0, Wire.bytes(4, receipt)), "first_receipt"),
    Row("an act with an empty receipt", act(1, 0, Wire.bytes(4, [])), "incarnation"),
    Row(
      "B7: a widget of kind 0",
      Wire.bytes(10, Wire.number(1, 0) + Wire.number(2, 1) + Wire.number(3, 1)), "kind"),
    Row(
      "B7: a widget of kind 99",
      Wire.bytes(10, Wire.number(1, 99) + Wire.number(2, 1) + Wire.number(3, 1)), "kind"),
    Row(
      "B7: a widget of kind -1",
      Wire.bytes(10, Wire.number(1, .max) + Wire.number(2, 1) + Wire.number(3, 1)), "kind"),
    Row(
      "B7: a widget of family 8",
      Wire.bytes(10, Wire.number(1, 1) + Wire.number(2, 8) + Wire.number(3, 1)), "family"),
    Row(
      "B17: a widget without an appearance", Wire.bytes(10, Wire.number(1, 1) + Wire.number(2, 1)),
      "appearance"),
    Row(
      "a known hash of 7 bytes", Wire.bytes(10, Wire.fetch + Wire.bytes(4, repeated(7, [1]))),
      "known_hash"),
    Row("a ping without a nonce", Wire.bytes(14, []), "nonce"),
    Row(
      "a ping that showed 2^53", Wire.bytes(14, Wire.number(1, 1) + Wire.number(3, 1 << 53)),
      "shown_revision"),
    Row(
      "a ping with a clock of nothing", Wire.bytes(14, Wire.number(1, 1) + Wire.bytes(2, [])),
      "wall_ms"),
    Row("a goodbye for reason 99", Wire.bytes(16, Wire.number(1, 99)), "reason"),
    Row(
      "a goodbye with half a range", Wire.bytes(16, Wire.number(1, 1) + Wire.number(4, 1)),
      "version_max"),
    Row(
      "a goodbye with a range that is turned round",
      Wire.bytes(16, Wire.number(1, 1) + Wire.number(4, 2) + Wire.number(5, 1)), "version_max"),
  ]

  @Test(arguments: client)
  func `A client's message that fails a check names the field`(row: Row) {
    let error = WireError.invalid(field: row.field)
    #expect(fromClient(row.payload) == .failure(error))
    #expect(error.goodbye == .malformed)
  }

  @Test(
    arguments: [
      ("no outbox", hello([])),
      ("a code of 8 digits", hello(Wire.bytes(7, Array("00000000".utf8)))),
      ("a device name of 128 bytes", hello(Wire.bytes(8, repeated(128, [65])))),
      ("an outbox that numbered nothing", hello(outbox(Wire.id, 0, 1, 1))),
      ("four outboxes", hello((1...4).flatMap { outbox(otherID($0), 0, 1, 1) })),
      ("the last number", hello(outbox(Wire.id, (1 << 53) - 2, 1, (1 << 53) - 1))),
      ("act number 1", act(1, 0)),
      ("the last act", act((1 << 53) - 1, 0)),
      ("an act offered again", act(1, 7, Wire.bytes(4, receipt))),
      ("an act that raced its receipt", act(1, 1)),
      ("an act whose body is no action", act(1, 0, Wire.bytes(5, [0xFF]))),
      ("an act with a body above its limit", act(1, 0, Wire.bytes(5, repeated(40_000, [1])))),
      ("an act without a body", act(1, 0)),
    ] as [(String, [UInt8])])
  func `A client's message at its limits is read`(name: String, payload: [UInt8]) {
    #expect(throws: Never.self, "\(name)") { try fromClient(payload).get() }
  }

  static let server: [Row] = [
    Row("an empty welcome", Wire.bytes(2, []), "version"),
    Row(
      "an applied receipt without a revision",
      Wire.bytes(4, Wire.bytes(1, Wire.id) + Wire.number(2, 1) + Wire.number(3, 1)), "revision"),
    Row(
      "a refusal without a reason",
      Wire.bytes(4, Wire.bytes(1, Wire.id) + Wire.number(2, 1) + Wire.number(3, 2)), "reason"),
    Row(
      "an outcome of 4",
      Wire.bytes(4, Wire.bytes(1, Wire.id) + Wire.number(2, 1) + Wire.number(3, 4)), "outcome"),
    Row("a conflict without a receipt", Wire.bytes(5, []), "stored"),
    Row(
      "a gap that expects nothing",
      Wire.bytes(7, Wire.bytes(1, Wire.id) + Wire.number(2, 1) + Wire.number(3, 1)), "expected"),
    Row(
      "an update that goes back",
      Wire.bytes(8, Wire.bytes(1, Wire.id) + Wire.number(2, 5) + Wire.number(3, 4)), "to"),
    Row(
      "B20: one facet twice",
      Wire.bytes(
        8,
        Wire.bytes(1, Wire.id) + Wire.number(2, 0) + Wire.number(3, 4)
          + repeated(2, Wire.bytes(4, Wire.number(1, 1) + Wire.number(2, 1)))), "facets"),
    Row("a snapshot without a hash", Wire.bytes(11, Wire.fetch + Wire.number(4, 1)), "hash"),
  ]

  @Test(arguments: server)
  func `A server's message that fails a check names the field`(row: Row) {
    #expect(fromServer(row.payload) == .failure(.invalid(field: row.field)))
  }

  @Test func `Kinds that this version does not know are left out of an update`() throws {
    let update = Wire.bytes(
      8,
      Wire.bytes(1, Wire.id) + Wire.number(2, 0) + Wire.number(3, 4)
        + Wire.bytes(4, Wire.number(1, 77)) + Wire.bytes(4, Wire.number(1, 1) + Wire.number(2, 3))
        + Wire.bytes(5, Wire.number(1, 77) + Wire.bytes(2, [0xFF]))
        + Wire.bytes(6, Wire.number(1, 77)))
    guard case .update(let value) = try fromServer(update).get() else {
      Issue.record("not an update")
      return
    }
    #expect(value.facets == [EncodedFacet(kind: .today, revision: 3, content: [])])
    #expect(value.readings.isEmpty && value.cues.isEmpty)
    #expect(fromServer(Wire.bytes(13, [8, 2, 8, 99])) == .success(.reload([.today])))
  }

  @Test
  func
    `WID-09: a snapshot that lacks fields has defaults, and an entry that makes no sense is dropped`()
    throws
  {
    let good = Wire.bytes(6, Wire.signed(1, 5_000) + Wire.text(2, "3 days"))
    let noMoment = Wire.bytes(6, Wire.text(2, "lost"))
    let noText = Wire.bytes(6, Wire.signed(1, 7) + Wire.bytes(2, [0xFF]))
    let tooFar = Wire.bytes(6, Wire.signed(1, 7) + Wire.number(6, 1_001))
    let newerTheme = Wire.bytes(6, Wire.signed(1, 7) + Wire.number(8, 9))
    let later = Wire.bytes(6, Wire.signed(1, 9_000))
    let timeline = try MessageDecoder(limits: .fromServer).decodeTimeline(
      Wire.number(1, 1) + Wire.number(2, 1) + Wire.bytes(4, Wire.number(1, 5)) + good + noMoment
        + noText + tooFar + newerTheme + later)
    #expect(
      timeline
        == WidgetTimeline(
          kind: .streak, family: .small, reloadAfter: Instant(milliseconds: 9_000), day: nil,
          night: nil,
          entries: [
            .init(
              from: Instant(milliseconds: 5_000), lines: ["3 days"], spoken: "", symbol: "",
              stale: 0, theme: .day),
            .init(
              from: Instant(milliseconds: 9_000), lines: [], spoken: "", symbol: "", stale: 0,
              theme: .day),
          ]))
    #expect(throws: WireError.invalid(field: "kind")) { try MessageDecoder().decodeTimeline([]) }
    #expect(throws: WireError.malformed(.truncated)) {
      try MessageDecoder().decodeTimeline([0x22, 5])
    }
  }

  @Test(
    arguments: [
      (FacetKind.theme, Wire.number(1, 1), "day"),
      (.preferences, [], "units"),
      (.streak, [], "policy"),
      (.teams, Wire.bytes(1, Wire.id), "home"),
      (.today, Wire.bytes(2, Wire.text(2, "hi")), "greetings.from_ms"),
      (.goals, Wire.bytes(1, Wire.text(1, "a\0") + Wire.double(2, 1)), "goals.name"),
      (.goals, Wire.bytes(1, Wire.text(1, "a") + Wire.double(2, .nan)), "goals.target"),
      (.score, Wire.bytes(1, Wire.id), "home"),
      (.matchClock, Wire.bytes(1, Wire.id) + Wire.number(2, 5), "phase"),
    ] as [(FacetKind, [UInt8], String)])
  func `A facet that fails a check names the field`(
    kind: FacetKind, content: [UInt8], field: String
  ) {
    let facet = EncodedFacet(kind: kind, revision: 1, content: content)
    #expect(throws: WireError.invalid(field: field)) { try MessageDecoder().decodeFacet(facet) }
  }
}
