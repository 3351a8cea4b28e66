/// What to do about free space: values and decisions, no system calls.
public struct SpacePolicy: Sendable, Equatable {
  /// Under this many free bytes acts are held.
  public var reserveBytes: Int64
  /// Held acts are taken again at the reserve plus this many free bytes.
  public var marginBytes: Int64
  /// The size of the ballast file, in bytes; 0 for none.
  public var ballastBytes: Int64
  /// With fewer free bytes than this a start is not tried.
  public var startBytesMin: Int64

  /// A policy; the defaults are those of `StorageLimits`.
  public init(
    reserveBytes: Int64 = StorageLimits.reserveBytes,
    marginBytes: Int64 = StorageLimits.reserveMarginBytes,
    ballastBytes: Int64 = StorageLimits.ballastBytes,
    startBytesMin: Int64 = StorageLimits.startBytesMin
  ) {
    self.reserveBytes = reserveBytes
    self.marginBytes = marginBytes
    self.ballastBytes = ballastBytes
    self.startBytesMin = startBytesMin
  }

  /// What a start does first.
  public enum StartDecision: Sendable, Equatable {
    /// There is room for recovery.
    case start
    /// There is none, but giving up the ballast makes some: do so, then start.
    case freeBallastAndStart
    /// There is none, and nothing to give up.
    case refuse(freeBytes: Int64, neededBytes: Int64)
  }

  /// Decides on a start.
  ///
  /// - Parameter heldBallastBytes: what the ballast file takes up now; 0 if there is none.
  public func start(freeBytes: Int64, heldBallastBytes: Int64) -> StartDecision {
    if freeBytes >= startBytesMin { return .start }
    if freeBytes + heldBallastBytes >= startBytesMin { return .freeBallastAndStart }
    return .refuse(freeBytes: freeBytes, neededBytes: startBytesMin)
  }

  /// True if acts may be decided.
  ///
  /// - Parameter areHeld: what the answer was last time; false at a start.
  public func acceptsActs(freeBytes: Int64, areHeld: Bool) -> Bool {
    freeBytes >= (areHeld ? reserveBytes + marginBytes : reserveBytes)
  }

  /// True if the ballast should be made, or made whole, now: only from room acts do not need.
  public func makesBallast(freeBytes: Int64, heldBallastBytes: Int64) -> Bool {
    let missing = ballastBytes - heldBallastBytes
    return missing > 0 && freeBytes - missing >= reserveBytes + marginBytes
  }
}
