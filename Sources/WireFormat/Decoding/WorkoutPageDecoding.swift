import CProtobufC
import CWireProto
import WatchTransfer

/// The question about workouts, and its page.
extension MessageDecoder {
  /// A question about workouts.
  func workoutsQuestion(
    _ question: Wristwire__V1__WorkoutsQuestion
  ) throws(WireError) -> WorkoutsQuestion {
    var value = WorkoutsQuestion(
      text: try Check.searchText(question.has_text, question.text, "text"),
      after: try optionalWorkoutKey(question.after))
    if question.has_limit != 0 {
      value.limit = try Check.within(QueryLimits.workoutEntries, 1, Int(question.limit), "limit")
    }
    return value
  }

  /// Workouts that the person defined.
  func workoutsPage(_ page: Wristwire__V1__WorkoutsPage) throws(WireError) -> Page.Answer {
    guard page.n_entries <= QueryLimits.workoutEntries.upperBound else {
      throw Check.invalid("entries")
    }
    var entries: [WorkoutEntry] = []
    for pointer in UnsafeBufferPointer(start: page.entries, count: page.n_entries) {
      entries.append(try workoutEntry(try Check.message(pointer, "entries")))
    }
    return .workouts(entries, next: try optionalWorkoutKey(page.next))
  }

  private func workoutEntry(
    _ entry: Wristwire__V1__WorkoutEntry
  ) throws(WireError) -> WorkoutEntry {
    guard let key = try optionalWorkoutKey(entry.key) else { throw Check.invalid("key") }
    guard entry.n_exercises <= ActionLimits.exercisesMax else { throw Check.invalid("exercises") }
    var exercises: [String] = []
    for name in UnsafeBufferPointer(start: entry.exercises, count: entry.n_exercises) {
      exercises.append(try Check.name(1, name, "exercises"))
    }
    return WorkoutEntry(
      key: key, exercises: exercises, text: try Check.text(entry.has_text, entry.text, "text"))
  }

  private func optionalWorkoutKey(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__WorkoutKey>?
  ) throws(WireError) -> WorkoutKey? {
    guard let key = pointer?.pointee else { return nil }
    return WorkoutKey(
      name: try Check.maybeEmptyName(key.has_title, key.title, "title"),
      id: try Check.id(key.has_workout_id, key.workout_id, "workout_id"))
  }
}
