internal import WatchTransfer

extension ActionMix {
  /// What somebody does about schedules, logs, weights and streaks.
  func consistency(at now: Instant) -> Action {
    let today = CivilDay(localMilliseconds: now.milliseconds)
    let day = today.advanced(days: Int32(world.pick(-4...4)))
    switch world.pick(0...14) {
    case 0, 1:
      return .scheduleWeekly(
        id: id(5), workout: .title(title()), weekdays: weekdays(), timeOfDay: time(),
        firstDay: day)
    case 2, 3: return .editSchedule(id: id(5), scheduleChange(now))
    case 4:
      return .logWeight(
        LoggedWeight(
          id: id(4), weight: weight(), moment: flip() ? .day(day) : .instant(near(now))))
    case 5: return .deleteWeight(id: id(4))
    case 6, 7: return .editLog(log: log(), logChange(now))
    case 12: return .scheduleWorkout(id: id(5), workout: .title(title()), at: near(now))
    case 13: return .unscheduleWorkout(id: id(5))
    case 14: return .deleteWeight(id: id(4))
    case 8: return .deleteLog(log: log())
    case 9: return .grantFreeze(id: id(6))
    case 10: return .pauseStreak(id: id(6), from: day)
    default: return .resumeStreak(from: flip() ? day : nil)
    }
  }

  private func weight() -> Weight {
    // All within bounds.
    let unit: WeightUnit = flip() ? .kilograms : .pounds
    guard let weight = Weight(digits: world.pick(-5...2_400), scale: 1, unit: unit) else {
      return self.weight()
    }
    return weight
  }

  private func weekdays() -> Weekdays { Weekdays(bits: UInt8(world.pick(1...127))) ?? .all }

  private func time() -> Int64 { world.pick(0...86_399) * 1_000 }

  private func scheduleChange(_ now: Instant) -> ScheduleChange {
    var change = ScheduleChange()
    if flip() { change.workout = .title(title()) }
    if world.chance(oneIn: 3) { change.at = near(now) }
    if world.chance(oneIn: 3) { change.weekdays = weekdays() }
    if world.chance(oneIn: 3) { change.timeOfDay = time() }
    return change
  }

  private func logChange(_ now: Instant) -> LogChange {
    var change = LogChange()
    if flip() { change.title = title() }
    if flip() { change.notes = "felt good" }
    if flip() { change.tags = ["hill", "rain"] }
    if world.chance(oneIn: 3) { change.end = flip() ? .timeOfDay(time()) : .instant(near(now)) }
    if world.chance(oneIn: 3) { change.activeMilliseconds = flip() ? .cleared : .set(0) }
    return change
  }
}
