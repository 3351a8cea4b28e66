import FaultProxy
import Glibc
import TestSupport
import Testing
import Transport

/// The proxy by itself, between a client and a peer that does what the test says.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FaultProxyTests {
  @Test(arguments: Route.allCases, Route.allCases)
  func `bytes pass both ways, and so does each end of a stream`(
    front: Route, back: Route
  ) async throws {
    try await between(front, back) { proxy, client, server in
      try client.send(bytes: [1, 2, 3])
      try expect(server.read(3) == [1, 2, 3], "up")
      try server.write([4, 5])
      try expect(client.read(2) == [4, 5], "down")
      client.finish()
      try expect(server.read(1).isEmpty, "the end of the client's stream")
      // The other direction goes on.
      try server.write([6])
      try expect(client.read(1) == [6], "behind the end")
      server.finish()
      try expect(client.isClosedByPeer(), "the end of the server's stream")
    }
  }

  @Test func `a reset on one side is a reset on the other`() async throws {
    try await between(.tcp, .tcp) { proxy, client, server in
      try client.send(bytes: [1])
      try expect(server.read(1) == [1], "up")
      client.reset()
      try expect(server.readError() == ECONNRESET, "no reset")
    }
    try await between(.tcp, .tcp) { proxy, client, server in
      try server.write([1])
      try expect(client.read(1) == [1], "down")
      server.reset()
      var byte: UInt8 = 0
      try expect(recv(client.descriptor, &byte, 1, 0) == -1 && errno == ECONNRESET, "no reset")
    }
  }

  @Test(arguments: Route.allCases)
  func `a slow reader slows the other side, and nothing is lost`(route: Route) async throws {
    try await between(route, route) { proxy, client, server in
      let count = 64 << 20
      server.writeBeside(count)
      // Until nothing more fits into the sockets and the proxy.
      var before = -1
      while server.written != before {
        before = server.written
        poll(nil, 0, 300)
      }
      try expect(before < count / 2, "\(before) bytes went into sockets and proxy")
      client.setTimeout(seconds: 10)
      var read = 0
      while read < count {
        let bytes = try client.read(min(65_536, count - read))
        for index in stride(from: 0, to: bytes.count, by: 509) {
          let right = UInt8((read + index) % 251)
          try expect(bytes[index] == right, "byte \(read + index) is \(bytes[index])")
        }
        read += bytes.count
      }
    }
  }

  @Test func `while paused nothing passes, and nothing is lost by it`() async throws {
    try await between(.tcp, .unixSocket) { proxy, client, server in
      try waiting { await proxy.perform(.pause) }
      try client.send(bytes: [1, 2])
      client.finish()
      try expect(!server.hasInput(milliseconds: 100), "something passed")
      try waiting { await proxy.perform(.resume) }
      try expect(server.read(3) == [1, 2], "what was sent, and the end")
    }
  }

  @Test func `each block is held for its time, in order`() async throws {
    var faults = Faults()
    faults.delay = .milliseconds(60) ... .milliseconds(90)
    try await between(.tcp, .tcp, up: faults) { proxy, client, server in
      let start = monotonicMilliseconds()
      for number in 0..<20 as Range<UInt8> { try client.send(bytes: [number]) }
      try expect(server.read(20) == Array(0..<20), "out of order")
      try expect(monotonicMilliseconds() - start >= 60, "too early")
      // What goes down has no delay.
      try server.write([9])
      try expect(client.read(1) == [9], "down")
      client.finish()
      try expect(server.read(1).isEmpty, "the end comes behind")
    }
  }

  @Test func `commands end every connection there is`() async throws {
    try await between(.tcp, .tcp) { proxy, client, server in
      try client.send(bytes: [1])
      _ = server.read(1)
      try waiting { await proxy.perform(.cut) }
      try expect(client.isClosedByPeer() && server.read(1).isEmpty, "not cut")
      let statistics = try waiting { await proxy.statistics }
      try expect(statistics.cuts == 1 && statistics.connections == 1, "\(statistics)")
      try expect(statistics.bytesUp == 1 && statistics.bytesDown == 0, "\(statistics)")
    }
  }

  @Test func `a client is told when the server cannot be reached`() async throws {
    let folder = try TemporaryDirectory()
    let proxy = try FaultProxy(
      ProxyConfiguration(
        listen: try SocketAddress(parsing: "127.0.0.1:0"),
        server: try SocketAddress(parsing: "unix:\(folder.path)/nobody")))
    let address = try await proxy.listen()
    let isClosed = try await onThread { try WireClient(to: address).isClosedByPeer() }
    #expect(isClosed)
    #expect(await proxy.statistics.unreachable == 1)
    await proxy.stop()
  }

  @Test func `a proxy that stops leaves no descriptor behind`() async throws {
    for _ in 0..<3 {
      try await between(.unixSocket, .tcp) { proxy, client, server in
        try client.send(bytes: [1])
        _ = server.read(1)
        try waiting { await proxy.stop() }
        try expect(client.isClosedByPeer() && server.read(1).isEmpty, "still open")
      }
    }
  }

  /// A client and a peer with the proxy between them.
  private func between(
    _ front: Route, _ back: Route, up: Faults = Faults(), down: Faults = Faults(),
    _ body: @escaping @Sendable (FaultProxy, WireClient, RawServer) throws -> Void
  ) async throws {
    let folder = try TemporaryDirectory()
    let listener = try RawListener(back, folder: folder.path)
    let listen =
      front == .tcp ? "127.0.0.1:0" : "unix:\(folder.path)/front.sock"
    let proxy = try FaultProxy(
      ProxyConfiguration(listen: try SocketAddress(parsing: listen), server: listener.address))
    await proxy.use(up: up, down: down)
    let address = try await proxy.listen()
    try await onThread {
      let client = try WireClient(to: address)
      try body(proxy, client, try listener.accept())
    }
    await proxy.stop()
  }
}
