import Testing
import WatchTransfer

@testable import WatchClient

/// An outbox that was restored to an older copy of itself (DESIGN section 4, `conflict`).
struct OutboxGoneBackTests {
  /// A ledger that has decided `decided` bodies, and the outbox as it was after `kept` of them.
  private func goneBack(decided: Int, kept: Int) -> (Desk, ModelLedger) {
    var desk = Desk()
    var ledger = ModelLedger()
    desk.submit(1...kept)
    desk.run(against: &ledger)
    let copy = desk
    if decided > kept { desk.submit((kept + 1)...decided) }
    desk.run(against: &ledger)
    var restored = copy
    restored.notices = []
    restored.restart()
    return (restored, ledger)
  }

  @Test(arguments: [1, 2, 255, 256, 300])
  func anOutboxThatWentBackKnowsItFromTheWelcome(back: Int) {
    var (desk, ledger) = goneBack(decided: 500, kept: 500 - back)
    desk.run(against: &ledger)
    guard case .moved(let old, let new, let count) = desk.notices.first else {
      Issue.record("the outbox did not notice")
      return
    }
    #expect(old == incarnation(100) && new != old && count == 0)
    desk.submit(1_001...1_003)
    desk.run(against: &ledger)
    #expect(Array(ledger.applied.suffix(3)) == [body(1_001), body(1_002), body(1_003)])
    #expect(ledger.applied.count == 503)
    #expect(desk.machine.isSettled)
  }

  @Test(arguments: [1, 20, 255, 300], [1, 10, 500])
  func actionsMadeOfflineInOneRunAreAllAppliedOnceUnderNewNumbers(back: Int, made: Int) {
    var (desk, ledger) = goneBack(decided: 500, kept: 500 - back)
    desk.submit(1_001...(1_000 + made))
    desk.run(against: &ledger)
    #expect(ledger.applied.count == 500 + made)
    #expect(Array(ledger.applied.suffix(made)) == (1_001...(1_000 + made)).map { body($0) })
    #expect(desk.machine.queuedIDs.isEmpty)
    #expect(desk.receipts.count == made)
  }

  @Test func actionsOfAnEarlierRunAreFoundByTheirConflictAndMoveInOrder() {
    var (desk, ledger) = goneBack(decided: 500, kept: 480)
    desk.submit(1_001...1_050)
    // The next process cannot know whether these were sent.
    desk.restart()
    desk.run(against: &ledger)
    #expect(Array(ledger.applied.suffix(50)) == (1_001...1_050).map { body($0) })
    #expect(ledger.applied.count == 550)
    let moves = desk.notices.filter { if case .moved = $0 { true } else { false } }
    #expect(moves.count == 1)
  }

  @Test func whatIsOlderThanTheLedgersReceiptsIsQuarantinedAndNeverRenumbered() {
    var (desk, ledger) = goneBack(decided: 1_000, kept: 700)
    desk.submit(2_001...2_500)
    desk.restart()
    desk.run(against: &ledger)
    // 701 ... 744 are settled; 745 conflicts and moves with all later ones.
    let quarantined = desk.notices.compactMap { notice -> ActionNumber? in
      if case .quarantined(let id, .outcomeUnknown) = notice { id.number } else { nil }
    }
    #expect(quarantined == Array(701...744))
    #expect(Array(ledger.applied.suffix(456)) == (2_045...2_500).map { body($0) })
    #expect(ledger.applied.count == 1_456)
    #expect(desk.machine.isSettled)
    #expect(desk.machine.queuedIDs.map(\.number) == Array(701...744))
  }

  @Test func aMovedActionKeepsItsBytes() {
    var (desk, ledger) = goneBack(decided: 10, kept: 5)
    desk.submit(77...77)
    desk.sent = []
    desk.run(against: &ledger)
    #expect(desk.sent.filter { $0.body == body(77) }.map(\.number) == [1])
  }

  @Test func laterConflictsOfOneFlightMoveNothingTwice() {
    var desk = Desk()
    desk.submit(1...3)
    desk.receive(.welcome(welcome()))
    _ = desk.machine.acts(at: desk.now)
    for number in 1...3 as ClosedRange<ActionNumber> {
      desk.receive(
        .conflict(
          Receipt(incarnation: incarnation(100), number: number, outcome: .applied(2))))
    }
    #expect(desk.notices.count == 1)
    #expect(desk.machine.waitingCount == 3)
    #expect(desk.machine.acts(at: desk.now).map(\.number) == [1, 2, 3])
  }

  @Test func aDismissedActionIsNotListedAndNotSentAgain() {
    var desk = Desk()
    desk.submit(1...1)
    desk.receive(.welcome(welcome()))
    _ = desk.machine.acts(at: desk.now)
    let id = IncarnationNumber(incarnation: incarnation(100), number: 1)
    desk.receive(.settled(id))
    #expect(desk.machine.queuedIDs == [id])
    desk.take(desk.machine.dismiss(id))
    desk.restart()
    #expect(desk.machine.queuedIDs.isEmpty)
    desk.receive(
      .welcome(welcome(expected: [IncarnationNumber(incarnation: id.incarnation, number: 2)])))
    #expect(desk.machine.acts(at: desk.now).isEmpty)
  }
}

extension OutboxMachine {
  /// Whether a server would take the greeting.
  var isGreetingSound: Bool { greeting.allSatisfy { $0.isSound } }

  /// What stands in the queue.
  var queuedIDs: [IncarnationNumber] {
    lanes.flatMap { lane in
      lane.entries.indices.compactMap { index in
        switch lane.entries[index].state {
        case .waiting, .quarantined: lane.id(lane.oldest + ActionNumber(index))
        case .receipted, .dismissed, .moved: nil
        }
      }
    }
  }
}
