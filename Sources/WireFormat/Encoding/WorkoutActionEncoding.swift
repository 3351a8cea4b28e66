import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Actions on workouts, schedules and logs.
extension MessageEncoder {
  /// Makes `body` carry `action` when it is one on workouts.
  func fillWorkout(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .defineWorkout(let id, let title, let names):
      let define = arena.make(wristwire__v1__define_workout__init)
      put(arena.id(id), &define.pointee.has_id, &define.pointee.id)
      put(arena.text(title), &define.pointee.has_title, &define.pointee.title)
      define.pointee.exercises = exercises(names)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DEFINE_WORKOUT
      body.pointee.define_workout = define
    case .editWorkout(let id, let title, let names):
      let edit = arena.make(wristwire__v1__edit_workout__init)
      put(arena.id(id), &edit.pointee.has_id, &edit.pointee.id)
      put(title.map(arena.text), &edit.pointee.has_title, &edit.pointee.title)
      edit.pointee.exercises = names.map(exercises)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_EDIT_WORKOUT
      body.pointee.edit_workout = edit
    case .deleteWorkout(let id):
      let delete = arena.make(wristwire__v1__delete_workout__init)
      put(arena.id(id), &delete.pointee.has_id, &delete.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_DELETE_WORKOUT
      body.pointee.delete_workout = delete
    case .scheduleWorkout(let id, let workout, let at):
      let schedule = arena.make(wristwire__v1__schedule_workout__init)
      put(arena.id(id), &schedule.pointee.has_id, &schedule.pointee.id)
      schedule.pointee.workout = reference(workout)
      put(at.milliseconds, &schedule.pointee.has_at_ms, &schedule.pointee.at_ms)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_SCHEDULE_WORKOUT
      body.pointee.schedule_workout = schedule
    case .unscheduleWorkout(let id):
      let unschedule = arena.make(wristwire__v1__unschedule_workout__init)
      put(arena.id(id), &unschedule.pointee.has_id, &unschedule.pointee.id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_UNSCHEDULE_WORKOUT
      body.pointee.unschedule_workout = unschedule
    case .markWorkout(let log, let workout):
      let mark = arena.make(wristwire__v1__mark_workout__init)
      put(arena.id(log), &mark.pointee.has_log_id, &mark.pointee.log_id)
      mark.pointee.workout = reference(workout)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_MARK_WORKOUT
      body.pointee.mark_workout = mark
    case .unmarkWorkout(let workout):
      let unmark = arena.make(wristwire__v1__unmark_workout__init)
      unmark.pointee.workout = reference(workout)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_UNMARK_WORKOUT
      body.pointee.unmark_workout = unmark
    case .logWorkout(let value):
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_LOG_WORKOUT
      body.pointee.log_workout = logged(value)
    default:
      invariant(false, "not an action on workouts")
    }
  }

  /// A workout by its id or by its title.
  func reference(
    _ value: WorkoutReference
  ) -> UnsafeMutablePointer<Wristwire__V1__WorkoutReference> {
    let reference = arena.make(wristwire__v1__workout_reference__init)
    switch value {
    case .id(let id):
      reference.pointee.by_case = WRISTWIRE__V1__WORKOUT_REFERENCE__BY_ID
      reference.pointee.id = arena.id(id)
    case .title(let title):
      reference.pointee.by_case = WRISTWIRE__V1__WORKOUT_REFERENCE__BY_TITLE
      reference.pointee.title = arena.text(title)
    }
    return reference
  }

  private func exercises(
    _ names: [String]
  ) -> UnsafeMutablePointer<Wristwire__V1__ExerciseList> {
    let list = arena.make(wristwire__v1__exercise_list__init)
    list.pointee.n_names = names.count
    list.pointee.names = arena.list(names, arena.text)
    return list
  }

  private func logged(_ value: LoggedWorkout) -> UnsafeMutablePointer<Wristwire__V1__LogWorkout> {
    let log = arena.make(wristwire__v1__log_workout__init)
    put(arena.id(value.log), &log.pointee.has_log_id, &log.pointee.log_id)
    put(
      arena.text(value.activityType), &log.pointee.has_activity_type, &log.pointee.activity_type)
    put(value.title.map(arena.text), &log.pointee.has_title, &log.pointee.title)
    put(value.start.milliseconds, &log.pointee.has_start_ms, &log.pointee.start_ms)
    put(value.end.milliseconds, &log.pointee.has_end_ms, &log.pointee.end_ms)
    put(value.zoneID.map(arena.text), &log.pointee.has_zone_id, &log.pointee.zone_id)
    put(
      value.activeMilliseconds.map { UInt64(clamping: $0) }, &log.pointee.has_active_ms,
      &log.pointee.active_ms)
    put(value.energyKilocalories, &log.pointee.has_energy_kcal, &log.pointee.energy_kcal)
    put(value.distanceMeters, &log.pointee.has_distance_m, &log.pointee.distance_m)
    put(
      value.averageHeartRate, &log.pointee.has_average_heart_rate,
      &log.pointee.average_heart_rate)
    put(
      value.maximumHeartRate, &log.pointee.has_maximum_heart_rate,
      &log.pointee.maximum_heart_rate)
    put(
      value.sourceName.map(arena.text), &log.pointee.has_source_name, &log.pointee.source_name)
    put(
      value.externalUUID.map(arena.text), &log.pointee.has_external_uuid,
      &log.pointee.external_uuid)
    return log
  }
}
