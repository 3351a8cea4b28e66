/// What an exercise is done with: the closed list (DESIGN section 6).
public enum Equipment: UInt8, CaseIterable, Sendable {
  case body = 1
  case barbell = 2
  case dumbbell = 3
  case machine = 4
  case cable = 5
  case kettlebell = 6
  case band = 7
  case other = 8

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .body: "body"
    case .barbell: "barbell"
    case .dumbbell: "dumbbell"
    case .machine: "machine"
    case .cable: "cable"
    case .kettlebell: "kettlebell"
    case .band: "band"
    case .other: "other"
    }
  }
}

/// An exercise that routines and sessions name.
public struct Exercise: Hashable, Sendable {
  public var id: ExerciseID
  public var name: String
  public var equipment: Equipment

  /// An exercise.
  public init(id: ExerciseID, name: String, equipment: Equipment) {
    self.id = id
    self.name = name
    self.equipment = equipment
  }
}
