import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on schedules, weights, logs that are there, and streaks.
extension MessageDecoder {
  /// The action of a body that holds one of these.
  func consistencyAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SCHEDULE_WEEKLY:
      return try scheduleWeekly(try Check.message(body.schedule_weekly, "schedule_weekly"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_SCHEDULE:
      return try editSchedule(try Check.message(body.edit_schedule, "edit_schedule"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_LOG_WEIGHT:
      return .logWeight(try loggedWeight(try Check.message(body.log_weight, "log_weight")))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_WEIGHT:
      let delete = try Check.message(body.delete_weight, "delete_weight")
      return .deleteWeight(id: try Check.id(delete.has_id, delete.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_LOG:
      let edit = try Check.message(body.edit_log, "edit_log")
      return .editLog(
        log: try Check.id(edit.has_log_id, edit.log_id, "log_id"), try logChange(edit))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_LOG:
      let delete = try Check.message(body.delete_log, "delete_log")
      return .deleteLog(log: try Check.id(delete.has_log_id, delete.log_id, "log_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_GRANT_FREEZE:
      let grant = try Check.message(body.grant_freeze, "grant_freeze")
      return .grantFreeze(id: try Check.id(grant.has_id, grant.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_PAUSE_STREAK:
      let pause = try Check.message(body.pause_streak, "pause_streak")
      return .pauseStreak(
        id: try Check.id(pause.has_id, pause.id, "id"),
        from: try Check.day(pause.has_from_day, pause.from_day, "from_day"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_RESUME_STREAK:
      let resume = try Check.message(body.resume_streak, "resume_streak")
      return .resumeStreak(
        from: resume.has_from_day == 0
          ? nil : try Check.day(resume.has_from_day, resume.from_day, "from_day"))
    default:
      throw .emptyMessage
    }
  }

  private func scheduleWeekly(
    _ schedule: Wristwire__V1__ScheduleWeekly
  ) throws(WireError) -> Action {
    .scheduleWeekly(
      id: try Check.id(schedule.has_id, schedule.id, "id"),
      workout: try workoutReference(schedule.workout),
      weekdays: try weekdays(schedule.has_weekdays, schedule.weekdays),
      timeOfDay: try Check.timeOfDay(
        schedule.has_time_of_day_ms, schedule.time_of_day_ms, "time_of_day_ms"),
      firstDay: try Check.day(schedule.has_first_day, schedule.first_day, "first_day"))
  }

  private func editSchedule(_ edit: Wristwire__V1__EditSchedule) throws(WireError) -> Action {
    var change = ScheduleChange()
    if edit.workout != nil { change.workout = try workoutReference(edit.workout) }
    if edit.has_at_ms != 0 { change.at = try Check.namedInstant(1, edit.at_ms, "at_ms") }
    if edit.has_weekdays != 0 { change.weekdays = try weekdays(1, edit.weekdays) }
    if edit.has_time_of_day_ms != 0 {
      change.timeOfDay = try Check.timeOfDay(1, edit.time_of_day_ms, "time_of_day_ms")
    }
    return .editSchedule(id: try Check.id(edit.has_id, edit.id, "id"), change)
  }

  private func weekdays(
    _ has: protobuf_c_boolean, _ bits: UInt32
  ) throws(WireError) -> Weekdays {
    guard has != 0, let small = UInt8(exactly: bits), let weekdays = Weekdays(bits: small) else {
      throw Check.invalid("weekdays")
    }
    return weekdays
  }

  private func loggedWeight(_ log: Wristwire__V1__LogWeight) throws(WireError) -> LoggedWeight {
    let moment: LoggedWeight.Moment
    switch log.moment_case {
    case WRISTWIRE__V1__LOG_WEIGHT__MOMENT_AT_MS:
      moment = .instant(try Check.namedInstant(1, log.at_ms, "at_ms"))
    case WRISTWIRE__V1__LOG_WEIGHT__MOMENT_DAY:
      moment = .day(try Check.day(1, log.day, "day"))
    default:
      throw Check.invalid("moment")
    }
    return LoggedWeight(
      id: try Check.id(log.has_id, log.id, "id"),
      weight: try weight(try Check.message(log.weight, "weight"), "weight"), moment: moment,
      zoneID: log.has_zone_id == 0 ? nil : try Check.zone(1, log.zone_id, "zone_id"))
  }

  private func logChange(_ edit: Wristwire__V1__EditLog) throws(WireError) -> LogChange {
    var change = LogChange()
    change.title = try Check.optionalName(edit.has_title, edit.title, "title")
    change.activityType = try Check.optionalName(
      edit.has_activity_type, edit.activity_type, "activity_type")
    if edit.has_notes != 0 { change.notes = try Check.notes(edit.notes, "notes") }
    change.tags = try tags(edit.tags)
    change.start = try logMoment(edit.start, "start")
    change.end = try logMoment(edit.end, "end")
    if let active = edit.active?.pointee {
      change.activeMilliseconds =
        active.has_ms == 0
        ? .cleared
        : .set(
          try Check.milliseconds(
            0...ActionLimits.workoutMillisecondsMax, 1, active.ms, "active"))
    }
    change.energyKilocalories = try figureChange(edit.energy_kcal, "energy_kcal")
    change.distanceMeters = try figureChange(edit.distance_m, "distance_m")
    change.averageHeartRate = try figureChange(edit.average_heart_rate, "average_heart_rate")
    change.maximumHeartRate = try figureChange(edit.maximum_heart_rate, "maximum_heart_rate")
    return change
  }

  private func logMoment(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__LogMoment>?, _ field: StaticString
  ) throws(WireError) -> LogChange.Moment? {
    guard let moment = pointer?.pointee else { return nil }
    switch moment.moment_case {
    case WRISTWIRE__V1__LOG_MOMENT__MOMENT_AT_MS:
      return .instant(try Check.namedInstant(1, moment.at_ms, field))
    case WRISTWIRE__V1__LOG_MOMENT__MOMENT_TIME_OF_DAY_MS:
      return .timeOfDay(try Check.timeOfDay(1, moment.time_of_day_ms, field))
    default:
      throw Check.invalid(field)
    }
  }

  private func figureChange(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__FigureChange>?, _ field: StaticString
  ) throws(WireError) -> LogChange.Figure<Double>? {
    guard let figure = pointer?.pointee else { return nil }
    return try Check.optionalFigure(figure.has_value, figure.value, field).map { .set($0) }
      ?? .cleared
  }

  /// nil when there is no list.
  private func tags(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__TagList>?
  ) throws(WireError) -> [String]? {
    guard let list = pointer?.pointee else { return nil }
    guard list.n_names <= ActionLimits.tagsMax else { throw Check.invalid("tags") }
    var tags: [String] = []
    for name in UnsafeBufferPointer(start: list.names, count: list.n_names) {
      tags.append(try Check.name(1, name, "tags", bytesMax: ActionLimits.tagBytesMax))
    }
    return tags
  }
}

extension Check {
  /// A civil day that an action may name.
  static func day(
    _ has: protobuf_c_boolean, _ number: Int32, _ field: StaticString
  ) throws(WireError) -> CivilDay {
    try within(ActionLimits.days, has, CivilDay(number: number), field)
  }

  /// Milliseconds on a wall clock.
  static func timeOfDay(
    _ has: protobuf_c_boolean, _ value: UInt32, _ field: StaticString
  ) throws(WireError) -> Int64 {
    try within(ActionLimits.timesOfDay, has, Int64(value), field)
  }

  /// How streaks are counted: a number of days belongs to the weekly policy, and to no other.
  static func optionalPolicy(
    _ has: protobuf_c_boolean, _ raw: UInt32, _ hasDays: protobuf_c_boolean, _ days: UInt32,
    _ field: StaticString
  ) throws(WireError) -> StreakPolicy? {
    let policy: StreakPolicy
    switch (has != 0, raw, hasDays != 0) {
    case (false, _, false): return nil
    case (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_DAILY.rawValue, false): policy = .daily
    case (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_WEEKLY.rawValue, true):
      policy = .weekly(days: Int(days))
    case (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_SCHEDULED.rawValue, false):
      policy = .scheduled
    case (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_DAILY.rawValue, true),
      (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_WEEKLY.rawValue, false),
      (true, WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_SCHEDULED.rawValue, true),
      (false, _, true):
      throw invalid("streak_days")
    default: throw invalid(field)
    }
    guard policy.isValid else { throw invalid("streak_days") }
    return policy
  }

  /// As `optionalPolicy`, and there.
  static func policy(
    _ has: protobuf_c_boolean, _ raw: UInt32, _ hasDays: protobuf_c_boolean, _ days: UInt32,
    _ field: StaticString
  ) throws(WireError) -> StreakPolicy {
    guard let policy = try optionalPolicy(has, raw, hasDays, days, field) else {
      throw invalid(field)
    }
    return policy
  }
}
