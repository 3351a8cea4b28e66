import Testing
import WatchTransfer

@testable import Authority

/// Streaks by week and by plan, freezes, pauses (DESIGN section 6, rule 4).
@Suite struct StreakPolicyTests {
  private let zone = "Europe/Berlin"

  /// An account that begins on 1 May 2026, a Friday, with marks at 20:00 on days of May.
  private func account(
    _ days: [Int], policy: StreakPolicy = .daily, firstWeekday: Int = 1
  ) -> TestAccount {
    var account = TestAccount(at: may(1, "08:00"))
    var change = PreferenceChange()
    change.streakPolicy = policy
    change.firstWeekday = firstWeekday
    #expect(account.act(.setPreferences(change), at: may(1, "08:00")) == .applied)
    for day in days { mark(day, &account) }
    return account
  }

  private func may(_ day: Int, _ time: String = "20:00") -> Instant {
    local("2026-05-\(day < 10 ? "0" : "")\(day) \(time)", zone)
  }

  private func mark(_ day: Int, _ account: inout TestAccount) {
    account.mark(log: UInt64(day), at: may(day), zone: zone)
  }

  private func grant(_ id: UInt64, on day: Int, _ account: inout TestAccount) -> DecidedOutcome {
    account.act(.grantFreeze(id: .test(2_000 + id)), at: may(day, "21:00"))
  }

  private func entry(_ account: TestAccount, on day: Int, _ time: String = "21:30")
    -> StreakFacet.Entry
  {
    var account = account
    account.turn(at: may(day, time))
    return account.streak(at: may(day, time))
  }

  @Test("STK-06: weeks that start on Thursday; one workout on 2025-03-06: 1 on 03-19, 0 on 03-20")
  func weekStillOpen() {
    let start = local("2025-03-06 08:00", zone)
    var account = TestAccount(at: start)
    var change = PreferenceChange()
    change.streakPolicy = .weekly(days: 1)
    change.firstWeekday = 4
    account.act(.setPreferences(change), at: start)
    account.mark(log: 1, at: local("2025-03-06 18:00", zone))
    for (date, weeks) in [(6, 1), (12, 1), (13, 1), (19, 1), (20, 0), (27, 0)] {
      let moment = local("2025-03-\(date < 10 ? "0" : "")\(date) 23:59", zone)
      var turned = account
      turned.turn(at: moment)
      #expect(turned.streak(at: moment).days == weeks, "\(date)")
    }
    account.turn(at: local("2025-03-13 09:00", zone))
    let open = account.streak(at: local("2025-03-13 09:00", zone))
    #expect(open.text == "1 week")
    #expect(open.lostAt == local("2025-03-20 00:00", zone))
    #expect(open.atRiskAt == nil, "six more days would do")
    let last = account.streak(at: local("2025-03-19 09:00", zone))
    #expect(last.atRiskAt == local("2025-03-19 18:00", zone), "the last day that can")
  }

  @Test("STK-10: three different days a calendar week from Monday: two weeks, not rolling days")
  func calendarWeeks() {
    // Monday 4 May: Mon Tue Wed of one week, Thu Fri Sat of the next.
    let weeks = [4, 5, 6, 14, 15, 16]
    let policy = StreakPolicy.weekly(days: 3)
    #expect(entry(account(weeks, policy: policy), on: 16).days == 2)
    #expect(entry(account(weeks, policy: policy), on: 24).days == 2, "the next week is open")
    #expect(entry(account(weeks, policy: policy), on: 25).days == 0)
    #expect(entry(account([4, 5, 6, 14, 15], policy: policy), on: 16).days == 1)
    // Weeks from Saturday, and from Sunday, cut otherwise.
    #expect(
      entry(account([9, 11, 12, 16, 17, 18], policy: policy, firstWeekday: 6), on: 18).days == 2)
    #expect(
      entry(account([9, 11, 12, 16, 17, 18], policy: policy, firstWeekday: 7), on: 18).days == 1)
    var twice = account([4, 5], policy: policy)
    twice.mark("Arms", log: 90, at: may(5))
    #expect(entry(twice, on: 10).days == 0, "two logs of a day are one day")
  }

  @Test("STK-08: a freeze covers one missed day, adds nothing, and is spent at the next workout")
  func freezeCoversOne() {
    var account = account([1, 2, 3, 4])
    #expect(grant(1, on: 4, &account) == .applied)
    let covered = entry(account, on: 6)
    #expect(covered.days == 4, "missed the 5th, today open")
    #expect(covered.freezes == 1, "not spent yet")
    #expect(covered.protected == [day(2026, 5, 5)])
    #expect(covered.lostAt == may(7, "00:00"))
    mark(6, &account)
    let after = entry(account, on: 6)
    #expect(after.days == 5)
    #expect(after.freezes == 0)
    #expect(after.protected == [day(2026, 5, 5)])
  }

  @Test("STK-08: a gap that is longer than the freezes in hand breaks, and spends nothing")
  func freezeKept() {
    var account = account([1, 2, 3, 4])
    #expect(grant(1, on: 4, &account) == .applied)
    #expect(entry(account, on: 7).days == 0, "missed the 5th and the 6th")
    #expect(entry(account, on: 7).freezes == 1)
    for missed in 1...5 {
      var broken = account
      mark(5 + missed, &broken)
      let after = entry(broken, on: 5 + missed)
      #expect(after.days == (missed == 1 ? 5 : 1), "\(missed) missed")
      #expect(after.freezes == (missed == 1 ? 0 : 1), "\(missed) missed")
    }
  }

  @Test("A freeze comes back when backdated data fills its day")
  func freezeReturns() {
    var account = account([1, 2, 3, 4, 6])
    #expect(entry(account, on: 6).days == 1)
    var late = account
    #expect(grant(1, on: 4, &account) == .applied)
    #expect(entry(account, on: 6).days == 5)
    #expect(entry(account, on: 6).freezes == 0)
    mark(5, &account)
    #expect(entry(account, on: 6).days == 6)
    #expect(entry(account, on: 6).freezes == 1)
    #expect(entry(account, on: 6).protected == [])
    account.act(.deleteLog(log: .test(5)), at: may(6, "21:00"))
    #expect(entry(account, on: 6).days == 5)
    #expect(entry(account, on: 6).freezes == 0)
    // Granted only after the day was missed.
    #expect(grant(1, on: 6, &late) == .applied)
    #expect(entry(late, on: 6).days == 1)
    #expect(entry(late, on: 6).freezes == 1)
  }

  @Test("A day that ends after the grant is covered, the day of the grant too; one before is not")
  func grantDay() {
    for (granted, days) in [(4, 5), (5, 5), (6, 1)] {
      var account = account([1, 2, 3, 4])
      #expect(grant(1, on: granted, &account) == .applied)
      mark(6, &account)
      #expect(entry(account, on: 6).days == days, "granted on the \(granted)th")
    }
  }

  @Test("At most two are in hand: a third is refused until one is spent; two cover two days")
  func twoInHand() {
    var account = account([1, 2, 3, 4])
    #expect(grant(1, on: 2, &account) == .applied)
    #expect(grant(2, on: 3, &account) == .applied)
    #expect(grant(3, on: 4, &account) == .refused(.limit(of: "freezes")))
    #expect(grant(1, on: 4, &account) == .refused(.taken))
    #expect(entry(account, on: 7).days == 4)
    #expect(entry(account, on: 7).protected == [day(2026, 5, 5), day(2026, 5, 6)])
    #expect(entry(account, on: 8).days == 0)
    mark(7, &account)
    #expect(entry(account, on: 7).days == 5)
    #expect(entry(account, on: 7).freezes == 0)
    #expect(grant(3, on: 7, &account) == .applied)
    #expect(entry(account, on: 7).freezes == 1)
  }

  @Test("In a weekly policy a freeze covers a week")
  func weekFreeze() {
    // Two a week: the weeks of 4 and 18 May; that of the 11th is missed.
    var account = account([4, 5, 11, 18, 19], policy: .weekly(days: 2))
    #expect(entry(account, on: 19).days == 1)
    #expect(grant(1, on: 6, &account) == .applied)
    #expect(entry(account, on: 19).days == 2)
    #expect(entry(account, on: 19).protected == [day(2026, 5, 11)])
    #expect(entry(account, on: 19).freezes == 0)
  }

  @Test("Paused days neither count nor break")
  func pause() {
    var account = account([1, 2, 3, 4])
    #expect(
      account.act(.pauseStreak(id: .test(900), from: day(2026, 5, 5)), at: may(4)) == .applied)
    let paused = entry(account, on: 12)
    #expect(paused.days == 4)
    #expect(paused.isPaused)
    #expect(paused.text == "4 days, paused")
    #expect(paused.atRiskAt == nil)
    #expect(paused.lostAt == nil)
    mark(6, &account)
    #expect(entry(account, on: 12).days == 4, "a paused day does not count")
    #expect(account.act(.resumeStreak(from: nil), at: may(13, "09:00")) == .applied)
    #expect(account.act(.resumeStreak(from: nil), at: may(13, "09:00")) == .refused(.notFound))
    #expect(entry(account, on: 13).days == 4)
    #expect(entry(account, on: 13).lostAt == may(14, "00:00"))
    mark(13, &account)
    #expect(entry(account, on: 13).days == 5)
    #expect(entry(account, on: 15).days == 0)
  }

  @Test("A second pause changes no day; a resumption ends each, also one that arrives later")
  func pausesMeet() {
    var account = account([1, 2, 3, 4])
    account.act(.pauseStreak(id: .test(900), from: day(2026, 5, 5)), at: may(5, "09:00"))
    #expect(
      account.act(.pauseStreak(id: .test(901), from: day(2026, 5, 6)), at: may(5, "10:00"))
        == .applied)
    #expect(account.state.streaks.pausedDays.contains(day(2026, 5, 5)))
    account.act(.resumeStreak(from: nil), at: may(7, "09:00"))
    // Pressed on the 6th, on a device that was out of reach.
    account.act(
      .pauseStreak(id: .test(902), from: day(2026, 5, 6)), at: may(6, "09:00"),
      now: may(8, "09:00"))
    #expect(!account.state.streaks.isPaused)
    #expect(!entry(account, on: 8).isPaused)
    #expect(entry(account, on: 7).days == 4)
  }

  @Test(
    "A resumption that arrives late ends what was paused before it was pressed, and nothing later",
    arguments: [5, 6])
  func lateResumption(pausedAgainFrom: Int) {
    var account = account([1, 2, 3, 4])
    account.act(.pauseStreak(id: .test(900), from: day(2026, 5, 5)), at: may(5, "09:00"))
    let again = Action.pauseStreak(id: .test(901), from: day(2026, 5, pausedAgainFrom))
    #expect(account.act(again, by: Devices.watch, at: may(6, "11:00")) == .applied)
    // Pressed in between, on a phone that was out of reach.
    #expect(
      account.act(.resumeStreak(from: nil), at: may(5, "10:00"), now: may(6, "11:01"))
        == (pausedAgainFrom == 5 ? .refused(.superseded) : .applied))
    #expect(account.state.streaks.isPaused)
    #expect(account.state.streaks.pausedDays.contains(day(2026, 5, 9)))
    // Between the two it was not paused.
    #expect(account.state.streaks.pausedDays.contains(day(2026, 5, 5)) == (pausedAgainFrom == 5))
    #expect(account.act(.resumeStreak(from: nil), at: may(7, "09:00")) == .applied)
    #expect(!account.state.streaks.isPaused)
    let late = account.act(.resumeStreak(from: nil), at: may(6, "12:00"), now: may(7, "10:00"))
    #expect(late == .refused(.notFound))
  }

  @Test("A week whose pauses leave fewer days than are asked for neither counts nor breaks")
  func pausedWeek() {
    // Three a week: the weeks of 4 and 18 May.
    let policy = StreakPolicy.weekly(days: 3)
    var account = account([4, 5, 6, 11, 18, 19, 20], policy: policy)
    #expect(entry(account, on: 20).days == 1)
    account.act(.pauseStreak(id: .test(900), from: day(2026, 5, 13)), at: may(13))
    account.act(.resumeStreak(from: day(2026, 5, 18)), at: may(18))
    #expect(entry(account, on: 20).days == 2, "Monday and Tuesday were left")
    var more = self.account([4, 5, 6, 11, 18, 19, 20], policy: policy)
    more.act(.pauseStreak(id: .test(900), from: day(2026, 5, 14)), at: may(13))
    more.act(.resumeStreak(from: day(2026, 5, 18)), at: may(18))
    #expect(entry(more, on: 20).days == 1, "three were left, one was done")
  }

  @Test("By plan: days with something planned count, others neither count nor break")
  func scheduled() {
    var account = TestAccount(at: may(1, "08:00"))
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: may(1, "08:00"))
    var change = PreferenceChange()
    change.streakPolicy = .scheduled
    account.act(.setPreferences(change), at: may(1, "08:00"))
    // Mondays and Thursdays: 4, 7, 11, 14, 18.
    account.weekly(1_000, on: [1, 4], at: "18:00", occurring: may(1, "08:00"))
    for day in [4, 5, 7, 9, 11] { mark(day, &account) }
    let done = entry(account, on: 11)
    #expect(done.days == 3, "the 5th and the 9th do not count")
    #expect(done.lostAt == may(15, "00:00"), "at the end of Thursday")
    #expect(entry(account, on: 13).days == 3)
    #expect(entry(account, on: 13).atRiskAt == nil)
    #expect(entry(account, on: 14).atRiskAt == may(14, "18:00"))
    #expect(entry(account, on: 15).days == 0)
    // A plan for a single day counts, too.
    account.schedule(1_001, "Legs", at: may(13))
    #expect(entry(account, on: 13).atRiskAt == may(13, "18:00"))
    #expect(entry(account, on: 14).days == 0)
    mark(13, &account)
    #expect(entry(account, on: 13).days == 4)
    // An edit from its own moment leaves what was planned before.
    var edit = ScheduleChange()
    edit.weekdays = Weekdays([6])
    account.act(.editSchedule(id: .test(1_000), edit), at: may(13, "21:00"))
    #expect(entry(account, on: 15).days == 4)
    #expect(entry(account, on: 17).days == 0, "Saturday the 16th was missed")
  }

  @Test("The policy and its number are one preference, shown and checked")
  func preference() {
    var account = account([1], policy: .weekly(days: 7))
    #expect(account.preferences.streakPolicy == .weekly(days: 7))
    #expect(account.streak.policy == .weekly(days: 7))
    for days in [0, 8, -1, Int.max] {
      var change = PreferenceChange()
      change.streakPolicy = .weekly(days: days)
      #expect(
        account.act(.setPreferences(change), at: may(2))
          == .refused(.invalid(field: "streak_days")))
    }
  }

  @Test("A trace says of each day which log satisfied it, or why none did, for any policy")
  func trace() {
    var account = account([1, 2, 5, 9, 12])
    grantFreezes(&account)
    account.act(.pauseStreak(id: .test(900), from: day(2026, 5, 7)), at: may(6))
    account.act(.resumeStreak(from: day(2026, 5, 9)), at: may(9, "08:00"))
    account.turn(at: may(12, "21:00"))
    func log(_ id: UInt64) -> StreakDayStatus { .satisfied(by: .test(id)) }
    func trace(
      _ policy: StreakPolicy, _ first: CivilDay, _ last: CivilDay
    ) -> [StreakTraceDay] {
      streakTrace(
        account.state, policy: policy, from: first, through: last, today: day(2026, 5, 12))
    }
    func statuses(_ policy: StreakPolicy) -> [StreakDayStatus] {
      trace(policy, day(2026, 5, 1), day(2026, 5, 13)).map(\.status)
    }
    #expect(
      statuses(.daily) == [
        log(1), log(2), .protected, .protected, log(5), .missed, .paused, .paused, log(9), .missed,
        .missed, log(12), .open,
      ])
    // Weeks of 27 April, 4 and 11 May.
    #expect(
      statuses(.weekly(days: 2)) == [
        log(1), log(2), .idle, .idle, log(5), .idle, .paused, .paused, log(9), .idle, .open,
        log(12), .open,
      ])
    #expect(
      statuses(.scheduled) == [
        .idle, .idle, .idle, .idle, .idle, .idle, .paused, .paused, .idle, .idle, .idle, .idle,
        .idle,
      ])
    #expect(
      trace(.daily, day(2026, 5, 2), day(2026, 5, 1)).isEmpty)
  }

  private func grantFreezes(_ account: inout TestAccount) {
    for id: UInt64 in [1, 2] {
      account.act(.grantFreeze(id: .test(2_000 + id)), at: may(2, "21:00"))
    }
  }

  @Test("WK-07: after 29 February comes 1 March; 28, 29 February and 1 March are a streak of three")
  func leapDay() {
    var account = TestAccount(at: local("2016-02-20 08:00", zone))
    for (index, date) in ["2016-02-28", "2016-02-29", "2016-03-01"].enumerated() {
      account.mark(log: UInt64(index + 1), at: local("\(date) 20:00", zone))
    }
    account.turn(at: local("2016-03-01 21:00", zone))
    #expect(account.streak(at: local("2016-03-01 21:00", zone)).days == 3)
    #expect(day(2016, 2, 29).advanced(days: 1) == day(2016, 3, 1))
    #expect(day(2016, 2, 29).weekStart(firstWeekday: 7) == day(2016, 2, 28))
    #expect(day(2016, 2, 29).weekStart(firstWeekday: 1) == day(2016, 2, 29))
    // In a year without it, 1 March follows the 28th.
    #expect(day(2015, 2, 28).advanced(days: 1) == day(2015, 3, 1))
  }
}
