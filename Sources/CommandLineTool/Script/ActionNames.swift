public import WatchTransfer

/// What a device knows by names that no facet has: from what it has asked for itself, in order.
extension Array where Element == Action {
  /// The workout that was given this title last.
  public func workout(titled title: String) -> WorkoutID? {
    newest(named: title) { action in
      switch action {
      case .defineWorkout(let id, let title, _): (id, title)
      case .editWorkout(let id, let title?, _): (id, title)
      case .deleteWorkout(let id): (id, nil)
      default: nil
      }
    }
  }

  /// The exercise that was given this name last.
  public func exercise(named name: String) -> ExerciseID? {
    newest(named: name) { action in
      switch action {
      case .defineExercise(let exercise): (exercise.id, exercise.name)
      case .editExercise(let id, let name?, _): (id, name)
      case .deleteExercise(let id): (id, nil)
      default: nil
      }
    }
  }

  /// The routine that was given this title last.
  public func routine(titled title: String) -> RoutineID? {
    newest(named: title) { action in
      switch action {
      case .defineRoutine(let id, let title, _): (id, title)
      case .editRoutine(let id, let title?, _): (id, title)
      case .deleteRoutine(let id): (id, nil)
      default: nil
      }
    }
  }

  /// The newest thing of that name, of those that `naming` tells of: without a name it is gone.
  private func newest<Tag>(
    named name: String, _ naming: (Action) -> (id: Identifier<Tag>, name: String?)?
  ) -> Identifier<Tag>? {
    var known: Set<Identifier<Tag>> = []
    for action in reversed() {
      guard let named = naming(action), known.insert(named.id).inserted else { continue }
      if let other = named.name, [UInt8](other.utf8) == [UInt8](name.utf8) {
        return named.id
      }
    }
    return nil
  }
}
