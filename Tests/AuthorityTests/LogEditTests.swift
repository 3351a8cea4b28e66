import Testing
import WatchTransfer

@testable import Authority

/// Logs that a person edits or deletes (DESIGN section 6, rules 1 and 2).
@Suite struct LogEditTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func edit(_ set: (inout LogChange) -> Void) -> LogChange {
    var change = LogChange()
    set(&change)
    return change
  }

  @Test(
    "MID-03: an end edited to 00:20 of a workout from 23:40 is the next day's, 2400 s",
    arguments: [
      LogChange.Moment.timeOfDay(20 * 60_000),
      .instant(local("2026-01-01 00:20", "Europe/Berlin")),
    ])
  func pastMidnight(end: LogChange.Moment) {
    let start = local("2025-12-31 23:40", "Europe/Berlin")
    for hasActive in [false, true] {
      var account = TestAccount(at: start)
      var workout = LoggedWorkout(
        log: .test(1), activityType: "running", start: start,
        end: local("2026-01-01 00:10", "Europe/Berlin"))
      if hasActive { workout.activeMilliseconds = 1_800_000 }
      account.act(.logWorkout(workout), at: workout.end)
      #expect(
        account.act(
          .editLog(log: .test(1), edit { $0.end = end }), at: workout.end, now: now) == .applied)
      let log = account.state.log(.test(1))
      #expect(log?.end == local("2026-01-01 00:20", "Europe/Berlin"))
      #expect(log?.shownMilliseconds == 2_400_000)
      #expect(log?.day == day(2026, 1, 1))
    }
  }

  @Test(
    "An active time that a person said stays, whatever becomes of start and end, in any order",
    arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func saidActive(order: [Int]) {
    var account = TestAccount(at: now)
    var workout = logged(1, endingAt: now.advanced(milliseconds: -86_400_000))
    workout.activeMilliseconds = 600_000
    account.act(.logWorkout(workout), at: workout.end)
    let start = workout.start.advanced(milliseconds: -1_200_000)
    let end = workout.end.advanced(milliseconds: 3_600_000)
    let changes = [
      edit { $0.activeMilliseconds = .set(900_000) }, edit { $0.end = .instant(end) },
      edit { $0.start = .instant(start) },
    ]
    for index in order {
      let occurred = now.advanced(milliseconds: Int64(index - 10))
      let device = index == 1 ? Devices.watch : Devices.phone
      #expect(
        account.act(
          .editLog(log: .test(1), changes[index]), by: device, at: occurred, now: now) == .applied)
    }
    let log = account.state.log(.test(1))
    #expect(log?.activeMilliseconds == 900_000)
    #expect(log?.start == start && log?.end == end)
    // Where nobody has said it, the pauses stay.
    var other = logged(2, endingAt: now.advanced(milliseconds: -86_400_000))
    other.activeMilliseconds = 600_000
    account.act(.logWorkout(other), at: other.end)
    for index in order where index > 0 {
      account.act(.editLog(log: .test(2), changes[index]), at: now)
    }
    #expect(account.state.log(.test(2))?.activeMilliseconds == 5_400_000)
  }

  @Test("A wall time is of the log's own zone: an end before the start means the next day")
  func wallTimes() {
    var account = TestAccount(at: now)
    let start = local("2026-06-09 22:00", "America/New_York")
    var workout = LoggedWorkout(
      log: .test(1), activityType: "walking", start: start,
      end: start.advanced(milliseconds: 600_000))
    workout.zoneID = "America/New_York"
    account.act(.logWorkout(workout), at: now)
    for (time, expected) in [
      ("22:00", "2026-06-09 22:00"), ("21:59", "2026-06-10 21:59"), ("23:59", "2026-06-09 23:59"),
      ("00:00", "2026-06-10 00:00"),
    ] {
      account.act(
        .editLog(log: .test(1), edit { $0.end = .timeOfDay(timeOfDay(time)) }), at: now)
      #expect(account.state.log(.test(1))?.end == local(expected, "America/New_York"), "\(time)")
    }
    account.act(
      .editLog(log: .test(1), edit { $0.start = .timeOfDay(timeOfDay("21:30")) }), at: now)
    #expect(account.state.log(.test(1))?.start == local("2026-06-09 21:30", "America/New_York"))
  }

  @Test("A start in another season takes the wall time of the end along")
  func otherSeason() {
    var account = TestAccount(at: now)
    account.act(.logWorkout(logged(1, endingAt: now)), at: now)
    let change = edit {
      $0.start = .instant(local("2026-01-10 19:30", "Europe/Berlin"))
      $0.end = .timeOfDay(timeOfDay("20:00"))
    }
    #expect(account.act(.editLog(log: .test(1), change), at: now) == .applied)
    let log = account.state.log(.test(1))
    #expect(log?.end == local("2026-01-10 20:00", "Europe/Berlin"))
    #expect(log?.day == day(2026, 1, 10))
  }

  @Test("Every field can be edited; a figure can be taken away; notes and tags can be emptied")
  func fields() {
    var account = TestAccount(at: now)
    var workout = logged(1, endingAt: now)
    workout.energyKilocalories = 300
    account.act(.logWorkout(workout), at: now)
    let change = edit {
      $0.title = "Hills"
      $0.activityType = "hiking"
      $0.notes = "Steep\nand wet"
      $0.tags = ["hill", "rain"]
      $0.activeMilliseconds = .set(1_000)
      $0.energyKilocalories = .cleared
      $0.distanceMeters = .set(5_000)
      $0.averageHeartRate = .set(130)
      $0.maximumHeartRate = .set(170)
    }
    #expect(account.act(.editLog(log: .test(1), change), at: now) == .applied)
    let log = account.state.log(.test(1))
    #expect(log?.title == "Hills")
    #expect(log?.activityType == "hiking")
    #expect(log?.notes == "Steep\nand wet")
    #expect(log?.tags == ["hill", "rain"])
    #expect(log?.activeMilliseconds == 1_000)
    #expect(log?.energyKilocalories == nil, "absent, not 0")
    #expect(log?.distanceMeters == 5_000)
    #expect(log?.averageHeartRate == 130)
    #expect(log?.maximumHeartRate == 170)
    #expect(log?.edits.map(\.field).contains(.start) == false)
    account.act(
      .editLog(
        log: .test(1),
        edit {
          $0.notes = ""
          $0.tags = []
        }), at: now)
    #expect(account.state.log(.test(1))?.noteBytes == 0)
    #expect(account.state.logs.noteBytes == 0)
    #expect(account.today.days[0].items.map(\.title) == ["Hills"])
  }

  @Test(
    "Field by field the later edit wins, whatever comes first",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]])
  func arrival(order: [Int]) {
    var account = TestAccount(at: now)
    account.act(.logWorkout(logged(1, endingAt: now)), at: now)
    let changes = [
      edit {
        $0.title = "A"
        $0.notes = "first"
      }, edit { $0.title = "B" }, edit { $0.tags = ["x"] },
    ]
    for index in order {
      account.act(
        .editLog(log: .test(1), changes[index]), at: now.advanced(milliseconds: Int64(index)),
        now: now.advanced(milliseconds: 10))
    }
    let log = account.state.log(.test(1))
    #expect(log?.title == "B")
    #expect(log?.notes == "first")
    #expect(log?.tags == ["x"])
    #expect(
      account.act(.editLog(log: .test(1), edit { $0.title = "C" }), at: now, now: now)
        == .refused(.superseded))
  }

  @Test("A log that moves to another day takes its minutes there, and frees what it did for others")
  func otherDay() {
    var account = TestAccount(at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.schedule(1, "Legs", at: local("2026-06-10 18:00", "Europe/Berlin"))
    account.schedule(2, "Legs", at: local("2026-06-09 18:00", "Europe/Berlin"))
    var workout = logged(10, endingAt: now)
    workout.title = "Legs"
    account.act(.logWorkout(workout), at: now)
    var other = logged(11, endingAt: now.advanced(milliseconds: -3_600_000))
    other.title = "Legs"
    account.act(.logWorkout(other), at: now)
    #expect(account.state.log(.test(10))?.serves == .test(1))
    account.act(.setGoal(name: "minutes-per-day", value: 30), at: now)
    #expect(account.goals.goals[0].progress.first?.value == 120)
    let before = local("2026-06-09 12:00", "Europe/Berlin")
    account.act(
      .editLog(
        log: .test(10),
        edit {
          $0.start = .instant(before.advanced(milliseconds: -600_000))
          $0.end = .instant(before)
        }), at: now)
    #expect(account.goals.goals[0].progress.first?.value == 60)
    #expect(account.state.schedule(.test(1))?.servedBy == .test(11), "another of its day does it")
    #expect(account.state.schedule(.test(2))?.servedBy == .test(10))
    #expect(account.streak(at: now).days == 2)
  }

  @Test("A title that fits makes a log do a plan; a log that did one keeps it")
  func titles() {
    var account = TestAccount(at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.schedule(1, "Legs", at: local("2026-06-10 18:00", "Europe/Berlin"))
    account.act(.logWorkout(logged(10, endingAt: now)), at: now)
    #expect(account.state.schedule(.test(1))?.servedBy == nil)
    account.act(.editLog(log: .test(10), edit { $0.title = "Legs" }), at: now)
    #expect(account.state.schedule(.test(1))?.servedBy == .test(10))
    account.act(.editLog(log: .test(10), edit { $0.title = "Leg day" }), at: now)
    #expect(account.state.schedule(.test(1))?.servedBy == .test(10))
  }

  @Test(
    "SYN-01, of what the person deletes: the day is empty, the streak is counted again, the plan is free, and it stays deleted"
  )
  func deleted() {
    var account = TestAccount(at: local("2026-06-07 08:00", "Europe/Berlin"))
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now, now: now)
    account.schedule(1, "Legs", at: local("2026-06-09 18:00", "Europe/Berlin"))
    for date in 7...10 {
      var workout = logged(
        UInt64(date),
        endingAt: local("2026-06-\(date < 10 ? "0" : "")\(date) 11:00", "Europe/Berlin"))
      workout.title = "Legs"
      workout.sourceName = "Ring"
      account.act(.logWorkout(workout), by: Devices.health, at: now)
    }
    account.turn(at: now)
    account.act(.setGoal(name: "workouts-per-week", value: 3), at: now)
    #expect(account.streak(at: now).days == 4)
    #expect(account.goals.goals[0].progress.first?.value == 3)
    #expect(account.act(.deleteLog(log: .test(9)), at: now) == .applied)
    #expect(account.streak(at: now).days == 1)
    #expect(account.goals.goals[0].progress.first?.value == 2)
    #expect(account.state.schedule(.test(1))?.servedBy == nil)
    #expect(account.state.logs.record(of: day(2026, 6, 9)) == nil)
    var again = logged(9, endingAt: local("2026-06-09 11:00", "Europe/Berlin"))
    again.sourceName = "Ring"
    #expect(account.act(.logWorkout(again), by: Devices.health, at: now) == .refused(.gone))
    #expect(account.act(.deleteLog(log: .test(9)), at: now) == .refused(.gone))
    #expect(
      account.act(.editLog(log: .test(9), edit { $0.title = "x" }), at: now) == .refused(.gone))
    #expect(account.act(.deleteLog(log: .test(77)), at: now) == .refused(.notFound))
    #expect(account.act(.deleteLog(log: .test(100)), at: now) == .refused(.notFound))
  }

  @Test("A mark that is deleted is not marked; another log of its day does its plan")
  func deletedMark() {
    var account = TestAccount(at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.weekly(1, on: [3], at: "18:00", occurring: local("2026-06-10 08:00", "Europe/Berlin"))
    account.mark(log: 10, at: now)
    var workout = logged(11, endingAt: now)
    workout.title = "Legs"
    account.act(.logWorkout(workout), at: now)
    account.act(.deleteLog(log: .test(10)), at: now)
    #expect(account.state.log(.test(11))?.serves == .test(1))
    #expect(account.today.days[0].items.map(\.done) == [true])
    #expect(account.mark(log: 10, at: now) == .refused(.gone))
    #expect(account.mark(log: 12, at: now) == .applied)
  }

  @Test("What a log cannot be is invalid")
  func invalid() {
    var account = TestAccount(at: now)
    account.act(.logWorkout(logged(1, endingAt: now)), at: now)
    func refusal(_ set: (inout LogChange) -> Void) -> DecidedOutcome {
      account.decision(.editLog(log: .test(1), edit(set)), at: now).outcome
    }
    #expect(
      refusal { $0.end = .instant(now.advanced(milliseconds: -3_600_001)) }
        == .refused(.invalid(field: "end")))
    #expect(refusal { $0.end = .instant(now.advanced(milliseconds: -3_600_000)) } == .applied)
    #expect(
      refusal { $0.start = .instant(now.advanced(milliseconds: -7 * 86_400_000 - 1)) }
        == .refused(.invalid(field: "end")))
    #expect(refusal { $0.end = .timeOfDay(-1) } == .refused(.invalid(field: "end")))
    #expect(refusal { $0.title = "" } == .refused(.invalid(field: "title")))
    #expect(
      refusal { $0.notes = String(repeating: "x", count: 2_048) } == .applied)
    #expect(
      refusal { $0.notes = String(repeating: "x", count: 2_049) }
        == .refused(.invalid(field: "notes")))
    #expect(refusal { $0.tags = [""] } == .refused(.invalid(field: "tags")))
    #expect(
      refusal { $0.tags = Array(repeating: "x", count: 17) } == .refused(.invalid(field: "tags")))
    #expect(
      refusal { $0.energyKilocalories = .set(.nan) } == .refused(.invalid(field: "energy_kcal")))
    #expect(refusal { $0.activeMilliseconds = .set(-1) } == .refused(.invalid(field: "active")))
    #expect(refusal { _ in } == .applied)
  }

  @Test("Notes of an account are capped; editing them shorter always works")
  func noteCap() {
    var account = TestAccount(at: now)
    let notes = String(repeating: "x", count: 2_048)
    let count = AuthorityLimits.noteBytesMax / 2_048
    for index in 0...count {
      let end = now.advanced(milliseconds: -Int64(index) * 3_600_000)
      account.act(.logWorkout(logged(UInt64(1_000 + index), endingAt: end)), at: now)
      let outcome = account.act(
        .editLog(log: .test(UInt64(1_000 + index)), edit { $0.notes = notes }), at: now)
      #expect(outcome == (index < count ? .applied : .refused(.limit(of: "notes"))))
    }
    #expect(account.act(.editLog(log: .test(1_000), edit { $0.notes = "x" }), at: now) == .applied)
  }
}
