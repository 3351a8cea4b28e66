/// Bounds on frames, in one place: what each protects and what it costs.
public enum FrameLimits {
  /// Length of the prefix: a big-endian unsigned number.
  public static let prefixBytes = 4
  /// Payload of a frame from an authenticated client; bounds what a connection may buffer.
  public static let clientFrameBytesMax = 65_536
  /// A server takes no less: every action fits, offered again with its first receipt. One that did
  /// not would never be answered, nor any behind it.
  public static let clientFrameBytesMin = 40_960
  /// Payload of a frame before a client is authenticated; a greeting with four incarnations takes
  /// about 250 bytes.
  public static let greetingFrameBytesMax = 1_024
  /// Payload of a frame from the server: a phone's whole state of 512 KiB, and room.
  public static let serverFrameBytesMax = 1_048_576
  /// An encoded action; a definition with every exercise it may have is under 9 KiB.
  public static let actionBodyBytesMax = 32_768
  /// A session token: 256 random bits.
  public static let tokenBytes = 32
  /// Outboxes that one greeting may name.
  public static let incarnationsMax = 4
}
