import AuthorityServer
import FaultProxy
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

/// The catalogue's rows about the network, through the proxy: what a server makes of peers behind a
/// bad network.
@Suite(.serialized, .timeLimit(.minutes(3))) struct NetworkRowTests {
  /// Deadlines that are short enough to wait for.
  private static var limits: ServerLimits {
    var limits = ProxiedServer.limits
    limits.greetingMilliseconds = 400
    limits.frameMilliseconds = 400
    limits.idleMilliseconds = 1_500
    return limits
  }

  /// Returns once the server has counted so many ends of this kind.
  private func closed(_ reason: String, _ count: Int, _ server: ProxiedServer) async throws {
    while true {
      let closed = try await server.fixture.status().closed
      if closed[reason, default: 0] >= count { return }
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test(arguments: Route.allCases)
  func `A5, A7: greetings that stop at every byte end at their deadline, and others do not notice`(
    route: Route
  ) async throws {
    var limits = Self.limits
    limits.idleMilliseconds = 60_000
    let server = try await ProxiedServer(route, limits: limits)
    let token = try await server.fixture.pair(.watch)
    let other = try WireClient(port: server.fixture.port)
    _ = try other.greet(Hello(token: try await server.fixture.pair(.phone)))
    let greeting = MessageEncoder().frame(ClientMessage.hello(Hello(token: token)))
    var clients: [WireClient] = []
    for at in 0..<greeting.count {
      let client = try await server.connect(up: .ending(.stall, after: UInt64(at)))
      try client.send(bytes: greeting)
      clients.append(client)
    }
    try other.send(.ping(Ping(nonce: 3)))
    #expect(try other.pong() == 3)
    for client in clients { #expect(try client.untilClosed().isEmpty) }
    // Where not one byte passed, the end of a stream is the first that is heard.
    try await closed("idle", greeting.count, server)
    #expect(try await server.fixture.status().connections == 1)
    await server.stop()
  }

  @Test(arguments: Route.allCases)
  func `A6: a frame that stops at any byte ends at its deadline`(route: Route) async throws {
    let server = try await ProxiedServer(route, limits: Self.limits)
    let frame = frameBytes(of: 60_000)
    var clients: [WireClient] = []
    for (index, at) in [1, 3, 4, 5, 1_000, 59_000].enumerated() {
      let token = try await server.fixture.pair(.watch, name: "\(index)")
      let hello = MessageEncoder().frame(ClientMessage.hello(Hello(token: token)))
      let client = try await server.connect(
        up: .ending(.stall, after: UInt64(hello.count + at)))
      client.answersPings = false
      _ = try client.greet(Hello(token: token))
      try client.send(bytes: frame)
      clients.append(client)
    }
    for client in clients { _ = try client.untilClosed() }
    try await closed("stalledInput", clients.count, server)
    await server.stop()
  }

  private func frameBytes(of count: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
      + [UInt8](repeating: 0, count: count)
  }

  @Test(arguments: Route.allCases, [1...1, 1...3, 1...64] as [ClosedRange<Int>])
  func `A8, A10: frames that come in pieces have the same answers`(
    route: Route, sizes: ClosedRange<Int>
  ) async throws {
    let server = try await ProxiedServer(route)
    var faults = Faults()
    faults.split = sizes
    await server.proxy.use(up: faults, down: faults)
    let wrist = Wrist(
      at: server.address, token: try await server.fixture.pair(.watch),
      directory: "\(server.fixture.directory.path)/watch")
    try await wrist.act(3, makesMatch: true)
    let state = try await wrist.act(40)
    #expect(state.homeScore == 43)
    #expect(wrist.revisions == Array(wrist.revisions[0]..<wrist.revisions[0] + 44))
    await server.stop()
  }

  @Test(arguments: Route.allCases)
  func `F1: what was asked before the end of the stream is answered through a proxy`(
    route: Route
  ) async throws {
    let server = try await ProxiedServer(route)
    let client = try WireClient(to: server.address)
    _ = try client.greet(Hello(token: try await server.fixture.pair(.watch)))
    var outbox = TestOutbox()
    try client.send(.act(outbox.act(.setTheme(mode: .night), at: ProxiedServer.noon)))
    client.finish()
    let messages = try client.untilClosed()
    #expect(messages.contains { if case .receipt = $0 { true } else { false } })
    try await closed("endOfStream", 1, server)
    await server.stop()
  }

  @Test func `F4: answers to a peer that was reset are dropped, and nobody else notices`()
    async throws
  {
    let server = try await ProxiedServer(.tcp)
    for index in 0..<50 {
      let token = try await server.fixture.pair(.widget, name: "\(index)")
      let client = try WireClient(to: server.address)
      _ = try client.greet(Hello(token: token))
      let fetch = MessageEncoder().frame(
        ClientMessage.fetch(
          Fetch(view: WidgetView(kind: .streak, family: .large, appearance: .both))))
      try client.send(bytes: Array(repeatElement(fetch, count: 64).joined()))
      await server.proxy.perform(.reset)
      _ = client.isClosedByPeer()
    }
    while try await server.fixture.status().connections > 0 { try Task.checkCancellation() }
    let statistics = await server.proxy.statistics
    #expect(statistics.resets == 50 && statistics.open == 0)
    await server.stop()
  }

  @Test(arguments: Route.allCases)
  func `F5: a reader whose window stays shut is given up after its time`(route: Route) async throws
  {
    var limits = Self.limits
    limits.stalledMilliseconds = 500
    limits.idleMilliseconds = 60_000
    let server = try await ProxiedServer(route, limits: limits)
    let client = try WireClient(to: server.address)
    client.answersPings = false
    _ = try client.greet(Hello(token: try await server.fixture.pair(.phone)))
    let other = try WireClient(port: server.fixture.port)
    _ = try other.greet(Hello(token: try await server.fixture.pair(.watch)))
    let fetch = MessageEncoder().frame(
      ClientMessage.fetch(
        Fetch(view: WidgetView(kind: .streak, family: .large, appearance: .both))))
    // More answers than sockets and proxy hold.
    client.sendBeside(bytes: Array(repeatElement(fetch, count: 20_000).joined()))
    // It reads nothing: what the proxy cannot pass on stays with the server.
    try await closed("stalled", 1, server)
    try other.send(.ping(Ping(nonce: 4)))
    #expect(try other.pong() == 4)
    await server.stop()
  }

  @Test(arguments: Route.allCases)
  func `F11: one damaged bit in any byte harms nobody else`(route: Route) async throws {
    let server = try await ProxiedServer(route, limits: Self.limits)
    try await server.fixture.addAccount("ben")
    let token = try await server.fixture.pair(.watch, account: "ben")
    let watched = try await server.fixture.device(.phone)
    try watched.connect()
    let (before, revision) = (watched.state.contents, watched.state.revision)
    let hello = MessageEncoder().frame(ClientMessage.hello(Hello(token: token)))
    let ping = MessageEncoder().frame(ClientMessage.ping(Ping(nonce: 77)))
    let fetch = MessageEncoder().frame(
      ClientMessage.fetch(Fetch(view: WidgetView(kind: .streak, family: .small, appearance: .day))))
    let stream = hello + ping + fetch
    let entries = try await server.fixture.status().entries
    var ended = 0
    for at in 0..<stream.count {
      var faults = Faults()
      faults.corrupt = .after(bytes: UInt64(at))
      let client = try await server.connect(up: faults)
      client.answersPings = false
      try? client.send(bytes: stream)
      client.finish()
      let messages = try client.untilClosed()
      // Whoever damages a token is nobody; whoever damages a length waits or is too large.
      if case .goodbye(let goodbye)? = messages.last {
        let possible: Set<Goodbye.Reason> = [
          .malformed, .frameTooLarge, .unauthenticated, .unsupportedVersion, .protocolError,
          .forbidden,
        ]
        #expect(possible.contains(goodbye.reason), "byte \(at): \(goodbye.reason.word)")
        ended += 1
      }
    }
    #expect(ended > stream.count / 2)
    try watched.sync()
    #expect(watched.state.contents == before && watched.state.revision == revision)
    // At most the turn that was due at the first greeting.
    #expect(try await server.fixture.status().entries <= entries + 1)
    await server.stop()
    #expect(try server.fixture.offlineCheck().isEmpty)
  }
}
