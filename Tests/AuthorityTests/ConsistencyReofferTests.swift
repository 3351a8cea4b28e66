import Testing
import WatchTransfer

@testable import Authority

/// Schedules, logs, weights and streaks offered again after a restore: applied is applied, whatever
/// comes first (DESIGN section 4).
@Suite struct ConsistencyReofferTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func at(_ minutes: Int64) -> Instant { now.advanced(milliseconds: minutes * 60_000) }

  @Test("An edit that comes back before its log is put in when the log comes, as of its own moment")
  func logEdits() {
    var account = TestAccount(at: now)
    var change = LogChange()
    change.title = "Hills"
    change.notes = "wet"
    change.end = .timeOfDay(timeOfDay("00:20"))
    let edit = Action.editLog(log: .test(1), change)
    #expect(account.act(edit, at: at(5)) == .refused(.notFound))
    #expect(account.act(edit, at: at(5), reoffered: true) == .applied)
    #expect(account.state.waiting.count == 1)
    var workout = LoggedWorkout(
      log: .test(1), activityType: "running", start: local("2026-06-08 23:40", "Europe/Berlin"),
      end: local("2026-06-08 23:50", "Europe/Berlin"))
    workout.title = "Run"
    #expect(account.act(.logWorkout(workout), at: at(0), now: at(9), reoffered: true) == .applied)
    let log = account.state.log(.test(1))
    #expect(log?.title == "Hills")
    #expect(log?.notes == "wet")
    #expect(log?.day == day(2026, 6, 9))
    #expect(log?.stamp(of: .title)?.at == at(5))
    #expect(account.state.waiting.isEmpty)
  }

  @Test("An edit that comes back before its schedule is put in when the schedule comes")
  func scheduleEdits() {
    var account = TestAccount(at: now)
    var time = ScheduleChange()
    time.timeOfDay = timeOfDay("20:00")
    account.act(.editSchedule(id: .test(1), time), at: at(5), reoffered: true)
    var moment = ScheduleChange()
    moment.at = at(600)
    account.act(.editSchedule(id: .test(2), moment), at: at(5), reoffered: true)
    account.act(
      .scheduleWeekly(
        id: .test(1), workout: .title("Legs"), weekdays: .all, timeOfDay: timeOfDay("18:00"),
        firstDay: day(2026, 6, 1)), at: at(0), now: at(9), reoffered: true)
    account.act(
      .scheduleWorkout(id: .test(2), workout: .title("Arms"), at: at(300)), at: at(0), now: at(9),
      reoffered: true)
    #expect(account.today.days[0].items.map(\.text) == ["at 20:00", "at 22:00"])
    #expect(account.state.waiting.isEmpty)
  }

  @Test("What was deleted before it came back does not come back")
  func deletions() {
    var account = TestAccount(at: now)
    let deletions: [Action] = [
      .deleteLog(log: .test(1)), .unscheduleWorkout(id: .test(2)),
      .unscheduleWorkout(id: .test(3)), .deleteWeight(id: .test(4)),
    ]
    for deletion in deletions {
      #expect(account.act(deletion, at: at(5)) == .refused(.notFound))
      #expect(account.act(deletion, at: at(5), reoffered: true) == .applied)
    }
    let makers: [Action] = [
      .logWorkout(logged(1, endingAt: now)),
      .scheduleWorkout(id: .test(2), workout: .title("Legs"), at: at(60)),
      .scheduleWeekly(
        id: .test(3), workout: .title("Legs"), weekdays: .all, timeOfDay: 80_000_000,
        firstDay: day(2026, 6, 1)),
      .logWeight(
        LoggedWeight(
          id: .test(4), weight: Weight("80", unit: .kilograms)!, moment: .day(day(2026, 6, 10)))),
    ]
    for maker in makers {
      #expect(account.act(maker, at: at(0), now: at(9), reoffered: true) == .applied)
    }
    #expect(account.today.days.flatMap(\.items).isEmpty)
    #expect(account.goals.weight == nil)
    #expect(account.streak(at: at(10)).days == 0)
  }

  @Test("A resumption that comes back before its pause ends it when it comes")
  func resumption() {
    var account = TestAccount(at: now)
    #expect(account.act(.resumeStreak(from: nil), at: at(5)) == .refused(.notFound))
    #expect(account.act(.resumeStreak(from: nil), at: at(5), reoffered: true) == .applied)
    account.act(
      .pauseStreak(id: .test(1), from: day(2026, 6, 1)), at: at(0), now: at(9), reoffered: true)
    #expect(!account.state.streaks.isPaused)
    #expect(account.state.streaks.pausedDays.last == day(2026, 6, 9))
  }

  @Test("What others did first, or caps, do not undo what was applied")
  func applied() {
    var account = TestAccount(at: now)
    for id: UInt64 in 1...4 {
      #expect(account.act(.grantFreeze(id: .test(id)), at: at(0), reoffered: true) == .applied)
    }
    #expect(account.streak(at: at(1)).freezes == 2, "never more than two in hand")
    #expect(account.act(.grantFreeze(id: .test(9)), at: at(0)) == .refused(.limit(of: "freezes")))
    var change = LogChange()
    change.title = "x"
    for id in 0..<(AuthorityLimits.waitingMax + 2) {
      #expect(
        account.act(.editLog(log: .test(UInt64(5_000 + id)), change), at: at(0), reoffered: true)
          == .applied)
    }
    #expect(account.state.waiting.count == AuthorityLimits.waitingMax)
  }

  @Test("When the clock was set back, a later edit wins again")
  func clockBack() {
    var account = TestAccount(at: now)
    account.act(.logWorkout(logged(1, endingAt: now)), at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.weekly(2, on: [1, 2, 3, 4, 5, 6, 7], at: "18:00", occurring: now)
    let ahead = now.advanced(milliseconds: 365 * 86_400_000)
    var change = LogChange()
    change.title = "A"
    var time = ScheduleChange()
    time.timeOfDay = timeOfDay("19:00")
    account.act(.editLog(log: .test(1), change), at: ahead)
    account.act(.editSchedule(id: .test(2), time), at: ahead)
    account.turn(at: at(10))
    change.title = "B"
    time.timeOfDay = timeOfDay("20:00")
    #expect(account.act(.editLog(log: .test(1), change), at: at(20)) == .applied)
    #expect(account.act(.editSchedule(id: .test(2), time), at: at(20)) == .applied)
    #expect(account.state.log(.test(1))?.title == "B")
  }
}
