import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct MidnightTests {
  static func at(_ text: String) -> Instant { Scene.instant(text) }

  @Test func `at midnight a surface is right though nothing is sent`() async throws {
    let fixture = try await Scene.server(at: Self.at("2026-06-15T23:58:00+02:00"))
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(.markWorkout(log: .random(), workout: .title("Row")))
    let before = try ShownAt(watch.state, at: Self.at("2026-06-15T23:59:59.999+02:00"))
    #expect(before.day?.description == "2026-06-15")
    #expect(before.items == ["Row done at 23:58"])
    #expect(before.streakDays == 1 && before.todayDone == true)
    let revision = watch.state.revision
    try await fixture.setClock(Self.at("2026-06-16T00:00:00+02:00"))
    #expect(try watch.sync().isEmpty)
    let after = try ShownAt(watch.state, at: Self.at("2026-06-16T00:00:00+02:00"))
    #expect(after.day?.description == "2026-06-16")
    #expect(after.items.isEmpty)
    #expect(after.streakDays == 1 && after.todayDone == false)
    #expect(after.lostAt == Self.at("2026-06-17T00:00:00+02:00"))
    // A cold surface is shown the same bytes: nothing was due.
    let shown = watch.state.contents
    try watch.connect(cursor: nil)
    #expect(watch.state.contents == shown)
    #expect(watch.state.revision == revision)
    await fixture.stop()
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "2026-03-28T12:00:00+01:00", "2026-03-29", 23),
      ("Europe/Berlin", "2026-10-24T12:00:00+02:00", "2026-10-25", 25),
      ("America/New_York", "2014-11-01T12:00:00-04:00", "2014-11-02", 25),
      // Midnight itself is skipped: the day begins at 01:00.
      ("America/Havana", "2026-03-07T12:00:00-05:00", "2026-03-08", 23),
      ("Europe/Berlin", "2026-06-15T12:00:00+02:00", "2026-06-16", 24),
    ])
  func `a civil day lasts as long as it does there`(
    zone: String, start: String, day: String, hours: Int64
  ) async throws {
    let fixture = try await ServerFixture.running(testClock: Self.at(start), zone: zone)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    guard case .today(let today) = try watch.state.facet(.today) else { return }
    let index = try #require(today.days.firstIndex { $0.day.description == day })
    let length = today.days[index + 1].from.milliseconds(since: today.days[index].from)
    #expect(length == hours * 3_600_000)
    guard case .streak(let streak) = try watch.state.facet(.streak) else { return }
    #expect(streak.entries.map(\.from).contains(today.days[index].from))
    await fixture.stop()
  }

  @Test(
    arguments: [
      ("Europe/Berlin", "06:59:59.999+02:00", Appearance.night),
      ("Europe/Berlin", "07:00:00+02:00", .day), ("Europe/Berlin", "18:48:00+02:00", .day),
      ("Europe/Berlin", "18:59:59+02:00", .day), ("Europe/Berlin", "19:00:00+02:00", .night),
      ("Europe/Berlin", "23:59:00+02:00", .night), ("Europe/Berlin", "00:00:00+02:00", .night),
      // THM-07: one instant, two places.
      ("Europe/Berlin", "05:30:00Z", .day), ("Europe/London", "05:30:00Z", .night),
    ])
  func `the theme flips at seven by the local clock`(
    zone: String, time: String, shown: Appearance
  ) async throws {
    let fixture = try await ServerFixture.running(
      testClock: Self.at("2026-06-30T12:00:00Z"), zone: zone)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    // Tomorrow and for a week on.
    for day in 1...7 {
      let moment = Self.at("2026-07-0\(day)T\(time)")
      #expect(try ShownAt(watch.state, at: moment).theme == shown)
    }
    await fixture.stop()
  }

  @Test func `a clock that is set back makes a turn, and nobody is shown the future`() async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let revision = watch.state.revision
    let earlier = Self.at("2026-06-14T08:00:00+02:00")
    try await fixture.setClock(earlier)
    try watch.catchUp(to: revision + 1)
    #expect(try ShownAt(watch.state, at: earlier).day?.description == "2026-06-14")
    #expect(try watch.shownGoal == 1)
    await fixture.stop()
  }
}
