internal import WatchTransfer

extension AccountState {
  /// Definitions of workouts.
  mutating func applyToWorkouts(_ event: Event) {
    switch event {
    case .workoutDefined(let id, let title, let exercises, let by):
      editWorkout(id) { workout in
        workout.isStub = false
        workout.edit(title: title, exercises: exercises, by: by.stamp)
      }
      titleChanged(of: id, at: by.at)
    case .workoutEdited(let id, let title, let exercises, let by):
      editWorkout(id) { $0.edit(title: title, exercises: exercises, by: by.stamp) }
      if title != nil { titleChanged(of: id, at: by.at) }
    case .workoutDeleted(let id, let by):
      let position = workoutPosition(id)
      if position < workouts.count, workouts[position].id == id { workouts.remove(at: position) }
      things[id.retagged()] = .gone(.workout)
      for schedule in schedules.removeUnserved(of: id, from: by.at) {
        things[schedule.id.retagged()] = .gone(.schedule)
      }
    case .workoutStubOpened(let id, _):
      editWorkout(id) { _ in }
    default:
      break
    }
  }

  /// Changes a workout, which is made if its id names nothing.
  private mutating func editWorkout(_ id: WorkoutID, _ change: (inout Workout) -> Void) {
    switch thing(id) {
    case nil:
      workouts.insert(Workout(stub: id), at: workoutPosition(id))
      things[id.retagged()] = .workout
    case .workout: break
    default: return
    }
    let position = workoutPosition(id)
    if position < workouts.count, workouts[position].id == id { change(&workouts[position]) }
  }

  /// Carries a title to what waited for it, and to what is planned from `moment` on. What was done
  /// keeps the title it was done under.
  private mutating func titleChanged(of id: WorkoutID, at moment: Instant) {
    guard let title = workout(id)?.title, !title.isEmpty else { return }
    schedules.retitle(id, to: title, from: moment)
    weeklies.changeAll { $0.retitle(id, to: title) }
    let photos = attachments
    let merged = logs.title(pendingMarksOf: id, title) { photos.photo(of: $0) != nil }
    for log in merged {
      things[log.id.retagged()] = .gone(.log)
      free(log)
    }
  }
}
