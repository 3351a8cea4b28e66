import TestSupport
import WatchTransfer

// Queries: what is wrong with one ends the connection, as with every envelope; what no rule knows
// is answered.
extension BytesRow {
  private static func key(day: Int64 = 20_787, log: [UInt8] = repeated([7], 16)) -> [UInt8] {
    blob(1, signed(1, day) + signed(2, 1_796_058_300_000) + blob(3, log))
  }

  private static func query(_ question: [UInt8], id: [UInt8] = number(1, 9)) -> [UInt8] {
    frame(blob(MessageField.query, id + question))
  }

  private static func history(_ fields: [UInt8]) -> [UInt8] { query(blob(2, fields)) }

  private static func trace(_ fields: [UInt8]) -> [UInt8] { query(blob(5, fields)) }

  static let queries: [BytesRow] =
    [
      ("B1 a query without an id", query(blob(2, []), id: [])),
      ("B2 a query with 17 unknown fields", query(blob(2, []) + unknown(17))),
      ("B4 a query's question twice", query(blob(2, []) + blob(2, []))),
      ("B5 two questions in a query", query(blob(2, []) + blob(3, blob(1, repeated([7], 16))))),
      ("B12 a query's log id of 15 bytes", history(key(log: repeated([7], 15)))),
      ("B12 a query's log id of zeros", history(key(log: repeated([0], 16)))),
      ("B12 a preview without an id", query(blob(3, []))),
      ("B14 a page of 0 entries", history(number(2, 0))),
      ("B14 a page of 65 entries", history(number(2, 65))),
      ("B14 a page of 2^32 entries", history(number(2, 1 << 32))),
      ("B15 a day beyond 32 bits", history(key(day: 1 << 33))),
      ("B5 two spans in a question", trace(number(2, 7) + signed(3, 20_787))),
      ("B14 a trace of 0 days", trace(number(2, 0))),
      ("B14 a trace of 65 days", trace(blob(1, signed(1, 20_787) + number(2, 65)))),
      ("B14 a trace of 2^32 days", trace(number(2, 1 << 32))),
      ("B15 a trace before 1970", trace(signed(3, -1))),
      ("B15 a trace from the year 2200 on", trace(blob(1, signed(1, 84_006) + number(2, 1)))),
      ("B7 a trace under an unknown policy", trace(number(2, 7) + number(4, 9))),
      ("B14 a trace of 8 days a week", trace(number(2, 7) + number(4, 2) + number(5, 8))),
      ("B14 a trace by day with days a week", trace(number(2, 7) + number(4, 1) + number(5, 3))),
      ("B7 exercises with unknown equipment", query(blob(6, number(2, 9)))),
      ("B10 a search of 129 bytes", query(blob(6, blob(1, repeated([0x61], 129))))),
      ("B8 a search that is not UTF-8", query(blob(6, blob(1, [0xFF])))),
      ("B9 a search with a line break", query(blob(6, blob(1, [0x61, 10])))),
      ("B14 a page of 65 exercises", query(blob(6, number(4, 65)))),
      ("B12 exercises behind one without an id", query(blob(6, blob(3, blob(1, [0x61]))))),
      ("B12 records of an id of 15 bytes", query(blob(7, blob(1, repeated([7], 15))))),
      ("B14 a page of 0 records", query(blob(7, number(3, 0)))),
      ("B10 a search of workouts of 129 bytes", query(blob(8, blob(1, repeated([0x61], 129))))),
      ("B8 a search of workouts that is not UTF-8", query(blob(8, blob(1, [0xFF])))),
      ("B12 workouts behind one without an id", query(blob(8, blob(2, blob(1, [0x61]))))),
      (
        "B12 workouts behind one without a title",
        query(blob(8, blob(2, blob(2, repeated([7], 16)))))
      ),
      ("B14 a page of 17 workouts", query(blob(8, number(3, 17)))),
      ("B14 a page of 0 workouts", query(blob(8, number(3, 0)))),
    ].map { name, bytes in
      BytesRow(name, .welcomed(bytes), .goodbye(.malformed), by: envelopeRule)
    } + [
      BytesRow("B5 no question in a query", .script { try answered($0, query([])) }),
      BytesRow("B7 a question nobody knows", .script { try answered($0, query(blob(9, [8, 1]))) }),
      BytesRow("B14 a page of 64 entries", .script { try answered($0, history(number(2, 64))) }),
      BytesRow("B5 no span in a question", .script { try answered($0, trace([])) }),
      BytesRow("B7 a span nobody knows", .script { try answered($0, trace(blob(9, [8, 1]))) }),
      BytesRow("B14 a trace of 64 days", .script { try answered($0, trace(number(2, 64))) }),
      BytesRow(
        "B15 a trace up to 2200",
        .script { try answered($0, trace(blob(1, signed(1, 84_005) + number(2, 64)))) }),
      BytesRow("B10 an empty search", .script { try answered($0, query(blob(6, blob(1, [])))) }),
      BytesRow("B15 a page from any day on", .script { try answered($0, history(key())) }),
    ]

  /// The query is answered by a page with its id, and the connection stays.
  private static func answered(_ stage: BytesStage, _ bytes: [UInt8]) throws {
    let client = try stage.welcomed(stage.watch)
    try client.send(bytes: bytes)
    while true {
      guard case .page(let page) = try client.next() else { continue }
      stage.check(page.id == 9, "a page of \(page.id)")
      break
    }
    try client.send(bytes: ping(5))
    while true {
      if case .pong(let pong) = try client.next(), pong.nonce == 5 { return }
    }
  }
}
