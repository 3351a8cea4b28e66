import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ReofferTests {
  @Test func `what was applied before a restore is applied again, whatever others did first`()
    async throws
  {
    let restored = try await RestoredServer(
      before: [Scene.goal(1)], after: [Scene.goal(2), .setTheme(mode: .night)])
    let (watch, phone) = (restored.watch, restored.phone)
    // Meanwhile the phone chooses a theme, later than the watch did.
    try phone.connect()
    try phone.perform(.setTheme(mode: .day))
    try watch.connect()
    #expect(watch.welcome?.expected.first?.number == 2)
    #expect(watch.welcome?.reofferMax == 1_000)
    for number: ActionNumber in 2...3 {
      #expect(try restored.offer(number).outcome.word == "applied")
    }
    #expect(try watch.shownGoal == 2)
    guard case .theme(let theme) = try watch.state.facet(.theme) else { return }
    #expect(theme.mode == .day, "the later edit keeps the field")
    // Without a first receipt the same would have been refused.
    var stale = TestOutbox()
    let late = stale.act(
      .setTheme(mode: .night), at: watch.moment.wall.advanced(milliseconds: -60_000))
    #expect(try watch.settle(late).outcome == .refused(.superseded))
    await restored.fixture.stop()
  }

  @Test func `what was refused before a restore stays refused, though it would be applied now`()
    async throws
  {
    let schedule = ScheduleID.random()
    let workout = WorkoutID.random()
    let restored = try await RestoredServer(
      before: [],
      after: [
        .scheduleWorkout(id: schedule, workout: .id(workout), at: Scene.noon),
        .unscheduleWorkout(id: schedule),
      ])
    let (watch, phone) = (restored.watch, restored.phone)
    #expect(restored.receipts.map(\.outcome) == [.refused(.notFound), .refused(.notFound)])
    try phone.connect()
    try phone.perform(.defineWorkout(id: workout, title: "Row", exercises: []))
    try watch.connect()
    for number: ActionNumber in 1...2 {
      #expect(try restored.offer(number) == restored.receipts[Int(number) - 1])
    }
    try watch.sync()
    guard case .today(let today) = try watch.state.facet(.today) else { return }
    #expect(today.days.flatMap(\.items).isEmpty)
    await restored.fixture.stop()
  }

  @Test func `what was expired before a restore stays expired`() async throws {
    let restored = try await RestoredServer(before: [], after: [])
    let (watch, phone) = (restored.watch, restored.phone)
    try phone.connect()
    try phone.perform(.controlClock(match: restored.match, control: .start))
    try watch.connect()
    var act = watch.queue(.controlClock(match: restored.match, control: .pause))
    act.firstReceipt = Receipt(
      incarnation: act.incarnation, number: act.number, outcome: .expired)
    #expect(try watch.settle(act).outcome == .expired)
    try phone.sync()
    #expect(try phone.shownClock?.phase == .running)
    await restored.fixture.stop()
  }

  @Test func `an object that has not come back is a stub until its maker arrives`() async throws {
    let entry = EntryID.random()
    let restored = try await RestoredServer(before: [], after: [])
    let (watch, phone) = (restored.watch, restored.phone)
    try watch.connect()
    let match = MatchID.random()
    var act = watch.queue(.undoPoint(match: match, entry: entry))
    act.firstReceipt = Receipt(
      incarnation: act.incarnation, number: act.number, outcome: .applied(9))
    #expect(try watch.settle(act).outcome.word == "applied")
    try phone.connect()
    for action in [
      Scene.match(match), .addPoint(entry: entry, match: match, team: .home, insist: false),
    ] {
      var act = phone.queue(action)
      act.firstReceipt = Receipt(
        incarnation: act.incarnation, number: act.number, outcome: .applied(7))
      #expect(try phone.settle(act).outcome.word == "applied")
    }
    try watch.sync()
    #expect(try watch.shownScore?.match == match)
    #expect(try watch.shownScore?.home == 0, "the undo came before the point and holds")
    await restored.fixture.stop()
  }

  @Test func `numbers that nobody has any more are refused as missing, durably and visibly`()
    async throws
  {
    let restored = try await RestoredServer(
      before: [Scene.goal(1)], after: (2...9).map { Scene.goal($0) })
    let (watch, fixture) = (restored.watch, restored.fixture)
    watch.greeted = [
      IncarnationState(
        incarnation: watch.outbox.incarnation, confirmed: 9, oldest: 6, next: watch.outbox.next)
    ]
    try watch.connect()
    // 2 to 5 are lost on both sides; 6 to 9 can still be offered.
    #expect(watch.welcome?.expected.first?.number == 6)
    #expect(
      try await fixture.status().alarms.contains { $0.contains("are lost; see its delivery") })
    while watch.shownDelivery?.newest.last == nil { _ = try watch.next() }
    #expect(watch.shownDelivery?.newest.last?.outcome == "missing")
    #expect(watch.shownDelivery?.newest.last?.number == 5)
    for number: ActionNumber in 6...9 {
      #expect(try restored.offer(number).outcome.word == "applied")
    }
    #expect(try watch.shownGoal == 9)
    try await fixture.restart()
    try watch.connect()
    for number: ActionNumber in 2...5 {
      #expect(try watch.settle(watch.outbox.again(number)).outcome == .refused(.missing))
    }
    // Told once: nothing new is missing now.
    #expect(try await fixture.status().alarms.isEmpty)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }
}
