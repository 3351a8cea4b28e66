extension Question {
  /// The first field that lies outside of `QueryLimits` and its kind, by its name on the wire; nil:
  /// the question may be asked. The authority takes one that may not for a broken frame and ends
  /// the connection, so a client looks first.
  public var fieldOutOfBounds: String? {
    switch self {
    case .history(let question):
      QueryLimits.historyEntries.contains(question.limit) ? nil : "limit"
    case .exercises(let question): question.fieldOutOfBounds
    case .records(let question): question.fieldOutOfBounds
    case .workouts(let question): question.fieldOutOfBounds
    case .attachment(let question): question.fieldOutOfBounds
    case .streakTrace(let question): question.fieldOutOfBounds
    case .previewDeletion, .previewLogDeletion, .unknown: nil
    }
  }
}

extension ExercisesQuestion {
  fileprivate var fieldOutOfBounds: String? {
    if !isSearchText(text) { return "text" }
    if after?.isWellFormed == false { return "after" }
    return QueryLimits.exerciseEntries.contains(limit) ? nil : "limit"
  }
}

extension RecordsQuestion {
  fileprivate var fieldOutOfBounds: String? {
    if after?.isWellFormed == false { return "after" }
    return QueryLimits.recordEntries.contains(limit) ? nil : "limit"
  }
}

extension WorkoutsQuestion {
  fileprivate var fieldOutOfBounds: String? {
    if !isSearchText(text) { return "text" }
    if after?.isWellFormed == false { return "after" }
    return QueryLimits.workoutEntries.contains(limit) ? nil : "limit"
  }
}

extension NamedKey {
  fileprivate var isWellFormed: Bool { name.isEmpty || isTypedName(name) }
}

private func isSearchText(_ text: String) -> Bool {
  text.isEmpty || isTypedName(text, bytesMax: QueryLimits.searchBytesMax)
}

extension AttachmentQuestion {
  fileprivate var fieldOutOfBounds: String? {
    if offset < 0 { return "offset" }
    return AttachmentLimits.rangeBytes.contains(length) ? nil : "length"
  }
}

extension StreakTraceQuestion {
  fileprivate var fieldOutOfBounds: String? {
    if policy?.isValid == false { return "policy" }
    switch span {
    case .from(let day, let days):
      if !ActionLimits.days.contains(day) { return "first_day" }
      return QueryLimits.traceDays.contains(days) ? nil : "count"
    case .last(let days): return QueryLimits.traceDays.contains(days) ? nil : "last_days"
    case .month(let day): return ActionLimits.days.contains(day) ? nil : "month_of_day"
    }
  }
}
