/// The last frame before a connection is closed.
public struct Goodbye: Hashable, Sendable, Error {
  /// Why a connection ends.
  public enum Reason: UInt8, CaseIterable, Sendable {
    /// Not a frame of this protocol, or not one that can be read.
    case malformed = 1
    case frameTooLarge = 2
    /// A frame that may not come now, or not from this side.
    case protocolError = 3
    case unsupportedVersion = 4
    case unauthenticated = 5
    case revoked = 6
    case forbidden = 7
    /// A newer connection of the same device has taken over; final for a minute.
    case replaced = 8
    case tooMany = 9
    case idle = 10
    case stalled = 11
    case shuttingDown = 12
    case internalError = 13
    /// A pairing code that is wrong, used, expired, or whose tries are spent.
    case codeRefused = 14

    /// The word used in JSON and in counters.
    public var word: String {
      switch self {
      case .malformed: "malformed"
      case .frameTooLarge: "frameTooLarge"
      case .protocolError: "protocol"
      case .unsupportedVersion: "unsupportedVersion"
      case .unauthenticated: "unauthenticated"
      case .revoked: "revoked"
      case .forbidden: "forbidden"
      case .replaced: "replaced"
      case .tooMany: "tooMany"
      case .idle: "idle"
      case .stalled: "stalled"
      case .shuttingDown: "shuttingDown"
      case .internalError: "internal"
      case .codeRefused: "codeRefused"
      }
    }
  }

  public var reason: Reason
  /// 0: at once, with the client's own backoff.
  public var retryAfterMilliseconds: UInt32
  /// Whether the client should come back by itself.
  public var comeBack: Bool
  /// The versions the server speaks; only with `unsupportedVersion`.
  public var versions: ClosedRange<UInt32>?

  /// A goodbye.
  public init(
    _ reason: Reason, retryAfterMilliseconds: UInt32 = 0, comeBack: Bool = false,
    versions: ClosedRange<UInt32>? = nil
  ) {
    self.reason = reason
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.comeBack = comeBack
    self.versions = versions
  }
}
