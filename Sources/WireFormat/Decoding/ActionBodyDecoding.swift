import CProtobufC
import CWireProto
import WatchTransfer

extension MessageDecoder {
  /// The body, or `emptyMessage` when it holds no action that this version knows.
  func actionBody(_ body: Wristwire__V1__ActionBody) throws(WireError) -> ActionBody {
    if body.action_case == WRISTWIRE__V1__ACTION_BODY__ACTION__NOT_SET { throw .emptyMessage }
    let occurred = try Check.message(body.occurred, "occurred")
    return ActionBody(
      occurred: try clock(occurred),
      zone: try zoneStamp(body),
      expiresAt: Check.optionalInstant(body.has_expires_at_ms, body.expires_at_ms),
      action: try action(body))
  }

  /// A zone id and its offset come together or not at all.
  private func zoneStamp(_ body: Wristwire__V1__ActionBody) throws(WireError) -> ZoneStamp? {
    if body.has_zone_id == 0, body.has_zone_offset_seconds == 0 { return nil }
    return ZoneStamp(
      id: try Check.zone(body.has_zone_id, body.zone_id, "zone_id"),
      offsetSeconds: try Check.within(
        ValueLimits.zoneOffsetSeconds, body.has_zone_offset_seconds, body.zone_offset_seconds,
        "zone_offset_seconds"))
  }

  private func action(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    switch body.action_case {
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_WORKOUT:
      return try defineWorkout(try Check.message(body.define_workout, "define_workout"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_WORKOUT:
      return try editWorkout(try Check.message(body.edit_workout, "edit_workout"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_WORKOUT:
      let delete = try Check.message(body.delete_workout, "delete_workout")
      return .deleteWorkout(id: try Check.id(delete.has_id, delete.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SCHEDULE_WORKOUT:
      return try scheduleWorkout(try Check.message(body.schedule_workout, "schedule_workout"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_UNSCHEDULE_WORKOUT:
      let unschedule = try Check.message(body.unschedule_workout, "unschedule_workout")
      return .unscheduleWorkout(id: try Check.id(unschedule.has_id, unschedule.id, "id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_MARK_WORKOUT:
      return try markWorkout(try Check.message(body.mark_workout, "mark_workout"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_UNMARK_WORKOUT:
      let unmark = try Check.message(body.unmark_workout, "unmark_workout")
      return .unmarkWorkout(workout: try workoutReference(unmark.workout))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_LOG_WORKOUT:
      return .logWorkout(try loggedWorkout(try Check.message(body.log_workout, "log_workout")))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_THEME:
      let theme = try Check.message(body.set_theme, "set_theme")
      return .setTheme(mode: try Check.choice(theme.has_mode, theme.mode.rawValue, "mode"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_PALETTE:
      let palette = try Check.message(body.set_palette, "set_palette")
      return .setPalette(
        try Check.choice(palette.has_palette, palette.palette.rawValue, "palette"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_GOAL:
      return try setGoal(try Check.message(body.set_goal, "set_goal"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_PREFERENCES:
      return try setPreferences(try Check.message(body.set_preferences, "set_preferences"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SET_ZONE:
      let zone = try Check.message(body.set_zone, "set_zone")
      return .setZone(id: try Check.zone(zone.has_zone_id, zone.zone_id, "zone_id"))
    case WRISTWIRE__V1__ACTION_BODY__ACTION_SCHEDULE_WEEKLY,
      WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_SCHEDULE,
      WRISTWIRE__V1__ACTION_BODY__ACTION_LOG_WEIGHT,
      WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_WEIGHT,
      WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_LOG, WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_LOG,
      WRISTWIRE__V1__ACTION_BODY__ACTION_GRANT_FREEZE,
      WRISTWIRE__V1__ACTION_BODY__ACTION_PAUSE_STREAK,
      WRISTWIRE__V1__ACTION_BODY__ACTION_RESUME_STREAK:
      return try consistencyAction(body)
    case WRISTWIRE__V1__ACTION_BODY__ACTION_ATTACH_PHOTO,
      WRISTWIRE__V1__ACTION_BODY__ACTION_REMOVE_PHOTO:
      return try photoAction(body)
    default:
      return try matchAction(body)
    }
  }

  private func setGoal(_ goal: Wristwire__V1__SetGoal) throws(WireError) -> Action {
    .setGoal(
      name: try Check.name(goal.has_name, goal.name, "name"),
      value: try Check.optionalFigure(goal.has_value, goal.value, "value"))
  }

  private func setPreferences(
    _ change: Wristwire__V1__SetPreferences
  ) throws(WireError) -> Action {
    var value = PreferenceChange()
    value.units = try Check.optionalChoice(change.has_units, change.units.rawValue, "units")
    if change.has_first_weekday != 0 {
      value.firstWeekday = try Check.within(
        ValueLimits.weekdays, 1, Int(change.first_weekday), "first_weekday")
    }
    if change.has_onboarding_step != 0 {
      value.onboardingStep = try Check.within(
        ActionLimits.onboardingSteps, 1, Int(change.onboarding_step), "onboarding_step")
    }
    value.streakPolicy = try Check.optionalPolicy(
      change.has_streak_policy, change.streak_policy.rawValue, change.has_streak_days,
      change.streak_days, "streak_policy")
    return .setPreferences(value)
  }
}
