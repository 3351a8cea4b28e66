/// What an import came to.
public struct ImportCounts: Sendable, Equatable {
  /// Workouts handed to the receiver.
  public var workouts = 0
  /// Problems handed to the receiver.
  public var skipped = 0
  /// Bytes read.
  public var bytes = 0

  /// Counts before anything is read.
  public init() {}
}
