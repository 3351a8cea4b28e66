internal import WatchTransfer

extension Decider {
  /// The events of what is done within a session. Sets and samples are facts: they are put in at
  /// their time, also to a session whose start has not arrived or that has ended.
  func setEvents(of action: Action) throws(Rejection) -> [Event] {
    switch action {
    case .completeSet(let session, let set): try completeSet(session, set)
    case .editSet(let session, let set, let reps, let weight):
      try editSet(session, set, reps: reps, weight: weight)
    case .uncompleteSet(let session, let set): try uncompleteSet(session, set)
    case .adjustSet(let session, let position, let reps, let weight):
      try adjustSet(session, position, reps: reps, weight: weight)
    case .selectExercise(let session, let position): try selectExercise(session, position)
    case .addSessionExercise(let session, let exercise): try addExercise(exercise, to: session)
    case .recordSamples(let session, let block): try recordSamples(session, block)
    default: throw .refused(.unsupported)
    }
  }

  /// Ticks a set. Ticked again after it was unticked, it is the same set.
  private func completeSet(_ id: SessionID, _ set: PerformedSet) throws(Rejection) -> [Event] {
    try requirePosition(set.position)
    try requireReps(set.reps)
    let known = try existing(id)
    if known?.set(set.id) == nil {
      // The stub takes its id first.
      if set.id.retagged() == id { throw .refused(.taken) }
      try requireFree(set.id, for: .set)
      try requireSetRoom(in: known)
    }
    return try opening(id, known)
      + amending(id, [.setCompleted(session: id, set: set, by: by)])
  }

  /// Corrects a set, also of a session that has ended: records that rest on it go.
  private func editSet(
    _ id: SessionID, _ set: SetID, reps: Int?, weight: Weight?
  ) throws(Rejection) -> [Event] {
    if let reps { try requireReps(reps) }
    let session = try existing(id)
    guard let known = try existing(set, in: session, id) else {
      return try opening(id, session)
        + amending(id, [.setEdited(session: id, set: set, reps: reps, weight: weight, by: by)])
    }
    if reps == nil, weight == nil { return [] }
    let newReps = known.reps.yields(to: by.stamp) ? reps : nil
    let newWeight = known.weight.yields(to: by.stamp) ? weight : nil
    try requireWinner(newReps != nil || newWeight != nil)
    return amending(
      id, [.setEdited(session: id, set: set, reps: newReps, weight: newWeight, by: by)])
  }

  private func uncompleteSet(_ id: SessionID, _ set: SetID) throws(Rejection) -> [Event] {
    let session = try existing(id)
    let unticked = Event.setUncompleted(session: id, set: set, by: by)
    guard let known = try existing(set, in: session, id) else {
      return try opening(id, session) + amending(id, [unticked])
    }
    try requireWinner(known.isDone.yields(to: by.stamp))
    return known.isDone.value ? amending(id, [unticked]) : []
  }

  /// Changes what is shown of the set to do next.
  private func adjustSet(
    _ id: SessionID, _ position: Int, reps: Int?, weight: Weight?
  ) throws(Rejection) -> [Event] {
    try requirePosition(position)
    if let reps { try requireReps(reps) }
    let known = try existing(id)
    try requireOpen(known)
    if reps == nil, weight == nil { return [] }
    let draft = known?.drafts.first { $0.position == position }
    let newReps = draft?.reps.yields(to: by.stamp) ?? true ? reps : nil
    let newWeight = draft?.weight.yields(to: by.stamp) ?? true ? weight : nil
    try requireWinner(newReps != nil || newWeight != nil)
    return try opening(id, known)
      + [.setAdjusted(session: id, position: position, reps: newReps, weight: newWeight, by: by)]
  }

  /// Sets the exercise that is shown. What its recorder chose is a fact; another device's choice is
  /// a wish about now.
  private func selectExercise(_ id: SessionID, _ position: Int) throws(Rejection) -> [Event] {
    try requirePosition(position)
    let known = try existing(id)
    try requireOpen(known)
    if let known, !context.isReoffered, !known.clock.isFact(by: by.device, at: by.at) {
      try requireInTime()
      try requireWinner(known.selected.yields(to: by.stamp))
    }
    return try opening(id, known) + [.exerciseSelected(session: id, position: position, by: by)]
  }

  /// Adds an exercise behind the others.
  private func addExercise(_ id: ExerciseID, to session: SessionID) throws(Rejection) -> [Event] {
    let known = try existing(session)
    try requireOpen(known)
    guard let exercise = state.exercise(id) ?? unknown(id) else {
      if case .gone(.exercise) = state.thing(id) { throw .refused(.gone) }
      throw .refused(.notFound)
    }
    try requireRoom(known?.exercises.count ?? 0, ActionLimits.routineEntriesMax, of: "exercises")
    return try opening(session, known)
      + [.sessionExerciseAdded(session: session, exercise: exercise, by: by)]
  }

  /// Takes a numbered block of samples in; the same number again changes nothing. Its moments are
  /// by the device's clock, corrected like that of the act.
  private func recordSamples(_ id: SessionID, _ block: SampleBlock) throws(Rejection) -> [Event] {
    let count = block.heartRate.count + block.energy.count
    guard (1...ActionLimits.samplePointsMax).contains(count) else {
      throw .refused(.invalid(field: "heart_rate"))
    }
    // NaN is in no range.
    guard block.heartRate.allSatisfy({ ActionLimits.heartRate.contains($0.value) }) else {
      throw .refused(.invalid(field: "heart_rate"))
    }
    guard block.energy.allSatisfy({ (0..<ActionLimits.figureMax).contains($0.value) }) else {
      throw .refused(.invalid(field: "energy"))
    }
    let known = try existing(id)
    if let known {
      let isTwice = known.blocks.contains {
        $0.device == by.device && $0.block.number == block.number
      }
      if isTwice { return [] }
      if known.sealed != nil { throw .refused(.limit(of: "samples")) }
      try requireRoom(
        known.pointCount + count - 1, AuthorityLimits.samplePointsMax, of: "samples")
    }
    let shift = by.at.milliseconds(since: by.raw)
    let corrected = SampleBlock(
      number: block.number, heartRate: block.heartRate.map { $0.moved(by: shift) },
      energy: block.energy.map { $0.moved(by: shift) })
    return try opening(id, known)
      + amending(id, [.samplesRecorded(session: id, block: corrected, by: by)])
  }

  /// The set that `id` names within a session; nil: to be made, because the action is offered again
  /// and its completion has not come back.
  private func existing(
    _ id: SetID, in session: WorkoutSession?, _ sessionID: SessionID
  ) throws(Rejection) -> SessionSet? {
    if let set = session?.set(id) { return set }
    guard context.isReoffered, state.thing(id) == nil, id.retagged() != sessionID,
      !ExerciseLibrary.isReserved(id)
    else { throw .refused(.notFound) }
    try requireSetRoom(in: session)
    try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    return nil
  }

  /// An exercise that has not come back yet, for an action offered again.
  private func unknown(_ id: ExerciseID) -> Exercise? {
    context.isReoffered && state.thing(id) == nil
      ? Exercise(id: id, name: "", equipment: .other) : nil
  }

  /// Refuses one set more than a session, or all that are kept, may have. A session in which the
  /// person trains now always has room for some.
  private func requireSetRoom(in session: WorkoutSession?) throws(Rejection) {
    let count = session?.sets.count ?? 0
    try requireRoom(count, AuthorityLimits.setsMax, of: "sets")
    if session?.isEnded == true {
      try requireRoom(state.sessions.setCount, AuthorityLimits.setsKeptMax, of: "sets")
    }
  }

  private func requirePosition(_ position: Int) throws(Rejection) {
    guard (0..<ActionLimits.routineEntriesMax).contains(position) else {
      throw .refused(.invalid(field: "position"))
    }
  }

  private func requireReps(_ reps: Int) throws(Rejection) {
    guard ActionLimits.doneReps.contains(reps) else { throw .refused(.invalid(field: "reps")) }
  }
}

extension SamplePoint {
  fileprivate func moved(by milliseconds: Int64) -> SamplePoint {
    SamplePoint(at: at.advanced(milliseconds: milliseconds), value: value)
  }
}
