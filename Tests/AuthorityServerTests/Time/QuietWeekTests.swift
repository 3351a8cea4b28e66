import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct QuietWeekTests {
  /// What is asked for after this long, in minutes: while a rest, a half, a session are still going
  /// on and when they are over, then each day.
  private static let askedAfter: [Int64] = [1, 2, 50, 13 * 60] + (1...7).map { $0 * 1_440 - 120 }

  /// A surface that is cut off in the midst of a match, and of a session or just after it, shows
  /// each day what one that asks on that day is shown. The first starts on a Monday, so that its
  /// week turns within.
  @Test(arguments: [
    ("2026-06-15T12:00:00+02:00", true), ("2026-06-18T12:00:00+02:00", false),
    ("2026-03-23T20:00:00+01:00", false), ("2026-10-19T20:00:00+02:00", true),
  ])
  func `a week without contact is right each day`(start: String, isSessionOver: Bool) async throws {
    let start = Scene.instant(start)
    let fixture = try await Scene.server(at: start)
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.fillDays(from: start)
    try phone.beginMatchAndSession(isSessionOver: isSessionOver)
    let cached = phone.state
    let cachedWidgets = try phone.widgets()
    let before = try ShownAt(cached, at: start)
    #expect(before.clock?.runningSince != nil && before.score?.home == 1)
    #expect((before.session?.rest != nil) != isSessionOver)
    #expect((before.lastSession != nil) == isSessionOver)
    await fixture.stop()
    let stopped = try await fixture.copied()
    for minutes in Self.askedAfter {
      let copy = try await stopped.copied()
      copy.testClock = start.advanced(milliseconds: minutes * 60_000)
      try copy.start()
      let asking = TestDevice(copy, token: phone.token, kind: .phone)
      try asking.connect(cursor: nil)
      let widgets = try asking.widgets()
      for hour in 0..<24 as Range<Int64> {
        let moment = try #require(copy.testClock).advanced(milliseconds: hour * 3_600_000 + 60_000)
        if moment.milliseconds(since: start) > 7 * 86_400_000 { continue }
        #expect(
          try ShownAt(cached, at: moment) == ShownAt(asking.state, at: moment),
          "\(hour) h after \(minutes) min")
        let isNear = moment.milliseconds(since: start) < 2 * 86_400_000
        for (old, new) in zip(cachedWidgets, widgets) {
          let (early, late) = (WidgetSays(old, at: moment), WidgetSays(new, at: moment))
          #expect(
            isNear ? early == late : early.isBeginning(of: late),
            "\(old.kind) \(old.family) \(hour) h after \(minutes) min")
        }
      }
      await copy.stop()
    }
    // Something did change by itself, or there was nothing to be right about.
    let after = try ShownAt(cached, at: start.advanced(milliseconds: 7 * 86_400_000))
    #expect(before.goals != after.goals && before.items != after.items)
    #expect(before.streakDays != after.streakDays)
  }

  @Test func `after a week a surface is sent what changed, and the turn that was due`() async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let revision = watch.state.revision
    watch.disconnect()
    try await fixture.connectionsEnded()
    try await fixture.advanceClock(milliseconds: 7 * 86_400_000)
    let update = try watch.connect()
    #expect(update.from == revision)
    #expect(update.to == revision + 1)
    #expect(Set(update.facets.map(\.kind)).isSuperset(of: [.today, .streak, .theme]))
    #expect(update.facets.allSatisfy { $0.kind != .teams && $0.kind != .preferences })
    guard case .today(let today) = try watch.state.facet(.today) else { return }
    #expect(today.days.first?.day.description == "2026-06-22")
    #expect(today.days.count >= 8)
    await fixture.stop()
  }

  @Test func `nobody asks, nothing is written`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    watch.disconnect()
    try await fixture.connectionsEnded()
    let entries = try await fixture.status().entries
    try await fixture.advanceClock(milliseconds: 30 * 86_400_000)
    try await fixture.advanceClock(milliseconds: 30 * 86_400_000)
    #expect(try await fixture.status().entries == entries)
    await fixture.stop()
  }
}

extension TestDevice {
  /// A plan for each day, goals of every kind, and something done today.
  fileprivate func fillDays(from start: Instant) throws {
    let workout = WorkoutID.random()
    try perform(.defineWorkout(id: workout, title: "Row", exercises: []))
    for day in 0...7 {
      let at = start.advanced(milliseconds: Int64(day) * 86_400_000 + 3_600_000)
      try perform(.scheduleWorkout(id: .random(), workout: .id(workout), at: at))
    }
    try perform(.markWorkout(log: .random(), workout: .id(workout)))
    try perform(
      .logWorkout(
        LoggedWorkout(
          log: .random(), activityType: "running",
          start: start.advanced(milliseconds: -2_700_000), end: start)))
    for name in [
      "workouts-per-day", "minutes-per-day", "workouts-per-week", "minutes-per-week", "weight",
    ] {
      try perform(.setGoal(name: name, value: 80))
    }
    let weight = try #require(Weight(digits: 82, scale: 0, unit: .kilograms))
    try perform(.logWeight(LoggedWeight(id: .random(), weight: weight, moment: .instant(start))))
  }

  /// A match whose clock runs, and a session that rests after its first set, or was finished then.
  fileprivate func beginMatchAndSession(isSessionOver: Bool) throws {
    let match = MatchID.random()
    try perform(Scene.match(match))
    try perform(.controlClock(match: match, control: .start))
    try perform(Scene.point(in: match))
    let (routine, session) = (RoutineID.random(), SessionID.random())
    let sets = Array(repeating: TargetSet(reps: 5, restSeconds: 90), count: 3)
    try perform(
      .defineRoutine(
        id: routine, title: "Leg day",
        entries: [RoutineEntry(exercise: ExerciseLibrary.starter[0].id, sets: sets)]))
    try perform(.startSession(id: session, plan: .routine(routine)))
    try perform(
      .completeSet(
        session: session, set: PerformedSet(id: .random(), position: 0, reps: 5, weight: nil)))
    if isSessionOver { try perform(.controlSession(session: session, control: .finish)) }
  }
}
