public import Transport
public import WatchTransfer

/// What a link tells its owner.
public enum LinkEvent: Hashable, Sendable {
  /// The authority knows the device; acts and requests may go.
  case welcomed(Welcome)
  /// Something for the owner; pings and pongs stay with the link.
  case message(ServerMessage)
  /// The server's clock minus the device's, in milliseconds.
  case clockOffset(milliseconds: Int64)
  /// The connection is gone, or did not come to be; the link tries again by itself.
  case disconnected(LinkFailure, retryInMilliseconds: Int64)
  /// The authority does not want this device: final, except `replaced`, after which the link comes
  /// back in a minute unless it is stopped.
  case ended(Goodbye)
}

/// Why a connection did not last.
public enum LinkFailure: Hashable, Sendable {
  /// Nobody answers at the address.
  case unreachable
  /// The peer closed, or the network broke.
  case closed
  /// The peer does not speak TLS 1.3 as it should, or refuses us.
  case notSecured(TLSFailure)
  /// The server at the address has another key than the pinned one: nothing was sent to it. It is
  /// not tried again before the longest wait is over.
  case pinMismatch(presented: CertificatePin)
  /// No authority that was asked for vouches for the server: as `pinMismatch`.
  case untrusted(reason: String)
  /// No answer to the greeting.
  case greetingTimeout
  /// Nothing was heard for too long.
  case idle
  /// Bytes that are not of this protocol.
  case malformed
  /// A message that may not come now.
  case unexpectedMessage
  /// The server said why.
  case goodbye(Goodbye)
  /// The owner wanted to be greeted anew.
  case restarted

  /// Whether it is another server than it should be: a person has to look.
  public var isWrongServer: Bool {
    switch self {
    case .pinMismatch, .untrusted: true
    default: false
    }
  }

  /// The word used in JSON and in texts.
  public var word: String {
    switch self {
    case .unreachable: "unreachable"
    case .closed: "closed"
    case .notSecured(let failure): failure.word
    case .pinMismatch: "pinMismatch"
    case .untrusted: "untrusted"
    case .greetingTimeout: "greetingTimeout"
    case .idle: "idle"
    case .malformed: "malformed"
    case .unexpectedMessage: "unexpectedMessage"
    case .goodbye(let goodbye): goodbye.reason.word
    case .restarted: "restarted"
    }
  }
}
