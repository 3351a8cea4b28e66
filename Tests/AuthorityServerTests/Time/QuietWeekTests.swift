import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct QuietWeekTests {
  /// A surface that is cut off on Monday shows each day what one that asks on that day is shown.
  @Test(arguments: [
    "2026-06-15T12:00:00+02:00", "2026-03-23T20:00:00+01:00", "2026-10-19T20:00:00+02:00",
  ])
  func `a week without contact is right each day`(start: String) async throws {
    let start = Scene.instant(start)
    let fixture = try await Scene.server(at: start)
    let phone = try await fixture.device(.phone)
    try phone.connect()
    let workout = WorkoutID.random()
    try phone.perform(.defineWorkout(id: workout, title: "Row", exercises: []))
    for day in 0...7 {
      let at = start.advanced(milliseconds: Int64(day) * 86_400_000 + 3_600_000)
      try phone.perform(.scheduleWorkout(id: .random(), workout: .id(workout), at: at))
    }
    try phone.perform(.markWorkout(log: .random(), workout: .id(workout)))
    let cached = phone.state
    let cachedWidgets = try phone.widgets()
    await fixture.stop()
    let stopped = try await fixture.copied()
    for day in 1...7 {
      let copy = try await stopped.copied()
      copy.testClock = start.advanced(milliseconds: Int64(day) * 86_400_000 - 7_200_000)
      try copy.start()
      let asking = TestDevice(copy, token: phone.token, kind: .phone)
      try asking.connect(cursor: nil)
      let widgets = try asking.widgets()
      for hour in 0..<24 as Range<Int64> {
        let moment = try #require(copy.testClock).advanced(milliseconds: hour * 3_600_000 + 60_000)
        if moment.milliseconds(since: start) > 7 * 86_400_000 { continue }
        #expect(try ShownAt(cached, at: moment) == ShownAt(asking.state, at: moment))
        for (old, new) in zip(cachedWidgets, widgets) where new.kind != .match {
          #expect(old.says(at: moment) == new.says(at: moment), "\(old.kind) on day \(day)")
        }
      }
      await copy.stop()
    }
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
