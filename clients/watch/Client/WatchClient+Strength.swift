public import WatchTransfer

/// Typed wishes about exercises, routines and sessions, each one line over `submit`; ids are made
/// here, by the one who asks.
extension WatchClient {
  /// Adds an exercise to the library.
  public func defineExercise(
    _ name: String, _ equipment: Equipment
  ) async throws(OutboxError) -> (ExerciseID, IncarnationNumber) {
    let exercise = Exercise(id: fresh(), name: name, equipment: equipment)
    return (exercise.id, try await submit(.defineExercise(exercise)))
  }

  /// Changes an exercise of one's own; what is nil stays.
  public func editExercise(
    _ id: ExerciseID, name: String? = nil, equipment: Equipment? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editExercise(id: id, name: name, equipment: equipment))
  }

  /// Deletes an exercise of one's own; history keeps it.
  public func deleteExercise(_ id: ExerciseID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.deleteExercise(id: id))
  }

  /// Makes a routine.
  public func defineRoutine(
    _ title: String, _ entries: [RoutineEntry]
  ) async throws(OutboxError) -> (RoutineID, IncarnationNumber) {
    let id: RoutineID = fresh()
    return (id, try await submit(.defineRoutine(id: id, title: title, entries: entries)))
  }

  /// Changes a routine; what is nil stays.
  public func editRoutine(
    _ id: RoutineID, title: String? = nil, entries: [RoutineEntry]? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editRoutine(id: id, title: title, entries: entries))
  }

  /// Deletes a routine; history keeps it.
  public func deleteRoutine(_ id: RoutineID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.deleteRoutine(id: id))
  }

  /// Starts a session; its id is also that of its log.
  public func startSession(
    _ plan: SessionPlan
  ) async throws(OutboxError) -> (SessionID, IncarnationNumber) {
    let id: SessionID = fresh()
    return (id, try await submit(.startSession(id: id, plan: plan)))
  }

  /// Ticks a new set.
  public func completeSet(
    in session: SessionID, at position: Int, reps: Int, weight: Weight? = nil,
    isWarmUp: Bool = false
  ) async throws(OutboxError) -> (SetID, IncarnationNumber) {
    let set = PerformedSet(
      id: fresh(), position: position, reps: reps, weight: weight, isWarmUp: isWarmUp)
    return (set.id, try await submit(.completeSet(session: session, set: set)))
  }

  /// Ticks a set again that was unticked.
  public func completeAgain(
    _ set: PerformedSet, in session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.completeSet(session: session, set: set))
  }

  /// Corrects a set; what is nil stays.
  public func editSet(
    _ set: SetID, of session: SessionID, reps: Int? = nil, weight: Weight? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.editSet(session: session, set: set, reps: reps, weight: weight))
  }

  /// Unticks a set.
  public func uncompleteSet(
    _ set: SetID, of session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.uncompleteSet(session: session, set: set))
  }

  /// Changes what is shown of the set to do next; what is nil stays.
  public func adjustSet(
    at position: Int, of session: SessionID, reps: Int? = nil, weight: Weight? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(
      .adjustSet(session: session, position: position, reps: reps, weight: weight))
  }

  /// Shows the exercise at a place.
  public func selectExercise(
    at position: Int, of session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.selectExercise(session: session, position: position))
  }

  /// Starts a rest of so many seconds, or stops it (nil).
  public func rest(
    in session: SessionID, seconds: Int?
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.restSession(session: session, seconds: seconds))
  }

  /// Pauses, resumes, finishes or discards a session.
  public func controlSession(
    _ session: SessionID, _ control: SessionControl
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.controlSession(session: session, control: control))
  }

  /// Adds an exercise behind the others.
  public func addExercise(
    _ exercise: ExerciseID, to session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.addSessionExercise(session: session, exercise: exercise))
  }

  /// Puts a summary away.
  public func dismissSummary(
    of session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.dismissSummary(session: session))
  }

  /// Hands in what was measured; the caller counts its blocks within the session.
  public func recordSamples(
    _ block: SampleBlock, of session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.recordSamples(session: session, block: block))
  }

  /// Drives the session from here on.
  public func takeOverSession(
    _ session: SessionID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.takeOverSession(session: session))
  }
}
