internal import WatchTransfer

/// The summary of the session that ended last.
struct LastSessionProjection {
  let state: AccountState

  /// What the person reads weights in.
  private var unit: WeightUnit { WeightUnit(state.settings.units.value) }

  /// The facet; nil when there is none, it was dismissed, or another session was started since.
  var facet: LastSessionFacet? {
    guard let session = state.sessions.lastEnded, !session.isDismissed,
      let log = state.log(session.id.retagged()), let end = session.clock.endedAt
    else { return nil }
    if let start = state.sessions.lastStart, state.sessions.lastStarted != session.id, start >= end
    {
      return nil
    }
    return summary(of: session, log, endedAt: end)
  }

  /// The figures are those of its log, which the person may have amended (DESIGN section 6,
  /// rule 8).
  private func summary(
    of session: WorkoutSession, _ log: WorkoutLog, endedAt end: Instant
  ) -> LastSessionFacet {
    var facet = LastSessionFacet(
      session: session.id, title: shownTitle(of: log), activityType: log.activityType,
      startedAt: log.start, endedAt: log.end)
    facet.spanMilliseconds = log.end.milliseconds(since: log.start)
    if let active = log.activeMilliseconds {
      facet.activeMilliseconds = active
      facet.pausedMilliseconds = max(0, facet.spanMilliseconds - active)
    }
    facet.energyKilocalories = log.energyKilocalories
    facet.averageHeartRate = log.averageHeartRate
    facet.maximumHeartRate = log.maximumHeartRate
    facet.setCount = session.sets.count { $0.works }
    facet.volumeKilograms = session.volumeKilograms
    facet.exercises = exercises(of: session)
    facet.records = records(of: session, endedAt: end)
    let shown = facet.activeMilliseconds ?? facet.spanMilliseconds
    let minutes = shown / 60_000
    var parts = [facet.title, "\(minutes) min"]
    var spoken = [facet.title, counted(Int(minutes), "minute")]
    if facet.setCount > 0 {
      parts.append(counted(facet.setCount, "set"))
      spoken.append(counted(facet.setCount, "set"))
    }
    if facet.volumeKilograms > 0 {
      parts.append(load(facet.volumeKilograms, decimals: false))
      spoken.append("\(load(facet.volumeKilograms, decimals: false)) in all")
    }
    facet.text = parts.joined(separator: " · ")
    facet.spoken = spoken.joined(separator: ", ")
    return facet
  }

  private func exercises(of session: WorkoutSession) -> [LastSessionFacet.Exercise] {
    session.exercises.prefix(ActionLimits.routineEntriesMax).enumerated().map { index, planned in
      let sets = session.workingSets(at: index)
      let target = planned.sets.count
      var text = target > 0 ? "\(sets.count)/\(target)" : counted(sets.count, "set")
      let best = sets.max {
        ($0.weight.value?.kilograms ?? 0, $0.reps.value)
          < ($1.weight.value?.kilograms ?? 0, $1.reps.value)
      }
      if let best {
        text += " · best "
        text += setText(reps: best.reps.value, weight: best.weight.value, in: unit)
      }
      return LastSessionFacet.Exercise(
        name: shownName(planned.exercise.name), targetSets: target, doneSets: sets.count,
        text: text)
    }
  }

  /// What was better than in all the history before: an exercise done for the first time makes no
  /// record.
  private func records(of session: WorkoutSession, endedAt end: Instant) -> [String] {
    var names: [(id: ExerciseID, name: String)] = []
    for planned in session.exercises where !names.contains(where: { $0.id == planned.exercise.id })
    {
      names.append((planned.exercise.id, shownName(planned.exercise.name)))
    }
    let ids = Set(names.map(\.id))
    let now = state.strengthBests(of: ids) { $0.id == session.id }
    let before = state.strengthBests(of: ids) { other in
      guard other.id != session.id, let otherEnd = other.clock.endedAt else { return false }
      return otherEnd == end ? other.id < session.id : otherEnd < end
    }
    var records: [String] = []
    for (id, name) in names {
      guard let best = now[id], let known = before[id] else { continue }
      if let weight = best.weight, let old = known.weight, old.isLess(than: weight) {
        records.append("\(name): \(weight.text(in: unit)), heaviest so far")
      }
      if let maximum = best.estimatedMaximum, let old = known.estimatedMaximum, maximum > old {
        records.append("\(name): \(load(maximum, decimals: true)) for one by estimate, best so far")
      }
    }
    return Array(records.prefix(AuthorityLimits.recordsShown))
  }

  /// A load in the person's units: `3240 kg`, `116.7 kg`.
  private func load(_ kilograms: Double, decimals: Bool) -> String {
    let value = unit.amount(ofKilograms: kilograms)
    return "\(decimals ? figure(value) : wholeFigure(value)) \(unit.word)"
  }
}
