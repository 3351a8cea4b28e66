import AuthorityLink
import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// Pairing by a code, as people do it, and what lies on the disk afterwards.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PairingTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  private func watch(_ server: ServeProcess, _ more: String...) async throws -> ChildProcess.Ending
  {
    try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/wrist", "--timeout",
        "20",
      ]
        + more, environment: ServeProcess.environment)
  }

  private func widget(_ server: ServeProcess, _ more: String...) async throws
    -> ChildProcess.Ending
  {
    try await ChildProcess.run(
      "widget-emulator",
      ["--server", "unix:\(server.unixPath)", "--widget", "streak", "--cache", "\(folder.path)/w"]
        + more, environment: ServeProcess.environment)
  }

  private func code(_ kind: String, _ more: String...) async throws -> String {
    let words = ["pair", "--account", "anna", "--kind", kind, "--code", "--data", data] + more
    let ending = try await ChildProcess.run(
      "wristwire", words, environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    let match = try #require(
      ending.output.wholeMatch(of: /([0-9]{8}) until (2[0-9T:.-]+Z)\n/), "\(ending)")
    let until = try #require(Instant(rfc3339: String(match.2)))
    let now = AuthorityClock().now()
    #expect((590_000...600_000).contains(until.milliseconds(since: now)))
    return String(match.1)
  }

  @Test func `a code pairs a watch and a widget once; later starts need nothing`() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let code = try await code("watch", "--name", "Wrist")
    let unpaired = try await watch(server)
    #expect(unpaired.status == 2 && unpaired.errors.contains("--code"), "\(unpaired)")
    let first = try await watch(server, "--code", code, "--do", "goal steps 1")
    #expect(first.status == 0, "\(first)")
    for more in [["--code", code], []] {
      let again = try await ChildProcess.run(
        "watch-emulator",
        ["--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/wrist"] + more
          + ["--do", "goal steps 2"], environment: ServeProcess.environment)
      #expect(again.status == 0, "\(again)")
    }
    let drawn = try await widget(server, "--code", try await self.code("widget"))
    #expect(drawn.status == 0, "\(drawn)")
    #expect(try await widget(server).status == 0)
    // A used code is none, and says what to do.
    let thief = try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/thief", "--code", code,
      ], environment: ServeProcess.environment)
    #expect(thief.status == 1 && thief.errors.contains("ask for a new one"), "\(thief)")
    #expect(try await server.status().devices == 2)
    #expect(await server.end().status == 0)
    let audit = try await wristwire("audit", "--data", data)
    #expect(audit.status == 0, "\(audit)")
    let lines = audit.output.split(separator: "\n")
    #expect(lines.filter { $0.contains(" codeRedeemed ") }.count == 2)
    #expect(lines.contains { $0.contains(" codeRedeemed ") && $0.contains("name=Wrist") })
    #expect(lines.contains { $0.contains(" goodbye reason=codeRefused from=127.0.0.1 count=1") })
    let json = try await wristwire("audit", "--data", data, "--json")
    #expect(json.output.split(separator: "\n").allSatisfy { $0.hasPrefix(#"{"at":""#) })
    #expect(!(audit.output + json.output).contains(code))
  }

  @Test func `a mistyped code, or a second process, costs a watch nothing`() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let place = ["--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/wrist"]
    // Out of the process list: as it was printed, by standard input.
    let first = try await ChildProcess.run(
      "watch-emulator", place + ["--code", "-", "--do", "goal steps 1"],
      environment: ServeProcess.environment,
      input: "\(try await code("watch")) until 2026-11-30T12:00:00Z\n")
    #expect(first.status == 0, "\(first)")
    let file = "\(folder.path)/wrist/pairing"
    let pairing = try Data(contentsOf: URL(fileURLWithPath: file))
    let mistyped = try await watch(server, "--code", "00000000", "--do", "goal steps 2")
    #expect(mistyped.status == 1 && mistyped.errors.contains("ask for a new one"), "\(mistyped)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == pairing)
    #expect(try await watch(server, "--do", "goal steps 3").status == 0)

    let lock = try DirectoryLock("\(folder.path)/wrist")
    let second = try await watch(server, "--code", "11111111")
    #expect(second.status == 1 && second.errors.contains("in use by another"), "\(second)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == pairing)
    withExtendedLifetime(lock) {}
    #expect(await server.end().status == 0)
  }

  @Test func `a code needs a running server, and makes one device`() async throws {
    let without = try await wristwire("account", "add", "anna", "--zone", "UTC", "--data", data)
    #expect(without.status == 0)
    let ending = try await wristwire(
      "pair", "--account", "anna", "--kind", "watch", "--code", "--data", data)
    #expect(ending.status == 1 && ending.errors.contains("no server runs"), "\(ending)")
    let several = try await wristwire(
      "pair", "--account", "anna", "--kind", "watch", "--code", "--count", "2", "--data", data)
    #expect(several.status == 2 && several.errors.contains("--count"), "\(several)")
    let none = try await wristwire("audit", "--data", "\(folder.path)/none")
    #expect(none.status == 1 && none.errors.contains("there is no data directory"), "\(none)")
  }

  @Test(arguments: ["000", "077", "777"])
  func `everything on the disk is for its owner alone, whatever the umask`(umask: String)
    async throws
  {
    let sh = ["/bin/sh", "-c", "umask \(umask); exec \"$@\"", "sh"]
    let server = try await ServeProcess(data: data, launcher: sh)
    try await server.addAccount()
    let phone = try server.client()
    _ = try phone.greet(Hello(token: try await server.pair(.phone)))
    let code = try await code("watch")
    let watch = try await ChildProcess.run(
      sh[0],
      Array(sh.dropFirst()) + [
        "\(ChildProcess.folder)/watch-emulator", "--server", "127.0.0.1:\(server.port)",
        "--outbox", "\(folder.path)/wrist", "--code", code, "--do", "goal steps 1",
      ], environment: ServeProcess.environment)
    // A umask that takes everything leaves the emulator, a program for tests, no file to open.
    if umask != "777" || geteuid() == 0 { #expect(watch.status == 0, "\(watch)") }
    try expectPrivate(server.unixPath)
    try expectPrivate(data)
    try expectPrivate("\(folder.path)/wrist")
    #expect(
      Set(try FileManager.default.contentsOfDirectory(atPath: data)).isSuperset(of: [
        "journal.db", "devices.db", "audit.log", "lock", "admin.sock",
      ]))
    #expect(await server.end().status == 0)
    try expectPrivate(data)
  }

  /// Nobody but the owner may do anything with a path, nor with what is below it; folders are 0700,
  /// files and sockets 0600.
  private func expectPrivate(_ path: String) throws {
    var facts = stat()
    try #require(lstat(path, &facts) == 0, "\(path)")
    let isFolder = facts.st_mode & S_IFMT == S_IFDIR
    let mode = facts.st_mode & 0o7777
    #expect(mode & 0o077 == 0, "\(path) has mode \(String(mode, radix: 8))")
    if path.hasPrefix(data) {
      #expect(mode == (isFolder ? 0o700 : 0o600), "\(path) has mode \(String(mode, radix: 8))")
    }
    guard isFolder else { return }
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try expectPrivate("\(path)/\(name)")
    }
  }
}
