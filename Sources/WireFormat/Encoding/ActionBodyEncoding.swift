import CProtobufC
import CWireProto
import WatchTransfer

extension MessageEncoder {
  /// A body with its action.
  func actionBody(_ value: ActionBody) -> UnsafeMutablePointer<Wristwire__V1__ActionBody> {
    let body = arena.make(wristwire__v1__action_body__init)
    body.pointee.occurred = clock(value.occurred)
    if let zone = value.zone {
      put(arena.text(zone.id), &body.pointee.has_zone_id, &body.pointee.zone_id)
      put(
        zone.offsetSeconds, &body.pointee.has_zone_offset_seconds,
        &body.pointee.zone_offset_seconds)
    }
    put(
      value.expiresAt?.milliseconds, &body.pointee.has_expires_at_ms,
      &body.pointee.expires_at_ms)
    fill(body, value.action)
    return body
  }

  /// Makes `body` carry `action`.
  private func fill(
    _ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action
  ) {
    switch action {
    case .defineWorkout, .editWorkout, .deleteWorkout, .scheduleWorkout, .unscheduleWorkout,
      .markWorkout, .unmarkWorkout, .logWorkout:
      fillWorkout(body, action)
    case .newMatch, .nameTeam, .addPoint, .undoPoint, .controlClock, .takeOverMatch:
      fillMatch(body, action)
    case .defineExercise, .editExercise, .deleteExercise, .defineRoutine, .editRoutine,
      .deleteRoutine, .startSession, .completeSet, .editSet, .uncompleteSet, .adjustSet,
      .selectExercise, .restSession, .controlSession, .addSessionExercise, .dismissSummary,
      .recordSamples, .takeOverSession:
      fillStrength(body, action)
    case .setSquad, .substitute, .undoSubstitution, .setKeymap, .press:
      fillLineUp(body, action)
    case .scheduleWeekly, .editSchedule, .logWeight, .deleteWeight, .editLog, .deleteLog,
      .grantFreeze, .pauseStreak, .resumeStreak:
      fillConsistency(body, action)
    case .attachPhoto, .removePhoto: fillPhoto(body, action)
    case .setTheme(let mode):
      let theme = arena.make(wristwire__v1__set_theme__init)
      put(choice: mode, &theme.pointee.has_mode, &theme.pointee.mode)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_THEME
      body.pointee.set_theme = theme
    case .setPalette(let palette):
      let message = arena.make(wristwire__v1__set_palette__init)
      put(choice: palette, &message.pointee.has_palette, &message.pointee.palette)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_PALETTE
      body.pointee.set_palette = message
    case .setGoal(let name, let value):
      let goal = arena.make(wristwire__v1__set_goal__init)
      put(arena.text(name), &goal.pointee.has_name, &goal.pointee.name)
      put(value, &goal.pointee.has_value, &goal.pointee.value)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_GOAL
      body.pointee.set_goal = goal
    case .setPreferences(let change):
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_PREFERENCES
      body.pointee.set_preferences = preferences(change)
    case .setZone(let id):
      let zone = arena.make(wristwire__v1__set_zone__init)
      put(arena.text(id), &zone.pointee.has_zone_id, &zone.pointee.zone_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SET_ZONE
      body.pointee.set_zone = zone
    }
  }

  private func preferences(
    _ change: PreferenceChange
  ) -> UnsafeMutablePointer<Wristwire__V1__SetPreferences> {
    let message = arena.make(wristwire__v1__set_preferences__init)
    put(choice: change.units, &message.pointee.has_units, &message.pointee.units)
    put(
      change.firstWeekday.map { UInt32(clamping: $0) }, &message.pointee.has_first_weekday,
      &message.pointee.first_weekday)
    put(
      change.onboardingStep.map { UInt32(clamping: $0) }, &message.pointee.has_onboarding_step,
      &message.pointee.onboarding_step)
    put(
      change.streakPolicy?.wire, &message.pointee.has_streak_policy,
      &message.pointee.streak_policy)
    put(
      change.streakPolicy?.wireDays, &message.pointee.has_streak_days,
      &message.pointee.streak_days)
    return message
  }
}
