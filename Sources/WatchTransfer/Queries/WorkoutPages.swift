/// Workouts that the person defined, whether or not they are planned.
public struct WorkoutsQuestion: Hashable, Sendable {
  /// Words that a title holds, ASCII case folded; empty: every workout. At most
  /// `QueryLimits.searchBytesMax` bytes.
  public var text: String
  /// Behind this one; nil: from the first on.
  public var after: WorkoutKey?
  /// Entries of the page, within `QueryLimits.workoutEntries`.
  public var limit: Int

  /// Some workouts behind one of them.
  public init(
    text: String = "", after: WorkoutKey? = nil,
    limit: Int = QueryLimits.workoutEntries.upperBound
  ) {
    self.text = text
    self.after = after
    self.limit = limit
  }
}

/// One workout that the person defined.
public struct WorkoutEntry: Hashable, Sendable {
  public var key: WorkoutKey
  /// By their names, in order; at most `ActionLimits.exercisesMax`.
  public var exercises: [String]
  /// Ready to show: `Legs, 3 exercises`.
  public var text: String

  /// An entry.
  public init(key: WorkoutKey, exercises: [String], text: String) {
    self.key = key
    self.exercises = exercises
    self.text = text
  }
}
