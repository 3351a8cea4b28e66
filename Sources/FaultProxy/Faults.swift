/// What is done to the bytes of a direction; nothing, unless it is set.
public struct Faults: Hashable, Sendable {
  /// Each block of bytes is held for a time drawn from this range; the order stays.
  public var delay: ClosedRange<Duration>?
  /// The stream is passed on in writes of so many bytes.
  public var split: ClosedRange<Int>?
  /// One bit of the byte behind this point is turned over.
  public var corrupt: FaultPoint?
  /// Both sides see an orderly end (FIN) there.
  public var cut: FaultPoint?
  /// Both sides see a reset (RST) there.
  public var reset: FaultPoint?
  /// The receiver sees the end of the stream there; the other direction goes on.
  public var halfClose: FaultPoint?
  /// Nothing passes any more from there on, in either direction, and nobody is told.
  public var stall: FaultPoint?

  /// No faults.
  public init() {}

  /// What ends a direction, with its point.
  var endings: [(FaultEnding, FaultPoint)] {
    [(FaultEnding.cut, cut), (.reset, reset), (.halfClose, halfClose), (.stall, stall)]
      .compactMap { ending, point in point.map { (ending, $0) } }
  }
}

/// How a direction ends by a fault.
public enum FaultEnding: String, CaseIterable, Hashable, Sendable {
  case cut
  case reset
  case halfClose
  case stall
}

/// The two directions of a connection.
public enum FaultDirection: String, CaseIterable, Hashable, Sendable {
  /// From client to server.
  case up
  /// From server to client.
  case down

  /// The other one.
  var opposite: FaultDirection { self == .up ? .down : .up }
}
