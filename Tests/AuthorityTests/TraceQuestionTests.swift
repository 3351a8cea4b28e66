import Testing
import WatchTransfer

@testable import Authority

/// Questions about days: spans, policies, sums.
@Suite struct TraceQuestionTests {
  private static let zone = "Europe/Berlin"

  private func day(_ month: Int, _ day: Int) -> CivilDay {
    CivilDay(year: 2026, month: month, day: day)!
  }

  /// An hour each on 1, 2, 9 and 31 May, as of 10 May.
  private func may() -> TestAccount {
    var account = TestAccount(zone: Self.zone, at: local("2026-04-20 08:00", Self.zone))
    for (number, date) in [(UInt64(1), "05-01"), (2, "05-02"), (3, "05-02"), (9, "05-09")] {
      var workout = logged(number, endingAt: local("2026-\(date) 1\(number):00", Self.zone))
      workout.title = "Run \(number)"
      #expect(account.act(.logWorkout(workout), at: workout.end) == .applied)
    }
    account.turn(at: local("2026-05-10 12:00", Self.zone))
    return account
  }

  private func trace(
    _ account: TestAccount, _ span: DaySpan, _ policy: StreakPolicy? = nil,
    now: Instant = Instant(milliseconds: 0)
  ) -> StreakTrace {
    let question = Question.streakTrace(StreakTraceQuestion(span, policy: policy))
    guard
      case .streakTrace(let trace) = answer(account.state, question, now: now)
    else { fatalError("no trace") }
    return trace
  }

  @Test("A trace says who satisfied each day, under the person's policy or any other")
  func policies() {
    var account = may()
    let span = DaySpan.from(day(5, 1), days: 10)
    let daily = trace(account, span)
    #expect(daily.policy == .daily)
    #expect(daily.days.map(\.day) == (1...10).map { day(5, $0) })
    let missed = [StreakDayStatus](repeating: .missed, count: 6)
    #expect(
      daily.days.map(\.status)
        == [.satisfied(by: .test(1)), .satisfied(by: .test(2))] + missed
        + [.satisfied(by: .test(9)), .open])
    #expect(daily.days[0].text == "1 May 2026: done, Run 1")
    #expect(daily.days[3].text == "4 May 2026: missed")
    var change = PreferenceChange()
    change.streakPolicy = .weekly(days: 2)
    account.act(.setPreferences(change), at: local("2026-05-10 12:01", Self.zone))
    #expect(trace(account, span).policy == .weekly(days: 2))
    #expect(trace(account, span, .daily) == daily)
    #expect(trace(account, span, .scheduled).days[0].status == .idle)
    #expect(trace(account, span).days[3].text == "4 May 2026: still open", "its week is not over")
    #expect(trace(account, span, .scheduled).days[3].text == "4 May 2026: does not count")
  }

  @Test(
    "Today is the day of the question, though the account's newest turn may be of the day before")
  func untilNow() {
    var account = may()
    let tuesday = local("2026-05-11 07:30", Self.zone)
    #expect(
      account.act(.markWorkout(log: .test(77), workout: .title("Run 1")), at: tuesday) == .applied)
    let week = trace(account, .last(days: 7), now: tuesday)
    #expect(week.days.map(\.day) == (5...11).map { day(5, $0) })
    #expect(week.days.map(\.status).suffix(2) == [.missed, .satisfied(by: .test(77))])
    #expect(week.totals.days == 7 && week.totals.workouts == 2)
    // A clock that was set back takes no day away.
    #expect(trace(account, .last(days: 1)).days.map(\.day) == [day(5, 10)])
  }

  @Test("The last N days are today and those before it; a month is the calendar's")
  func spans() {
    let account = may()
    #expect(trace(account, .last(days: 1)).days.map(\.day) == [day(5, 10)])
    #expect(trace(account, .last(days: 7)).days.map(\.day) == (4...10).map { day(5, $0) })
    #expect(trace(account, .month(of: day(5, 17))).days.map(\.day) == (1...31).map { day(5, $0) })
    #expect(trace(account, .month(of: day(2, 1))).days.count == 28)
    // A span beyond the bounds is one of the bounds, and no day is beyond those that can be named.
    #expect(trace(account, .last(days: 9_999)).days.count == 64)
    #expect(trace(account, .from(day(5, 1), days: .min)).days.count == 1)
    let end = trace(account, .from(CivilDay(number: .max), days: 64))
    #expect(end.days.first?.day == ActionLimits.days.upperBound && end.days.count == 64)
    #expect(trace(account, .month(of: CivilDay(number: .min))).days.first?.day.number == 0)
  }

  @Test("Sums divide by the days so far, today included; before the span there is no average")
  func totals() {
    let account = may()
    let month = trace(account, .month(of: day(5, 17))).totals
    #expect(month.workouts == 4 && month.activeDays == 3 && month.days == 10)
    #expect(month.milliseconds == 4 * 3_600_000)
    #expect(month.averageMilliseconds == 1_440_000 && month.averageWorkouts == 0.4)
    #expect(month.text == "4 workouts on 3 of 31 days, 240 min, 24 min a day")
    let week = trace(account, .last(days: 7)).totals
    #expect(week.workouts == 1 && week.days == 7)
    #expect(week.text == "1 workout on 1 of 7 days, 60 min, 8.6 min a day")
    // Nothing was done: there is an average, which nobody needs to read.
    let april = trace(account, .month(of: day(4, 1))).totals
    #expect(april.averageMilliseconds == 0)
    #expect(april.text == "0 workouts on 0 of 30 days, 0 min")
    let june = trace(account, .month(of: day(6, 1))).totals
    #expect(june.days == 0 && june.averageMilliseconds == nil && june.averageWorkouts == nil)
    #expect(june.text == "0 workouts on 0 of 30 days, 0 min")
  }
}
