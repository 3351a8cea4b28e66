/// What a pool tells its owner about one connection.
///
/// Order: `connected` first (only for ``ConnectionPool/connect(to:)``), then any number of
/// `received` and `drained`, at most one `endOfInput` after the last `received`, and `closed` last.
public enum ConnectionEvent {
  /// The connect has succeeded.
  case connected
  /// All unconsumed input, oldest first; valid only during the call. The owner returns how many of
  /// these bytes it consumed; the rest is kept and offered again, with what follows it, when more
  /// arrives, when reading is switched on again or when ``ConnectionPool/offerAgain(_:)`` asks for
  /// it.
  case received(UnsafeRawBufferPointer)
  /// The peer has finished its side (FIN) and all its input was offered. Answers still reach it;
  /// when the owner owes none any more it calls ``ConnectionPool/closeAfterSending(_:)``, and until
  /// then the connection stays.
  case endOfInput
  /// Output that had to wait for the peer is now all in the socket. Not sent for output that the
  /// socket took at once: ask ``ConnectionPool/unsentBytes(_:)`` for that.
  case drained
  /// The connection is gone and its id is stale already. Delivered exactly once, except to owners
  /// who ended it themselves by `close`, `closeAll` or `release`.
  case closed(CloseReason)
}
