internal import WatchTransfer

/// Pages of the workouts that the account defined; no facet lists those that are not planned. They
/// are cut by where a workout stands, as those of the history.
struct WorkoutPages {
  let state: AccountState

  /// The page that a question asks for.
  func page(_ question: WorkoutsQuestion) -> Page.Answer {
    let search = NameSearch(question.text)
    let found = state.workouts.filter { search.finds($0.title) }
      .map { workout in
        let key = WorkoutKey(name: workout.title, id: workout.id)
        return (workout: workout, key: key, place: search.place(of: key))
      }
      .sorted { $0.place < $1.place }
    let page = NamedPage(
      found.map(\.key), in: search, after: question.after, limit: question.limit,
      within: QueryLimits.workoutEntries)
    let entries = found[page.range].map { workout, key, _ in
      WorkoutEntry(
        key: key, exercises: workout.exercises,
        text: "\(shownTitle(of: workout)), \(counted(workout.exercises.count, "exercise"))")
    }
    return .workouts(entries, next: page.next)
  }
}

/// What a workout is called; what came back of a restore before its definition has no title.
func shownTitle(of workout: Workout) -> String {
  workout.title.isEmpty ? "without a title" : workout.title
}
