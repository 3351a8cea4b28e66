internal import WatchTransfer

extension Goodbye.Reason {
  /// Whether a client that is told this should come back by itself: what ended its connection
  /// passes.
  var comesBack: Bool {
    switch self {
    case .idle, .stalled, .shuttingDown, .tooMany, .internalError: true
    case .malformed, .frameTooLarge, .protocolError, .unsupportedVersion, .unauthenticated,
      .revoked, .forbidden, .replaced, .codeRefused:
      false
    }
  }
}
