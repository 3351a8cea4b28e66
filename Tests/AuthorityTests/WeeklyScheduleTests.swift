import Testing
import WatchTransfer

@testable import Authority

/// Weekly schedules: an edit holds from its own moment, past occurrences are facts, and logs do
/// them as they do schedules for one moment (DESIGN section 6, rules 3 and 4).
@Suite struct WeeklyScheduleTests {
  private let zone = "Europe/Berlin"
  /// A Wednesday.
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func at(_ time: String, _ date: String = "2026-06-10") -> Instant {
    local("\(date) \(time)", zone)
  }

  private func account(at moment: Instant? = nil) -> TestAccount {
    var account = TestAccount(at: moment ?? now)
    account.act(
      .defineWorkout(id: .test(100), title: "Legs", exercises: []), at: moment ?? now)
    account.act(
      .defineWorkout(id: .test(101), title: "Arms", exercises: []), at: moment ?? now)
    return account
  }

  @Test("An occurrence stands in `today` on each of its days up to the horizon")
  func occurrences() {
    var account = account()
    #expect(account.weekly(1, on: [3, 5, 7], at: "18:00", occurring: now) == .applied)
    let planned = account.today.days.map { $0.items.map(\.at) }
    #expect(
      planned == [
        [at("18:00")], [], [at("18:00", "2026-06-12")], [], [at("18:00", "2026-06-14")], [], [],
        [at("18:00", "2026-06-17")], [],
      ])
    let item = account.today.days[0].items[0]
    #expect(item.text == "at 18:00")
    #expect(item.title == "Legs")
    #expect(!item.done)
    #expect(item.id == Identifier.test(1))
  }

  @Test("It begins with its first day, and never before its own moment")
  func beginning() {
    var later = account()
    later.weekly(1, on: [1, 2, 3, 4, 5, 6, 7], at: "18:00", from: day(2026, 6, 13), occurring: now)
    #expect(later.today.days.map(\.items.count) == [0, 0, 0, 1, 1, 1, 1, 1, 1])
    var earlier = account()
    earlier.weekly(1, on: [3, 4], at: "07:00", from: day(2026, 6, 1), occurring: now)
    #expect(earlier.today.days.map(\.items.count).prefix(3) == [0, 1, 0], "07:00 has passed")
    #expect(earlier.state.weeklies.find(.test(1))?.plan(on: day(2026, 6, 3)) == nil)
  }

  @Test(
    "MAT-01, weekly too: of two occurrences one log does one, the nearest; the other stays open")
  func nearest() {
    var account = account()
    account.weekly(1, on: [3], at: "18:10", occurring: at("08:00"))
    account.weekly(2, on: [3], at: "18:55", occurring: at("08:00"))
    var workout = logged(10, endingAt: at("18:30"))
    workout.title = "Legs"
    workout.sourceName = "Ring"
    account.act(.logWorkout(workout), by: Devices.health, at: at("18:31"))
    #expect(account.today.days[0].items.map(\.done) == [true, false])
    #expect(
      account.act(.logWorkout(workout), by: Devices.health, at: at("18:32")) == .refused(.known))
    #expect(account.today.days[0].items.map(\.done) == [true, false])
  }

  @Test(
    "MID-05: a walk over midnight does the plan of the day it ends on, and counts once",
    arguments: [true, false])
  func overMidnight(isWeekly: Bool) {
    let start = local("2020-07-06 22:30", zone)
    var account = TestAccount(at: local("2020-07-06 08:00", zone))
    account.act(
      .defineWorkout(id: .test(100), title: "Walk", exercises: []),
      at: local("2020-07-06 08:00", zone))
    if isWeekly {
      for (id, weekday, time) in [(1, 1, "18:00"), (2, 2, "06:00")] as [(UInt64, Int, String)] {
        account.act(
          .scheduleWeekly(
            id: .test(id), workout: .title("Walk"), weekdays: Weekdays([weekday])!,
            timeOfDay: timeOfDay(time), firstDay: day(2020, 7, 6)),
          at: local("2020-07-06 08:00", zone))
      }
    } else {
      account.schedule(1, "Walk", at: local("2020-07-06 18:00", zone))
      account.schedule(2, "Walk", at: local("2020-07-07 06:00", zone))
    }
    let walk = LoggedWorkout(
      log: .test(10), activityType: "walking", start: start, end: local("2020-07-07 01:10", zone))
    account.act(.logWorkout(walk), at: walk.end)
    #expect(account.state.log(.test(10))?.serves == .test(2))
    #expect(account.today.days[0].items.map(\.done) == [false])
    #expect(account.today.days[1].items.map(\.done) == [true])
    #expect(account.state.logs.count == 1)
  }

  @Test(
    "MAT-04: strength planned for 18:00, and strength from 18:10 to 19:00 from Health: done and linked, once",
    arguments: [true, false])
  func fromHealth(isWeekly: Bool) {
    var account = TestAccount(at: at("08:00"))
    account.act(
      .defineWorkout(id: .test(100), title: "Strength", exercises: []), at: at("08:00"))
    if isWeekly {
      account.act(
        .scheduleWeekly(
          id: .test(1), workout: .title("Strength"), weekdays: .all,
          timeOfDay: timeOfDay("18:00"), firstDay: day(2026, 6, 10)), at: at("08:00"))
    } else {
      account.schedule(1, "Strength", at: at("18:00"))
    }
    for id: UInt64 in [10, 10, 11] {
      var workout = LoggedWorkout(
        log: .test(id), activityType: "traditionalStrengthTraining", start: at("18:10"),
        end: at("19:00"))
      workout.sourceName = "Ring"
      account.act(.logWorkout(workout), by: Devices.health, at: at("19:01"))
    }
    #expect(account.state.log(.test(10))?.serves == .test(1))
    #expect(account.state.log(.test(11))?.serves == nil)
    let planned = account.today.days[0].items.filter { $0.kind == .scheduled }
    #expect(planned.map(\.text) == ["done at 19:00"])
  }

  @Test("A weekly and a single schedule of a day share its logs: nearest, then earlier, then id")
  func mixed() {
    var account = account()
    account.weekly(1, on: [3], at: "18:00", occurring: at("08:00"))
    account.schedule(2, "Legs", at: at("20:00"))
    account.mark(log: 10, at: at("19:30"))
    #expect(account.today.days[0].items.map(\.done) == [false, true])
    account.act(.unscheduleWorkout(id: .test(2)), at: at("19:40"))
    #expect(account.today.days[0].items.map(\.done) == [true], "the log does the other")
    account.act(.unmarkWorkout(workout: .title("Legs")), at: at("19:50"))
    #expect(account.today.days[0].items.map(\.done) == [false])
  }

  @Test(
    "A log of each day does its own occurrence, whatever comes first", arguments: [true, false])
  func eachDay(planFirst: Bool) {
    var account = account(at: at("08:00", "2026-06-08"))
    let made = at("09:00", "2026-06-08")
    if planFirst { account.weekly(1, on: [1, 2, 3], at: "18:00", occurring: made) }
    for (index, date) in ["2026-06-08", "2026-06-09"].enumerated() {
      account.mark(log: UInt64(10 + index), at: at("18:30", date))
    }
    if !planFirst {
      account.weekly(1, on: [1, 2, 3], at: "18:00", occurring: made, now: now)
    }
    let weekly = account.state.weeklies.find(.test(1))
    #expect(weekly?.served.map(\.day) == [day(2026, 6, 8), day(2026, 6, 9)])
    account.turn(at: now)
    #expect(account.today.days[0].items.map(\.done) == [false])
  }

  struct EditCase: Sendable {
    let name: String
    let time: String
    /// nil: the time stays.
    var newTime: String?
    var weekdays: [Int]?
    /// Of the Wednesday of the edit, at 12:00.
    let today: [String]
    /// Of the Wednesday after it.
    let next: [String]
  }

  @Test(
    "An edit holds from its own moment; what has passed is a fact",
    arguments: [
      EditCase(
        name: "later today", time: "18:00", newTime: "19:00", today: ["19:00"], next: ["19:00"]),
      EditCase(name: "passed", time: "07:00", newTime: "08:00", today: ["07:00"], next: ["08:00"]),
      EditCase(
        name: "passed, one a day", time: "07:00", newTime: "18:00", today: ["07:00"],
        next: ["18:00"]),
      EditCase(
        name: "to what has passed", time: "18:00", newTime: "07:00", today: [], next: ["07:00"]),
      EditCase(
        name: "at its very moment", time: "12:00", newTime: "13:00", today: ["12:00"],
        next: ["13:00"]),
      EditCase(
        name: "a minute ahead", time: "12:01", newTime: "13:00", today: ["13:00"], next: ["13:00"]),
      EditCase(name: "other days", time: "18:00", weekdays: [1], today: [], next: []),
      EditCase(
        name: "other days, passed", time: "07:00", weekdays: [1], today: ["07:00"], next: []),
    ])
  func edits(edit: EditCase) {
    var account = account(at: at("06:00", "2026-06-01"))
    account.weekly(1, on: [3], at: edit.time, occurring: at("06:00", "2026-06-01"))
    account.turn(at: now)
    var change = ScheduleChange()
    change.timeOfDay = edit.newTime.map(timeOfDay)
    change.weekdays = edit.weekdays.flatMap { Weekdays($0) }
    #expect(account.act(.editSchedule(id: .test(1), change), at: now) == .applied)
    let days = account.today.days
    #expect(days[0].items.map(\.text) == edit.today.map { "at \($0)" }, "\(edit.name)")
    #expect(days[7].items.map(\.text) == edit.next.map { "at \($0)" }, "\(edit.name)")
    let weekly = account.state.weeklies.find(.test(1))
    #expect(
      weekly?.plan(on: day(2026, 6, 3))?.timeOfDay == timeOfDay(edit.time), "the week before stays")
  }

  @Test("What was done stays as it was done, before its time too")
  func doneStays() {
    var account = account()
    account.weekly(1, on: [3], at: "18:00", occurring: at("08:00"))
    account.mark(log: 10, at: at("11:00"))
    var change = ScheduleChange()
    change.workout = .title("Arms")
    change.weekdays = Weekdays([5])
    account.act(.editSchedule(id: .test(1), change), at: now)
    #expect(account.today.days[0].items.map(\.title) == ["Legs"])
    #expect(account.today.days[0].items.map(\.text) == ["done at 11:00"])
    #expect(account.today.days[2].items.map(\.title) == ["Arms"])
    account.act(.unscheduleWorkout(id: .test(1)), at: at("12:30"))
    #expect(account.today.days.map(\.items.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(account.today.days[0].items[0].done)
  }

  @Test("Deleting ends what is to come; what has passed can still be done, and is not edited")
  func deleted() {
    var account = account()
    account.weekly(1, on: [1, 2, 3, 4, 5, 6, 7], at: "11:00", occurring: at("06:00"))
    #expect(account.act(.unscheduleWorkout(id: .test(1)), at: now) == .applied)
    #expect(account.today.days.map(\.items.count) == [1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(account.act(.unscheduleWorkout(id: .test(1)), at: now) == .refused(.gone))
    var change = ScheduleChange()
    change.timeOfDay = 0
    #expect(account.act(.editSchedule(id: .test(1), change), at: now) == .refused(.gone))
    #expect(account.weekly(1, on: [1], at: "11:00", occurring: now) == .refused(.gone))
    account.mark(log: 10, at: at("13:00"))
    #expect(account.today.days[0].items.map(\.text) == ["done at 13:00"])
    // One that never had an occurrence leaves nothing behind.
    account.weekly(2, on: [1], at: "11:00", occurring: now)
    account.act(.unscheduleWorkout(id: .test(2)), at: now)
    #expect(account.state.weeklies.find(.test(2)) == nil)
  }

  @Test(
    "The later edit of a field wins, whatever comes first",
    arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func arrival(order: [Int]) {
    var account = account()
    account.weekly(1, on: [3], at: "18:00", occurring: at("08:00"))
    var changes = [ScheduleChange(), ScheduleChange(), ScheduleChange()]
    changes[0].timeOfDay = timeOfDay("19:00")
    changes[1].weekdays = Weekdays([3, 4])
    changes[2].timeOfDay = timeOfDay("20:00")
    for index in order {
      account.act(
        .editSchedule(id: .test(1), changes[index]), at: at("1\(index):00"), now: at("13:00"))
    }
    #expect(
      account.today.days.prefix(3).map { $0.items.map(\.text) } == [["at 20:00"], ["at 20:00"], []])
  }

  @Test("An edit that every field of which a later one has set is superseded")
  func superseded() {
    var account = account()
    account.weekly(1, on: [3], at: "18:00", occurring: at("08:00"))
    var change = ScheduleChange()
    change.timeOfDay = timeOfDay("19:00")
    #expect(account.act(.editSchedule(id: .test(1), change), at: at("11:00")) == .applied)
    #expect(
      account.act(.editSchedule(id: .test(1), change), at: at("10:00"), now: now)
        == .refused(.superseded))
    #expect(account.act(.editSchedule(id: .test(1), ScheduleChange()), at: now) == .applied)
    #expect(account.events.isEmpty)
  }

  @Test("Its title follows its workout; deleting the workout ends it")
  func workout() {
    var account = account()
    account.weekly(1, on: [3, 4], at: "18:00", occurring: at("08:00"))
    account.act(.editWorkout(id: .test(100), title: "Lower", exercises: nil), at: now)
    #expect(account.today.days.prefix(2).flatMap(\.items).map(\.title) == ["Lower", "Lower"])
    account.act(.deleteWorkout(id: .test(100)), at: at("19:00"))
    #expect(account.today.days.map(\.items.count).prefix(2) == [1, 0], "today's has passed")
  }

  @Test("On the day of a move the occurrence is at the wall time of the new zone, once")
  func travel() {
    var account = account()
    account.weekly(1, on: [1, 2, 3, 4, 5, 6, 7], at: "18:00", occurring: at("08:00"))
    account.act(.setZone(id: "America/New_York"), at: now)
    let days = account.today.days
    #expect(days.map(\.items.count) == Array(repeating: 1, count: days.count))
    #expect(days[0].items[0].at == local("2026-06-10 18:00", "America/New_York"))
    #expect(days[0].items[0].text == "at 18:00")
    account.mark(
      log: 10, at: local("2026-06-10 17:30", "America/New_York"), zone: "America/New_York")
    #expect(account.today.days[0].items.map(\.done) == [true])
  }

  struct WallCase: Sendable {
    let zone: String
    let now: String
    let time: String
    /// Of the days from the first, in UTC; "": none.
    let expected: [String]
  }

  @Test(
    "A wall time that does not exist is the first instant after it, one that happens twice is the first, a day that never happened has none",
    arguments: [
      WallCase(
        zone: "Europe/Berlin", now: "2026-03-28 12:00", time: "02:30",
        expected: ["", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"]),
      WallCase(
        zone: "Europe/Berlin", now: "2026-10-24 12:00", time: "02:30",
        expected: ["", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"]),
      WallCase(
        zone: "America/New_York", now: "2026-10-31 12:00", time: "01:30",
        expected: ["", "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]),
      // 2011-12-30 never happened.
      WallCase(
        zone: "Pacific/Apia", now: "2011-12-28 12:00", time: "18:00",
        expected: ["2011-12-29T04:00:00Z", "2011-12-30T04:00:00Z", "2011-12-31T04:00:00Z"]),
    ])
  func wallTimes(wall: WallCase) {
    let now = local(wall.now, wall.zone)
    var account = TestAccount(zone: wall.zone, at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.weekly(
      1, on: [1, 2, 3, 4, 5, 6, 7], at: wall.time, from: day(2011, 1, 1), occurring: now)
    let shown = account.today.days.prefix(wall.expected.count).map { $0.items.map(\.at) }
    #expect(shown == wall.expected.map { $0.isEmpty ? [] : [instant($0)] })
  }

  @Test(
    "Caps: 64 alive, 8 on a weekday, 64 edits; refused `limit`, and twice that when offered again")
  func caps() {
    var account = account()
    for index in 0..<8 {
      #expect(
        account.weekly(UInt64(1_000 + index), on: [3], at: "18:00", occurring: now) == .applied)
    }
    #expect(
      account.weekly(1_010, on: [2, 3], at: "18:00", occurring: now)
        == .refused(.limit(of: "schedules")))
    var change = ScheduleChange()
    for index in 0..<63 {
      change.timeOfDay = Int64(index) * 60_000
      #expect(account.act(.editSchedule(id: .test(1_000), change), at: now) == .applied)
    }
    #expect(
      account.act(.editSchedule(id: .test(1_000), change), at: now)
        == .refused(.limit(of: "edits")))
    for (index, weekday) in [1, 2, 4, 5, 6, 7].flatMap({ Array(repeating: $0, count: 8) })
      .enumerated()
    {
      account.weekly(UInt64(2_000 + index), on: [weekday], at: "18:00", occurring: now)
    }
    #expect(account.state.weeklies.liveCount == 56)
    // Today's occurrence of the first was moved to a time that had passed.
    #expect(account.today.days.map(\.items.count) == [7] + Array(repeating: 8, count: 8))
  }

  @Test("Fields that do not belong to its kind, and values out of range, are invalid")
  func invalid() {
    var account = account()
    account.weekly(1, on: [3], at: "18:00", occurring: at("08:00"))
    account.schedule(2, "Legs", at: at("20:00"))
    var change = ScheduleChange()
    change.at = now
    #expect(
      account.act(.editSchedule(id: .test(1), change), at: now)
        == .refused(.invalid(field: "at_ms")))
    change = ScheduleChange()
    change.weekdays = .all
    #expect(
      account.act(.editSchedule(id: .test(2), change), at: now)
        == .refused(.invalid(field: "weekdays")))
    change = ScheduleChange()
    change.timeOfDay = 86_400_000
    #expect(
      account.act(.editSchedule(id: .test(1), change), at: now)
        == .refused(.invalid(field: "time_of_day_ms")))
    #expect(
      account.act(.editSchedule(id: .test(9), ScheduleChange()), at: now) == .refused(.notFound))
    #expect(
      account.act(.editSchedule(id: .test(100), ScheduleChange()), at: now) == .refused(.notFound))
  }
}

/// Schedules for one moment that are edited.
@Suite struct EditScheduleTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func at(_ time: String) -> Instant { local("2026-06-10 \(time)", "Europe/Berlin") }

  private func account() -> TestAccount {
    var account = TestAccount(at: now)
    account.act(.defineWorkout(id: .test(100), title: "Legs", exercises: []), at: now)
    account.act(.defineWorkout(id: .test(101), title: "Arms", exercises: []), at: now)
    account.schedule(1, "Legs", at: at("18:00"))
    return account
  }

  @Test("A plan moves to another moment and another workout, and a log that fits does it there")
  func moves() {
    var account = account()
    account.mark("Arms", log: 10, at: at("09:00"))
    var change = ScheduleChange()
    change.at = local("2026-06-11 07:00", "Europe/Berlin")
    #expect(account.act(.editSchedule(id: .test(1), change), at: now) == .applied)
    #expect(account.today.days[1].items.map(\.text) == ["at 07:00"])
    #expect(account.today.days[0].items.map(\.kind) == [.logged])
    change = ScheduleChange()
    change.workout = .title("Arms")
    change.at = at("20:00")
    #expect(account.act(.editSchedule(id: .test(1), change), at: now) == .applied)
    #expect(account.today.days[0].items.map(\.text) == ["done at 09:00"])
    #expect(account.today.days[0].items.map(\.kind) == [.scheduled])
  }

  @Test("What has passed or was done is a fact")
  func facts() {
    var account = account()
    account.schedule(2, "Legs", at: at("09:00"))
    account.schedule(3, "Arms", at: at("21:00"))
    account.mark("Arms", log: 10, at: at("11:00"))
    var change = ScheduleChange()
    change.at = at("22:00")
    #expect(account.act(.editSchedule(id: .test(2), change), at: now) == .refused(.ended))
    #expect(account.act(.editSchedule(id: .test(3), change), at: now) == .refused(.ended))
    #expect(
      account.act(.editSchedule(id: .test(1), change), at: at("17:59"), now: at("23:00"))
        == .applied, "from its own moment, however late it comes")
    account.act(.unscheduleWorkout(id: .test(1)), at: now)
    #expect(account.act(.editSchedule(id: .test(1), change), at: now) == .refused(.gone))
  }

  @Test("Field by field the later edit wins, whatever comes first", arguments: [[0, 1], [1, 0]])
  func arrival(order: [Int]) {
    var account = account()
    var changes = [ScheduleChange(), ScheduleChange()]
    changes[0].at = at("20:00")
    changes[0].workout = .title("Arms")
    changes[1].at = at("21:00")
    for index in order {
      account.act(
        .editSchedule(id: .test(1), changes[index]), at: at("1\(index):00"), now: at("13:00"))
    }
    #expect(account.today.days[0].items.map(\.text) == ["at 21:00"])
    #expect(account.today.days[0].items.map(\.title) == ["Arms"])
  }
}

extension TestAccount {
  /// Plans "Legs" weekly.
  @discardableResult
  mutating func weekly(
    _ id: UInt64, on weekdays: [Int], at time: String, from firstDay: CivilDay = day(2026, 1, 1),
    occurring moment: Instant, now: Instant? = nil
  ) -> DecidedOutcome {
    act(
      .scheduleWeekly(
        id: .test(id), workout: .title("Legs"), weekdays: Weekdays(weekdays)!,
        timeOfDay: timeOfDay(time), firstDay: firstDay), at: moment, now: now)
  }
}

/// `18:05` in milliseconds.
func timeOfDay(_ text: String) -> Int64 {
  let parts = text.split(separator: ":").map { Int64($0)! }
  return (parts[0] * 60 + parts[1]) * 60_000
}
