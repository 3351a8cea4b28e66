import Authority
import TestSupport
import Testing
import WatchTransfer

@Suite struct LedgerTests {
  static let incarnation = IncarnationID(high: 1, low: 1)
  static let watch = DeviceID(high: 2, low: 2)
  static let phone = DeviceID(high: 3, low: 3)
  static let start = Instant(milliseconds: 1_700_000_000_000)

  /// A ledger whose one incarnation has numbers 1 to `last`, each with its number as hash and
  /// revision.
  static func ledger(last: ActionNumber, confirmed: ActionNumber = 0) -> Ledger {
    var ledger = Ledger()
    for number in 1..<(last + 1) {
      ledger.record(
        IncarnationLedger.Entry(bodyHash: number, outcome: .applied(number)), of: incarnation,
        confirmed: min(confirmed, number), from: watch, at: start)
    }
    return ledger
  }

  func verdict(
    of ledger: Ledger, number: ActionNumber, hash: UInt64, confirmed: ActionNumber = 0,
    incarnation: IncarnationID = Self.incarnation, at now: Instant = Self.start
  ) -> LedgerVerdict {
    ledger.verdict(
      on: incarnation, number: number, confirmed: confirmed, bodyHash: hash, from: Self.watch,
      at: now)
  }

  @Test(
    arguments: [
      (1, 1, .repeated(.applied(1))), (3, 3, .repeated(.applied(3))),
      (1, 9, .conflict(.applied(1))), (3, 9, .conflict(.applied(3))),
      (4, 4, .decide), (5, 5, .gap(expected: 4)), (1_000, 1, .gap(expected: 4)),
      (ActionLimits.numberEnd - 1, 1, .gap(expected: 4)),
    ] as [(ActionNumber, UInt64, LedgerVerdict)])
  func `a number is repeated, in conflict, next, or after a gap`(
    number: ActionNumber, hash: UInt64, expected: LedgerVerdict
  ) {
    #expect(verdict(of: Self.ledger(last: 3), number: number, hash: hash) == expected)
  }

  @Test(
    arguments: [
      (256, 1, .repeated(.applied(1))), (257, 1, .settled), (257, 2, .repeated(.applied(2))),
      (600, 344, .settled), (600, 345, .repeated(.applied(345))),
      (600, 600, .repeated(.applied(600))), (1_024, 768, .settled),
      (1_024, 769, .repeated(.applied(769))),
    ] as [(ActionNumber, ActionNumber, LedgerVerdict)])
  func `the newest 256 receipts are kept, older numbers are settled`(
    last: ActionNumber, number: ActionNumber, expected: LedgerVerdict
  ) {
    #expect(verdict(of: Self.ledger(last: last), number: number, hash: number) == expected)
  }

  @Test(
    arguments: [
      (256, 0, .busy), (255, 0, .decide), (256, 1, .decide), (300, 44, .busy), (300, 45, .decide),
      (300, ActionLimits.numberEnd - 1, .decide), (300, 300, .decide),
    ] as [(ActionNumber, ActionNumber, LedgerVerdict)])
  func `the next number is busy when it is over 256 above what is confirmed`(
    last: ActionNumber, confirmed: ActionNumber, expected: LedgerVerdict
  ) {
    let ledger = Self.ledger(last: last)
    #expect(verdict(of: ledger, number: last + 1, hash: 0, confirmed: confirmed) == expected)
  }

  @Test(
    arguments: [
      (7, 0, .decide), (8, 0, .busy), (8, 86_399_999, .busy), (8, 86_400_000, .decide),
    ] as [(UInt64, Int64, LedgerVerdict)])
  func `a device brings eight new incarnations a day`(
    known: UInt64, later: Int64, expected: LedgerVerdict
  ) {
    var ledger = Ledger()
    for low in 0..<known {
      ledger.record(
        IncarnationLedger.Entry(bodyHash: 1, outcome: .expired),
        of: IncarnationID(high: 9, low: low), confirmed: 0, from: Self.watch, at: Self.start)
    }
    let new = IncarnationID(high: 9, low: 99)
    let now = Self.start.advanced(milliseconds: later)
    #expect(verdict(of: ledger, number: 1, hash: 1, incarnation: new, at: now) == expected)
    let other = ledger.verdict(
      on: new, number: 1, confirmed: 0, bodyHash: 1, from: Self.phone, at: now)
    #expect(other == .decide, "another device has its own eight")
  }

  @Test func `an unknown incarnation begins with 1`() {
    let ledger = Ledger()
    #expect(ledger.expected(of: Self.incarnation) == 1)
    #expect(verdict(of: ledger, number: 1, hash: 5) == .decide)
    #expect(verdict(of: ledger, number: 2, hash: 5) == .gap(expected: 1))
  }

  @Test(
    arguments: [
      (5, [1, 2, 3], [4, 5]), (400, [1, 3], [4, 145, 400]), (3, [], []),
    ] as [(ActionNumber, [ActionNumber], [ActionNumber])])
  func `numbers lost on both sides are refused as missing, whatever their bytes`(
    through: ActionNumber, before: [ActionNumber], missing: [ActionNumber]
  ) {
    var ledger = Self.ledger(last: 3)
    ledger.recordMissing(
      of: Self.incarnation, through: through, from: Self.watch, at: Self.start)
    #expect(ledger.expected(of: Self.incarnation) == through + 1)
    for number in missing {
      #expect(verdict(of: ledger, number: number, hash: 77) == .repeated(.refused(.missing)))
    }
    for number in before {
      // The outbox has let go of them too.
      #expect(verdict(of: ledger, number: number, hash: number) == .settled)
    }
    #expect(verdict(of: ledger, number: through + 1, hash: 1, confirmed: through) == .decide)
  }

  @Test func `an incarnation idle for 30 days keeps its last number and what is not confirmed`() {
    var ledger = Self.ledger(last: 10, confirmed: 7)
    ledger.forgetIdle(at: Self.start.advanced(milliseconds: Ledger.idleMilliseconds))
    #expect(verdict(of: ledger, number: 1, hash: 1) == .repeated(.applied(1)))
    ledger.forgetIdle(at: Self.start.advanced(milliseconds: Ledger.idleMilliseconds + 1))
    #expect(verdict(of: ledger, number: 7, hash: 7) == .settled)
    #expect(verdict(of: ledger, number: 8, hash: 8) == .repeated(.applied(8)))
    #expect(ledger.expected(of: Self.incarnation) == 11)
  }

  @Test(arguments: [(0, 4), (3, 4), (4, 4), (9, 9), (99, 10)] as [(ActionNumber, ActionNumber)])
  func `what is confirmed never goes back and never passes the last number`(
    said: ActionNumber, confirmed: ActionNumber
  ) {
    var known = IncarnationLedger(
      last: 10, confirmed: 4, entries: [], lost: nil, device: Self.watch, since: Self.start,
      lastUsed: Self.start)
    known.confirm(said)
    #expect(known.confirmed == confirmed)
  }
}
