internal import WatchTransfer

/// The running session as surfaces see it.
struct SessionProjection {
  let state: AccountState
  let session: WorkoutSession

  /// What the person reads weights in.
  private var unit: WeightUnit { WeightUnit(state.settings.units.value) }

  /// The facet.
  var facet: SessionFacet {
    let clock = session.clock
    var facet = SessionFacet(
      session: session.id, title: sessionTitle(session),
      activityType: session.start?.activityType ?? "", phase: clock.phase,
      startedAt: session.startedAt, activeMilliseconds: clock.activeMilliseconds,
      runningSince: clock.runningSince, recorder: clock.recorder)
    let exercises = Array(session.exercises.prefix(ActionLimits.routineEntriesMax))
    facet.exercises = exercises.enumerated().map { index, planned in
      SessionFacet.Exercise(
        name: shownName(planned.exercise.name), equipment: planned.exercise.equipment,
        targetSets: planned.sets.count, doneSets: session.workingSets(at: index).count)
    }
    let position = session.position
    facet.position = position
    let planned = exercises.indices.contains(position) ? exercises[position] : nil
    facet.sets = session.sets(at: position).suffix(AuthorityLimits.setsShown).map(shownSet)
    if let planned, let last = state.lastTime(planned.exercise.id, before: session) {
      facet.lastTime = last.sets.suffix(AuthorityLimits.setsShown).map(shownSet)
      facet.lastTimeAt = last.at
    }
    let next = next(at: position, planned, lastTime: facet.lastTime)
    facet.reps = next.reps
    facet.weight = next.weight
    if let rest = session.currentRest {
      facet.rest = SessionFacet.Rest(
        since: rest.since,
        overAt: rest.since.advanced(milliseconds: Int64(rest.seconds) * 1_000))
    }
    let words = progress(planned, facet)
    facet.progress = words.shown
    facet.spoken = words.spoken
    return facet
  }

  /// What to do next at a place: what the person chose since the last set there, else what is
  /// planned, else the last set there, else the last time's.
  private func next(
    at position: Int, _ planned: PlannedExercise?, lastTime: [SessionFacet.Set]
  ) -> (reps: Int?, weight: Weight?) {
    let sets = session.sets(at: position)
    let working = sets.filter(\.works)
    let done = sets.compactMap(\.completion).max()
    func isChosen(_ stamp: FieldStamp?) -> Bool {
      guard let stamp else { return false }
      return done.map { $0.yields(to: stamp) } ?? true
    }
    let targets = planned?.sets ?? []
    let target = targets.indices.contains(working.count) ? targets[working.count] : targets.last
    let before = lastTime.indices.contains(working.count) ? lastTime[working.count] : lastTime.last
    var reps = target?.reps ?? working.last?.reps.value ?? before?.reps
    var weight = target?.weight ?? working.last?.weight.value ?? before?.weight
    if let draft = session.drafts.first(where: { $0.position == position }) {
      if isChosen(draft.reps.stamp), let chosen = draft.reps.value { reps = chosen }
      if isChosen(draft.weight.stamp), let chosen = draft.weight.value { weight = chosen }
    }
    return (reps, weight)
  }

  private func progress(
    _ planned: PlannedExercise?, _ facet: SessionFacet
  ) -> (shown: String, spoken: String) {
    var parts: [String]
    var spoken: [String]
    let done = session.workingSets(at: facet.position).count
    let target = planned?.sets.count ?? 0
    if planned == nil, facet.exercises.isEmpty, session.sets.isEmpty {
      parts = [facet.title]
      spoken = parts
    } else {
      let name =
        planned.map { shownName($0.exercise.name) } ?? "Exercise \(facet.position + 1)"
      let isDone = target > 0 && done >= target
      let count = isDone ? "\(done) of \(target) done" : "set \(done + 1)"
      parts = [name, target == 0 || isDone ? count : "\(count) of \(target)"]
      spoken = parts
      if !isDone, let reps = facet.reps {
        parts.append(setText(reps: reps, weight: facet.weight, in: unit))
        spoken.append(spokenSet(reps: reps, weight: facet.weight, in: unit))
      }
    }
    if facet.phase == .paused {
      parts.append("paused")
      spoken.append("paused")
    }
    return (parts.joined(separator: " · "), spoken.joined(separator: ", "))
  }

  private func shownSet(_ set: SessionSet) -> SessionFacet.Set {
    SessionFacet.Set(
      id: set.id, reps: set.reps.value, weight: set.weight.value, isWarmUp: set.isWarmUp,
      text: setText(reps: set.reps.value, weight: set.weight.value, in: unit)
        + (set.isWarmUp ? " warm-up" : ""))
  }
}

extension WorkoutSession {
  /// The sets of a place that are done and count towards its target: no warm-ups.
  func workingSets(at position: Int) -> [SessionSet] {
    sets.filter { $0.works && $0.position == position }
  }
}

/// A session's title, or a word for one that has none.
func sessionTitle(_ session: WorkoutSession) -> String {
  guard let start = session.start else { return "Workout" }
  if !start.title.isEmpty { return start.title }
  return start.activityType.isEmpty ? "Workout" : start.activityType
}

/// `5 × 82.25 kg`; without a weight `12 reps`.
func setText(reps: Int, weight: Weight?, in unit: WeightUnit) -> String {
  guard let weight else { return counted(reps, "rep") }
  return "\(reps) × \(weight.text(in: unit))\(weight.digits < 0 ? " assisted" : "")"
}

/// `5 reps at 82.25 kg`.
func spokenSet(reps: Int, weight: Weight?, in unit: WeightUnit) -> String {
  guard let weight else { return counted(reps, "rep") }
  let load = "\(weight.text(in: unit))\(weight.digits < 0 ? ", assisted" : "")"
  return "\(counted(reps, "rep")) at \(load)"
}
