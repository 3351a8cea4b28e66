internal import CLinux
internal import Glibc

/// An open, non-blocking stream socket on its way between owners: from listener to lobby, from
/// lobby to partition.
///
/// Whoever gets it adopts it into a pool or closes it, exactly once. A value rather than an owner
/// that closes by itself, so that it can cross queues in a plain closure.
public struct AcceptedSocket: Sendable {
  /// The open descriptor.
  public let descriptor: Int32
  /// Who is at the far end.
  public let peer: PeerAddress
  /// TLS on it, with what was read and not decrypted or not taken; nil: none.
  var session: TLSSession?

  /// Takes charge of an open, non-blocking stream socket.
  public init(descriptor: Int32, peer: PeerAddress) {
    self.descriptor = descriptor
    self.peer = peer
  }

  /// Closes it.
  public func close() {
    // Not repeated after EINTR: on Linux the descriptor is gone then, close(2).
    _ = Glibc.close(descriptor)
  }
}
