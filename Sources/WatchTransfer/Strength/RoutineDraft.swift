/// What is planned for one set.
public struct TargetSet: Hashable, Sendable {
  public var reps: Int
  /// nil: the exercise's own, such as the body's.
  public var weight: Weight?
  /// Rest after the set, in seconds; nil: none is timed.
  public var restSeconds: Int?

  /// A planned set.
  public init(reps: Int, weight: Weight? = nil, restSeconds: Int? = nil) {
    self.reps = reps
    self.weight = weight
    self.restSeconds = restSeconds
  }
}

/// An exercise at its place in a routine, with its planned sets.
public struct RoutineEntry: Hashable, Sendable {
  public var exercise: ExerciseID
  public var sets: [TargetSet]

  /// An exercise with its sets.
  public init(exercise: ExerciseID, sets: [TargetSet]) {
    self.exercise = exercise
    self.sets = sets
  }
}

/// Sets in a row that are planned alike.
public struct SetGroup: Hashable, Sendable {
  public var count: Int
  public var set: TargetSet

  /// `count` times `set`.
  public init(count: Int, set: TargetSet) {
    self.count = count
    self.set = set
  }

  /// `sets` as groups, in order; none holds more than a decoder takes.
  public static func groups(of sets: [TargetSet]) -> [SetGroup] {
    var groups: [SetGroup] = []
    for set in sets {
      if let last = groups.last, last.set == set, last.count < ActionLimits.targetSetsMax {
        groups[groups.count - 1].count += 1
      } else {
        groups.append(SetGroup(count: 1, set: set))
      }
    }
    return groups
  }
}

/// What is wrong with a routine; the refusal's detail lists all of it (see `routineProblems`).
public enum RoutineProblem: Hashable, Sendable {
  case title
  /// There is none, or more than `ActionLimits.routineEntriesMax`.
  case entryCount
  /// More than `ActionLimits.setGroupsMax` groups of unlike sets over all entries.
  case groupCount
  /// No sets, or more than `ActionLimits.targetSetsMax`.
  case setCount(entry: Int)
  case reps(entry: Int, set: Int)
  case rest(entry: Int, set: Int)
  /// The exercise is not in the library, or was deleted.
  case exercise(entry: Int)

  /// The field's name, counting from 0: `entries[2].sets[0].reps`.
  public var field: String {
    switch self {
    case .title: "title"
    case .entryCount: "entries"
    case .groupCount: "groups"
    case .setCount(let entry): "entries[\(entry)].sets"
    case .reps(let entry, let set): "entries[\(entry)].sets[\(set)].reps"
    case .rest(let entry, let set): "entries[\(entry)].sets[\(set)].rest"
    case .exercise(let entry): "entries[\(entry)].exercise"
    }
  }
}

/// All that is wrong with a routine, in the order of its fields: a person who mends one thing is
/// not told of the next only then. `isKnown` says whether an exercise may be named.
public func routineProblems(
  title: String?, entries: [RoutineEntry]?, isKnown: (ExerciseID) -> Bool
) -> [RoutineProblem] {
  var problems: [RoutineProblem] = []
  if let title, !isTypedName(title) { problems.append(.title) }
  guard let entries else { return problems }
  if !(1...ActionLimits.routineEntriesMax).contains(entries.count) { problems.append(.entryCount) }
  let groups = entries.reduce(0) { $0 + SetGroup.groups(of: $1.sets).count }
  if groups > ActionLimits.setGroupsMax { problems.append(.groupCount) }
  for (index, entry) in entries.enumerated() {
    if !isKnown(entry.exercise) { problems.append(.exercise(entry: index)) }
    if !(1...ActionLimits.targetSetsMax).contains(entry.sets.count) {
      problems.append(.setCount(entry: index))
    }
    for (number, set) in entry.sets.enumerated() {
      if !ActionLimits.targetReps.contains(set.reps) {
        problems.append(.reps(entry: index, set: number))
      }
      if let rest = set.restSeconds, !ActionLimits.restSeconds.contains(rest) {
        problems.append(.rest(entry: index, set: number))
      }
    }
  }
  return problems
}

/// The detail of a refusal for all of `problems`: their fields, a comma and a space between them;
/// of more than 16, how many more.
public func detail(of problems: [RoutineProblem]) -> String {
  let named = problems.prefix(16).map(\.field).joined(separator: ", ")
  return problems.count > 16 ? "\(named) and \(problems.count - 16) more" : named
}
