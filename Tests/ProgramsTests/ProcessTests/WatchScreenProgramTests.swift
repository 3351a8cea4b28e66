import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// The watch on a terminal: keys in, screens out, and the terminal given back.
@Suite(.timeLimit(.minutes(1))) struct WatchScreenProgramTests {
  private let folder = try! TemporaryDirectory()

  private func terminal(
    _ server: String, token: String, more: [String] = [], columns: UInt16 = 72, rows: UInt16 = 12
  ) throws -> PseudoTerminal {
    try PseudoTerminal(
      "watch-emulator",
      ["--server", server, "--outbox", "\(folder.path)/wrist", "--token", token] + more,
      environment: ServeProcess.environment, columns: columns, rows: rows)
  }

  @Test func `a person marks, goes offline and back, and the terminal is as it was`() async throws {
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = hexadecimal(of: try await server.pair(.watch))
    let place = "127.0.0.1:\(server.port)"
    let script = ["match Reds Blues", "define Row", "schedule Row at now"].flatMap { ["--do", $0] }
    let ending = try await ChildProcess.run(
      "watch-emulator",
      ["--server", place, "--outbox", "\(folder.path)/wrist", "--token", token] + script,
      environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(ending)")
    let terminal = try terminal(place, token: token)
    let first = try await terminal.screen { screen in
      screen[0].contains("connected · current") && screen.contains { $0.contains("[ ] Row") }
    }
    #expect(first.count == 12 && first[0].contains("outbox 0"))
    #expect(first[1].hasPrefix("[Today]"))
    terminal.press("\r")
    _ = try await terminal.screen { screen in screen.contains { $0.contains("[x] Row") } }
    terminal.press("o")
    _ = try await terminal.screen { $0[0].contains("offline · stale") }
    // Two points without a connection: queued, and said so.
    terminal.press("\t\u{1B}[C1")
    terminal.press("2")
    let queued = try await terminal.screen { $0[0].contains("outbox 2") }
    #expect(queued[1].contains("[Match]") && queued[2] == "Reds 0 – 0 Blues")
    terminal.press("o")
    _ = try await terminal.screen { screen in
      screen[0].contains("connected · current") && screen[0].contains("outbox 0")
        && screen[2] == "Reds 1 – 1 Blues"
    }
    terminal.resize(columns: 18, rows: 3)
    let small = try await terminal.screen { $0.count == 3 }
    #expect(small[0].contains("on current 0") && small[1] == "[Match] 3/5")
    terminal.press("q")
    #expect(await terminal.end() == 0)
    #expect(terminal.isCooked)
    #expect(terminal.tail.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
    #expect(await server.end().status == 0)
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a signal ends the screen, and gives the terminal back`(signal: Int32) async throws {
    let terminal = try terminal(
      "unix:\(folder.path)/nobody", token: String(repeating: "ab", count: 32),
      more: ["--interactive", "--offline"])
    let screen = try await terminal.screen { !$0.isEmpty }
    #expect(screen[0].contains("offline · stale"))
    #expect(!terminal.isCooked)
    kill(terminal.id, signal)
    // WEXITSTATUS: it ended by itself.
    #expect(await terminal.end() == (128 + signal) << 8)
    #expect(terminal.isCooked)
    #expect(terminal.tail.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test func `a terminal whose output is held up is given back all the same`() async throws {
    let terminal = try terminal(
      "unix:\(folder.path)/nobody", token: String(repeating: "ab", count: 32),
      more: ["--interactive", "--offline"])
    _ = try await terminal.screen { !$0.isEmpty }
    terminal.holdUp(true)
    kill(terminal.id, SIGTERM)
    #expect(Processes.wait { terminal.isCooked }, "it waits for its output first")
    terminal.holdUp(false)
    #expect(await terminal.end() == (128 + SIGTERM) << 8)
    #expect(terminal.tail.hasSuffix("\u{1B}[?25h\u{1B}[?1049l"))
  }

  @Test func `signals are looked after before the terminal is raw`() async throws {
    let terminal = try terminal(
      "unix:\(folder.path)/nobody", token: String(repeating: "ab", count: 32),
      more: ["--interactive", "--offline"])
    // Looked at as fast as can be: what comes next takes a moment.
    let deadline = monotonicMilliseconds() + 10_000
    while terminal.isCooked, monotonicMilliseconds() < deadline {}
    #expect(!terminal.isCooked)
    for signal in [SIGINT, SIGTERM, SIGQUIT, SIGHUP] {
      #expect(Processes.looksAfter(signal, terminal.id), "\(signal)")
    }
    _ = try await terminal.screen { !$0.isEmpty }
    terminal.press("q")
    #expect(await terminal.end() == 0)
  }

  @Test func `who quits while actions remain queued is told so`() async throws {
    let terminal = try terminal(
      "unix:\(folder.path)/nobody", token: String(repeating: "ab", count: 32),
      more: ["--interactive"])
    _ = try await terminal.screen { $0[0].contains("connecting (") }
    let ending = try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "unix:\(folder.path)/nobody", "--outbox", "\(folder.path)/other", "--token",
        String(repeating: "ab", count: 32), "--offline", "--do", "match Reds Blues",
      ], environment: ServeProcess.environment)
    #expect(ending.status == 3, "\(ending)")
    terminal.press("q")
    #expect(await terminal.end() == 0, "nothing is queued here")
    let other = try PseudoTerminal(
      "watch-emulator",
      [
        "--server", "unix:\(folder.path)/nobody", "--outbox", "\(folder.path)/other", "--token",
        String(repeating: "ab", count: 32),
      ], environment: ServeProcess.environment, columns: 72, rows: 12)
    _ = try await other.screen { $0[0].contains("outbox 1") }
    other.press("q")
    #expect(await other.end() == 3 << 8)
    #expect(other.isCooked)
    #expect(other.tail.contains("1 action remains queued"))
  }

  @Test func `Ctrl-C is a key that quits, and a dead line ends the program`() async throws {
    let token = String(repeating: "ab", count: 32)
    let nowhere = "unix:\(folder.path)/nobody"
    var terminal = try terminal(nowhere, token: token)
    _ = try await terminal.screen { $0[0].contains("connecting (") }
    terminal.press("\u{3}")
    #expect(await terminal.end() == 0)
    #expect(terminal.isCooked)
    terminal = try self.terminal(nowhere, token: token, more: ["--offline"])
    _ = try await terminal.screen { !$0.isEmpty }
    terminal.hangUp()
    let status = await terminal.end()
    #expect(status == 0 || status == (128 + SIGHUP) << 8, "\(status)")
  }

  @Test func `without a terminal a screen is refused`() async throws {
    let ending = try await ChildProcess.run(
      "watch-emulator",
      [
        "--server", "unix:\(folder.path)/nobody", "--outbox", "\(folder.path)/wrist", "--token",
        String(repeating: "ab", count: 32), "--interactive",
      ], environment: ServeProcess.environment)
    #expect(ending.status == 2)
    #expect(ending.errors.contains("--interactive needs a terminal"))
    #expect(ending.output.isEmpty)
  }
}
