import Testing
import WatchTransfer

@testable import Authority

/// Which civil day a thing belongs to (DESIGN section 6, rule 2).
@Suite struct DayTests {
  @Test("TZ-01: workouts that end in Los Angeles, New York, Los Angeles are days 5, 6, 7")
  func ownZone() {
    let now = local("2014-05-07 22:00", "America/Los_Angeles")
    var account = TestAccount(zone: "America/New_York", at: local("2014-05-05 08:00", "UTC"))
    let ends = [
      ("2014-05-05 18:00", "America/Los_Angeles"), ("2014-05-06 18:00", "America/New_York"),
      ("2014-05-07 21:30", "America/Los_Angeles"),
    ]
    for (index, end) in ends.enumerated() {
      account.act(
        .logWorkout(logged(UInt64(index + 1), endingAt: local(end.0, end.1), zone: end.1)),
        at: now)
      guard case .workoutLogged(let log, _) = account.events.first else {
        Issue.record("not logged")
        return
      }
      #expect(log.day == day(2014, 5, 5 + index))
    }
    account.act(.setZone(id: "America/Los_Angeles"), at: now)
    account.turn(at: now)
    #expect(account.streak(at: now).days == 3)
    #expect(account.streak(at: now).todayDone)
  }

  @Test("TZ-03: after the move from Brussels to London one rollover, at 23:00Z")
  func rollover() {
    var account = TestAccount(
      zone: "Europe/Brussels", at: local("2017-08-08 12:00", "Europe/Brussels"))
    account.act(.setZone(id: "Europe/London"), at: local("2017-08-09 12:00", "Europe/London"))
    account.turn(at: instant("2017-08-10T22:00:00Z"))
    let days = account.today.days
    #expect(days.current(at: instant("2017-08-10T22:30:00Z"))?.day == day(2017, 8, 10))
    #expect(days.current(at: instant("2017-08-10T23:00:00Z"))?.day == day(2017, 8, 11))
    let rollovers = days.filter {
      $0.from > instant("2017-08-10T22:00:00Z") && $0.from <= instant("2017-08-11T22:00:00Z")
    }
    #expect(rollovers.map(\.from) == [instant("2017-08-10T23:00:00Z")])
    #expect(account.preferences.zoneID == "Europe/London")
  }

  @Test(
    "TZ-05: the totals of past days are what they were, wherever the person flies",
    arguments: ["America/Chicago", "Pacific/Apia", "Europe/Berlin", "UTC"], [0, 1, 3, 23])
  func pastTotals(zone: String, hour: Int) {
    var account = TestAccount(zone: "America/New_York", at: local("2021-05-23 08:00", "UTC"))
    for date in 24...29 {
      let end = local("2021-05-\(date) \(hour < 10 ? "0" : "")\(hour):30", "America/New_York")
      account.act(
        .logWorkout(logged(UInt64(date), endingAt: end, zone: "America/New_York")), at: end)
    }
    let first = day(2021, 5, 24)
    let before = account.state.dayTotals(from: first, count: 6)
    #expect(before.map(\.workouts) == [1, 1, 1, 1, 1, 1])
    let flight = local("2021-05-30 12:00", "America/New_York")
    account.act(.setZone(id: zone), at: flight)
    account.turn(at: flight.advanced(milliseconds: 1_000))
    #expect(account.state.dayTotals(from: first, count: 6) == before)
    #expect(
      account.state.dayTotals(from: day(2021, 5, 20), count: 4).allSatisfy { $0.workouts == 0 })
  }

  @Test(
    "DST-01: around Berlin's 23-hour day",
    arguments: [([24, 27], 1), ([26, 27], 2), ([25, 26, 27], 3)])
  func springForward(dates: [Int], streak: Int) {
    let now = local("2017-03-27 21:00", "Europe/Berlin")
    var account = TestAccount(at: local("2017-03-20 12:00", "Europe/Berlin"))
    for date in dates {
      account.mark(log: UInt64(date), at: local("2017-03-\(date) 20:00", "Europe/Berlin"))
    }
    account.turn(at: now)
    #expect(account.streak(at: now).days == streak)
    #expect(day(2017, 3, 27).days(since: day(2017, 3, 24)) - 1 == 2, "missed days between")
  }

  @Test("DST-03: New York's 25-hour day is one day; 04:30Z on the 3rd is still the 2nd")
  func fallBack() {
    let now = local("2014-11-03 21:00", "America/New_York")
    var account = TestAccount(
      zone: "America/New_York", at: local("2014-11-01 12:00", "America/New_York"))
    for date in 1...3 {
      account.mark(log: UInt64(date), at: local("2014-11-0\(date) 20:00", "America/New_York"))
    }
    let days = account.today.days
    #expect(days.current(at: instant("2014-11-03T04:30:00Z"))?.day == day(2014, 11, 2))
    #expect(days.current(at: instant("2014-11-03T05:00:00Z"))?.day == day(2014, 11, 3))
    let lengths = zip(days.dropFirst(), days.dropFirst(2)).map {
      $1.from.milliseconds(since: $0.from) / 3_600_000
    }
    #expect(lengths == [25, 24, 24, 24, 24, 24, 24])
    account.turn(at: now)
    #expect(account.streak(at: now).days == 3)
  }

  @Test("DST-06: Amsterdam, 28, 29 and 30 March 2026, is a streak of three")
  func amsterdam() {
    let now = local("2026-03-30 21:00", "Europe/Amsterdam")
    var account = TestAccount(
      zone: "Europe/Amsterdam", at: local("2026-03-27 12:00", "Europe/Amsterdam"))
    for date in 28...30 {
      account.mark(log: UInt64(date), at: local("2026-03-\(date) 23:30", "Europe/Amsterdam"))
    }
    account.turn(at: local("2026-03-30 23:40", "Europe/Amsterdam"))
    #expect(account.streak(at: now).days == 3)
  }

  @Test("DST-08: 2020-10-25 is four days after 2020-10-21 in Berlin, across the change")
  func dayOffset() {
    let today = local("2020-10-21 15:00", "Europe/Berlin")
    let account = TestAccount(at: today)
    let days = account.today.days
    let index = days.firstIndex { $0.day == day(2020, 10, 25) }
    #expect(index == 4)
    #expect(days[4].day.days(since: days[0].day) == 4)
    #expect(days[5].from.milliseconds(since: days[4].from) == 25 * 3_600_000)
  }

  @Test("MID-01: a workout across midnight is one workout of its whole span, on the day it ends")
  func acrossMidnight() {
    let end = local("2025-05-13 00:40", "Europe/Berlin")
    var account = TestAccount(at: local("2025-05-12 12:00", "Europe/Berlin"))
    var workout = logged(1, endingAt: end)
    workout.activityType = "strength"
    workout.start = local("2025-05-12 23:50", "Europe/Berlin")
    account.act(.setGoal(name: "minutes-per-day", value: 30), at: end)
    #expect(account.act(.logWorkout(workout), at: end) == .applied)
    guard case .workoutLogged(let log, _) = account.events.first else {
      Issue.record("not logged")
      return
    }
    #expect(log.day == day(2025, 5, 13))
    #expect(log.shownMilliseconds == 3_000_000)
    account.turn(at: end)
    #expect(account.today.days[0].items.map(\.title) == ["strength"])
    #expect(account.goals.goals[0].progress[0].value == 50)
    #expect(account.streak(at: end).days == 1)
  }

  @Test("A civil day that never happened neither counts nor breaks: Apia without 2011-12-30")
  func skippedDay() {
    let now = local("2011-12-31 12:00", "Pacific/Apia")
    var account = TestAccount(
      zone: "Pacific/Apia", at: local("2011-12-28 12:00", "Pacific/Apia"))
    let days = account.today.days.map(\.day)
    #expect(
      days.prefix(4) == [
        day(2011, 12, 28), day(2011, 12, 29), day(2011, 12, 31), day(2012, 1, 1),
      ])
    account.mark(log: 1, at: local("2011-12-28 20:00", "Pacific/Apia"))
    account.mark(log: 2, at: local("2011-12-29 20:00", "Pacific/Apia"))
    account.turn(at: local("2011-12-29 21:00", "Pacific/Apia"))
    #expect(
      account.streak(at: now).days == 2, "the 29th is yesterday on the 31st")
    #expect(account.streak.entries[0].lostAt == local("2012-01-01 00:00", "Pacific/Apia"))
    account.mark(log: 3, at: now)
    account.turn(at: now)
    #expect(account.streak(at: now).days == 3)
    let theme = account.theme.flips.map(\.from)
    #expect(Set(theme).count == theme.count)
  }

  @Test("A mark's day is that of its own zone, else of its offset, else of the account's zone")
  func markDay() {
    let at = instant("2026-06-10T22:30:00Z")
    var account = TestAccount(at: instant("2026-06-10T08:00:00Z"))
    account.mark("Own", log: 1, at: at, zone: "America/Los_Angeles")
    account.mark("Unknown", log: 2, at: at, zone: "Mars/Phobos")
    account.mark("None", log: 3, at: at)
    let days = account.journal.flatMap { $0 }.compactMap { event in
      if case .workoutMarked(let log, _) = event { log.day } else { nil }
    }
    #expect(days == [day(2026, 6, 10), day(2026, 6, 10), day(2026, 6, 11)])
  }

  @Test("Without a zone of its own a log's day follows the zone history; before it, the earliest")
  func zoneHistory() {
    var account = TestAccount(
      zone: "Europe/London", at: local("2026-07-01 08:00", "Europe/London"))
    account.act(.setZone(id: "America/New_York"), at: instant("2026-07-04T12:00:00Z"))
    let now = instant("2026-07-10T12:00:00Z")
    let ends = ["2026-06-20T23:30:00Z", "2026-07-02T23:30:00Z", "2026-07-05T23:30:00Z"]
    for (index, end) in ends.enumerated() {
      account.act(
        .logWorkout(logged(UInt64(index), endingAt: instant(end))), by: Devices.phone, at: now)
    }
    let days = account.journal.flatMap { $0 }.compactMap { event in
      if case .workoutLogged(let log, _) = event { log.day } else { nil }
    }
    #expect(days == [day(2026, 6, 21), day(2026, 7, 3), day(2026, 7, 5)])
  }

  @Test("A flight half around the world breaks no streak")
  func longFlight() {
    var account = TestAccount(
      zone: "America/Los_Angeles", at: local("2026-06-01 08:00", "America/Los_Angeles"))
    account.mark(
      log: 1, at: local("2026-06-01 20:00", "America/Los_Angeles"), zone: "America/Los_Angeles")
    account.act(
      .setZone(id: "Asia/Kolkata"), at: local("2026-06-01 22:00", "America/Los_Angeles"))
    account.mark(log: 2, at: local("2026-06-02 20:00", "Asia/Kolkata"), zone: "Asia/Kolkata")
    account.turn(at: local("2026-06-02 21:00", "Asia/Kolkata"))
    #expect(account.streak(at: local("2026-06-02 21:00", "Asia/Kolkata")).days == 2)
    #expect(account.streak(at: local("2026-06-03 21:00", "Asia/Kolkata")).days == 2)
    #expect(account.streak(at: local("2026-06-04 21:00", "Asia/Kolkata")).days == 0)
  }
}
