import CProtobufC
import CWireProto
import WatchTransfer

/// Facets of routines and sessions.
extension MessageEncoder {
  /// Routines, as compact payloads.
  func routines(_ value: RoutinesFacet) -> UnsafeMutablePointer<Wristwire__V1__RoutinesFacet> {
    let facet = arena.make(wristwire__v1__routines_facet__init)
    facet.pointee.n_routines = value.routines.count
    facet.pointee.routines = arena.messages(value.routines) { value in
      let routine = arena.make(wristwire__v1__routine_payload__init)
      put(arena.id(value.id), &routine.pointee.has_id, &routine.pointee.id)
      put(arena.text(value.title), &routine.pointee.has_title, &routine.pointee.title)
      routine.pointee.n_entries = value.entries.count
      routine.pointee.entries = arena.messages(value.entries) { self.place($0) }
      put(arena.text(value.text), &routine.pointee.has_text, &routine.pointee.text)
      return routine
    }
    if value.omitted > 0 {
      put(UInt32(clamping: value.omitted), &facet.pointee.has_omitted, &facet.pointee.omitted)
    }
    return facet
  }

  /// The running session.
  func session(_ value: SessionFacet) -> UnsafeMutablePointer<Wristwire__V1__SessionFacet> {
    let facet = arena.make(wristwire__v1__session_facet__init)
    put(arena.id(value.session), &facet.pointee.has_session_id, &facet.pointee.session_id)
    put(arena.text(value.title), &facet.pointee.has_title, &facet.pointee.title)
    put(
      arena.text(value.activityType), &facet.pointee.has_activity_type,
      &facet.pointee.activity_type)
    put(choice: value.phase, &facet.pointee.has_phase, &facet.pointee.phase)
    put(
      value.startedAt.milliseconds, &facet.pointee.has_started_at_ms,
      &facet.pointee.started_at_ms)
    put(
      UInt64(clamping: value.activeMilliseconds), &facet.pointee.has_active_ms,
      &facet.pointee.active_ms)
    put(
      value.runningSince?.milliseconds, &facet.pointee.has_running_since_ms,
      &facet.pointee.running_since_ms)
    put(
      value.recorder.map { arena.id($0) }, &facet.pointee.has_recorder, &facet.pointee.recorder)
    put(UInt32(clamping: value.position), &facet.pointee.has_position, &facet.pointee.position)
    facet.pointee.n_exercises = value.exercises.count
    facet.pointee.exercises = arena.messages(value.exercises) { self.exercise($0) }
    put(
      value.reps.map { UInt32(clamping: $0) }, &facet.pointee.has_reps, &facet.pointee.reps)
    facet.pointee.weight = value.weight.map { weight($0) }
    facet.pointee.n_sets = value.sets.count
    facet.pointee.sets = arena.messages(value.sets) { self.shownSet($0) }
    facet.pointee.n_last_time = value.lastTime.count
    facet.pointee.last_time = arena.messages(value.lastTime) { self.shownSet($0) }
    put(
      value.lastTimeAt?.milliseconds, &facet.pointee.has_last_time_at_ms,
      &facet.pointee.last_time_at_ms)
    put(
      value.rest?.since.milliseconds, &facet.pointee.has_rest_since_ms,
      &facet.pointee.rest_since_ms)
    put(
      value.rest?.overAt.milliseconds, &facet.pointee.has_rest_over_at_ms,
      &facet.pointee.rest_over_at_ms)
    put(arena.text(value.progress), &facet.pointee.has_progress, &facet.pointee.progress)
    put(arena.text(value.spoken), &facet.pointee.has_spoken, &facet.pointee.spoken)
    return facet
  }

  /// The summary of the last session.
  func lastSession(
    _ value: LastSessionFacet
  ) -> UnsafeMutablePointer<Wristwire__V1__LastSessionFacet> {
    let facet = arena.make(wristwire__v1__last_session_facet__init)
    put(arena.id(value.session), &facet.pointee.has_session_id, &facet.pointee.session_id)
    put(arena.text(value.title), &facet.pointee.has_title, &facet.pointee.title)
    put(
      arena.text(value.activityType), &facet.pointee.has_activity_type,
      &facet.pointee.activity_type)
    put(
      value.startedAt.milliseconds, &facet.pointee.has_started_at_ms,
      &facet.pointee.started_at_ms)
    put(value.endedAt.milliseconds, &facet.pointee.has_ended_at_ms, &facet.pointee.ended_at_ms)
    put(
      value.activeMilliseconds.map { UInt64(clamping: $0) }, &facet.pointee.has_active_ms,
      &facet.pointee.active_ms)
    put(
      UInt64(clamping: value.spanMilliseconds), &facet.pointee.has_span_ms, &facet.pointee.span_ms)
    put(
      value.pausedMilliseconds.map { UInt64(clamping: $0) }, &facet.pointee.has_paused_ms,
      &facet.pointee.paused_ms)
    put(value.energyKilocalories, &facet.pointee.has_energy_kcal, &facet.pointee.energy_kcal)
    put(
      value.averageHeartRate, &facet.pointee.has_average_heart_rate,
      &facet.pointee.average_heart_rate)
    put(
      value.maximumHeartRate, &facet.pointee.has_maximum_heart_rate,
      &facet.pointee.maximum_heart_rate)
    put(UInt32(clamping: value.setCount), &facet.pointee.has_set_count, &facet.pointee.set_count)
    put(value.volumeKilograms, &facet.pointee.has_volume_kg, &facet.pointee.volume_kg)
    facet.pointee.n_exercises = value.exercises.count
    facet.pointee.exercises = arena.messages(value.exercises) { self.summary($0) }
    facet.pointee.n_records = value.records.count
    facet.pointee.records = arena.list(value.records) { self.arena.text($0) }
    put(arena.text(value.text), &facet.pointee.has_text, &facet.pointee.text)
    put(arena.text(value.spoken), &facet.pointee.has_spoken, &facet.pointee.spoken)
    return facet
  }

  private func place(
    _ value: RoutinesFacet.Entry
  ) -> UnsafeMutablePointer<Wristwire__V1__RoutinePlace> {
    let place = arena.make(wristwire__v1__routine_place__init)
    put(arena.id(value.exercise), &place.pointee.has_exercise_id, &place.pointee.exercise_id)
    put(arena.text(value.name), &place.pointee.has_name, &place.pointee.name)
    put(choice: value.equipment, &place.pointee.has_equipment, &place.pointee.equipment)
    place.pointee.n_groups = value.groups.count
    place.pointee.groups = arena.messages(value.groups) { self.group($0) }
    return place
  }

  private func exercise(
    _ value: SessionFacet.Exercise
  ) -> UnsafeMutablePointer<Wristwire__V1__SessionExercise> {
    let exercise = arena.make(wristwire__v1__session_exercise__init)
    put(arena.text(value.name), &exercise.pointee.has_name, &exercise.pointee.name)
    put(choice: value.equipment, &exercise.pointee.has_equipment, &exercise.pointee.equipment)
    put(
      UInt32(clamping: value.targetSets), &exercise.pointee.has_target_sets,
      &exercise.pointee.target_sets)
    put(
      UInt32(clamping: value.doneSets), &exercise.pointee.has_done_sets,
      &exercise.pointee.done_sets)
    return exercise
  }

  private func shownSet(
    _ value: SessionFacet.Set
  ) -> UnsafeMutablePointer<Wristwire__V1__ShownSet> {
    let set = arena.make(wristwire__v1__shown_set__init)
    put(arena.id(value.id), &set.pointee.has_id, &set.pointee.id)
    put(UInt32(clamping: value.reps), &set.pointee.has_reps, &set.pointee.reps)
    set.pointee.weight = value.weight.map { weight($0) }
    if value.isWarmUp { put(flag: true, &set.pointee.has_warm_up, &set.pointee.warm_up) }
    put(arena.text(value.text), &set.pointee.has_text, &set.pointee.text)
    return set
  }

  private func summary(
    _ value: LastSessionFacet.Exercise
  ) -> UnsafeMutablePointer<Wristwire__V1__SummaryExercise> {
    let exercise = arena.make(wristwire__v1__summary_exercise__init)
    put(arena.text(value.name), &exercise.pointee.has_name, &exercise.pointee.name)
    put(
      UInt32(clamping: value.targetSets), &exercise.pointee.has_target_sets,
      &exercise.pointee.target_sets)
    put(
      UInt32(clamping: value.doneSets), &exercise.pointee.has_done_sets,
      &exercise.pointee.done_sets)
    put(arena.text(value.text), &exercise.pointee.has_text, &exercise.pointee.text)
    return exercise
  }
}
