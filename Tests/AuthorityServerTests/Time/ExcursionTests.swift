import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

/// A clock that was far ahead and is set back: what was edited meanwhile must not win for ever.
@Suite(.timeLimit(.minutes(1))) struct ExcursionTests {
  enum Wrong: Error { case facet }

  /// Every surface shows the edits of that round, not those of the time that never was.
  private func expectShown(_ round: Int, by phone: TestDevice) throws {
    #expect(try phone.shownGoal == round)
    guard case .theme(let theme) = try phone.state.facet(.theme),
      case .preferences(let preferences) = try phone.state.facet(.preferences),
      case .teams(let teams?) = try phone.state.facet(.teams)
    else { throw Wrong.facet }
    #expect(theme.mode == (round % 2 == 0 ? .day : .night))
    #expect(preferences.zoneID == (round % 2 == 0 ? "Asia/Tokyo" : "Europe/Berlin"))
    #expect(preferences.firstWeekday == round)
    #expect(teams.home == "H\(round)")
    #expect(try phone.shownClock?.phase == (round % 2 == 0 ? .running : .paused))
  }

  @Test(arguments: [3_600_000, 86_400_000, 10 * 365 * 86_400_000] as [Int64])
  func `edits after the clock is right again are taken`(milliseconds: Int64) async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let match = MatchID.random()
    let workout = WorkoutID.random()
    func weekday(_ day: Int) -> PreferenceChange {
      var change = PreferenceChange()
      change.firstWeekday = day
      return change
    }
    func edits(_ round: Int) -> [Action] {
      [
        Scene.goal(round), .setTheme(mode: round % 2 == 0 ? .day : .night),
        .setZone(id: round % 2 == 0 ? "Asia/Tokyo" : "Europe/Berlin"),
        .setPreferences(weekday(round)),
        .editWorkout(id: workout, title: "T\(round)", exercises: ["e\(round)"]),
        .nameTeam(match: match, team: .home, name: "H\(round)"),
        .controlClock(match: match, control: round % 2 == 0 ? .start : .pause),
      ]
    }
    try phone.connect()
    try phone.perform(.defineWorkout(id: workout, title: "T", exercises: []))
    try phone.perform(Scene.match(match))
    try await fixture.advanceClock(milliseconds: milliseconds)
    for action in edits(2) { #expect(try phone.perform(action).outcome.word == "applied") }
    // Outboxes that are new then count for no day that is to come.
    for _ in 1...7 {
      phone.outbox = TestOutbox()
      try phone.perform(Scene.goal(9))
    }
    try await fixture.setClock(Scene.noon.advanced(milliseconds: 1_000))
    for round in 3...4 {
      for action in edits(round) {
        let outcome = try phone.perform(action).outcome
        #expect(outcome.word == "applied", "\(action): \(outcome)")
      }
      try expectShown(round, by: phone)
    }
    // Without a zone of its own, a log counts by where the account is now: Tokyo, where it is
    // evening.
    let end = Scene.noon.advanced(milliseconds: 4_000)
    try phone.perform(
      .logWorkout(
        LoggedWorkout(
          log: .random(), activityType: "rowing", start: end.advanced(milliseconds: -1_000),
          end: end)))
    guard case .today(let today) = try phone.state.facet(.today) else { throw Wrong.facet }
    #expect(
      today.days.first?.items.contains { $0.kind == .logged } == true, "\(today.days.first as Any)")
    phone.outbox = TestOutbox()
    #expect(try phone.perform(Scene.goal(5)).outcome.word == "applied")
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }
}
