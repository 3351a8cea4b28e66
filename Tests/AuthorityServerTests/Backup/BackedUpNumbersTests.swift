import Foundation
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// What a Welcome says of verified copies, and what a restore makes of it.
@Suite(.timeLimit(.minutes(2))) struct BackedUpNumbersTests {
  private let fixture: ServerFixture
  private let target: String
  private let watch: TestDevice

  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
    watch = try await fixture.device(.watch)
    try watch.connect()
  }

  /// The number that a new connection is told of its outbox; 0: none.
  private func told() throws -> ActionNumber {
    try watch.connect()
    return watch.welcome?.backedUp.first { $0.incarnation == watch.outbox.incarnation }?.number ?? 0
  }

  /// What the outbox says of itself when it keeps what is above `number`.
  private func keepAbove(_ number: ActionNumber) {
    watch.greeted = [
      IncarnationState(
        incarnation: watch.outbox.incarnation, confirmed: watch.outbox.confirmed,
        oldest: number + 1, next: watch.outbox.next)
    ]
  }

  private func offerAgain(_ numbers: ClosedRange<ActionNumber>) throws {
    for number in numbers {
      var act = watch.outbox.again(number)
      act.firstReceipt = Receipt(
        incarnation: act.incarnation, number: number, outcome: .applied(number + 1))
      #expect(try watch.settle(act).outcome.word == "applied")
    }
  }

  @Test func `an outbox is told of verified copies alone, and a restart does not forget it`()
    async throws
  {
    for value in 1...3 { try watch.perform(Scene.goal(value)) }
    #expect(try told() == 0)
    #expect(watch.welcome?.reofferMax == 1_000)
    try await fixture.backUp(to: target)
    #expect(try told() == 3)
    #expect(watch.welcome?.reofferMax == 10_000)
    try watch.perform(Scene.goal(4))
    // A number that was refused is in the copy like any other.
    try watch.perform(.unscheduleWorkout(id: .random()))
    #expect(try told() == 3)
    try await fixture.restart()
    #expect(try told() == 3)
    try await fixture.backUp(to: target)
    #expect(try told() == 5)
    #expect(try await fixture.status().alarms.isEmpty)
    await fixture.stop()
  }

  @Test func `after two restores in a row, the second older than promised, it is told the truth`()
    async throws
  {
    for value in 1...3 { try watch.perform(Scene.goal(value)) }
    let older = try await fixture.backUp(to: target).path
    try await fixture.advanceClock(milliseconds: 1_000)
    for value in 4...6 { try watch.perform(Scene.goal(value)) }
    let newer = try await fixture.backUp(to: target).path
    for value in 7...8 { try watch.perform(Scene.goal(value)) }
    #expect(try told() == 6)
    await fixture.stop()

    #expect(try fixture.restore(newer).brokenPromises == 0)
    try fixture.start()
    keepAbove(6)
    #expect(try told() == 6)
    #expect(watch.welcome?.expected.first?.number == 7)
    try offerAgain(7...8)
    #expect(try watch.shownGoal == 8)
    await fixture.stop()

    // It was told that 6 is safe, and keeps what is above: 4 to 6 are lost.
    #expect(try fixture.restore(older).brokenPromises == 1)
    try fixture.start()
    #expect(try await fixture.status().alarms.contains { $0.contains("older than 1 outboxes") })
    #expect(try told() == 3)
    #expect(watch.welcome?.expected.first?.number == 7, "lost numbers are used up")
    try offerAgain(7...8)
    #expect(try watch.shownGoal == 8)
    while watch.shownDelivery?.newest.last?.outcome != "missing" { _ = try watch.next() }
    #expect(watch.shownDelivery?.newest.last?.number == 6)
    #expect(try watch.settle(watch.outbox.again(5)).outcome == .refused(.missing))
    #expect(
      try await fixture.status().alarms.contains { $0.contains("are lost; see its delivery") })
    try await fixture.backUp(to: target)
    #expect(try told() == 8)
    try await fixture.restart()
    #expect(try await fixture.status().alarms.isEmpty, "the next backup holds what is promised")
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }

  @Test func `a journal that went back without a restore is noticed, and nothing is claimed`()
    async throws
  {
    for value in 1...3 { try watch.perform(Scene.goal(value)) }
    let copy = "\(fixture.directory.path)/copy"
    try fixture.copyData(to: copy)
    for value in 4...6 { try watch.perform(Scene.goal(value)) }
    try await fixture.backUp(to: target)
    #expect(try told() == 6)
    await fixture.stop()
    try fixture.replaceJournal(from: copy)
    try fixture.start()
    keepAbove(0)
    #expect(try told() == 0)
    #expect(
      try await fixture.status().alarms.contains {
        $0.contains("restored from an older copy than its devices were told of")
      })
    // Offered again they are numbers of another history, which no copy has.
    try offerAgain(4...6)
    #expect(try told() == 0)
    try await fixture.restart()
    #expect(try told() == 0)
    try await fixture.backUp(to: target)
    #expect(try told() == 6)
    await fixture.stop()
  }

  @Test func `what is known of backups and cannot be read promises nothing`() async throws {
    try watch.perform(Scene.goal(1))
    try await fixture.backUp(to: target)
    await fixture.stop()
    try Data("{}".utf8).write(to: URL(filePath: "\(fixture.dataPath)/backups.json"))
    try fixture.start()
    #expect(try told() == 0)
    #expect(try await fixture.status().alarms.contains { $0.contains("backups.json") })
    try await fixture.backUp(to: target)
    #expect(try told() == 1)
    await fixture.stop()
  }
}
