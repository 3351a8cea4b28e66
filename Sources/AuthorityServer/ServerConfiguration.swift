internal import Storage
public import Transport
public import WatchTransfer

/// How a server is run.
public struct ServerConfiguration: Sendable {
  /// The data directory.
  public var directory: String
  /// Where it listens; empty: nowhere, for admin commands without a running server.
  public var addresses: [SocketAddress]
  /// Serial queues that share the accounts; 0: one less than there are cores, at least 1.
  public var partitions: Int
  public var limits: ServerLimits
  /// What the wall clock shows at the start; nil: the machine's clock.
  public var testClock: Instant?

  /// A server on `directory`.
  public init(
    directory: String, addresses: [SocketAddress] = [], partitions: Int = 0,
    limits: ServerLimits = ServerLimits(), testClock: Instant? = nil
  ) {
    self.directory = directory
    self.addresses = addresses
    self.partitions = partitions
    self.limits = limits
    self.testClock = testClock
  }
}

extension Error {
  /// Whether a server ended because its journal was taken away.
  public var journalHasMoved: Bool {
    guard case .moved(.journal) = self as? StorageError else { return false }
    return true
  }
}

/// Why a server did not start.
public enum ServerStartError: Error, CustomStringConvertible {
  /// Another address than loopback or a Unix socket.
  case notLocal(SocketAddress)
  case notEnoughDescriptors(connections: Int)
  case recovery(String)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notLocal(let address):
      "\(address) can be reached from elsewhere, and frames carry tokens in the clear: "
        + "listen on 127.0.0.1, [::1] or a Unix socket"
    case .notEnoughDescriptors(let connections):
      "the descriptor limit leaves room for \(connections) connections: raise it (ulimit -n)"
    case .recovery(let problem):
      "the journal cannot be folded: \(problem); run wristwire check"
    }
  }
}
