import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct UpkeepTests {
  @Test func `an account that never rests is checkpointed all the same`() async throws {
    var limits = ServerLimits()
    limits.checkpointSeconds = 1
    let fixture = try await Scene.server(limits: limits)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(0))
    let known = fixture.faults.counts.checkpoints
    let start = TestClock.machineMilliseconds()
    // At any time one batch of it is on its way to the disk and another one is open.
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try watch.offer(Scene.goal(1))
    try held.wait()
    while fixture.faults.counts.checkpoints == known {
      try #require(TestClock.machineMilliseconds() - start < 10_000)
      let number = try watch.offer(Scene.goal(2))
      try watch.sync()
      watch.outbox.confirmed = number - 2
      fixture.faults.letOneAppendGo()
      try held.wait()
    }
    fixture.faults.letAppendsGo()
    await fixture.stop()
  }

  @Test func `what is owed and what is due outlives an account's stay in memory`() async throws {
    var limits = ServerLimits()
    limits.checkpointSeconds = 1
    limits.idleAccountsMax = 0
    limits.usedMilliseconds = 100
    let fixture = try await Scene.server(limits: limits)
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.watch)
    let bens = try await fixture.device(.watch, account: "ben")
    let phone = try await fixture.device(.phone, account: "ben")
    try anna.connect()
    // Ben's watch is owed an update long after the account counts as unused.
    try bens.connect(minimumInterval: 4_000)
    try phone.connect()
    try phone.perform(Scene.goal(3))
    phone.disconnect()
    bens.client?.setTimeout(seconds: 30)
    try bens.catchUp(to: phone.state.revision)
    #expect(try bens.shownGoal == 3)

    // Anna's has left memory by now, though her watch is connected.
    let loads = fixture.faults.counts.loads
    let revision = anna.state.revision
    try await fixture.advanceClock(milliseconds: 26 * 3_600_000)
    try anna.catchUp(to: revision + 1)
    guard case .today(let today) = try anna.state.facet(.today) else { return }
    #expect(today.days.first?.day.description == "2026-06-16")
    #expect(fixture.faults.counts.loads > loads)
    await fixture.stop()
  }

  @Test func `a device that greets with ever new outboxes leaves no trace`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    for _ in 1...5 {
      watch.greeted = (1...4).map { _ in
        IncarnationState(incarnation: .random(), confirmed: 900, oldest: 901, next: 901)
      }
      try watch.connect()
    }
    // Eight a day may be new; of the others nothing is written down.
    #expect(watch.welcome?.expected.map(\.number) == [1, 1, 1, 1])
    #expect(try await fixture.status().entries == 1 + 8)
    await fixture.stop()
  }

  @Test func `accounts that are not used leave memory and come back as they were`() async throws {
    var limits = ServerLimits()
    limits.checkpointSeconds = 1
    limits.idleAccountsMax = 0
    limits.usedMilliseconds = 100
    let fixture = try await Scene.server(limits: limits)
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.phone)
    let ben = try await fixture.device(.watch, account: "ben")
    let clock = try await fixture.device(.phone, account: "ben")
    try anna.connect()
    try anna.perform(Scene.goal(4))
    // An update of Ben's that is due in 4 s tells when Anna's account has left memory.
    try ben.connect(minimumInterval: 4_000)
    try clock.connect()
    try clock.perform(Scene.goal(1))
    ben.client?.setTimeout(seconds: 30)
    try ben.catchUp(to: clock.state.revision)
    let loads = fixture.faults.counts.loads
    try anna.perform(Scene.goal(5))
    #expect(fixture.faults.counts.loads == loads + 1)
    #expect(try anna.shownGoal == 5)
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
  }
}
