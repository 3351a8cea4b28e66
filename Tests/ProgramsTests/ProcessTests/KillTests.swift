import AuthorityServer
import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// SIGKILL at moments nobody chose well: what was acknowledged is there, and there once.
@Suite(.serialized, .timeLimit(.minutes(15))) struct KillTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  @Test func `what 32 writers were told survives kill -9 after kill -9, once`() async throws {
    let rounds = isFullForm ? 50 : 5
    var random = SeededGenerator(seed: 20_261_130)
    let start = monotonicMilliseconds()
    var server = try await ServeProcess(data: data)
    var writers: [Writer] = []
    for account in 0..<4 {
      try await server.addAccount("account \(account)")
      for _ in 0..<8 {
        let token = try await server.pair(.watch, account: "account \(account)")
        writers.append(Writer(index: writers.count, account: "account \(account)", token: token))
      }
    }
    var folded = 0
    for round in 1...rounds {
      let victim = server.child
      let steps = Steps(until: .random(in: 1...4_000, using: &random)) { victim.signal(SIGKILL) }
      writers = try await writeAll(writers, to: server, steps: steps)
      let ending = await victim.end()
      #expect(ending.signal == SIGKILL, "round \(round): \(ending)")
      let check = try await wristwire("check", "--data", data)
      #expect(check.output == "ok\n", "round \(round): \(check)")
      server = try await ServeProcess(data: data)
      folded += try await server.status().recoveredRows
    }
    writers = try await writeAll(writers, to: server, steps: Steps(until: 0) {})
    try await verify(writers, on: server)
    #expect(try await server.status().alarms.isEmpty)
    #expect(await server.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    let acts = writers.map(\.receipts.count).reduce(0, +)
    print(
      "kill -9: \(rounds) rounds, \(acts) acts of \(writers.count) writers, \(folded) rows folded, "
        + "\((monotonicMilliseconds() - start) / 1_000) s")
  }

  @Test func `an act that was committed and never answered is answered when it is asked again`()
    async throws
  {
    guard access("/usr/bin/strace", X_OK) == 0 else {
      return print("skipped: strace is not installed")
    }
    let first = try await ServeProcess(data: data)
    try await first.addAccount()
    var writer = Writer(index: 0, account: "anna", token: try await first.pair(.watch))
    #expect(await first.end().status == 0)
    var committedUnanswered = 0
    // The server dies as it begins its nth send: one of the first few is that of a receipt.
    for send in 1...(isFullForm ? 24 : 8) {
      writer = try await killed(at: "sendto", send, writer)
      let again = try await ServeProcess(data: data)
      let expected = try await expectation(of: writer, on: again)
      if expected > ActionNumber(writer.receipts.count) + 1 { committedUnanswered += 1 }
      let writers = try await writeAll([writer], to: again, steps: Steps(until: 0) {})
      writer = writers[0]
      try await verify(writers, on: again)
      #expect(await again.end().status == 0)
    }
    #expect(committedUnanswered > 0, "no kill came between commit and receipt")
  }

  @Test(arguments: ["pwrite64", "fdatasync"])
  func `a kill at any write leaves what was acknowledged`(call: String) async throws {
    guard access("/usr/bin/strace", X_OK) == 0 else {
      return print("skipped: strace is not installed")
    }
    let first = try await ServeProcess(data: data)
    try await first.addAccount()
    var writer = Writer(index: 0, account: "anna", token: try await first.pair(.watch))
    #expect(await first.end().status == 0)
    for count in isFullForm ? Array(1...60) : [1, 4, 9, 16, 25] {
      writer = try await killed(at: call, count, writer)
      let check = try await wristwire("check", "--data", data)
      #expect(check.output == "ok\n", "\(call) \(count): \(check)")
      let again = try await ServeProcess(data: data)
      let writers = try await writeAll([writer], to: again, steps: Steps(until: 0) {})
      writer = writers[0]
      try await verify(writers, on: again)
      // Killed too, so that the next one has something to recover.
      _ = await again.end(SIGKILL)
    }
  }

  /// Lets the writer write to a server that is killed as it enters a system call for the nth time.
  private func killed(at call: String, _ count: Int, _ writer: Writer) async throws -> Writer {
    let launcher = [
      "/usr/bin/strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
      "inject=\(call):signal=KILL:when=\(count)",
    ]
    let server: ServeProcess
    do {
      server = try await ServeProcess(data: data, launcher: launcher, secondsMax: 60)
    } catch {
      // It died before it was ready.
      return writer
    }
    let steps = Steps(until: 400) { Self.killChildren(of: server.child.id) }
    let writers = try await writeAll([writer], to: server, steps: steps)
    Self.killChildren(of: server.child.id)
    let ending = await server.child.end()
    // strace ends as what it ran did.
    #expect(ending.signal == SIGKILL || ending.status == 128 + SIGKILL, "\(ending)")
    return writers[0]
  }

  /// The number that the server decides next.
  private func expectation(of writer: Writer, on server: ServeProcess) async throws -> ActionNumber
  {
    let client = try server.client()
    let state = IncarnationState(
      incarnation: writer.incarnation, confirmed: 0, oldest: 1, next: 1 << 50)
    let welcome = try client.greet(Hello(token: writer.token, incarnations: [state]))
    return welcome.expected.first?.number ?? 0
  }

  /// What was traced outlives the tracer; here it does not.
  private static func killChildren(of id: pid_t) {
    for child in Processes.children(of: id) { kill(child, SIGKILL) }
  }
}
