internal import Authority
internal import WatchTransfer

extension Redactor {
  /// Replaces the names in an account's exercises, routines and sessions. Starters keep theirs:
  /// everybody has them.
  func redactStrength(of state: inout AccountState) {
    for var known in state.exercises.all {
      known.name.value = goal(known.name.value)
      state.exercises[known.id] = known
    }
    for known in state.routines.all { state.routines[known.id] = routine(known) }
    state.routines.removed = state.routines.removed.map { routine($0) }
    for var session in state.sessions.all {
      if var start = session.start {
        start.title = placeholders.text(start.title, as: .title)
        start.activityType = placeholders.text(start.activityType, as: .title)
        start.exercises = start.exercises.map { planned($0) }
        session.start = start
      }
      session.added = session.added.map {
        AddedExercise(exercise($0.exercise), stamp: $0.stamp)
      }
      session.entries = session.entries.map { entry in
        SessionEntry(
          move: entry.move, stamp: entry.stamp, day: entry.day,
          zoneID: entry.zoneID.map { zone($0) })
      }
      session.replay()
      state.sessions[session.id] = session
    }
  }

  /// Whether a detail is what `routineProblems` says of a routine: fields and numbers alone.
  static func isRoutineDetail(_ detail: String) -> Bool {
    let fields: Set<String> = [
      "title", "entries", "groups", "entries[].exercise", "entries[].sets",
      "entries[].sets[].reps", "entries[].sets[].rest",
    ]
    var text = detail.filter { !("0"..."9").contains($0) }
    if text.hasSuffix(" and  more") { text.removeLast(10) }
    return text.split(separator: ", ").allSatisfy { fields.contains(String($0)) }
  }

  private func routine(_ known: Routine) -> Routine {
    var routine = known
    routine.title.value = placeholders.text(routine.title.value, as: .title)
    routine.entries.value = routine.entries.value.map { planned($0) }
    return routine
  }

  private func planned(_ known: PlannedExercise) -> PlannedExercise {
    PlannedExercise(exercise(known.exercise), sets: known.sets)
  }

  private func exercise(_ known: Exercise) -> Exercise {
    if ExerciseLibrary.isReserved(known.id) { return known }
    return Exercise(id: known.id, name: goal(known.name), equipment: known.equipment)
  }
}
