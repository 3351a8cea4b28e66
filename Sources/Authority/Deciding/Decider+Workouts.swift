internal import WatchTransfer

extension Decider {
  /// Defines a workout; fills the stub of one that an action offered again has named.
  func defineWorkout(
    _ id: WorkoutID, title: String, exercises: [String]
  ) throws(Rejection) -> [Event] {
    try requireName(title, field: "title")
    try requireExercises(exercises)
    let defined = Event.workoutDefined(id: id, title: title, exercises: exercises, by: by)
    if let stub = state.workout(id), stub.isStub {
      let keepsTitle = !(stub.titleStamp?.yields(to: by.stamp) ?? true)
      return [defined] + servicesOfPendingMarks(of: id, title: keepsTitle ? stub.title : title)
    }
    try requireFree(id, for: .workout)
    try requireRoom(state.workouts.count, AuthorityLimits.workoutsMax, of: "workouts")
    return [defined] + servicesOfPendingMarks(of: id, title: title)
  }

  /// Edits the fields that no later edit has set; refused when there is none left.
  func editWorkout(
    _ id: WorkoutID, title: String?, exercises: [String]?
  ) throws(Rejection) -> [Event] {
    if let title { try requireName(title, field: "title") }
    if let exercises { try requireExercises(exercises) }
    guard let workout = try existing(id) else {
      try requireRoom(state.workouts.count, AuthorityLimits.workoutsMax, of: "workouts")
      return [
        .workoutStubOpened(id: id, by: by),
        .workoutEdited(id: id, title: title, exercises: exercises, by: by),
      ]
    }
    if title == nil, exercises == nil { return [] }
    let newTitle = wins(over: workout.titleStamp) ? title : nil
    let newExercises = wins(over: workout.exercisesStamp) ? exercises : nil
    try requireWinner(newTitle != nil || newExercises != nil)
    return [.workoutEdited(id: id, title: newTitle, exercises: newExercises, by: by)]
  }

  /// Deletes a workout, and what is still planned of it from then on; what was done stays.
  func deleteWorkout(_ id: WorkoutID) throws(Rejection) -> [Event] {
    _ = try existing(id)
    return [.workoutDeleted(id: id, by: by)] + endsOfWeeklies(of: id)
  }

  /// The workout that `id` names; refused unless there is one. nil: to be a stub, because the
  /// action is offered again and the definition has not come back.
  func existing(_ id: WorkoutID) throws(Rejection) -> Workout? {
    if let workout = state.workout(id) { return workout }
    switch state.thing(id) {
    case .gone(.workout): throw .refused(.gone)
    case nil where context.isReoffered:
      // Nobody has shown that it ever was: claims take no more room than there is.
      try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
      return nil
    default: throw .refused(.notFound)
    }
  }

  /// What the marks that waited for `title` did, now that it is known: of 200 of them, so that a
  /// decision stays under 256 events.
  private func servicesOfPendingMarks(of id: WorkoutID, title: String) -> [Event] {
    var events: [Event] = []
    for waiting in state.logs.pending.filter({ $0.workout == id }).prefix(200) {
      guard var log = state.log(waiting.log) else { continue }
      log.title = title
      let place = place(of: log)
      let planned = schedules(on: log.day, in: place, around: log.end).map { schedule in
        var schedule = schedule
        if schedule.workout == id { schedule.title = title }
        return schedule
      }
      events += served(ScheduleMatching.services(schedules: planned, logs: [log]))
    }
    return events
  }

  private func requireExercises(_ exercises: [String]) throws(Rejection) {
    guard exercises.count <= ActionLimits.exercisesMax else {
      throw .refused(.invalid(field: "exercises"))
    }
    for exercise in exercises { try requireName(exercise, field: "exercises") }
  }
}
