internal import WatchTransfer

/// Personal records as the history stands, computed anew each time: what was corrected holds up no
/// record any more.
struct RecordPages {
  /// The best of one exercise so far, with the sessions that hold it.
  fileprivate struct Holding {
    var best = StrengthBest()
    /// What the newest session calls it.
    var name: String
    var heaviest: ExerciseRecord.Heaviest?
    var maximum: ExerciseRecord.EstimatedMaximum?
  }

  let state: AccountState

  /// What the person reads weights in.
  private var unit: WeightUnit { WeightUnit(state.settings.units.value) }

  /// The page that a question asks for.
  func page(_ question: RecordsQuestion) -> Page.Answer {
    let holdings = holdings(of: question.exercise)
    if let id = question.exercise, holdings[id] == nil, state.exercise(id) == nil {
      if case .gone(.exercise) = state.thing(id) { return .refused(.gone) }
      return .refused(.notFound)
    }
    let search = NameSearch("")
    var records: [ExerciseRecord] = []
    for (id, holding) in holdings {
      if let record = record(id, holding) { records.append(record) }
    }
    // Out of a dictionary, whose order is nobody's.
    records.sort { search.place(of: $0.key) < search.place(of: $1.key) }
    let page = NamedPage(
      records.map(\.key), in: search, after: question.after, limit: question.limit,
      within: QueryLimits.recordEntries)
    return .records(Array(records[page.range]), next: page.next)
  }

  private func holdings(of wanted: ExerciseID?) -> [ExerciseID: Holding] {
    var holdings: [ExerciseID: Holding] = [:]
    // In order of their ends: a record is the first session's that held it.
    var history: [(session: WorkoutSession, end: Instant)] = []
    for session in state.sessions.all {
      if let end = session.clock.endedAt { history.append((session, end)) }
    }
    history.sort { left, right in
      left.end == right.end ? left.session.id < right.session.id : left.end < right.end
    }
    for (session, _) in history {
      guard session.isEnded, let day = state.logDay(of: session.id.retagged()) else { continue }
      let planned = session.exercises
      for set in session.sets where planned.indices.contains(set.position) {
        let exercise = planned[set.position].exercise
        guard wanted == nil || wanted == exercise.id else { continue }
        var holding = holdings[exercise.id] ?? Holding(name: exercise.name)
        holding.name = exercise.name
        holding.take(set, on: day, of: session.id.retagged())
        holdings[exercise.id] = holding
      }
    }
    return holdings
  }

  private func record(_ id: ExerciseID, _ holding: Holding) -> ExerciseRecord? {
    guard let heaviest = holding.heaviest else { return nil }
    let name = state.exercise(id)?.name ?? holding.name
    let load = setText(reps: heaviest.reps, weight: heaviest.weight, in: unit)
    var text = "\(load), \(dayText(heaviest.day))"
    let set = spokenSet(reps: heaviest.reps, weight: heaviest.weight, in: unit)
    var spoken = "\(shownName(name)), \(set) on \(dayText(heaviest.day))"
    if let maximum = holding.maximum {
      let amount = "\(figure(unit.amount(ofKilograms: maximum.kilograms))) \(unit.word)"
      text += "; e1RM \(amount)"
      spoken += ", \(amount) for one by estimate"
    }
    return ExerciseRecord(
      key: ExerciseKey(name: name, id: id), heaviest: heaviest, estimatedMaximum: holding.maximum,
      text: text, spoken: spoken)
  }
}

extension RecordPages.Holding {
  /// Takes a set in, with the log it belongs to.
  fileprivate mutating func take(_ set: SessionSet, on day: CivilDay, of log: LogID) {
    let before = best
    best.take(set)
    if let weight = best.weight, weight != before.weight {
      heaviest = ExerciseRecord.Heaviest(
        weight: weight, reps: set.reps.value, day: day, log: log)
    }
    if let maximum = best.estimatedMaximum, maximum != before.estimatedMaximum {
      self.maximum = ExerciseRecord.EstimatedMaximum(kilograms: maximum, day: day, log: log)
    }
  }
}
