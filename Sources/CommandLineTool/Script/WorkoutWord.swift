public import WatchTransfer

/// What an emulated device is told about a workout that was defined before: by its id or title.
public enum WorkoutWord: Hashable, Sendable {
  case retitle(workout: String, as: String)
  /// All its exercises, in order.
  case exercises(of: String, [String])
  case delete(workout: String)

  /// Its forms, for a person.
  public static let forms = [
    "edit-workout WORKOUT title TITLE", "edit-workout WORKOUT exercises NAME",
    "delete-workout WORKOUT",
  ]

  /// Reads what follows `verb`; nil when the verb is none of these.
  init?(verb: String, _ words: ArraySlice<ScriptWord>) throws(ScriptError) {
    switch verb {
    case "edit-workout":
      let form = "edit-workout WORKOUT title TITLE|exercises NAME"
      guard words.count >= 2, let workout = words.first?.text else { throw .badForm(form) }
      let names = words.dropFirst(2).map(\.text)
      switch words[words.startIndex + 1].text {
      case "title" where !names.isEmpty:
        self = .retitle(workout: workout, as: names.joined(separator: " "))
      case "exercises": self = .exercises(of: workout, names)
      default: throw .badForm(form)
      }
    case "delete-workout":
      if words.isEmpty { throw .badForm("delete-workout WORKOUT") }
      self = .delete(workout: words.map(\.text).joined(separator: " "))
    default: return nil
    }
  }

  /// Which workout is meant, as it was written.
  public var workout: String {
    switch self {
    case .retitle(let workout, _), .exercises(let workout, _), .delete(let workout): workout
    }
  }

  /// The action it becomes, on a workout.
  public func action(on id: WorkoutID) -> Action {
    switch self {
    case .retitle(_, let title): .editWorkout(id: id, title: title, exercises: nil)
    case .exercises(_, let names): .editWorkout(id: id, title: nil, exercises: names)
    case .delete: .deleteWorkout(id: id)
    }
  }
}
