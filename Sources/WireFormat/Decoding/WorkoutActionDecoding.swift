import CProtobufC
import CWireProto
import WatchTransfer

/// Actions on workouts, schedules and logs.
extension MessageDecoder {
  /// A list that is absent is empty.
  func defineWorkout(_ define: Wristwire__V1__DefineWorkout) throws(WireError) -> Action {
    .defineWorkout(
      id: try Check.id(define.has_id, define.id, "id"),
      title: try Check.name(define.has_title, define.title, "title"),
      exercises: try exercises(define.exercises) ?? [])
  }

  /// What is absent stays as it is.
  func editWorkout(_ edit: Wristwire__V1__EditWorkout) throws(WireError) -> Action {
    .editWorkout(
      id: try Check.id(edit.has_id, edit.id, "id"),
      title: try Check.optionalName(edit.has_title, edit.title, "title"),
      exercises: try exercises(edit.exercises))
  }

  /// A schedule names its workout and its moment.
  func scheduleWorkout(_ schedule: Wristwire__V1__ScheduleWorkout) throws(WireError) -> Action {
    .scheduleWorkout(
      id: try Check.id(schedule.has_id, schedule.id, "id"),
      workout: try workoutReference(schedule.workout),
      at: try Check.namedInstant(schedule.has_at_ms, schedule.at_ms, "at_ms"))
  }

  /// A mark names its log and its workout.
  func markWorkout(_ mark: Wristwire__V1__MarkWorkout) throws(WireError) -> Action {
    .markWorkout(
      log: try Check.id(mark.has_log_id, mark.log_id, "log_id"),
      workout: try workoutReference(mark.workout))
  }

  /// A workout by its id or by its title; one of the two must be there.
  func workoutReference(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__WorkoutReference>?
  ) throws(WireError) -> WorkoutReference {
    let reference = try Check.message(pointer, "workout")
    switch reference.by_case {
    case WRISTWIRE__V1__WORKOUT_REFERENCE__BY_ID:
      return .id(try Check.id(1, reference.id, "workout.id"))
    case WRISTWIRE__V1__WORKOUT_REFERENCE__BY_TITLE:
      return .title(try Check.name(1, reference.title, "workout.title"))
    default:
      throw Check.invalid("workout")
    }
  }

  /// Whether the end comes before the start is a rule's to say; both must be instants that an
  /// action may name.
  func loggedWorkout(_ log: Wristwire__V1__LogWorkout) throws(WireError) -> LoggedWorkout {
    var value = LoggedWorkout(
      log: try Check.id(log.has_log_id, log.log_id, "log_id"),
      activityType: try Check.name(log.has_activity_type, log.activity_type, "activity_type"),
      start: try Check.namedInstant(log.has_start_ms, log.start_ms, "start_ms"),
      end: try Check.namedInstant(log.has_end_ms, log.end_ms, "end_ms"))
    guard value.end.milliseconds(since: value.start) <= ActionLimits.workoutMillisecondsMax else {
      throw Check.invalid("end_ms")
    }
    value.title = try Check.optionalName(log.has_title, log.title, "title")
    if log.has_zone_id != 0 { value.zoneID = try Check.zone(1, log.zone_id, "zone_id") }
    if log.has_active_ms != 0 {
      value.activeMilliseconds = try Check.milliseconds(
        0...ActionLimits.workoutMillisecondsMax, 1, log.active_ms, "active_ms")
    }
    value.energyKilocalories = try Check.optionalFigure(
      log.has_energy_kcal, log.energy_kcal, "energy_kcal")
    value.distanceMeters = try Check.optionalFigure(
      log.has_distance_m, log.distance_m, "distance_m")
    value.averageHeartRate = try Check.optionalFigure(
      log.has_average_heart_rate, log.average_heart_rate, "average_heart_rate")
    value.maximumHeartRate = try Check.optionalFigure(
      log.has_maximum_heart_rate, log.maximum_heart_rate, "maximum_heart_rate")
    value.sourceName = try Check.optionalName(
      log.has_source_name, log.source_name, "source_name")
    value.externalUUID = try Check.optionalName(
      log.has_external_uuid, log.external_uuid, "external_uuid",
      bytesMax: ActionLimits.externalTextBytesMax)
    return value
  }

  /// nil when there is no list.
  private func exercises(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__ExerciseList>?
  ) throws(WireError) -> [String]? {
    guard let list = pointer?.pointee else { return nil }
    guard list.n_names <= ActionLimits.exercisesMax else { throw Check.invalid("exercises") }
    var names: [String] = []
    names.reserveCapacity(list.n_names)
    for name in UnsafeBufferPointer(start: list.names, count: list.n_names) {
      names.append(try Check.name(1, name, "exercises"))
    }
    return names
  }
}
