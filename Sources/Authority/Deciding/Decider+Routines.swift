internal import WatchTransfer

extension Decider {
  /// The events of actions on exercises, routines and sessions.
  func strengthEvents(of action: Action) throws(Rejection) -> [Event] {
    switch action {
    case .defineExercise(let exercise): try defineExercise(exercise)
    case .editExercise(let id, let name, let equipment):
      try editExercise(id, name: name, equipment: equipment)
    case .deleteExercise(let id): try deleteExercise(id)
    case .defineRoutine(let id, let title, let entries):
      try defineRoutine(id, title: title, entries: entries)
    case .editRoutine(let id, let title, let entries):
      try editRoutine(id, title: title, entries: entries)
    case .deleteRoutine(let id): try deleteRoutine(id)
    case .startSession(let id, let plan): try startSession(id, plan)
    case .controlSession(let id, let control): try controlSession(id, control)
    case .takeOverSession(let id): try takeOverSession(id)
    case .restSession(let id, let seconds): try restSession(id, seconds: seconds)
    case .dismissSummary(let id): try dismissSummary(id)
    default: try setEvents(of: action)
    }
  }

  private func defineExercise(_ exercise: Exercise) throws(Rejection) -> [Event] {
    try requireName(exercise.name, field: "name")
    let defined = Event.exerciseDefined(exercise, by: by)
    if let stub = state.exercises[exercise.id], stub.isStub { return [defined] }
    try requireFree(exercise.id, for: .exercise)
    try requireRoom(state.exercises.all.count, AuthorityLimits.exercisesMax, of: "exercises")
    return [defined]
  }

  /// Edits the fields that no later edit has set. Starters are everybody's: they stay as they are.
  private func editExercise(
    _ id: ExerciseID, name: String?, equipment: Equipment?
  ) throws(Rejection) -> [Event] {
    if let name { try requireName(name, field: "name") }
    guard let exercise = try existing(id) else {
      try requireRoom(state.exercises.all.count, AuthorityLimits.exercisesMax, of: "exercises")
      return [.exerciseEdited(id: id, name: name, equipment: equipment, by: by)]
    }
    if name == nil, equipment == nil { return [] }
    let newName = exercise.name.yields(to: by.stamp) ? name : nil
    let newEquipment = exercise.equipment.yields(to: by.stamp) ? equipment : nil
    try requireWinner(newName != nil || newEquipment != nil)
    return [.exerciseEdited(id: id, name: newName, equipment: newEquipment, by: by)]
  }

  /// Deletes an exercise of the account's own; routines and history keep its name.
  private func deleteExercise(_ id: ExerciseID) throws(Rejection) -> [Event] {
    if try existing(id) == nil {
      try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    }
    return [.exerciseDeleted(id: id, by: by)]
  }

  private func defineRoutine(
    _ id: RoutineID, title: String, entries: [RoutineEntry]
  ) throws(Rejection) -> [Event] {
    let planned = try planned(title: title, entries: entries) ?? []
    let defined = Event.routineDefined(id: id, title: title, entries: planned, by: by)
    let stub = state.routines[id].flatMap { $0.isStub ? $0 : nil }
    if stub == nil {
      try requireFree(id, for: .routine)
      try requireRoom(state.routines.all.count, AuthorityLimits.routinesMax, of: "routines")
    }
    try requireRoutineRoom(id, title: title, entries: planned)
    return [defined]
  }

  /// Edits the fields that no later edit has set; refused when there is none left.
  private func editRoutine(
    _ id: RoutineID, title: String?, entries: [RoutineEntry]?
  ) throws(Rejection) -> [Event] {
    let planned = try planned(title: title, entries: entries)
    guard let routine = try existing(id) else {
      try requireRoom(state.routines.all.count, AuthorityLimits.routinesMax, of: "routines")
      try requireRoutineRoom(id, title: title ?? "", entries: planned ?? [])
      return [.routineEdited(id: id, title: title, entries: planned, by: by)]
    }
    if title == nil, planned == nil { return [] }
    let newTitle = routine.title.yields(to: by.stamp) ? title : nil
    let newEntries = routine.entries.yields(to: by.stamp) ? planned : nil
    try requireWinner(newTitle != nil || newEntries != nil)
    try requireRoutineRoom(
      id, title: newTitle ?? routine.title.value, entries: newEntries ?? routine.entries.value)
    return [.routineEdited(id: id, title: newTitle, entries: newEntries, by: by)]
  }

  /// Deletes a routine; sessions that were started with it stay as they are.
  private func deleteRoutine(_ id: RoutineID) throws(Rejection) -> [Event] {
    if try existing(id) == nil {
      try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    }
    return [.routineDeleted(id: id, by: by)]
  }

  /// The exercise of the account's own that `id` names; nil: to be a stub, because the action is
  /// offered again and the definition has not come back.
  private func existing(_ id: ExerciseID) throws(Rejection) -> CustomExercise? {
    if ExerciseLibrary.isReserved(id) { throw .refused(.invalid(field: "id")) }
    if let exercise = state.exercises[id] { return exercise }
    switch state.thing(id) {
    case .gone(.exercise): throw .refused(.gone)
    case nil where context.isReoffered: return nil
    default: throw .refused(.notFound)
    }
  }

  /// See `existing(_:)` of an exercise.
  private func existing(_ id: RoutineID) throws(Rejection) -> Routine? {
    if let routine = state.routines[id] { return routine }
    switch state.thing(id) {
    case .gone(.routine): throw .refused(.gone)
    case nil where context.isReoffered: return nil
    default: throw .refused(.notFound)
    }
  }

  /// A routine's places with the names of their exercises. All that is wrong is listed in one
  /// refusal: see `routineProblems`. Offered again, an exercise may be missing.
  private func planned(
    title: String?, entries: [RoutineEntry]?
  ) throws(Rejection) -> [PlannedExercise]? {
    let problems = routineProblems(title: title, entries: entries) { id in
      state.exercise(id) != nil || context.isReoffered
    }
    guard problems.isEmpty else { throw .refused(.invalid(field: detail(of: problems))) }
    return entries?.map { entry in
      let unknown = Exercise(id: entry.exercise, name: "", equipment: .other)
      return PlannedExercise(state.exercise(entry.exercise) ?? unknown, sets: entry.sets)
    }
  }

  private func requireRoutineRoom(
    _ id: RoutineID, title: String, entries: [PlannedExercise]
  ) throws(Rejection) {
    var bytes = RoutineSize.bytes(title: title, entries: entries)
    for routine in state.routines.all where routine.id != id {
      bytes += RoutineSize.bytes(title: routine.title.value, entries: routine.entries.value)
    }
    try requireRoom(bytes - 1, AuthorityLimits.routineBytesMax, of: "routines")
  }
}

/// How many bytes a routine takes in the facet `routines` at most, by the lengths of its fields in
/// proto/wristwire/v1/facets.proto.
enum RoutineSize {
  /// Of one routine.
  static func bytes(title: String, entries: [PlannedExercise]) -> Int {
    entries.reduce(80 + title.utf8.count) { sum, entry in
      sum + 32 + max(8, entry.exercise.name.utf8.count)
        + SetGroup.groups(of: entry.sets).count * 40
    }
  }
}
