import AuthorityServer
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// Peers that begin and do not go on (A5 to A7), with deadlines short enough to wait for.
@Suite(.serialized, .timeLimit(.minutes(2))) struct BytesDeadlineTests {
  private static var limits: ServerLimits {
    var limits = ServerLimits()
    limits.greetingMilliseconds = 400
    limits.frameMilliseconds = 400
    limits.ballastBytes = 0
    limits.freeSpaceReserveBytes = 0
    limits.greetingConnectionsMax = 2_048
    return limits
  }

  /// From the deadline to the end: the sweep's 250 ms, and a busy machine.
  private static let slackMilliseconds: Int64 = 3_000

  private struct Running: Sendable {
    let admin: AdminService
    let port: UInt16
    let unixPath: String
    let watches: [[UInt8]]

    var watch: [UInt8] { watches[0] }

    func connect(_ path: BytesPath) throws -> WireClient {
      let client =
        switch path {
        case .tcp: try WireClient(port: port)
        case .unixSocket: try WireClient(unixPath: unixPath)
        }
      client.setTimeout(seconds: 5)
      return client
    }

    func closed(_ reason: String) throws -> Int {
      let admin = admin
      let response = try waiting { await admin.perform(.status) }
      guard case .status(let status) = response else { return -1 }
      return status.closed[reason] ?? 0
    }
  }

  private func running(
    _ limits: ServerLimits = Self.limits, _ body: @escaping @Sendable (Running) throws -> Void
  ) async throws {
    let fixture = try ServerFixture(limits: limits)
    try fixture.start()
    try await fixture.addAccount()
    var watches: [[UInt8]] = []
    for _ in 0..<6 { watches.append(try await fixture.pair(.watch)) }
    let server = try #require(fixture.server)
    let running = Running(
      admin: server.admin, port: fixture.port, unixPath: fixture.unixPath, watches: watches)
    try await onThread { try body(running) }
    await fixture.stop()
  }

  @Test func `a greeting that does not come in time ends in a goodbye`() async throws {
    try await running { server in
      let starts = [[], [0], [0, 0, 0], prefix(40), prefix(40) + [10, 34]]
      let start = monotonicMilliseconds()
      let clients = try BytesPath.allCases.flatMap { path in
        try starts.map { bytes in
          let client = try server.connect(path)
          try client.send(bytes: bytes)
          return client
        }
      }
      for client in clients {
        let messages = try client.untilClosed()
        try expect(messages == [.goodbye(Goodbye(.idle, comeBack: true))], "\(messages)")
        let took = monotonicMilliseconds() - start
        try expect((400..<400 + Self.slackMilliseconds).contains(took), "after \(took) ms")
      }
      try expect(try server.closed("idle") == clients.count, "not counted")
    }
  }

  @Test func `a frame that is not finished in time ends the connection`() async throws {
    try await running { server in
      let starts = [
        [0, 0], prefix(60_000), prefix(60_000) + [UInt8](repeating: 0, count: 59_000),
      ]
      let clients = try BytesPath.allCases.flatMap { path in
        try starts.indices.map { index in
          let client = try server.connect(path)
          _ = try client.greet(Hello(token: server.watches[index + (path == .tcp ? 0 : 3)]))
          // Silence between frames is no stall.
          try client.send(bytes: ping(1))
          _ = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
          return client
        }
      }
      let start = monotonicMilliseconds()
      for (index, client) in clients.enumerated() {
        try client.send(bytes: starts[index % starts.count])
      }
      for client in clients {
        _ = try client.untilClosed()
        let took = monotonicMilliseconds() - start
        try expect((400..<400 + Self.slackMilliseconds).contains(took), "after \(took) ms")
      }
      // The end is counted in the turn that it comes in, and the next greeting is answered later.
      _ = try server.connect(.tcp).greet(Hello(token: server.watches[0]))
      try expect(try server.closed("stalledInput") == clients.count, "not counted")
    }
  }

  @Test func `each of many slow peers dies at its deadline, and others do not notice`() async throws
  {
    let count = isFullForm ? 1_000 : 200
    try await running { server in
      let bystander = try server.connect(.unixSocket)
      _ = try bystander.greet(Hello(token: server.watch))
      let start = monotonicMilliseconds()
      let whole = frame(hello(token: server.watch))
      var slow = try (0..<count).map { index in
        let client = try server.connect(index % 2 == 0 ? .tcp : .unixSocket)
        try client.send(bytes: [whole[0]])
        return client
      }
      let opened = monotonicMilliseconds()
      var sent = 1
      var slowest: Int64 = 0
      while !slow.isEmpty, monotonicMilliseconds() < opened + 400 + Self.slackMilliseconds {
        // A byte each, and a look at the clock of somebody who behaves.
        let asked = monotonicMilliseconds()
        try bystander.send(bytes: ping(UInt64(sent)))
        _ = try bystander.next { if case .pong(let pong) = $0 { pong } else { nil } }
        slowest = max(slowest, monotonicMilliseconds() - asked)
        slow = try dribble(whole[sent % whole.count], to: slow)
        sent += 1
      }
      try expect(slow.isEmpty, "\(slow.count) of \(count) live on")
      try expect(slowest < 1_000, "a ping took \(slowest) ms")
      try expect(try server.closed("idle") == count, "counted \(try server.closed("idle"))")
      print("slow peers: \(count), opened in \(opened - start) ms, slowest ping \(slowest) ms")
    }
  }

  /// Sends a byte to each after 50 ms, and keeps those that are still open.
  private func dribble(_ byte: UInt8, to clients: [WireClient]) throws -> [WireClient] {
    var descriptors = clients.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    poll(&descriptors, nfds_t(descriptors.count), 50)
    return try zip(clients, descriptors).compactMap { client, state in
      if state.revents == 0 {
        // The server may close at this very moment.
        try? client.send(bytes: [byte])
        return client
      }
      let messages = try client.untilClosed()
      try expect(messages == [.goodbye(Goodbye(.idle, comeBack: true))], "\(messages)")
      return nil
    }
  }

  @Test func `wrong tokens from one address are turned away, and others are not`() async throws {
    var limits = Self.limits
    limits.greetingMilliseconds = 5_000
    limits.addressLimitsOnLoopback = 1
    let allowed = limits.wrongTokensPerAddressMax
    try await running(limits) { server in
      var token = [UInt8](repeating: 0xA5, count: 32)
      for attempt in 0..<1_000 {
        token[0] = UInt8(attempt & 0xFF)
        token[1] = UInt8(attempt >> 8)
        let client = try server.connect(.tcp)
        try? client.send(bytes: frame(hello(token: token)))
        let messages = try client.untilClosed()
        guard case .goodbye(let goodbye)? = messages.first, messages.count == 1 else {
          try expect(false, "attempt \(attempt): \(messages)")
          continue
        }
        let isRight =
          attempt < allowed
          ? goodbye == Goodbye(.unauthenticated)
          : goodbye.reason == .tooMany && goodbye.comeBack
            && (5_000..<10_000).contains(goodbye.retryAfterMilliseconds)
        try expect(isRight, "attempt \(attempt): \(messages)")
      }
      try expect(try server.closed("unauthenticated") == allowed, "wrong tokens are counted")
      try expect(try server.closed("tooMany") == 1_000 - allowed, "who is turned away is counted")
      // Not even a good token helps that address; another address goes on.
      let good = try server.connect(.tcp)
      try? good.send(bytes: frame(hello(token: server.watch)))
      try expect(try good.goodbye().reason == .tooMany, "the address is let in again")
      _ = try server.connect(.unixSocket).greet(Hello(token: server.watch))
    }
  }
}
