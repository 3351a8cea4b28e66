public import WatchTransfer

/// What an emulated watch is told about schedules, weights and streaks.
public enum ScriptedConsistency: Hashable, Sendable {
  case weekly(title: String, weekdays: Weekdays, timeOfDay: Int64, firstDay: CivilDay?)
  case editSchedule(ScheduleID, ScheduleEdit)
  case unschedule(ScheduleID)
  case weigh(Weight, WeighedAt)
  case unweigh(WeightID)
  case freeze
  case pause(from: CivilDay)
  case resume(from: CivilDay?)
  case prefer(PreferenceChange)

  /// One change of a schedule.
  public enum ScheduleEdit: Hashable, Sendable {
    case title(String)
    case at(InstantArgument)
    case weekdays(Weekdays)
    case timeOfDay(Int64)
  }

  /// When somebody was weighed.
  public enum WeighedAt: Hashable, Sendable {
    case instant(InstantArgument)
    case day(CivilDay)
  }

  /// Its forms, for a person.
  public static let forms = [
    "weekly TITLE on DAYS at HH:MM [from DAY]",
    "edit-schedule ID title TITLE|at INSTANT|on DAYS|time HH:MM", "unschedule ID",
    "weigh VALUE kg|lb", "weigh VALUE kg|lb at INSTANT", "weigh VALUE kg|lb on DAY", "unweigh ID",
    "freeze", "pause-streak DAY", "resume-streak [DAY]", "policy daily|scheduled",
    "policy weekly N",
    "units metric|imperial", "first-weekday mon|…|sun",
  ]

  /// The action it becomes when the device's wall clock shows `now`, with fresh ids.
  public func action(now: Instant) -> Action {
    switch self {
    case .weekly(let title, let weekdays, let timeOfDay, let firstDay):
      // It begins with its own moment anyway: any day before that will do.
      let yesterday = CivilDay(localMilliseconds: now.milliseconds - 86_400_000)
      return .scheduleWeekly(
        id: .random(), workout: .title(title), weekdays: weekdays, timeOfDay: timeOfDay,
        firstDay: firstDay ?? yesterday)
    case .editSchedule(let id, let edit):
      var change = ScheduleChange()
      switch edit {
      case .title(let title): change.workout = .title(title)
      case .at(let at): change.at = at.resolved(now: now)
      case .weekdays(let weekdays): change.weekdays = weekdays
      case .timeOfDay(let time): change.timeOfDay = time
      }
      return .editSchedule(id: id, change)
    case .unschedule(let id): return .unscheduleWorkout(id: id)
    case .weigh(let weight, let moment):
      let taken: LoggedWeight.Moment =
        switch moment {
        case .instant(let at): .instant(at.resolved(now: now))
        case .day(let day): .day(day)
        }
      return .logWeight(LoggedWeight(id: .random(), weight: weight, moment: taken))
    case .unweigh(let id): return .deleteWeight(id: id)
    case .freeze: return .grantFreeze(id: .random())
    case .pause(let day): return .pauseStreak(id: .random(), from: day)
    case .resume(let day): return .resumeStreak(from: day)
    case .prefer(let change): return .setPreferences(change)
    }
  }
}
