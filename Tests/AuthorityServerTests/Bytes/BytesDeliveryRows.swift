import AuthorityServer
import TestSupport
import WatchTransfer
import WireFormat

// Part D of the catalogue, as far as it shows at a socket: each act once, in order.
extension BytesRow {
  static let delivery: [BytesRow] = repeats + orders + acknowledgements

  private static let repeats: [BytesRow] = [
    BytesRow("D1 again on the same connection", .script { try again($0, anew: false) }),
    BytesRow("D2 again on a new connection", .script { try again($0, anew: true) }),
    BytesRow("D3 other bytes", .script(otherBytes)),
    BytesRow("D4 by another device of the account", .script(byAnotherDevice)),
    BytesRow("D5 two copies in one write", .script(twoCopies)),
    BytesRow(
      "D12 a refusal again", .body([0xFF]), .refused(.invalid(field: "body")),
      by: "A refusal also consumes the number and is as durable as an effect."),
  ]

  private static let orders: [BytesRow] =
    [0, 1, 15, 17, 900].map { count in
      BytesRow(
        "D7 incarnation of \(count) bytes",
        .welcomed(act(incarnation: repeated([7], count), body: theme(2))), .goodbye(.malformed))
    } + [
      BytesRow("D8 an old number", .script(oldNumber)),
      BytesRow("D9 a gap, a step back, and on", .script(gapAndStepBack)),
      BytesRow("D9 the last number there is", .script(lastNumber)),
      BytesRow("D10 an edit from before the newest", .script(olderEdit)),
      BytesRow("D11 a cursor from the future", .script(cursorAhead)),
      BytesRow("D13 a hold is no answer for good", .script(heldThenDecided)),
    ]

  private static let acknowledgements: [BytesRow] = [
    BytesRow(
      "D14 a revision that was never sent", .welcomed(ping(7, number(3, 1 << 52))), .pong(7)),
    BytesRow(
      "D14 a revision that cannot be", .welcomed(ping(7, number(3, 1 << 53))),
      .goodbye(.malformed)),
    BytesRow("D14 receipts confirmed that were never given", .script(confirmedAhead)),
    BytesRow("D15 a client that never confirms", .script(neverConfirms)),
  ]
}

private func again(_ stage: BytesStage, anew: Bool) throws {
  let first = try stage.welcomed(stage.watch)
  try first.send(bytes: act(body: theme(2)))
  let receipt = try first.receipt()
  stage.check(receipt.outcome == .applied(2), "\(receipt.outcome)")
  if anew { try stage.leave(first) }
  let second = anew ? try stage.welcomed(stage.watch) : first
  for _ in 0..<3 {
    try second.send(bytes: act(body: theme(2)))
    stage.check(try second.receipt() == receipt, "another receipt")
  }
  stage.check(try stage.view().revision == 2, "another effect")
  try stage.leave(second)
}

private func otherBytes(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(body: theme(2)))
  let receipt = try client.receipt()
  let view = try stage.view()
  for _ in 0..<2 {
    try client.send(bytes: act(body: theme(3)))
    let stored = try client.conflict()
    stage.check(stored == receipt, "\(stored)")
  }
  stage.check(try stage.view() == view, "the account has changed")
  try stage.leave(client)
}

/// The ledger is the account's: the same bytes get the same receipt, others a conflict.
private func byAnotherDevice(_ stage: BytesStage) throws {
  let first = try stage.welcomed(stage.watch)
  try first.send(bytes: act(body: theme(2)))
  let receipt = try first.receipt()
  let other = try stage.welcomed(try stage.pair(.phone, name: "other"))
  try other.send(bytes: act(body: theme(2)))
  stage.check(try other.receipt() == receipt, "another receipt for the other device")
  try other.send(bytes: act(body: theme(3)))
  stage.check(try other.conflict() == receipt, "no conflict for the other device")
  stage.check(try stage.view().revision == 2, "another effect")
  try stage.leave(first)
  try stage.leave(other)
}

private func twoCopies(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(body: theme(2)) + act(body: theme(2)))
  let receipts = [try client.receipt(), try client.receipt()]
  stage.check(receipts[0] == receipts[1] && receipts[0].outcome == .applied(2), "\(receipts)")
  stage.check(try stage.view().revision == 2, "another effect")
  try stage.leave(client)
}

/// 300 acts, each confirmed at once; only the newest 256 receipts are kept.
private func oldNumber(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try perform(300, on: client) { $0 - 1 }
  try client.send(bytes: act(number: 1, confirmed: 300, body: theme(3)))
  let settled = try client.next { if case .settled(let number) = $0 { number } else { nil } }
  stage.check(settled.number == 1, "settled \(settled.number)")
  stage.check(try stage.view().revision == 301, "another effect")
  try stage.leave(client)
}

private func gapAndStepBack(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try perform(6, on: client) { $0 - 1 }
  try client.send(bytes: act(number: 8, confirmed: 6, body: theme(2)))
  let hold = try client.hold()
  stage.check(hold.number == 8 && hold.reason == .gap(expected: 7), "\(hold)")
  try client.send(bytes: act(number: 1, confirmed: 6, body: theme(3)))
  let old = try client.receipt()
  stage.check(old.number == 1 && old.outcome == .applied(2), "\(old)")
  try client.send(bytes: act(number: 7, confirmed: 6, body: theme(2)))
  let next = try client.receipt()
  stage.check(next.number == 7 && next.outcome == .applied(8), "\(next)")
  try stage.leave(client)
}

private func lastNumber(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  let last: UInt64 = 1 << 53 - 1
  try client.send(bytes: act(number: last, confirmed: last, body: theme(2)))
  let hold = try client.hold()
  stage.check(hold.reason == .gap(expected: 1), "\(hold)")
  try client.send(bytes: act(body: theme(2)))
  stage.check(try client.receipt().outcome == .applied(2), "the first is not decided")
  try stage.leave(client)
}

private func olderEdit(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  let newer = body(ActionField.setTheme, number(1, 2), at: bodyMoment)
  let older = body(ActionField.setTheme, number(1, 3), at: bodyMoment - 60_000)
  try client.send(bytes: act(body: newer))
  stage.check(try client.receipt().outcome == .applied(2), "the newer edit")
  let view = try stage.view()
  try client.send(bytes: act(number: 2, confirmed: 1, body: older))
  let receipt = try client.receipt()
  stage.check(receipt.outcome == .refused(.superseded), "\(receipt.outcome)")
  stage.check(try stage.view() == view, "the older edit has an effect")
  try stage.leave(client)
}

private func cursorAhead(_ stage: BytesStage) throws {
  let client = try stage.connect()
  let welcome = try client.greet(Hello(token: stage.watch))
  _ = try client.update()
  for revision in [welcome.revision + 1, 1 << 53 - 1] as [Revision] {
    try client.send(
      .resume(Cursor(epoch: welcome.epoch, revision: revision, facetSet: welcome.facetSet)))
    let update = try client.update()
    stage.check(update.from == 0, "resumed from \(update.from)")
    stage.check(!update.facets.isEmpty, "nothing came")
  }
  try stage.leave(client)
}

private func heldThenDecided(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(number: 2, body: theme(3)))
  _ = try client.hold()
  try client.send(bytes: act(number: 1, body: theme(2)) + act(number: 2, body: theme(3)))
  let outcomes = [try client.receipt().outcome, try client.receipt().outcome]
  stage.check(outcomes == [.applied(2), .applied(3)], "\(outcomes)")
  try stage.leave(client)
}

/// What is confirmed never passes the last number: the window stays where it was.
private func confirmedAhead(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try client.send(bytes: act(number: 1, confirmed: 1 << 52, body: theme(2)))
  stage.check(try client.receipt().outcome == .applied(2), "not decided")
  try client.send(bytes: act(number: 1, confirmed: 1 << 52, body: theme(2)))
  stage.check(try client.receipt().outcome == .applied(2), "its receipt is gone")
  try client.send(bytes: act(number: 2, confirmed: 1, body: theme(3)))
  stage.check(try client.receipt().outcome == .applied(3), "the next is not decided")
  try stage.leave(client)
}

private func neverConfirms(_ stage: BytesStage) throws {
  let client = try stage.welcomed(stage.watch)
  try perform(256, on: client) { _ in 0 }
  try client.send(bytes: act(number: 257, body: theme(2)))
  let hold = try client.hold()
  guard hold.number == 257, case .busy = hold.reason else { return stage.fail("\(hold)") }
  try client.send(bytes: act(number: 257, confirmed: 1, body: theme(2)))
  stage.check(try client.receipt().number == 257, "not decided once one is confirmed")
  try stage.leave(client)
}

/// Acts 1 to `count`, ended by the receipt of the last.
private func perform(
  _ count: UInt64, on client: WireClient, confirmed: (UInt64) -> UInt64
) throws {
  for number in 1...count {
    try client.send(
      bytes: act(number: number, confirmed: confirmed(number), body: theme(2 + number % 2)))
    if number % 32 == 0 || number == count {
      while try client.receipt().number < number {}
    }
  }
}

extension WireClient {
  /// The stored receipt of a conflict.
  fileprivate func conflict() throws -> Receipt {
    try next { if case .conflict(let receipt) = $0 { receipt } else { nil } }
  }
}

/// C11: what a watch and a phone do at once is shown to both in the order of the revisions, and the
/// widget fetches the newest.
func threeAtOnce(_ stage: BytesStage) throws {
  let watch = try stage.welcomed(stage.watch)
  let phone = try stage.welcomed(try stage.pair(.phone, name: "acting"))
  let widget = try stage.welcomed(try stage.pair(.widget))
  for number in 1...20 as ClosedRange<UInt64> {
    for (client, outbox) in [(watch, id(1)), (phone, id(2))] {
      let workout = id(UInt8(number) + (outbox == id(1) ? 100 : 150))
      let definition = body(ActionField.defineWorkout, blob(1, workout) + text(2, "Legs"))
      try client.send(
        bytes: act(incarnation: outbox, number: number, confirmed: number - 1, body: definition))
    }
  }
  for client in [watch, phone] {
    var shown: Revision = 0
    var receipts: UInt64 = 0
    while receipts < 20 {
      switch try client.next() {
      case .update(let update) where update.readings.isEmpty:
        stage.check(update.from == shown || shown == 0, "from \(update.from), shown \(shown)")
        stage.check(update.to >= update.from, "an update goes back")
        shown = update.to
      case .receipt(let receipt):
        receipts += 1
        stage.check(receipt.number == receipts, "a receipt of \(receipt.number)")
        guard case .applied(let revision) = receipt.outcome else {
          stage.fail("\(receipt.outcome)")
          continue
        }
        stage.check(revision <= shown, "a receipt before its update")
      default: break
      }
    }
  }
  let revision = try stage.view().revision
  stage.check(revision == 41, "revision \(revision)")
  try widget.send(
    bytes: frame(blob(MessageField.fetch, number(1, 1) + number(2, 1) + number(3, 1))))
  stage.check(try widget.snapshot().revision <= revision, "a snapshot from the future")
  for client in [watch, phone, widget] { try stage.leave(client) }
}
