import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of routines and sessions.
extension MessageDecoder {
  private static var spans: ClosedRange<Int64> { 0...Int64(ActionLimits.numberEnd) }

  /// The facet `routines`.
  func routines(_ facet: Wristwire__V1__RoutinesFacet) throws(WireError) -> RoutinesFacet {
    var value = RoutinesFacet(
      routines: [], omitted: facet.has_omitted == 0 ? 0 : Int(facet.omitted))
    for pointer in UnsafeBufferPointer(start: facet.routines, count: facet.n_routines) {
      let routine = try Check.message(pointer, "routines")
      var entries: [RoutinesFacet.Entry] = []
      for pointer in UnsafeBufferPointer(start: routine.entries, count: routine.n_entries) {
        entries.append(try place(try Check.message(pointer, "entries")))
      }
      value.routines.append(
        RoutinesFacet.Routine(
          id: try Check.id(routine.has_id, routine.id, "routines.id"),
          title: try Check.text(routine.has_title, routine.title, "routines.title"),
          entries: entries,
          text: try Check.text(routine.has_text, routine.text, "routines.text")))
    }
    return value
  }

  /// The facet `session`.
  func session(_ facet: Wristwire__V1__SessionFacet) throws(WireError) -> SessionFacet {
    var value = SessionFacet(
      session: try Check.id(facet.has_session_id, facet.session_id, "session_id"),
      title: try Check.text(facet.has_title, facet.title, "title"),
      activityType: try Check.text(facet.has_activity_type, facet.activity_type, "activity_type"),
      phase: try Check.choice(facet.has_phase, facet.phase.rawValue, "phase"),
      startedAt: try Check.instant(facet.has_started_at_ms, facet.started_at_ms, "started_at_ms"),
      activeMilliseconds: try Check.milliseconds(
        Self.spans, facet.has_active_ms, facet.active_ms, "active_ms"),
      runningSince: Check.optionalInstant(facet.has_running_since_ms, facet.running_since_ms),
      recorder: try Check.optionalID(facet.has_recorder, facet.recorder, "recorder"))
    value.position = Int(try Check.present(facet.has_position, facet.position, "position"))
    for pointer in UnsafeBufferPointer(start: facet.exercises, count: facet.n_exercises) {
      value.exercises.append(try exercise(try Check.message(pointer, "exercises")))
    }
    value.reps = facet.has_reps == 0 ? nil : Int(facet.reps)
    value.weight = try optionalWeight(facet.weight, "weight")
    value.sets = try shownSets(facet.sets, facet.n_sets)
    value.lastTime = try shownSets(facet.last_time, facet.n_last_time)
    value.lastTimeAt = Check.optionalInstant(facet.has_last_time_at_ms, facet.last_time_at_ms)
    let since = Check.optionalInstant(facet.has_rest_since_ms, facet.rest_since_ms)
    let overAt = Check.optionalInstant(facet.has_rest_over_at_ms, facet.rest_over_at_ms)
    if let since, let overAt { value.rest = SessionFacet.Rest(since: since, overAt: overAt) }
    value.progress = try Check.text(facet.has_progress, facet.progress, "progress")
    value.spoken = try Check.text(facet.has_spoken, facet.spoken, "spoken")
    return value
  }

  /// The facet `lastSession`.
  func lastSession(
    _ facet: Wristwire__V1__LastSessionFacet
  ) throws(WireError) -> LastSessionFacet {
    var value = LastSessionFacet(
      session: try Check.id(facet.has_session_id, facet.session_id, "session_id"),
      title: try Check.text(facet.has_title, facet.title, "title"),
      activityType: try Check.text(facet.has_activity_type, facet.activity_type, "activity_type"),
      startedAt: try Check.instant(facet.has_started_at_ms, facet.started_at_ms, "started_at_ms"),
      endedAt: try Check.instant(facet.has_ended_at_ms, facet.ended_at_ms, "ended_at_ms"))
    if facet.has_active_ms != 0 {
      value.activeMilliseconds = try Check.milliseconds(
        Self.spans, 1, facet.active_ms, "active_ms")
    }
    value.spanMilliseconds = try Check.milliseconds(
      Self.spans, facet.has_span_ms, facet.span_ms, "span_ms")
    if facet.has_paused_ms != 0 {
      value.pausedMilliseconds = try Check.milliseconds(
        Self.spans, 1, facet.paused_ms, "paused_ms")
    }
    if facet.has_energy_kcal != 0 {
      value.energyKilocalories = try Check.finite(1, facet.energy_kcal, "energy_kcal")
    }
    value.averageHeartRate = try Check.optionalFigure(
      facet.has_average_heart_rate, facet.average_heart_rate, "average_heart_rate")
    value.maximumHeartRate = try Check.optionalFigure(
      facet.has_maximum_heart_rate, facet.maximum_heart_rate, "maximum_heart_rate")
    value.setCount = Int(try Check.present(facet.has_set_count, facet.set_count, "set_count"))
    value.volumeKilograms = try Check.finite(facet.has_volume_kg, facet.volume_kg, "volume_kg")
    for pointer in UnsafeBufferPointer(start: facet.exercises, count: facet.n_exercises) {
      let exercise = try Check.message(pointer, "exercises")
      value.exercises.append(
        LastSessionFacet.Exercise(
          name: try Check.text(exercise.has_name, exercise.name, "exercises.name"),
          targetSets: Int(
            try Check.present(
              exercise.has_target_sets, exercise.target_sets, "exercises.target_sets")),
          doneSets: Int(
            try Check.present(exercise.has_done_sets, exercise.done_sets, "exercises.done_sets")),
          text: try Check.text(exercise.has_text, exercise.text, "exercises.text")))
    }
    for record in UnsafeBufferPointer(start: facet.records, count: facet.n_records) {
      value.records.append(try Check.text(1, record, "records"))
    }
    value.text = try Check.text(facet.has_text, facet.text, "text")
    value.spoken = try Check.text(facet.has_spoken, facet.spoken, "spoken")
    return value
  }

  private func place(
    _ place: Wristwire__V1__RoutinePlace
  ) throws(WireError) -> RoutinesFacet.Entry {
    var groups: [SetGroup] = []
    for pointer in UnsafeBufferPointer(start: place.groups, count: place.n_groups) {
      groups.append(try group(pointer))
    }
    return RoutinesFacet.Entry(
      exercise: try Check.id(place.has_exercise_id, place.exercise_id, "entries.exercise_id"),
      name: try Check.text(place.has_name, place.name, "entries.name"),
      equipment: try Check.choice(
        place.has_equipment, place.equipment.rawValue, "entries.equipment"),
      groups: groups)
  }

  private func exercise(
    _ exercise: Wristwire__V1__SessionExercise
  ) throws(WireError) -> SessionFacet.Exercise {
    SessionFacet.Exercise(
      name: try Check.text(exercise.has_name, exercise.name, "exercises.name"),
      equipment: try Check.choice(
        exercise.has_equipment, exercise.equipment.rawValue, "exercises.equipment"),
      targetSets: Int(
        try Check.present(
          exercise.has_target_sets, exercise.target_sets, "exercises.target_sets")),
      doneSets: Int(
        try Check.present(exercise.has_done_sets, exercise.done_sets, "exercises.done_sets")))
  }

  private func shownSets(
    _ list: UnsafeMutablePointer<UnsafeMutablePointer<Wristwire__V1__ShownSet>?>?, _ count: Int
  ) throws(WireError) -> [SessionFacet.Set] {
    var sets: [SessionFacet.Set] = []
    for pointer in UnsafeBufferPointer(start: list, count: count) {
      let set = try Check.message(pointer, "sets")
      sets.append(
        SessionFacet.Set(
          id: try Check.id(set.has_id, set.id, "sets.id"),
          reps: Int(try Check.present(set.has_reps, set.reps, "sets.reps")),
          weight: try optionalWeight(set.weight, "sets.weight"),
          isWarmUp: set.has_warm_up != 0 && set.warm_up != 0,
          text: try Check.text(set.has_text, set.text, "sets.text")))
    }
    return sets
  }
}
