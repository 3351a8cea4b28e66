/// Why a connection ended.
public enum CloseReason: Hashable, Sendable {
  /// The owner's ``ConnectionPool/closeAfterSending(_:)`` is complete: all was sent, and the peer
  /// has finished or had the time to.
  case finished
  /// The peer closed both directions; all it had sent was offered, unless reading was switched off.
  case endOfStream
  /// The peer reset the connection or no longer reads (ECONNRESET, EPIPE).
  case reset
  /// The connect did not succeed.
  case connectFailed(SystemError)
  /// TLS could not be agreed on, or was broken off; its own word for it.
  case secureFailed(TLSFailure)
  /// The connect took longer than ``ConnectionLimits/connect``.
  case connectTimedOut
  /// Unsent output and no progress for ``ConnectionLimits/outputStall``.
  case stalledOutput
  /// Kept input, a partial frame, not consumed for ``ConnectionLimits/inputStall``.
  case stalledInput
  /// The owner owed more than ``ConnectionLimits/unsentBytesMax``.
  case outputOverflow
  /// All pools together held more than their ``ConnectionLimits/budget``, and it held most.
  case overBudget
  /// The pool held ``ConnectionLimits/connectionsMax`` connections already.
  case poolFull
  /// Any other failed system call.
  case failed(SystemError)
}

extension CloseReason {
  /// The reason a failed read or write gives.
  init(_ number: ErrorNumber, call: StaticString) {
    switch number {
    case .connectionReset, .brokenPipe: self = .reset
    default: self = .failed(SystemError(number, call: call))
    }
  }
}
