import AuthorityServer
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite(.serialized, .timeLimit(.minutes(3))) struct ServeTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  @Test func `ready lines name every address, with the port that was picked`() async throws {
    let server = try await ServeProcess(data: data)
    #expect(server.port > 0)
    _ = try server.client()
    _ = try server.client(overTCP: false)
    let ending = await server.end()
    #expect(ending.status == 0)
    #expect(
      ending.output == "ready 127.0.0.1:\(server.port)\nready unix:\(server.unixPath)\n")
    #expect(ending.errors.isEmpty)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGQUIT])
  func `a stop in the middle of acts keeps what was receipted, and says goodbye`(
    signal: Int32
  ) async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let idle = try server.client()
    _ = try idle.greet(Hello(token: try await server.pair(.phone)))
    // One that has not greeted: the lobby says goodbye too.
    let guest = try server.client()
    var writers: [Writer] = []
    for index in 0..<8 {
      writers.append(Writer(index: index, account: "anna", token: try await server.pair(.watch)))
    }
    let steps = Steps(until: 400) { server.child.signal(signal) }
    let start = monotonicMilliseconds()
    writers = try await writeAll(writers, to: server, steps: steps)
    let ending = await server.child.end()
    let took = monotonicMilliseconds() - start
    #expect(ending.status == 0, "\(ending)")
    #expect(steps.millisecondsSinceEnd() < 5_000, "the whole took \(took) ms")
    #expect(writers.allSatisfy { $0.goodbye == .shuttingDown }, "\(writers.map(\.goodbye))")
    #expect(try idle.goodbye().reason == .shuttingDown)
    #expect(try guest.goodbye().reason == .shuttingDown)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    let again = try await ServeProcess(data: data)
    #expect(try await again.status().recoveredRows == 0, "a clean stop leaves nothing to fold")
    writers = try await writeAll(writers, to: again, steps: Steps(until: 0) {})
    try await verify(writers, on: again)
    _ = await again.end()
  }

  @Test func `a second server on the directory ends at once and says who runs`() async throws {
    let server = try await ServeProcess(data: data)
    let second = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
    #expect(second.status == 1)
    #expect(second.output.isEmpty)
    #expect(second.errors == "wristwire: already running (pid \(server.child.id))\n")
    #expect(try await server.status().connections == 0)
    #expect(await server.end().status == 0)
  }

  @Test func `a server outlives its terminal`() async throws {
    let server = try await ServeProcess(data: data)
    server.child.signal(SIGHUP)
    #expect(try await server.status().connections == 0)
    #expect(await server.end().status == 0)
  }

  @Test func `a server whose journal is taken away ends`() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    #expect(rename("\(data)/journal.db", "\(data)/elsewhere.db") == 0)
    let ending = await server.child.end()
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors.hasPrefix("wristwire: journal.db was renamed"), "\(ending)")
  }

  @Test func `a second signal ends it at once, and loses nothing`() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let slow = try server.client()
    _ = try slow.greet(Hello(token: try await server.pair(.watch)))
    // A client that does not finish its side keeps a clean stop waiting for a moment.
    server.child.signal(SIGTERM)
    _ = try slow.goodbye()
    server.child.signal(SIGTERM)
    let ending = await server.child.end()
    #expect(ending.status == 0 || ending.status == 128 + SIGTERM, "\(ending)")
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test func `readers that take nothing do not hold a stop up`() async throws {
    let server = try await ServeProcess(data: data, ["--partitions", "4"])
    var stuck: [WireClient] = []
    for index in 0..<8 {
      try await server.addAccount("account \(index)")
      let client = try server.client(overTCP: index % 2 == 0)
      let token = try await server.pair(.widget, account: "account \(index)")
      _ = try client.greet(Hello(token: token))
      // Fetches until the server takes no more, and no answer read.
      let fetches = fetches(512)
      while send(client.descriptor, fetches, fetches.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) > 0
      {}
      stuck.append(client)
    }
    let start = monotonicMilliseconds()
    let ending = await server.end()
    let took = monotonicMilliseconds() - start
    #expect(ending.status == 0)
    #expect(took < 5_000, "\(took) ms")
    _ = stuck
  }

  @Test func `an address that is in use is said, and nothing is left behind`() async throws {
    let server = try await ServeProcess(data: data)
    let other = "\(folder.path)/other"
    let second = try await wristwire(
      "serve", "--data", other, "--listen", "127.0.0.1:\(server.port)")
    #expect(second.status == 1)
    #expect(second.errors.contains("127.0.0.1:\(server.port)"))
    #expect(second.errors.split(separator: "\n").count == 1)
    let third = try await wristwire(
      "serve", "--data", other, "--listen", "127.0.0.1:0", "--unix", server.unixPath)
    #expect(third.status == 1)
    #expect(third.errors.contains(server.unixPath))
    #expect(try await wristwire("check", "--data", other).output == "ok\n")
    // The first server's socket is still its own.
    _ = try server.client(overTCP: false)
    #expect(await server.end().status == 0)
    #expect(access(server.unixPath, F_OK) != 0, "the socket file stays behind")
  }

  @Test(arguments: ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"])
  func `only the machine itself is listened to`(address: String) async throws {
    let ending = try await wristwire("serve", "--data", data, "--listen", address)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("listen on 127.0.0.1, [::1] or a Unix socket, or give it a"))
  }

  private func fetches(_ count: Int) -> [UInt8] {
    let view = WidgetView(kind: .streak, family: .large, appearance: .both)
    let fetch = MessageEncoder().frame(.fetch(Fetch(view: view)))
    return Array(repeatElement(fetch, count: count).joined())
  }
}
