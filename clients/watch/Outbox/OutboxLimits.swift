internal import AuthorityLink
internal import Transport
internal import WireFormat

/// The fixed limits of the outbox.
public enum OutboxLimits {
  /// Incarnations in a greeting (DESIGN section 4).
  public static let incarnationsMax = FrameLimits.incarnationsMax
  /// The server decides a number at most this far above what is confirmed (DESIGN section 4).
  public static let window: UInt64 = 256
  /// Receipted actions kept until a server says how many it wants (DESIGN section 4).
  public static let reofferMax = 10_000
  /// An encoded action; the server takes no longer one.
  public static let bodyBytesMax = FrameLimits.actionBodyBytesMax
  /// Shortest and longest wait after a hold, in milliseconds, whatever the server says: neither a
  /// storm nor an outbox that sleeps for days.
  public static let holdMilliseconds: ClosedRange<Int64> = 10...600_000
  /// Receipts that may wait for their fsync before one is made for them alone.
  public static let unsyncedMax: UInt64 = 64
  /// A file below this is not worth rewriting, in bytes.
  public static let rewriteBytesMin = 262_144

  /// When a wait that the server asked for at `now` is over, within `holdMilliseconds`.
  static func end(ofHold milliseconds: UInt32, from now: MonotonicInstant) -> MonotonicInstant {
    let range = holdMilliseconds
    return now.advanced(
      milliseconds: min(max(Int64(milliseconds), range.lowerBound), range.upperBound))
  }
}
