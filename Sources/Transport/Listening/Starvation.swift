/// A listener could not accept for want of descriptors or kernel memory, and pauses.
public struct Starvation: Hashable, Sendable {
  /// What accept said.
  public let error: SystemError
  /// Connections refused in this round, closed at once with the help of the reserve descriptor.
  public let refused: Int
  /// Rounds in a row that ended like this, this one included.
  public let inARow: Int
  /// How long nothing is accepted now.
  public let pause: Duration
}

/// What a listener has done since it was made.
public struct ListenerCounts: Hashable, Sendable {
  /// Calls of accept: tells whether a starved listener spins.
  public var attempts = 0
  /// Connections handed on.
  public var accepted = 0
  /// Connections refused for want of descriptors.
  public var refusedStarved = 0
  /// Connections refused because another user's process made them.
  public var refusedUser = 0
  /// Connections that were gone before they were accepted.
  public var aborted = 0
  /// Pauses for want of descriptors or memory.
  public var pauses = 0
}
