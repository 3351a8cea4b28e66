public import AuthorityServer
internal import Foundation
internal import Glibc
public import Storage
internal import Synchronization
internal import Transport
public import WatchTransfer

/// A server in the test's own process, on a temporary directory, reachable over TCP and a Unix
/// socket; it may be stopped and started again on the same directory.
public final class ServerFixture {
  public let directory: TemporaryDirectory
  public var limits: ServerLimits
  public var testClock: Instant?
  public var partitions = 1
  /// With it the server speaks TLS on a port of its own too.
  public var certificate: CertificateFiles?
  public var backup: BackupPlan?
  /// Where it records; nil: nowhere.
  public var record: RecordOptions?
  /// Whose connections end before a stop, which would wait for them.
  var devices: [Weak] = []
  public private(set) var server: AuthorityServer?
  /// Where a wrapped journal's faults are set.
  public let faults = JournalFaults()
  /// Set when a commit's outcome was unknown; a real server's process ends then.
  public let failure = Flag()
  /// Opened then.
  public let failed = Gate()

  public init(limits: ServerLimits = ServerLimits(), testClock: Instant? = nil) throws {
    directory = try TemporaryDirectory()
    self.limits = limits
    self.testClock = testClock
  }

  public var unixPath: String { "\(directory.path)/wire.sock" }
  public var dataPath: String { "\(directory.path)/data" }

  /// Starts, or starts again.
  public func start() throws {
    var configuration = ServerConfiguration(
      directory: dataPath,
      addresses: [
        try SocketAddress(parsing: "127.0.0.1:0"), try SocketAddress(parsing: "unix:\(unixPath)"),
      ], partitions: partitions, limits: limits, testClock: testClock, backup: backup)
    if let certificate {
      configuration.certificate = certificate
      configuration.securedAddresses = [try SocketAddress(parsing: "127.0.0.1:0")]
    }
    configuration.record = record
    let faults = faults
    let server = try AuthorityServer(
      configuration, faults: faults,
      onFailure: { [failure, failed] _ in
        failure.raise()
        failed.open()
      })
    try server.listen()
    self.server = server
  }

  /// Stops cleanly; a test clock goes on from here at the next start. The devices have gone by
  /// then, unless they are to hear the goodbye.
  public func stop(beforeDevicesGo: Bool = false) async {
    await keepClock()
    if !beforeDevicesGo { for known in devices { known.device?.disconnect() } }
    await server?.stop()
    server = nil
  }

  /// Lets the next start, of this fixture or of a copy, go on from what the test clock shows.
  public func keepClock() async {
    guard testClock != nil, let status = try? await status() else { return }
    testClock = Instant(rfc3339: status.clock) ?? testClock
  }

  public var port: UInt16 { port(isSecured: false) }

  /// Where TLS is spoken.
  public var securedPort: UInt16 { port(isSecured: true) }

  /// What clients pin.
  public var pin: String { server?.pin?.description ?? "" }

  /// Makes a certificate and a key, or replaces them.
  public func makeCertificate() throws {
    let files = CertificateFiles(
      certificate: "\(directory.path)/tls.crt", key: "\(directory.path)/tls.key")
    let made = try SelfSignedCertificate(hosts: ["127.0.0.1"], days: 30)
    for (path, bytes) in [(files.certificate, made.certificate), (files.key, made.key)] {
      try Data(bytes).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
    certificate = files
  }

  private func port(isSecured: Bool) -> UInt16 {
    server?.endpoints.first { $0.isSecured == isSecured }?.address.port ?? 0
  }

  public func client() throws -> WireClient { try WireClient(port: port) }

  /// Adds an account.
  public func addAccount(_ name: String = "anna", zone: String = "Europe/Berlin") async throws {
    let response = await server?.admin.perform(.addAccount(name: name, zone: zone))
    guard case .done = response else { throw WireClient.Failure.unexpected("\(response as Any)") }
  }

  /// Pairs a device; its token.
  public func pair(_ kind: DeviceKind, account: String = "anna", name: String? = nil) async throws
    -> [UInt8]
  {
    let response = await server?.admin.perform(
      .pair(account: account, kind: kind.word, name: name))
    guard case .paired(let token, _) = response, let bytes = hexadecimalBytes(of: token) else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
    return bytes
  }

  /// What `wristwire status` would show.
  public func status() async throws -> ServerStatus {
    let response = await server?.admin.perform(.status)
    guard case .status(let status) = response else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
    return status
  }
}

/// A directory that is removed with its owner.
public final class TemporaryDirectory {
  public let path: String

  public init() throws {
    var template = Array("/tmp/wristwire-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw WireClient.Failure.unexpected("mkdtemp") }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Something that happens once, on any queue.
public final class Flag: Sendable {
  private let raised = Atomic<Bool>(false)

  public init() {}

  public func raise() { raised.store(true, ordering: .sequentiallyConsistent) }

  public var isRaised: Bool { raised.load(ordering: .sequentiallyConsistent) }
}
