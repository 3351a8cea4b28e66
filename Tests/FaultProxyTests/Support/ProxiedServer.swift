import AuthorityServer
import FaultProxy
import TestSupport
import Transport
import WatchTransfer

/// How clients reach the proxy, and the proxy the server.
enum Route: CaseIterable, Sendable {
  case tcp
  case unixSocket
}

/// A server of the test's own, reached through a proxy.
final class ProxiedServer {
  let fixture: ServerFixture
  let proxy: FaultProxy
  /// Where clients come to.
  let address: SocketAddress

  /// A server with one account, `anna`, behind a proxy without faults.
  init(_ route: Route, limits: ServerLimits = ProxiedServer.limits) async throws {
    fixture = try ServerFixture(limits: limits, testClock: Self.noon)
    try fixture.start()
    try await fixture.addAccount()
    proxy = try FaultProxy(Self.configuration(route, fixture))
    address = try await proxy.listen()
  }

  /// Another proxy before the same server.
  func another(_ route: Route, named name: String) async throws -> (FaultProxy, SocketAddress) {
    let proxy = try FaultProxy(Self.configuration(route, fixture, named: name))
    return (proxy, try await proxy.listen())
  }

  private static func configuration(
    _ route: Route, _ fixture: ServerFixture, named name: String = "proxy"
  ) throws -> ProxyConfiguration {
    switch route {
    case .tcp:
      ProxyConfiguration(
        listen: try SocketAddress(parsing: "127.0.0.1:0"),
        server: try SocketAddress(parsing: "127.0.0.1:\(fixture.port)"))
    case .unixSocket:
      ProxyConfiguration(
        listen: try SocketAddress(parsing: "unix:\(fixture.directory.path)/\(name).sock"),
        server: try SocketAddress(parsing: "unix:\(fixture.unixPath)"))
    }
  }

  /// Monday, 15 June 2026, noon in Berlin.
  static let noon = Instant(rfc3339: "2026-06-15T12:00:00+02:00")!

  /// Those of a server, but that devices come back as often as faults make them.
  static var limits: ServerLimits {
    var limits = ServerLimits()
    limits.ballastBytes = 0
    limits.freeSpaceReserveBytes = 0
    limits.replacementsPerSecond = 100_000
    limits.replacementsBurst = 1_000_000
    return limits
  }

  /// A client whose connection alone has faults, once the proxy has taken it.
  func connect(up: Faults = Faults(), down: Faults = Faults()) async throws -> WireClient {
    await proxy.use(up: up, down: down, connections: 1)
    let before = await proxy.statistics.connections
    let client = try WireClient(to: address)
    while await proxy.statistics.connections == before { try Task.checkCancellation() }
    return client
  }

  func stop() async {
    await proxy.stop()
    await fixture.stop()
  }
}

extension WireClient {
  /// Connects to a proxy or a server.
  convenience init(to address: SocketAddress) throws {
    if let path = address.unixPath {
      try self.init(unixPath: path)
    } else {
      try self.init(port: address.port ?? 0)
    }
    setTimeout(seconds: 5)
  }

  /// Everything until the peer ends the connection; throws when it does not.
  func untilClosed() throws -> [ServerMessage] {
    var messages: [ServerMessage] = []
    while true {
      do { messages.append(try next()) } catch WireClient.Failure.closed { return messages }
    }
  }

  func pong() throws -> UInt64 {
    try next { if case .pong(let pong) = $0 { pong.nonce } else { nil } }
  }
}

extension Faults {
  /// One ending behind so many bytes.
  static func ending(_ kind: FaultEnding, after bytes: UInt64) -> Faults {
    var faults = Faults()
    switch kind {
    case .cut: faults.cut = .after(bytes: bytes)
    case .reset: faults.reset = .after(bytes: bytes)
    case .halfClose: faults.halfClose = .after(bytes: bytes)
    case .stall: faults.stall = .after(bytes: bytes)
    }
    return faults
  }
}
