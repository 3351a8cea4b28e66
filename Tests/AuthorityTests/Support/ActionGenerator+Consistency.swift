import Authority
import WatchTransfer

extension ActionGenerator {
  /// Random actions on schedules, logs, weights and streaks.
  mutating func consistency(around now: Instant) -> Action {
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1, 2:
      .scheduleWeekly(
        id: id(), workout: reference(), weekdays: weekdays(), timeOfDay: timeOfDay(),
        firstDay: civilDay(around: now))
    case 3, 4: .editSchedule(id: id(), scheduleChange(around: now))
    case 5: .logWeight(loggedWeight(around: now))
    case 6: .deleteWeight(id: id())
    case 7, 8, 9: .editLog(log: id(), logChange(around: now))
    case 10: .deleteLog(log: id())
    case 11: .grantFreeze(id: id())
    case 12: .pauseStreak(id: id(), from: civilDay(around: now))
    default: .resumeStreak(from: chance(2) ? civilDay(around: now) : nil)
    }
  }

  mutating func weekdays() -> Weekdays {
    Weekdays(bits: UInt8.random(in: 1...127, using: &random))!
  }

  mutating func timeOfDay() -> Int64 {
    if isAdversarial, chance(6) {
      return [Int64.min, -1, 86_400_000, .max].randomElement(using: &random)!
    }
    return Int64.random(in: 0..<1_440, using: &random) * 60_000
  }

  mutating func civilDay(around now: Instant) -> CivilDay {
    if isAdversarial, chance(6) {
      return CivilDay(number: [Int32.min, .max, 0, -1].randomElement(using: &random)!)
    }
    return CivilDay(localMilliseconds: now.milliseconds)
      .advanced(days: Int32.random(in: -5...5, using: &random))
  }

  mutating func scheduleChange(around now: Instant) -> ScheduleChange {
    var change = ScheduleChange()
    if chance(2) { change.workout = reference() }
    if chance(3) { change.at = moment(around: now) }
    if chance(3) { change.weekdays = weekdays() }
    if chance(3) { change.timeOfDay = timeOfDay() }
    return change
  }

  mutating func loggedWeight(around now: Instant) -> LoggedWeight {
    let digits =
      isAdversarial && chance(3)
      ? [-10_000, 0, -1, 10_000].randomElement(using: &random)!
      : Int64.random(in: 1...2_000, using: &random)
    let weight = Weight(
      digits: digits, scale: chance(2) ? 0 : 1, unit: chance(2) ? .kilograms : .pounds)!
    return LoggedWeight(
      id: id(), weight: weight,
      moment: chance(2) ? .day(civilDay(around: now)) : .instant(moment(around: now)),
      zoneID: chance(3) ? zone() : nil)
  }

  mutating func logChange(around now: Instant) -> LogChange {
    var change = LogChange()
    if chance(3) { change.title = title() }
    if chance(4) { change.activityType = title() }
    if chance(3) {
      change.notes = isAdversarial && chance(3) ? String(repeating: "x", count: 5_000) : "n"
    }
    if chance(3) {
      change.tags = isAdversarial && chance(3) ? Array(repeating: "", count: 40) : ["t"]
    }
    if chance(3) { change.start = logMoment(around: now) }
    if chance(3) { change.end = logMoment(around: now) }
    if chance(4) {
      change.activeMilliseconds = chance(2) ? .cleared : .set(isAdversarial ? .max : 0)
    }
    if chance(4) { change.energyKilocalories = figure().map { .set($0) } ?? .cleared }
    if chance(4) { change.distanceMeters = figure().map { .set($0) } ?? .cleared }
    return change
  }

  private mutating func logMoment(around now: Instant) -> LogChange.Moment {
    chance(2) ? .timeOfDay(timeOfDay()) : .instant(moment(around: now))
  }
}
