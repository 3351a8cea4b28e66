import CProtobufC
import CWireProto
import WatchTransfer

/// The question about workouts, and its page.
extension MessageEncoder {
  /// A question about workouts.
  func workoutsQuestion(
    _ value: WorkoutsQuestion
  ) -> UnsafeMutablePointer<Wristwire__V1__WorkoutsQuestion> {
    let question = arena.make(wristwire__v1__workouts_question__init)
    if !value.text.isEmpty {
      put(arena.text(value.text), &question.pointee.has_text, &question.pointee.text)
    }
    question.pointee.after = value.after.map(workoutKey)
    put(UInt32(clamping: value.limit), &question.pointee.has_limit, &question.pointee.limit)
    return question
  }

  /// One workout.
  func workoutEntry(
    _ value: WorkoutEntry
  ) -> UnsafeMutablePointer<Wristwire__V1__WorkoutEntry> {
    let entry = arena.make(wristwire__v1__workout_entry__init)
    entry.pointee.key = workoutKey(value.key)
    entry.pointee.n_exercises = value.exercises.count
    entry.pointee.exercises = arena.list(value.exercises, arena.text)
    put(arena.text(value.text), &entry.pointee.has_text, &entry.pointee.text)
    return entry
  }

  /// Where a workout stands.
  func workoutKey(_ value: WorkoutKey) -> UnsafeMutablePointer<Wristwire__V1__WorkoutKey> {
    let key = arena.make(wristwire__v1__workout_key__init)
    put(arena.text(value.name), &key.pointee.has_title, &key.pointee.title)
    put(arena.id(value.id), &key.pointee.has_workout_id, &key.pointee.workout_id)
    return key
  }
}
