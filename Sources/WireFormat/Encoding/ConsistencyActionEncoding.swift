import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on schedules, weights, logs that are there, and streaks.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one of these.
  func fillConsistency(
    _ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action
  ) {
    switch action {
    case .scheduleWeekly, .editSchedule: fillSchedule(body, action)
    case .logWeight(let value):
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_LOG_WEIGHT
      body.pointee.log_weight = logWeight(value)
    case .deleteWeight(let id):
      let delete = arena.make(wristwire__v1__delete_weight__init)
      put(arena.id(id), &delete.pointee.has_id, &delete.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_WEIGHT
      body.pointee.delete_weight = delete
    case .editLog(let log, let change):
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_LOG
      body.pointee.edit_log = editLog(log, change)
    case .deleteLog(let log):
      let delete = arena.make(wristwire__v1__delete_log__init)
      put(arena.id(log), &delete.pointee.has_log_id, &delete.pointee.log_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_LOG
      body.pointee.delete_log = delete
    case .grantFreeze(let id):
      let grant = arena.make(wristwire__v1__grant_freeze__init)
      put(arena.id(id), &grant.pointee.has_id, &grant.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_GRANT_FREEZE
      body.pointee.grant_freeze = grant
    case .pauseStreak(let id, let day):
      let pause = arena.make(wristwire__v1__pause_streak__init)
      put(arena.id(id), &pause.pointee.has_id, &pause.pointee.id)
      put(day.number, &pause.pointee.has_from_day, &pause.pointee.from_day)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_PAUSE_STREAK
      body.pointee.pause_streak = pause
    case .resumeStreak(let day):
      let resume = arena.make(wristwire__v1__resume_streak__init)
      put(day?.number, &resume.pointee.has_from_day, &resume.pointee.from_day)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_RESUME_STREAK
      body.pointee.resume_streak = resume
    default:
      invariant(false, "not an action on schedules, weights, logs or streaks")
    }
  }

  private func fillSchedule(
    _ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action
  ) {
    switch action {
    case .scheduleWeekly(let id, let workout, let weekdays, let timeOfDay, let firstDay):
      let schedule = arena.make(wristwire__v1__schedule_weekly__init)
      put(arena.id(id), &schedule.pointee.has_id, &schedule.pointee.id)
      schedule.pointee.workout = reference(workout)
      put(UInt32(weekdays.bits), &schedule.pointee.has_weekdays, &schedule.pointee.weekdays)
      put(
        UInt32(clamping: timeOfDay), &schedule.pointee.has_time_of_day_ms,
        &schedule.pointee.time_of_day_ms)
      put(firstDay.number, &schedule.pointee.has_first_day, &schedule.pointee.first_day)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SCHEDULE_WEEKLY
      body.pointee.schedule_weekly = schedule
    case .editSchedule(let id, let change):
      let edit = arena.make(wristwire__v1__edit_schedule__init)
      put(arena.id(id), &edit.pointee.has_id, &edit.pointee.id)
      edit.pointee.workout = change.workout.map(reference)
      put(change.at?.milliseconds, &edit.pointee.has_at_ms, &edit.pointee.at_ms)
      put(
        change.weekdays.map { UInt32($0.bits) }, &edit.pointee.has_weekdays,
        &edit.pointee.weekdays)
      put(
        change.timeOfDay.map { UInt32(clamping: $0) }, &edit.pointee.has_time_of_day_ms,
        &edit.pointee.time_of_day_ms)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_SCHEDULE
      body.pointee.edit_schedule = edit
    default:
      invariant(false, "not an action on schedules")
    }
  }

  private func logWeight(
    _ value: LoggedWeight
  ) -> UnsafeMutablePointer<Wristwire__V1__LogWeight> {
    let log = arena.make(wristwire__v1__log_weight__init)
    put(arena.id(value.id), &log.pointee.has_id, &log.pointee.id)
    log.pointee.weight = weight(value.weight)
    switch value.moment {
    case .instant(let instant):
      log.pointee.moment_case = WRISTWIRE__V1__LOG_WEIGHT__MOMENT_AT_MS
      log.pointee.at_ms = instant.milliseconds
    case .day(let day):
      log.pointee.moment_case = WRISTWIRE__V1__LOG_WEIGHT__MOMENT_DAY
      log.pointee.day = day.number
    }
    put(value.zoneID.map(arena.text), &log.pointee.has_zone_id, &log.pointee.zone_id)
    return log
  }

  private func editLog(
    _ log: LogID, _ change: LogChange
  ) -> UnsafeMutablePointer<Wristwire__V1__EditLog> {
    let edit = arena.make(wristwire__v1__edit_log__init)
    put(arena.id(log), &edit.pointee.has_log_id, &edit.pointee.log_id)
    put(change.title.map(arena.text), &edit.pointee.has_title, &edit.pointee.title)
    put(
      change.activityType.map(arena.text), &edit.pointee.has_activity_type,
      &edit.pointee.activity_type)
    put(change.notes.map(arena.text), &edit.pointee.has_notes, &edit.pointee.notes)
    edit.pointee.tags = change.tags.map { names in
      let list = arena.make(wristwire__v1__tag_list__init)
      list.pointee.n_names = names.count
      list.pointee.names = arena.list(names, arena.text)
      return list
    }
    edit.pointee.start = change.start.map(logMoment)
    edit.pointee.end = change.end.map(logMoment)
    edit.pointee.active = change.activeMilliseconds.map { figure in
      let span = arena.make(wristwire__v1__span_change__init)
      put(figure.value.map { UInt64(clamping: $0) }, &span.pointee.has_ms, &span.pointee.ms)
      return span
    }
    edit.pointee.energy_kcal = change.energyKilocalories.map(figureChange)
    edit.pointee.distance_m = change.distanceMeters.map(figureChange)
    edit.pointee.average_heart_rate = change.averageHeartRate.map(figureChange)
    edit.pointee.maximum_heart_rate = change.maximumHeartRate.map(figureChange)
    return edit
  }

  private func logMoment(
    _ value: LogChange.Moment
  ) -> UnsafeMutablePointer<Wristwire__V1__LogMoment> {
    let moment = arena.make(wristwire__v1__log_moment__init)
    switch value {
    case .instant(let instant):
      moment.pointee.moment_case = WRISTWIRE__V1__LOG_MOMENT__MOMENT_AT_MS
      moment.pointee.at_ms = instant.milliseconds
    case .timeOfDay(let time):
      moment.pointee.moment_case = WRISTWIRE__V1__LOG_MOMENT__MOMENT_TIME_OF_DAY_MS
      moment.pointee.time_of_day_ms = UInt32(clamping: time)
    }
    return moment
  }

  private func figureChange(
    _ value: LogChange.Figure<Double>
  ) -> UnsafeMutablePointer<Wristwire__V1__FigureChange> {
    let figure = arena.make(wristwire__v1__figure_change__init)
    put(value.value, &figure.pointee.has_value, &figure.pointee.value)
    return figure
  }
}

extension StreakPolicy {
  /// As the wire has it.
  var wire: Wristwire__V1__StreakPolicy {
    switch self {
    case .daily: WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_DAILY
    case .weekly: WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_WEEKLY
    case .scheduled: WRISTWIRE__V1__STREAK_POLICY__STREAK_POLICY_SCHEDULED
    }
  }

  /// Days a week, where it has some.
  var wireDays: UInt32? { daysAWeek.map { UInt32(clamping: $0) } }
}
