public import AuthorityLink
public import WatchTransfer

/// Why there is no snapshot.
public enum WidgetError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The authority did not answer in time, and no snapshot was kept.
  case unreachable
  /// The authority does not want this device.
  case refused(Goodbye)
  /// Another server answers at the address than the trusted one; nothing was sent to it.
  case wrongServer(LinkFailure)
  /// The pairing code is wrong, used or expired: the person needs a new one.
  case codeRefused
  /// The answer cannot be read by this version.
  case unreadable
  /// The task that asked was cancelled.
  case cancelled
  /// The client was stopped.
  case stopped

  /// What happened, in words.
  public var description: String {
    switch self {
    case .unreachable: "the authority did not answer, and no earlier snapshot is kept"
    case .refused(let goodbye): "the authority refused the widget (\(goodbye.reason.word))"
    case .wrongServer(let failure):
      "another server than the trusted one answers there (\(failure.word)); nothing was sent to it"
    case .codeRefused: "the pairing code is wrong, used or expired; ask for a new one"
    case .unreadable: "the snapshot is of a version that this program cannot read"
    case .cancelled: "the request was cancelled"
    case .stopped: "the client was stopped"
    }
  }
}

/// The fixed limits of the widget client.
public enum WidgetLimits {
  /// How long a fetch waits for the authority before it shows what is kept, in milliseconds.
  public static let fetchMilliseconds: Int64 = 3_000
}
