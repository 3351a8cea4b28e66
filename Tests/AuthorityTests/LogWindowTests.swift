import Testing
import WatchTransfer

@testable import Authority

/// Windows of days over the log (DESIGN section 6, rule 5), and weeks of the calendar.
@Suite struct LogWindowTests {
  private func account(_ days: [CivilDay], minutes: Int64 = 60) -> AccountState {
    var state = AccountState()
    for (index, day) in days.enumerated() {
      let end = Instant(milliseconds: Int64(day.number) * 86_400_000 + 43_200_000)
      state.logs.insert(
        WorkoutLog(
          id: .test(UInt64(index)), origin: .byHand, workout: nil, title: "Run",
          start: end.advanced(milliseconds: -minutes * 60_000), end: end, day: day))
    }
    return state
  }

  @Test(
    "AGG-05: long after the last workout the last 30, 90 and 365 days hold none",
    arguments: [30, 90, 365])
  func longAgo(days: Int) {
    let today = day(2026, 1, 24)
    let state = account([day(2020, 3, 30)])
    let totals = state.totals(of: .last(days: days, today: today), today: today)
    #expect(totals.workouts == 0)
    #expect(totals.activeDays == 0)
    #expect(totals.days == days)
    #expect(totals.averageWorkouts == 0)
  }

  @Test(
    "AGG-08: with a workout on each day the last 7 and 30 days hold 7 and 30",
    arguments: [
      (7, day(2026, 9, 8)), (30, day(2026, 8, 16)), (1, day(2026, 9, 14)), (365, day(2025, 9, 15)),
    ])
  func last(days: Int, first: CivilDay) {
    let today = day(2026, 9, 14)
    let state = account((0..<400).map { today.advanced(days: -$0) })
    let window = LogWindow.last(days: days, today: today)
    #expect(window.first == first)
    #expect(window.last == today)
    #expect(state.totals(of: window, today: today).workouts == days)
    #expect(state.totals(of: window, today: today).activeDays == days)
  }

  @Test(
    "AGG-07: an average divides by all days of a finished window, and by those so far of one that is not"
  )
  func averages() {
    let week = LogWindow.week(of: day(2025, 9, 10), firstWeekday: 1)
    let state = account([day(2025, 9, 9)], minutes: 70)
    let finished = state.totals(of: week, today: day(2025, 9, 20))
    #expect(finished.averageMilliseconds == 600_000.0)
    let open = state.totals(of: week, today: day(2025, 9, 9))
    #expect(open.days == 2)
    #expect(open.averageMilliseconds == 2_100_000.0)
    #expect(state.totals(of: week, today: day(2025, 9, 7)).averageMilliseconds == nil)
    let month = LogWindow.month(of: day(2025, 9, 17))
    let september = account([day(2025, 9, 1), day(2025, 9, 30)], minutes: 145)
    let totals = september.totals(of: month, today: day(2025, 10, 1))
    #expect(totals.days == 30)
    #expect(abs((totals.averageMilliseconds ?? 0) / 60_000 - 9.67) < 0.005)
  }

  @Test(
    "A month has all its days, leap years and the turn of the year included",
    arguments: [
      (day(2024, 2, 10), day(2024, 2, 1), day(2024, 2, 29)),
      (day(2100, 2, 10), day(2100, 2, 1), day(2100, 2, 28)),
      (day(2026, 12, 31), day(2026, 12, 1), day(2026, 12, 31)),
      (day(2026, 1, 1), day(2026, 1, 1), day(2026, 1, 31)),
    ])
  func months(of date: CivilDay, first: CivilDay, last: CivilDay) {
    #expect(LogWindow.month(of: date) == LogWindow(first: first, last: last))
  }

  @Test("A day that never happened is no day to divide by")
  func skippedDay() {
    var state = account([day(2011, 12, 29), day(2011, 12, 31)])
    state.zone.skippedDays = [day(2011, 12, 30)]
    let totals = state.totals(
      of: .last(days: 7, today: day(2011, 12, 31)), today: day(2011, 12, 31))
    #expect(totals.days == 6)
    #expect(totals.workouts == 2)
  }

  @Test(
    "WK-01: 2015-12-28 to 2016-01-03 are all of ISO week 2015-W53, and one calendar week from Monday"
  )
  func turnOfTheYear() {
    for offset: Int32 in 0..<7 {
      let date = day(2015, 12, 28).advanced(days: offset)
      #expect(date.isoWeek == (2015, 53))
      #expect(date.weekStart(firstWeekday: 1) == day(2015, 12, 28))
    }
    let state = account((0..<7).map { day(2015, 12, 28).advanced(days: $0) })
    let week = LogWindow.week(of: day(2016, 1, 1), firstWeekday: 1)
    #expect(state.totals(of: week, today: day(2016, 1, 3)).workouts == 7)
  }

  @Test(
    "WK-03: ISO weeks around 1 January",
    arguments: [
      (day(2026, 12, 31), 2026, 53), (day(2027, 1, 3), 2026, 53), (day(2027, 1, 4), 2027, 1),
      (day(2024, 12, 30), 2025, 1), (day(2021, 1, 3), 2020, 53), (day(2020, 12, 31), 2020, 53),
      (day(2023, 1, 1), 2022, 52), (day(2008, 12, 29), 2009, 1), (day(2005, 1, 1), 2004, 53),
    ])
  func isoWeeks(date: CivilDay, year: Int, week: Int) {
    #expect(date.isoWeek == (year, week))
  }

  @Test("ISO weeks, 1990 to 2050: Thursday's year, from 1, without a gap; 4 January is in week 1")
  func everyWeek() {
    var date = day(1990, 1, 1)
    var before = date.isoWeek
    while date < day(2050, 12, 31) {
      date = date.advanced(days: 1)
      let week = date.isoWeek
      if date.weekday == 1 {
        #expect(week == (before.year, before.week + 1) || week == (before.year + 1, 1))
      } else {
        #expect(week == before)
      }
      if date.date.month == 1, date.date.day == 4 { #expect(week == (date.date.year, 1)) }
      before = week
    }
  }

  @Test(
    "WK-05: a Sunday and the Monday after it are one week from Sunday, two from Monday",
    arguments: [(7, 2), (1, 1), (6, 2), (2, 2), (3, 2)])
  func firstWeekdays(firstWeekday: Int, workouts: Int) {
    let state = account([day(2026, 2, 8), day(2026, 2, 9)])
    let expected = workouts
    let week = LogWindow.week(of: day(2026, 2, 9), firstWeekday: firstWeekday)
    #expect(state.totals(of: week, today: day(2026, 2, 9)).workouts == expected)
    var account = TestAccount(at: local("2026-02-09 12:00", "Europe/Berlin"))
    let now = local("2026-02-09 12:00", "Europe/Berlin")
    account.act(
      .logWorkout(logged(1, endingAt: local("2026-02-08 12:00", "Europe/Berlin"))), at: now)
    account.act(.logWorkout(logged(2, endingAt: now)), at: now)
    var change = PreferenceChange()
    change.firstWeekday = firstWeekday
    account.act(.setPreferences(change), at: now)
    account.act(.setGoal(name: "workouts-per-week", value: 3), at: now)
    #expect(account.goals.goals[0].progress.first?.value == Double(expected))
  }
}
