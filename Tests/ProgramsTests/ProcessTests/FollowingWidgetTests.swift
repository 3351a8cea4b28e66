import CommandLineTool
import Glibc
import Guards
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// A widget that stays, as a person runs it.
@Suite(.timeLimit(.minutes(1))) struct FollowingWidgetTests {

  @Test func `a widget that stays draws again when the server says so, also after a restart`()
    async throws
  {
    let folder = try TemporaryFolder()
    let data = "\(folder.path)/data"
    var server = try await ServeProcess(data: data)
    try await server.addAccount()
    let phone = hexadecimal(of: try await server.pair(.phone))
    let token = hexadecimal(of: try await server.pair(.widget))
    let address = "unix:\(folder.path)/wire.sock"
    #expect(await server.end().status == 0)
    server = try await ServeProcess(data: data, ["--listen", address])
    func mark(_ title: String) async throws {
      let ending = try await ChildProcess.run(
        "watch-emulator",
        [
          "--server", address, "--outbox", "\(folder.path)/outbox", "--token", phone, "--do",
          "mark \(title)",
        ], environment: ServeProcess.environment)
      #expect(ending.status == 0, "\(ending)")
    }
    let widget = try ChildProcess(
      "widget-emulator",
      [
        "--server", address, "--token", token, "--widget", "today", "--family", "large",
        "--format", "json", "--follow",
      ], environment: ServeProcess.environment)
    var lines = widget.lines.makeAsyncIterator()
    let first = try #require(await lines.next())
    #expect(try JSONParser.parse(first)["kind"]?.text == "today", "\(first)")
    try await mark("Row")
    let second = try #require(await lines.next())
    #expect(second != first)
    // What was fetched before a restart nobody remembers: the widget asks by itself.
    #expect(await server.end().status == 0)
    server = try await ServeProcess(data: data, ["--listen", address])
    _ = try #require(await lines.next())
    try await mark("Swim")
    var next = try #require(await lines.next())
    while next == second { next = try #require(await lines.next()) }
    widget.signal(SIGTERM)
    #expect(await widget.end().status == 128 + SIGTERM)
    #expect(await server.end().status == 0)
  }

  @Test func `what the timeline has next is drawn at its moment, and nobody is asked`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/wire.sock"
    let fetches = Lock(0)
    let server = try await FakeServer.start(path: path) { _, message in
      switch message {
      case .hello:
        return [
          .say(
            .welcome(
              Welcome(
                account: AccountID(high: 2, low: 1), device: Samples.device, kind: .widget,
                epoch: EpochID(high: 3, low: 1), revision: 1,
                facetSet: DeviceKind.widget.facetSet, expected: [], backedUp: [],
                serverClock: ScriptedAuthority.now, leaseMilliseconds: 90_000,
                frameBytesMax: 65_536, inFlightMax: 64, reofferMax: 1_000)))
        ]
      case .fetch(let fetch):
        fetches.withLock { $0 += 1 }
        let now = ScriptedAuthority.now
        var timeline = Samples.timeline(.small)
        // What is on the wire has no control characters.
        timeline.entries[0].lines = ["4 days"]
        timeline.entries[0].from = now
        timeline.entries[1].from = now.advanced(milliseconds: 3_000)
        timeline.reloadAfter = now.advanced(milliseconds: 86_400_000)
        let content = MessageEncoder().encode(timeline)
        return [
          .say(
            .snapshot(Snapshot(view: fetch.view, revision: 1, hash: 1, content: content)))
        ]
      default: return []
      }
    }
    let widget = try ChildProcess(
      "widget-emulator",
      [
        "--server", "unix:\(path)", "--token", String(repeating: "ab", count: 32), "--widget",
        "streak", "--format", "json", "--follow",
      ], environment: ServeProcess.environment)
    var lines = widget.lines.makeAsyncIterator()
    var drawn: [Int64] = []
    while drawn.count < 2, let line = await lines.next() {
      drawn.append(try #require(try JSONParser.parse(line)["current"]?.wholeNumber))
    }
    #expect(drawn == [0, 1])
    #expect(fetches.withLock { $0 } == 1)
    widget.signal(SIGTERM)
    #expect(await widget.end().status == 128 + SIGTERM)
    await server.stop()
  }
}
