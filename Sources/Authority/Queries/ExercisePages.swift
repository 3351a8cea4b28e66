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
      found.map { ExerciseKey(name: $0.name, id: $0.id) }, in: NameSearch(question.text),
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
