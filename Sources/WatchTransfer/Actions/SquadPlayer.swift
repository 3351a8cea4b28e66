/// A player as the squad of a match has them.
public struct SquadPlayer: Hashable, Sendable {
  /// Made by the phone, and the same in every match.
  public var id: PlayerID
  public var name: String
  /// On the shirt: 0 to 999; nil: none.
  public var number: Int?
  /// Whether they are on the field when the match begins.
  public var starts: Bool

  /// A player.
  public init(id: PlayerID, name: String, number: Int? = nil, starts: Bool) {
    self.id = id
    self.name = name
    self.number = number
    self.starts = starts
  }
}
