import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ZoneTests {
  static func at(_ text: String) -> Instant { Scene.instant(text) }

  @Test func `another zone changes the day, the theme and the preferences at once`() async throws {
    let start = Self.at("2026-06-15T18:00:00+02:00")
    let fixture = try await Scene.server(at: start)
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    #expect(try ShownAt(watch.state, at: start).day?.description == "2026-06-15")
    #expect(try ShownAt(watch.state, at: start).theme == .day)
    try phone.perform(.setZone(id: "Asia/Tokyo"))
    let update = try watch.nextUpdate()
    #expect(Set(update.facets.map(\.kind)).isSuperset(of: [.today, .streak, .preferences, .theme]))
    let now = start.advanced(milliseconds: 10_000)
    #expect(try ShownAt(watch.state, at: now).day?.description == "2026-06-16")
    #expect(try ShownAt(watch.state, at: now).theme == .night)
    guard case .preferences(let preferences) = try watch.state.facet(.preferences) else { return }
    #expect(preferences.zoneID == "Asia/Tokyo")
    #expect(
      try phone.perform(.setZone(id: "Mars/Olympus")).outcome
        == .refused(.invalid(field: "zone_id")))
    // The same after a restart.
    let shown = watch.state.contents
    try await fixture.restart()
    try watch.connect(cursor: nil)
    #expect(watch.state.contents == shown)
    await fixture.stop()
  }

  @Test func `TZ-03: after a move the day turns once, at the new midnight`() async throws {
    let fixture = try await ServerFixture.running(
      testClock: Self.at("2017-08-09T12:00:00Z"), zone: "Europe/Brussels")
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.perform(.setZone(id: "Europe/London"))
    try await fixture.setClock(Self.at("2017-08-10T22:00:00Z"))
    try phone.connect()
    var days: [String] = []
    for moment in [
      "2017-08-10T21:59:59Z", "2017-08-10T22:00:00Z", "2017-08-10T22:30:00Z",
      "2017-08-10T22:59:59.999Z", "2017-08-10T23:00:00Z", "2017-08-10T23:30:00Z",
    ] {
      days.append(try ShownAt(phone.state, at: Self.at(moment)).day?.description ?? "")
    }
    #expect(days == Array(repeating: "2017-08-10", count: 4) + ["2017-08-11", "2017-08-11"])
    await fixture.stop()
  }

  @Test func `TZ-01: workouts of a traveller count on their own days`() async throws {
    let fixture = try await ServerFixture.running(
      testClock: Self.at("2014-05-08T04:31:00Z"), zone: "America/Los_Angeles")
    let phone = try await fixture.device(.phone)
    try phone.connect()
    for (end, zone) in [
      ("2014-05-05T18:00:00-07:00", "America/Los_Angeles"),
      ("2014-05-06T18:00:00-04:00", "America/New_York"),
      ("2014-05-07T21:30:00-07:00", "America/Los_Angeles"),
    ] {
      let end = Self.at(end)
      var log = LoggedWorkout(
        log: .random(), activityType: "running", start: end.advanced(milliseconds: -600_000),
        end: end)
      log.zoneID = zone
      #expect(try phone.perform(.logWorkout(log)).outcome.word == "applied")
    }
    let shown = try ShownAt(phone.state, at: Self.at("2014-05-08T04:32:00Z"))
    #expect(shown.streakDays == 3)
    #expect(shown.day?.description == "2014-05-07")
    #expect(shown.todayDone == true)
    await fixture.stop()
  }
}
