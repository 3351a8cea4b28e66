internal import Storage
public import Transport
public import WatchTransfer

/// How a server is run.
public struct ServerConfiguration: Sendable {
  /// The data directory.
  public var directory: String
  /// Where it listens; empty: nowhere, for admin commands without a running server.
  /// With a certificate, TLS is spoken at those that other machines can reach.
  public var addresses: [SocketAddress]
  /// Where it listens with TLS, wherever that is.
  public var securedAddresses: [SocketAddress] = []
  /// The certificate and the key, in PEM; nil: no TLS.
  public var certificate: CertificateFiles?
  /// Whether it may listen where other machines reach it without TLS, so that tokens can be read on
  /// their way.
  public var isInsecure = false
  /// Serial queues that share the accounts; 0: one less than there are cores, at least 1.
  public var partitions: Int
  public var limits: ServerLimits
  /// What the wall clock shows at the start; nil: the machine's clock.
  public var testClock: Instant?
  /// Which backups are made by themselves; nil: none.
  public var backup: BackupPlan?
  /// Where the flight recorder writes; nil: nothing is recorded.
  public var record: RecordOptions?

  /// A server on `directory`.
  public init(
    directory: String, addresses: [SocketAddress] = [], partitions: Int = 0,
    limits: ServerLimits = ServerLimits(), testClock: Instant? = nil,
    backup: BackupPlan? = nil
  ) {
    self.directory = directory
    self.addresses = addresses
    self.partitions = partitions
    self.limits = limits
    self.testClock = testClock
    self.backup = backup
  }
}

/// The two files that make a server's identity; read at the start, and again when told to.
public struct CertificateFiles: Hashable, Sendable {
  /// The certificate, and behind it those that lead to its root, if any.
  public var certificate: String
  /// Its private key; others must not be able to read it.
  public var key: String

  /// Paths of both.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
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
  /// Another address than loopback or a Unix socket, without TLS.
  case notLocal(SocketAddress)
  /// TLS is asked for, and there is no certificate.
  case noCertificate(SocketAddress)
  case notEnoughDescriptors(connections: Int)
  case recovery(String)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .notLocal(let address):
      "\(address) can be reached from elsewhere, and frames carry tokens in the clear: "
        + "listen on 127.0.0.1, [::1] or a Unix socket, or give it a certificate "
        + "(--tls-certificate, --tls-key)"
    case .noCertificate(let address):
      "TLS at \(address) needs a certificate: --tls-certificate and --tls-key"
    case .notEnoughDescriptors(let connections):
      "the descriptor limit leaves room for \(connections) connections: raise it (ulimit -n)"
    case .recovery(let problem):
      "the journal cannot be folded: \(problem); run wristwire check"
    }
  }
}
