public import WatchTransfer

/// A workout a person defined.
public struct Workout: Sendable, Equatable {
  public let id: WorkoutID
  /// Empty in a stub that nobody has titled.
  public var title: String
  /// nil: never set, in a stub.
  public var titleStamp: FieldStamp?
  public var exercises: [String]
  /// nil: never set, in a stub.
  public var exercisesStamp: FieldStamp?
  /// Named by an action offered again before its definition came back (DESIGN section 4).
  public var isStub: Bool

  /// A workout that nobody has described yet.
  public init(stub id: WorkoutID) {
    self.id = id
    title = ""
    exercises = []
    isStub = true
  }

  /// Takes each field that is given unless the one it has is later.
  mutating func edit(
    title newTitle: String?, exercises newExercises: [String]?, by stamp: FieldStamp
  ) {
    if let newTitle, titleStamp?.yields(to: stamp) ?? true {
      title = newTitle
      titleStamp = stamp
    }
    if let newExercises, exercisesStamp?.yields(to: stamp) ?? true {
      exercises = newExercises
      exercisesStamp = stamp
    }
  }
}
