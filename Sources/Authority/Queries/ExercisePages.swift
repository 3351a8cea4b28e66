internal import WatchTransfer

/// Pages of the exercise library: the starter set and what the account added. They are cut by where
/// an exercise stands, as those of the history.
struct ExercisePages {
  let state: AccountState

  /// The page that a question asks for.
  func page(_ question: ExercisesQuestion) -> Page.Answer {
    let own = state.exercises.all.filter { !$0.isStub }.map(\.exercise)
    let found = ExerciseLibrary.search(
      question.text, equipment: question.equipment, in: ExerciseLibrary.starter + own)
    let page = NamedPage(
      found.map { ExerciseKey(name: $0.name, id: $0.id) }, in: ExerciseSearch(question.text),
      after: question.after, limit: question.limit, within: QueryLimits.exerciseEntries)
    return .exercises(found[page.range].map(entry), next: page.next)
  }

  private func entry(_ exercise: Exercise) -> ExerciseEntry {
    ExerciseEntry(
      key: ExerciseKey(name: exercise.name, id: exercise.id), equipment: exercise.equipment,
      isOwn: !ExerciseLibrary.isReserved(exercise.id),
      text: "\(shownName(exercise.name)), \(exercise.equipment.word)")
  }
}

/// A page of what is listed by the names of exercises.
struct NamedPage {
  /// Which of the keys are on it.
  let range: Range<Int>
  /// What the next page comes after; nil: there is none.
  let next: ExerciseKey?

  /// The page behind a key; `keys` stand in the order of the search.
  init(
    _ keys: [ExerciseKey], in search: ExerciseSearch, after: ExerciseKey?, limit: Int,
    within limits: ClosedRange<Int>
  ) {
    var start = 0
    if let after {
      let place = search.place(of: after)
      start = keys.partitionIndex { !(place < search.place(of: $0)) }
    }
    let limit = min(max(limit, limits.lowerBound), limits.upperBound)
    let end = min(keys.count, start + limit)
    range = start..<end
    next = end < keys.count ? keys[end - 1] : nil
  }
}
