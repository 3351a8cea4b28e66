internal import WireFormat

/// The fixed limits of the link.
public enum LinkLimits {
  /// Largest frame the server may send; protects the client's memory from a peer that is none.
  public static let frameBytesMax = FrameLimits.serverFrameBytesMax
  /// Unsent output of the link; above what an outbox ever has on its way, 256 actions of 32 KiB.
  public static let unsentBytesMax = 16 * 1_048_576
  /// How long the answer to a greeting may take, in milliseconds.
  public static let greetingMilliseconds: Int64 = 10_000
  /// A connection that has been good for this long forgets earlier failures, in milliseconds.
  public static let goodConnectionMilliseconds: Int64 = 10_000
  /// `Goodbye(replaced)` is final for this long, in milliseconds (DESIGN section 4).
  public static let replacedMilliseconds: Int64 = 60_000
  /// Longest wait a server may ask for, in milliseconds; more would be an outage by typing error.
  public static let retryAfterMaxMilliseconds: Int64 = 3_600_000
  /// Doublings of the first backoff; enough for any sensible longest one, and no overflow.
  static let doublingsMax = 20
}
