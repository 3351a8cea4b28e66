internal import WatchTransfer

extension AccountState {
  /// Exercises, routines and sessions.
  mutating func applyToStrength(_ event: Event) {
    switch event {
    case .exerciseDefined(let exercise, let by):
      editExercise(exercise.id) { known in
        known.isStub = false
        known.edit(name: exercise.name, equipment: exercise.equipment, by: by.stamp)
      }
    case .exerciseEdited(let id, let name, let equipment, let by):
      editExercise(id) { $0.edit(name: name, equipment: equipment, by: by.stamp) }
    case .exerciseDeleted(let id, _):
      guard let known = exercises[id] else {
        // Deleted before it came back.
        if thing(id) == nil { things[id.retagged()] = .gone(.exercise) }
        return
      }
      routines.keep(known.exercise)
      exercises[id] = nil
      things[id.retagged()] = .gone(.exercise)
    case .routineDefined(let id, let title, let entries, let by):
      editRoutine(id) { routine in
        routine.isStub = false
        routine.edit(title: title, entries: entries, by: by.stamp)
      }
    case .routineEdited(let id, let title, let entries, let by):
      editRoutine(id) { $0.edit(title: title, entries: entries, by: by.stamp) }
    case .routineDeleted(let id, _):
      guard routines[id] != nil else {
        if thing(id) == nil { things[id.retagged()] = .gone(.routine) }
        return
      }
      routines.remove(id)
      things[id.retagged()] = .gone(.routine)
    default:
      applyToSessions(event)
    }
  }

  /// An exercise that may be named: a starter, or one of the account's own.
  func exercise(_ id: ExerciseID) -> Exercise? {
    ExerciseLibrary.exercise(id) ?? exercises[id]?.exercise
  }

  /// The day of a log, whichever way it came to be.
  func logDay(of id: LogID) -> CivilDay? {
    switch thing(id) {
    case .log(let day): day
    case .session(let day): day
    default: nil
    }
  }

  private mutating func editExercise(_ id: ExerciseID, _ change: (inout CustomExercise) -> Void) {
    switch thing(id) {
    case nil: things[id.retagged()] = .exercise
    case .exercise: break
    default: return
    }
    var exercise = exercises[id] ?? CustomExercise(stub: id)
    change(&exercise)
    exercises[id] = exercise
  }

  private mutating func editRoutine(_ id: RoutineID, _ change: (inout Routine) -> Void) {
    switch thing(id) {
    case nil: things[id.retagged()] = .routine
    case .routine: break
    default: return
    }
    var routine = routines[id] ?? Routine(stub: id)
    change(&routine)
    routines[id] = routine
  }
}
