import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct CutAnywhereTests {
  /// What was true, and shown, when a copy of the disk was taken.
  struct Stage {
    let copy: ServerFixture
    let shown: SurfaceState
    /// A change that nobody sees raises it all the same.
    let revision: Revision
    let receipts: [Receipt]
    let outbox: TestOutbox
  }

  /// A day of one account: edits there and back, facts, refusals, a turn, two starts.
  struct Day {
    let fixture: ServerFixture
    let phone: TestDevice
    let watch: TestDevice
    var stages: [Stage] = []
    private var receipts: [Receipt] = []

    init() async throws {
      var limits = ServerLimits()
      limits.checkpointSeconds = 1
      fixture = try await Scene.server(limits: limits)
      phone = try await fixture.device(.phone)
      watch = try await fixture.device(.watch)
      try watch.connect()
      try phone.connect()
      let (match, entry, workout) = (MatchID.random(), EntryID.random(), WorkoutID.random())
      try await act([Scene.goal(1), Scene.goal(2)])
      try await checkpoint()
      try await act([Scene.goal(1), .setTheme(mode: .night)])
      try await act([
        Scene.match(match), .addPoint(entry: entry, match: match, team: .away, insist: false),
        .undoPoint(match: match, entry: entry), .unscheduleWorkout(id: .random()),
      ])
      try await checkpoint()
      try await act([.defineWorkout(id: workout, title: "Row", exercises: ["pull"])])
      try await act([
        .scheduleWorkout(id: .random(), workout: .id(workout), at: Scene.noon),
        .markWorkout(log: .random(), workout: .id(workout)),
      ])
      try await fixture.restart()
      try watch.connect()
      try phone.connect()
      try await act([.setTheme(mode: .auto), .setZone(id: "America/New_York")])
      let revision = watch.state.revision
      try await fixture.advanceClock(milliseconds: 26 * 3_600_000)
      try watch.catchUp(to: revision + 1)
      try await checkpoint()
      try await act([.unmarkWorkout(workout: .id(workout)), Scene.goal(2), Scene.goal(1)])
    }

    private mutating func act(_ actions: [Action]) async throws {
      for action in actions {
        receipts.append(try watch.perform(action))
        try await cut()
      }
    }

    /// Waits for the next checkpoint; pings pace the wait.
    private mutating func checkpoint() async throws {
      try await cut()
      let known = fixture.faults.counts.checkpoints
      while fixture.faults.counts.checkpoints == known { try watch.sync() }
      try await cut()
    }

    private mutating func cut() async throws {
      try phone.sync()
      stages.append(
        Stage(
          copy: try await fixture.copied(), shown: phone.state, revision: watch.state.revision,
          receipts: receipts, outbox: watch.outbox))
    }
  }

  @Test func `wherever the disk is cut, everybody is shown what was true`() async throws {
    let day = try await Day()
    let (phone, watch) = (day.phone, day.watch)
    await day.fixture.stop()
    for (index, stage) in day.stages.enumerated() {
      try stage.copy.start()
      phone.fixture = stage.copy
      // Cold.
      phone.state = SurfaceState()
      try phone.connect()
      #expect(phone.state.contents == stage.shown.contents, "stage \(index)")
      #expect(phone.state.revision == stage.revision, "stage \(index)")
      // From every cursor that anybody had until then.
      for earlier in day.stages[...index] {
        phone.state = earlier.shown
        let update = try phone.connect()
        #expect(update.from == earlier.shown.revision)
        #expect(phone.state.contents == stage.shown.contents, "stage \(index)")
      }
      // Every receipt again, and the next number is expected.
      watch.fixture = stage.copy
      watch.outbox = stage.outbox
      try watch.connect(cursor: nil)
      #expect(
        watch.welcome?.expected.first?.number == ActionNumber(stage.receipts.count + 1))
      for receipt in stage.receipts {
        #expect(try watch.settle(watch.outbox.again(receipt.number)) == receipt)
      }
      #expect(try await stage.copy.check().isEmpty)
      await stage.copy.stop()
      #expect(try stage.copy.offlineCheck().isEmpty)
    }
  }

  @Test func `a surface that saw B is shown A again when the row of A is only in the journal`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    // A is in the checkpoint of a clean stop.
    try await fixture.restart()
    try phone.connect()
    try phone.perform(Scene.goal(2))
    try watch.connect()
    #expect(try watch.shownGoal == 2)
    watch.disconnect()
    try phone.perform(Scene.goal(1))
    let copy = try await fixture.copied()
    await fixture.stop()
    try copy.start()
    watch.fixture = copy
    let update = try watch.connect()
    #expect(update.from > 0)
    #expect(update.facets.map(\.kind) == [.goals])
    #expect(try watch.shownGoal == 1)
    await copy.stop()
  }
}
