/// Where a thing stands in a list: by its name, folded, then its id. A page that begins behind one
/// goes on there, whatever was added or deleted meanwhile.
public struct NamedKey<Tag>: Hashable, Sendable {
  /// Empty: what came back of a restore before its definition has none.
  public var name: String
  public var id: Identifier<Tag>

  /// The place of a thing.
  public init(name: String, id: Identifier<Tag>) {
    self.name = name
    self.id = id
  }
}

/// Where an exercise stands.
public typealias ExerciseKey = NamedKey<ExerciseTag>
/// Where a workout stands, by its title.
public typealias WorkoutKey = NamedKey<WorkoutTag>
