import Testing
import WatchTransfer

@testable import Authority

/// The widgets that look back: the calendar week, and the last 30 days.
@Suite struct WeekAndTrendTests {
  private static let berlin = "Europe/Berlin"

  private func entries(
    _ account: TestAccount, _ kind: WidgetKind, _ family: WidgetFamily = .medium
  ) -> [WidgetTimeline.Entry] {
    timeline(account.state, WidgetView(kind: kind, family: family, appearance: .both)).entries
  }

  private func log(_ account: inout TestAccount, _ number: UInt64, day: String, minutes: Int64) {
    let end = local("\(day) 12:00", Self.berlin)
    account.act(
      .logWorkout(
        LoggedWorkout(
          log: .test(number), activityType: "running",
          start: end.advanced(milliseconds: -minutes * 60_000), end: end)),
      at: max(end, account.state.newestTurn!))
  }

  /// Wednesday the 10th; done on Sunday the 7th, Monday the 8th and today.
  private func threeDays(firstWeekday: Int) -> TestAccount {
    var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
    for (number, day) in [(UInt64(1), "07"), (2, "08"), (3, "10")] {
      log(&account, number, day: "2026-06-\(day)", minutes: 30)
    }
    var change = PreferenceChange()
    change.firstWeekday = firstWeekday
    account.act(.setPreferences(change), at: local("2026-06-10 20:01", Self.berlin))
    return account
  }

  @Test(
    "The week begins on the person's first weekday",
    arguments: [
      (1, 2, "M✓ T· W✓ T- F- S- S-"), (7, 3, "S✓ M✓ T· W✓ T- F- S-"),
      (6, 3, "S· S✓ M✓ T· W✓ T- F-"), (4, 3, "T· F· S· S✓ M✓ T· W✓"),
    ])
  func weekdays(first: Int, done: Int, marks: String) {
    let now = entries(threeDays(firstWeekday: first), .week)[0]
    #expect(now.number == done)
    #expect(now.lines == ["\(done) days this week", marks, "\(done * 30) minutes"])
    #expect(now.progressPermille == done * 1_000 / 7)
  }

  @Test("Minutes are those of all days together, as the goal of the week counts them")
  func halfMinutes() {
    var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
    for (number, day) in [(UInt64(1), "08"), (2, "09")] {
      let end = local("2026-06-\(day) 12:00", Self.berlin)
      account.act(
        .logWorkout(
          LoggedWorkout(
            log: .test(number), activityType: "running",
            start: end.advanced(milliseconds: -90_000), end: end)),
        at: local("2026-06-10 20:00", Self.berlin))
    }
    account.act(
      .setGoal(name: "minutes-per-week", value: 10), at: local("2026-06-10 20:00", Self.berlin))
    #expect(account.goals.goals[0].progress[0].value == 3)
    #expect(entries(account, .week)[0].lines.last == "3 minutes")
    #expect(entries(account, .trend)[0].number == 3)
  }

  @Test("Midnights move the week on, and the next week begins empty")
  func nextWeek() throws {
    let entries = entries(threeDays(firstWeekday: 1), .week)
    let thursday = try #require(entries.current(at: local("2026-06-11 00:00", Self.berlin)))
    #expect(thursday.lines[1] == "M✓ T· W✓ T○ F- S- S-")
    let monday = try #require(entries.current(at: local("2026-06-15 00:00", Self.berlin)))
    #expect(monday.lines == ["0 days this week", "M○ T- W- T- F- S- S-", "0 minutes"])
    #expect(monday.number == 0)
  }

  @Test("The trend's points are the last 30 days, today last, and move on at midnight")
  func points() throws {
    var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
    log(&account, 1, day: "2026-06-10", minutes: 60)
    log(&account, 2, day: "2026-05-12", minutes: 30)
    log(&account, 3, day: "2026-05-11", minutes: 15)
    let entries = entries(account, .trend)
    let now = entries[0]
    #expect(now.points.count == 30)
    #expect(now.points.last == 1_000)
    #expect(now.points.first == 500)
    #expect(now.points.dropFirst().dropLast().allSatisfy { $0 == 0 })
    #expect(now.lines == ["Last 30 days", "90 minutes", "3 a day"])
    let tomorrow = try #require(entries.current(at: local("2026-06-11 00:00", Self.berlin)))
    #expect(Array(tomorrow.points.suffix(2)) == [1_000, 0])
    #expect(tomorrow.points.first == 0)
    #expect(tomorrow.lines[1] == "60 minutes")
  }

  @Test("The scale is fixed over 365 days: what is older does not count, what is within does")
  func domain() {
    func maximum(daysAgo: Int32) -> Int? {
      var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
      log(&account, 1, day: "2026-06-09", minutes: 40)
      let day = CivilDay(year: 2026, month: 6, day: 10)!.advanced(days: -daysAgo)
      log(&account, 2, day: "\(day)", minutes: 100)
      let made = timeline(
        account.state, WidgetView(kind: .trend, family: .small, appearance: .day))
      #expect(made.entries.allSatisfy { $0.points.allSatisfy { (0...1_000).contains($0) } })
      return made.domainMaximum
    }
    #expect(maximum(daysAgo: 364) == 120)
    #expect(maximum(daysAgo: 365) == 45)
    #expect(maximum(daysAgo: 60) == 120)
  }

  @Test(
    "The scale ends at a round value that holds the highest day",
    arguments: [(1, 10), (10, 10), (11, 20), (46, 60), (240, 240), (721, 1_440), (1_441, 2_880)])
  func rounding(minutes: Int64, maximum: Int) {
    var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
    log(&account, 1, day: "2026-06-10", minutes: minutes)
    let made = timeline(account.state, WidgetView(kind: .trend, family: .small, appearance: .day))
    #expect(made.domainMaximum == maximum)
    #expect(made.entries[0].points.last == Int(minutes) * 1_000 / maximum)
  }

  @Test("Five busy years fit into 4 KiB in every family")
  func busyYears() {
    var account = TestAccount(at: local("2026-06-10 20:00", Self.berlin))
    let today = CivilDay(year: 2026, month: 6, day: 10)!
    for ago in 0..<Int32(5 * 366) {
      // Two of them outlast the day.
      for half in 0..<2 as Range<UInt64> {
        log(
          &account, UInt64(ago) * 2 + half + 1, day: "\(today.advanced(days: -ago))",
          minutes: 1_300 + Int64(ago) % 700)
      }
    }
    for kind in [WidgetKind.week, .trend] {
      for family in WidgetFamily.allCases {
        let made = timeline(
          account.state, WidgetView(kind: kind, family: family, appearance: .both))
        #expect(encodedBytesMax(of: made) <= snapshotBytesMax)
        #expect(made.entries.count >= 25)
        #expect(made.entries.allSatisfy { $0.points.count == (kind == .trend ? 30 : 0) })
      }
    }
  }

  @Test("The trend moves over a civil day that never happened: Apia without 2011-12-30")
  func skippedDay() throws {
    let zone = "Pacific/Apia"
    var account = TestAccount(zone: zone, at: local("2011-12-28 20:00", zone))
    let end = local("2011-12-28 12:00", zone)
    account.act(
      .logWorkout(
        LoggedWorkout(
          log: .test(1), activityType: "running", start: end.advanced(milliseconds: -1_800_000),
          end: end)), at: local("2011-12-28 20:00", zone))
    let entries = entries(account, .trend)
    #expect(entries[0].points.last == 1_000)
    let next = try #require(entries.current(at: local("2011-12-31 00:00", zone)))
    #expect(next.points.suffix(4) == [1_000, 0, 0, 0])
  }
}
