import Authority
import Testing
import WatchTransfer

/// Theme, goals, preferences, zone.
@Suite struct SettingsTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func later(_ seconds: Int64) -> Instant { now.advanced(milliseconds: seconds * 1_000) }

  @Test("What holds before anything was chosen")
  func defaults() {
    let account = TestAccount(at: now)
    #expect(
      account.preferences
        == PreferencesFacet(
          units: .metric, firstWeekday: 1, onboardingStep: 0, streakPolicy: .daily,
          zoneID: "Europe/Berlin"))
    #expect(account.theme.mode == .auto)
    #expect(account.goals.goals.isEmpty)
    #expect(account.teams == nil && account.score == nil && account.clock == nil)
    #expect(account.state.revision == 1)
    #expect(account.state.newestTurn == now)
    #expect(account.state.zoneID == "Europe/Berlin")
  }

  @Test("The later edit wins, field by field")
  func fields() {
    var account = TestAccount(at: now)
    var imperial = PreferenceChange()
    imperial.units = .imperial
    var both = PreferenceChange()
    both.units = .metric
    both.firstWeekday = 7
    account.act(.setPreferences(imperial), at: later(10))
    #expect(account.act(.setPreferences(both), at: later(5), now: later(20)) == .applied)
    #expect(account.preferences.units == .imperial)
    #expect(account.preferences.firstWeekday == 7)
    #expect(
      account.act(.setPreferences(both), at: later(5), now: later(20)) == .applied,
      "the weekday is this device's own")
    both.firstWeekday = nil
    #expect(
      account.act(.setPreferences(both), at: later(5), now: later(20)) == .refused(.superseded))
    account.act(.setTheme(mode: .night), at: later(10))
    #expect(
      account.act(.setTheme(mode: .day), at: later(9), now: later(20)) == .refused(.superseded))
    #expect(
      account.act(.setPreferences(PreferenceChange()), at: later(1), now: later(20)) == .applied)
    #expect(account.events.isEmpty)
  }

  @Test(
    "Preferences out of range are invalid",
    arguments: [(0, nil), (8, nil), (nil, -1), (nil, 101)] as [(Int?, Int?)])
  func invalid(weekday: Int?, step: Int?) {
    var account = TestAccount(at: now)
    var change = PreferenceChange()
    change.firstWeekday = weekday
    change.onboardingStep = step
    #expect(
      account.act(.setPreferences(change), at: now)
        == .refused(.invalid(field: weekday == nil ? "onboarding_step" : "first_weekday")))
  }

  @Test("The zone moves with the later setZone; an unknown one is invalid")
  func zone() {
    var account = TestAccount(at: now)
    #expect(
      account.act(.setZone(id: "Mars/Phobos"), at: now) == .refused(.invalid(field: "zone_id")))
    #expect(account.act(.setZone(id: "Asia/Kolkata"), at: later(10)) == .applied)
    #expect(touchedFacets(by: account.events).contains(.preferences))
    #expect(
      account.act(.setZone(id: "Europe/London"), at: later(5), now: later(20))
        == .refused(.superseded))
    #expect(account.preferences.zoneID == "Asia/Kolkata")
    #expect(account.today.days[1].from == local("2026-06-11 00:00", "Asia/Kolkata"))
  }

  @Test("Goals are listed by their names' bytes; removed ones are not; an older edit stays out")
  func goals() {
    var account = TestAccount(at: now)
    for name in ["b", "a", "B"] { account.act(.setGoal(name: name, value: 3), at: now) }
    #expect(account.goals.goals.map(\.name) == ["B", "a", "b"])
    account.act(.setGoal(name: "a", value: nil), at: later(10))
    #expect(account.goals.goals.map(\.name) == ["B", "b"])
    #expect(
      account.act(.setGoal(name: "a", value: 9), at: later(5), now: later(20))
        == .refused(.superseded))
    #expect(account.act(.setGoal(name: "a", value: 9), at: later(11)) == .applied)
    #expect(account.goals.goals.map(\.target) == [3, 9, 3])
    #expect(account.goals.goals[0].progress.isEmpty)
  }

  @Test("32 goals, not 33; a removed one makes room")
  func goalCap() {
    var account = TestAccount(at: now)
    for index in 0..<32 {
      #expect(account.act(.setGoal(name: "g\(index)", value: 1), at: now) == .applied)
    }
    #expect(
      account.act(.setGoal(name: "more", value: 1), at: now) == .refused(.limit(of: "goals")))
    #expect(account.act(.setGoal(name: "g0", value: 2), at: now) == .applied)
    #expect(account.act(.setGoal(name: "g0", value: nil), at: now) == .applied)
    #expect(account.act(.setGoal(name: "more", value: 1), at: now) == .applied)
    for index in 0..<200 {
      account.act(.setGoal(name: "gone\(index)", value: nil), at: later(Int64(index)))
    }
    #expect(account.goals.goals.count == 32)
    #expect(account.state.goals.records.count == 32 + 64)
  }

  @Test(
    "A goal's name and value are checked",
    arguments: [
      ("", 1, "name"), (String(repeating: "x", count: 129), 1, "name"), ("x", -1, "value"),
      ("x", .nan, "value"), ("x", .infinity, "value"), ("x", 1e9 + 1, "value"),
    ] as [(String, Double, String)])
  func invalidGoal(name: String, value: Double, field: String) {
    var account = TestAccount(at: now)
    #expect(
      account.act(.setGoal(name: name, value: value), at: now)
        == .refused(.invalid(field: field)))
  }

  @Test("Progress over the horizon: the day's until midnight, the week's until the first weekday")
  func progress() {
    // 2026-06-10 is a Wednesday.
    var account = TestAccount(at: now)
    for name in ["minutes-per-day", "minutes-per-week", "workouts-per-day", "workouts-per-week"] {
      account.act(.setGoal(name: name, value: 150), at: now)
    }
    var workout = logged(1, endingAt: local("2026-06-08 12:00", "Europe/Berlin"))
    workout.activeMilliseconds = 45 * 60_000 + 59_999
    account.act(.logWorkout(workout), at: now)
    account.act(.logWorkout(logged(2, endingAt: now)), at: now)
    account.act(
      .logWorkout(logged(3, endingAt: local("2026-06-07 12:00", "Europe/Berlin"))), at: now)
    let goals = account.goals.goals
    let midnight = local("2026-06-11 00:00", "Europe/Berlin")
    let monday = local("2026-06-15 00:00", "Europe/Berlin")
    #expect(goals[0].progress.map(\.value) == [60, 0])
    #expect(goals[0].progress.map(\.from) == [now, midnight])
    #expect(goals[0].progress[0].text == "60 of 150 minutes")
    #expect(goals[1].progress.map(\.value) == [105, 0])
    #expect(goals[1].progress.map(\.from) == [now, monday])
    #expect(goals[2].progress.map(\.value) == [1, 0])
    #expect(goals[3].progress.map(\.value) == [2, 0])
    #expect(goals[3].progress[0].text == "2 of 150 workouts")
    var change = PreferenceChange()
    change.firstWeekday = 7
    account.act(.setPreferences(change), at: now)
    #expect(account.goals.goals[3].progress.map(\.value) == [3, 0])
    #expect(
      account.goals.goals[3].progress.map(\.from)
        == [now, local("2026-06-14 00:00", "Europe/Berlin")])
    account.act(.setGoal(name: "workouts-per-week", value: 2.55), at: now)
    #expect(account.goals.goals[3].progress[0].text == "3 of 2.6 workouts")
  }

  @Test("Greetings change with the local hour")
  func greetings() {
    let account = TestAccount(at: now)
    let expected = [
      ("12:00", "Good afternoon"), ("17:59", "Good afternoon"), ("18:00", "Good evening"),
      ("22:00", "Good night"), ("23:59", "Good night"),
    ]
    for (time, text) in expected {
      let moment = local("2026-06-10 \(time)", "Europe/Berlin")
      #expect(account.today.greetings.current(at: moment)?.text == text)
    }
    for (time, text) in [("04:59", "Good night"), ("05:00", "Good morning")] {
      let moment = local("2026-06-16 \(time)", "Europe/Berlin")
      #expect(account.today.greetings.current(at: moment)?.text == text)
    }
    #expect(account.today.greetings.first?.from == now)
  }

  @Test(
    "Rights by kind",
    arguments: [
      (DeviceKind.phone, true, true), (.watch, true, true), (.health, false, true),
      (.controller, false, false), (.widget, false, false), (.activity, false, false),
    ])
  func rights(kind: DeviceKind, anything: Bool, imports: Bool) {
    var imported = logged(1, endingAt: now)
    imported.sourceName = "Ring"
    var account = TestAccount(at: now)
    let device = ActingDevice(id: .test(8), name: "D", kind: kind)
    #expect(
      account.act(.setTheme(mode: .day), by: device, at: now)
        == (anything ? .applied : .refused(.forbidden)))
    #expect(
      account.act(.logWorkout(imported), by: device, at: now)
        == (imports ? .applied : .refused(.forbidden)))
  }
}
