import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer

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
}
