import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// Server and emulators over TLS, as a person runs them.
@Suite(.serialized, .timeLimit(.minutes(3))) struct SecureProgramTests {
  private let folder = try! TemporaryDirectory()

  private var certificate: String { "\(folder.path)/tls.crt" }
  private var key: String { "\(folder.path)/tls.key" }

  private func makeCertificate() async throws -> String {
    for path in [certificate, key] { unlink(path) }
    let made = try await wristwire(
      "certificate", "--certificate", certificate, "--key", key, "--host", "127.0.0.1")
    #expect(made.status == 0, "\(made)")
    let printed = try await wristwire("pin", "--certificate", certificate)
    #expect(made.output == "pin " + printed.output)
    return printed.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func serve() async throws -> ServeProcess {
    try await ServeProcess(
      data: "\(folder.path)/data",
      ["--listen", "tls:127.0.0.1:0", "--tls-certificate", certificate, "--tls-key", key])
  }

  private func watch(
    _ server: ServeProcess, _ trust: [String], token: [UInt8], _ more: [String]
  ) throws -> ChildProcess {
    var environment = ServeProcess.environment
    environment["WRISTWIRE_TOKEN"] = token.map { String(format: "%02x", $0) }.joined()
    let port = try #require(server.secured?.port)
    return try ChildProcess(
      "watch-emulator",
      ["--server", "tls:127.0.0.1:\(port)", "--outbox", "\(folder.path)/watch"] + trust + more,
      environment: environment)
  }

  @Test func `actions of a watch that is killed in the middle take effect exactly once`()
    async throws
  {
    let pin = try await makeCertificate()
    let server = try await serve()
    #expect(server.secured?.pin == pin)
    try await server.addAccount()
    let token = try await server.pair(.watch)
    let script = (1...60).flatMap { ["--do", "mark Run \($0)"] }
    let first = try watch(server, ["--pin", pin], token: token, ["--json"] + script)
    for await line in first.lines where line.contains("\"receipt\"") {
      first.signal(SIGKILL)
      break
    }
    _ = await first.end()
    let ending = try await watch(
      server, ["--pin", pin], token: token, ["--json", "--do", "mark Last run"]
    ).end()
    #expect(ending.status == 0, "\(ending)")
    let lines = ending.output.split(separator: "\n").filter { $0.contains("\"queued\"") }
    let number = try #require(
      lines.last.flatMap { $0.firstMatch(of: /"number":(\d+)/) }.flatMap { Int($0.1) })
    let status = try await server.status()
    #expect(status.actions.applied == number, "each of the outbox once")
    #expect(status.actions.refused == 0)
    _ = await server.end()
  }

  @Test func `a wrong pin ends the emulators at once, with nothing sent`() async throws {
    let pin = try await makeCertificate()
    let server = try await serve()
    try await server.addAccount()
    let token = try await server.pair(.watch)
    let other = "sha256:" + String(repeating: "0", count: 64)
    let ending = try await watch(server, ["--pin", other], token: token, ["--do", "mark Run"]).end()
    #expect(ending.status == 3, "\(ending)")
    #expect(ending.errors.contains("has another key than the pinned one: \(pin)"), "\(ending)")
    let port = try #require(server.secured?.port)
    let widget = try await ChildProcess.run(
      "widget-emulator",
      [
        "--server", "tls:127.0.0.1:\(port)", "--pin", other, "--widget", "streak", "--token",
        String(repeating: "0", count: 64),
      ], environment: ServeProcess.environment)
    #expect(widget.status == 1)
    #expect(widget.errors.contains("another server than the trusted one"), "\(widget)")
    let status = try await server.status()
    #expect(status.closed["unauthenticated"] == nil && status.actions.applied == 0)
    // What was queued is still there, for the right server.
    let right = try await watch(server, ["--authority", certificate], token: token, []).end()
    #expect(right.status == 0, "\(right)")
    #expect(try await server.status().actions.applied == 1)
    _ = await server.end()
  }

  @Test func `a hang-up signal reads a new certificate, and keeps the old one if it is broken`()
    async throws
  {
    let first = try await makeCertificate()
    let server = try await serve()
    try await server.addAccount()
    let token = try await server.pair(.watch)
    let second = try await makeCertificate()
    server.child.signal(SIGHUP)
    for await line in server.child.lines where line == "reloaded pin \(second)" { break }
    let old = try await watch(server, ["--pin", first], token: token, ["--do", "mark Run"]).end()
    #expect(old.status == 3, "\(old)")
    let new = try await watch(server, ["--pin", second], token: token, []).end()
    #expect(new.status == 0, "\(new)")
    chmod(key, 0o644)
    server.child.signal(SIGHUP)
    let end = ContinuousClock.now + .seconds(10)
    var alarms = try await server.status().alarms
    while alarms.isEmpty, ContinuousClock.now < end { alarms = try await server.status().alarms }
    #expect(alarms.contains { $0.contains("the old one stays") }, "\(alarms)")
    let still = try await watch(server, ["--pin", second], token: token, ["--do", "state"]).end()
    #expect(still.status == 0, "\(still)")
    let ending = await server.end()
    #expect(ending.status == 0)
    #expect(ending.errors.contains("the old one stays: others may read the key"), "\(ending)")
  }

  @Test func `load over TLS is answered without an error`() async throws {
    let pin = try await makeCertificate()
    let server = try await serve()
    try await server.addAccount()
    var tokens = ""
    for index in 0..<8 {
      let token = try await server.pair(.widget, name: "widget \(index)")
      tokens += token.map { String(format: "%02x", $0) }.joined() + "\n"
    }
    try Data(tokens.utf8).write(to: URL(filePath: "\(folder.path)/tokens"))
    let port = try #require(server.secured?.port)
    let ending = try await ChildProcess.run(
      "load-tester",
      [
        "--server", "tls:127.0.0.1:\(port)", "--pin", pin, "--tokens", "\(folder.path)/tokens",
        "--scenario", "fetch", "--connections", "8", "--pipeline", "16", "--seconds", "1", "--json",
      ], environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    #expect(ending.output.contains("\"errors\":0"), "\(ending)")
    _ = await server.end()
  }

  @Test func `a key or certificate is never overwritten, and an open key is not served`()
    async throws
  {
    _ = try await makeCertificate()
    let again = try await wristwire("certificate", "--certificate", certificate, "--key", key)
    #expect(again.status == 1)
    #expect(again.errors.contains("File exists"), "\(again)")
    var status = stat()
    #expect(stat(key, &status) == 0 && status.st_mode & 0o777 == 0o600)
    chmod(key, 0o604)
    let data = "\(folder.path)/data"
    let refused = try await wristwire(
      "serve", "--data", data, "--listen", "tls:127.0.0.1:0", "--tls-certificate", certificate,
      "--tls-key", key)
    #expect(refused.status == 1)
    #expect(refused.errors.contains("chmod 600 \(key)"), "\(refused)")
  }

  @Test(arguments: [
    (["--listen", "tls:127.0.0.1:0"], 1, "needs a certificate"),
    (["--listen", "192.0.2.1:0", "--insecure"], 1, "is no address of this machine"),
    (["--listen", "tls:unix:/a"], 2, "leave tls: out"),
    (["--tls-key", "k"], 2, "go together"),
    (["--tls-key", "k", "--tls-certificate", "c", "--insecure"], 2, "exclude each other"),
  ])
  func `what cannot be is said`(arguments: [String], status: Int32, text: String) async throws {
    let ending = try await ChildProcess.run(
      "wristwire", ["serve", "--data", "\(folder.path)/data"] + arguments,
      environment: ServeProcess.environment)
    #expect(ending.status == status, "\(ending)")
    #expect(ending.errors.contains(text), "\(ending)")
  }

  @Test(arguments: [
    (["--server", "tls:127.0.0.1:1"], "needs --pin PIN or --authority FILE"),
    (
      ["--server", "127.0.0.1:1", "--pin", "sha256:" + String(repeating: "0", count: 64)], "for TLS"
    ),
    (["--server", "tls:127.0.0.1:1", "--pin", "sha256:abc"], "as wristwire pin prints it"),
    (["--server", "tls:127.0.0.1:1", "--pin", "a", "--authority", "b"], "exclude each other"),
  ])
  func `a watch is told how to know its server`(arguments: [String], text: String) async throws {
    let ending = try await ChildProcess.run(
      "watch-emulator",
      arguments + ["--outbox", "\(folder.path)/o", "--token", String(repeating: "0", count: 64)],
      environment: ServeProcess.environment)
    #expect(ending.status == 2, "\(ending)")
    #expect(ending.errors.contains(text), "\(ending)")
  }
}
