import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct FailingCommitTests {
  @Test(
    arguments: [(.before, 0), (.after, 1)] as [(JournalFaults.Moment, UInt64)])
  func `after a commit of unknown outcome nothing is answered, and a retry ends in one effect`(
    moment: JournalFaults.Moment, effects: UInt64
  ) async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    try watch.connect()
    try phone.connect()
    let match = MatchID.random()
    try watch.perform(Scene.match(match))
    fixture.faults.failAppend(fixture.faults.counts.appends + 1, moment)
    let act = watch.queue(Scene.point(in: match))
    try watch.send(.act(act))
    try fixture.failed.wait()
    #expect(fixture.failure.isRaised)
    // A real server's process has ended by now; this one must not say anything more of the account.
    try watch.send(.act(act))
    try watch.send(.act(watch.queue(Scene.goal(1))))
    try phone.send(.resume(nil))
    let said = try watch.sync() + phone.sync()
    let counts = said.count { message in
      if case .update(let update) = message { return update.to > 2 }
      return message.answersAnAct
    }
    #expect(counts == 0)

    let restarted = try await fixture.copied()
    try restarted.start()
    watch.fixture = restarted
    watch.outbox = copy(of: watch.outbox, next: 3)
    try watch.connect()
    #expect(watch.welcome?.expected.first?.number == 2 + effects)
    #expect(try watch.shownScore?.home == Int(effects))
    let receipt = try watch.settle(act)
    #expect(receipt.outcome == .applied(3))
    #expect(try watch.settle(act) == receipt)
    #expect(try watch.shownScore?.home == 1)
    #expect(try watch.perform(Scene.goal(2)).number == 3)
    #expect(try await restarted.check().isEmpty)
    await restarted.stop()
    #expect(try restarted.offlineCheck().isEmpty)
  }

  /// The outbox as it was before its newest act was made.
  private func copy(of outbox: TestOutbox, next: ActionNumber) -> TestOutbox {
    var copy = outbox
    copy.next = next
    return copy
  }

  @Test func `a checkpoint without room loses nothing and is tried again`() async throws {
    var limits = ServerLimits()
    limits.checkpointSeconds = 1
    let fixture = try await Scene.server(limits: limits)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let stores = fixture.faults.counts.checkpointStores
    fixture.faults.failCheckpointStore(stores + 1, with: .full(.journal))
    try watch.perform(Scene.goal(1))
    // Pings pace the wait.
    while fixture.faults.counts.checkpointStores < stores + 2 { try watch.sync() }
    #expect(!fixture.failure.isRaised)
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("checkpoint") })
    try watch.perform(Scene.goal(2))
    let restarted = try await fixture.copied()
    try restarted.start()
    watch.fixture = restarted
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 2)
    await restarted.stop()
    await fixture.stop()
  }
}
