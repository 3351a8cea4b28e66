import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// The fault proxy as a user runs it, before a server as a user runs it.
@Suite(.serialized, .timeLimit(.minutes(2))) struct FaultProxyTests {
  @Test func `a proxy says where it listens, does what it is told, and counts`() async throws {
    let folder = try TemporaryDirectory()
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = try await server.pair(.watch)
    let path = "\(folder.path)/faulty.sock"
    let proxy = try ChildProcess(
      "fault-proxy",
      [
        "--listen", "unix:\(path)", "--server", "127.0.0.1:\(server.port)", "--split", "1..7",
        "--delay", "0ms..2ms", "--seed", "3", "--control", "--json",
      ], environment: ServeProcess.environment, input: "stats\nnonsense\n")
    var lines = proxy.lines.makeAsyncIterator()
    let (ready, figures) = (await lines.next(isolation: nil), await lines.next(isolation: nil))
    #expect(ready == "ready unix:\(path)")
    #expect(figures?.hasPrefix("{\"connections\":0,") == true, "\(figures ?? "nothing")")
    try await onThread {
      let client = try WireClient(unixPath: path)
      _ = try client.greet(Hello(token: token))
      try client.send(.ping(Ping(nonce: 5)))
      _ = try client.next { if case .pong(let pong) = $0 { pong } else { nil } }
    }
    proxy.signal(SIGINT)
    let ending = await proxy.end()
    #expect(ending.status == 0)
    #expect(ending.errors.contains("unknown command \"nonsense\""))
    #expect(ending.output.contains("\"connections\":1,"), "\(ending.output)")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(await server.end().status == 0)
  }

  @Test(arguments: [
    ["--delay", "80ms..20ms"], ["--delay", "soon"], ["--split", "0..3"], ["--split", "7..1"],
    ["--corrupt", "1/0"], ["--cut-after", "-3"], ["--listen", "example.org:1"],
    ["--seed", "x"], ["--first", "-1"],
  ])
  func `what makes no sense is refused in one line`(arguments: [String]) async throws {
    let ending = try await ChildProcess.run(
      "fault-proxy", ["--server", "127.0.0.1:1"] + arguments,
      environment: ServeProcess.environment)
    #expect(ending.status == 2 && ending.output.isEmpty)
    #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
  }

  @Test func `an address in use is said`() async throws {
    let folder = try TemporaryDirectory()
    let server = try await ServeProcess(data: "\(folder.path)/data")
    let ending = try await ChildProcess.run(
      "fault-proxy", ["--listen", "127.0.0.1:\(server.port)", "--server", "127.0.0.1:1"],
      environment: ServeProcess.environment)
    #expect(ending.status == 1 && ending.errors.contains("is in use"), "\(ending)")
    #expect(await server.end().status == 0)
  }

  @Test func `H6: a server that was stopped for a while calls nobody silent`() async throws {
    let folder = try TemporaryDirectory()
    let limits = "\(folder.path)/limits"
    try "idleMilliseconds = 5000\n".write(toFile: limits, atomically: true, encoding: .utf8)
    let server = try await ServeProcess(data: "\(folder.path)/data", ["--limits", limits])
    try await server.addAccount()
    let silent = try server.client()
    _ = try silent.greet(Hello(token: try await server.pair(.watch)))
    let talking = try server.client(overTCP: false)
    _ = try talking.greet(Hello(token: try await server.pair(.phone)))
    server.child.signal(SIGSTOP)
    let end = monotonicMilliseconds() + 7_000
    while monotonicMilliseconds() < end { poll(nil, 0, 100) }
    // It waits for the server before anything else does.
    try talking.send(.ping(Ping(nonce: 7)))
    server.child.signal(SIGCONT)
    for (client, nonce) in [(talking, 7), (silent, 8)] as [(WireClient, UInt64)] {
      if nonce == 8 { try client.send(.ping(Ping(nonce: nonce))) }
      let answer = try client.next { if case .pong(let pong) = $0 { pong.nonce } else { nil } }
      #expect(answer == nonce)
    }
    #expect(try await server.status().closed["idle"] == nil)
    #expect(await server.end().status == 0)
  }
}
