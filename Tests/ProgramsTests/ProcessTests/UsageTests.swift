import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// What every program does alike: help, version, usage errors, SIGINT.
@Suite(.serialized, .timeLimit(.minutes(2))) struct UsageTests {
  /// A command and the options that the interface promises.
  struct Command: Sendable, CustomTestStringConvertible {
    let words: [String]
    let options: [String]

    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String, _ options: String) {
      self.words = words.split(separator: " ").map(String.init)
      self.options = options.split(separator: " ").map(String.init)
    }

    static let all = [
      Command(
        "wristwire serve",
        "--data --listen --unix --tls-certificate --tls-key --insecure --partitions --limits "
          + "--test-clock"),
      Command("wristwire certificate", "--certificate --key --host --days"),
      Command("wristwire pin", "--certificate"),
      Command("wristwire demo", ""),
      Command("wristwire account add", "NAME --zone --data"),
      Command("wristwire pair", "--account --kind --name --code --data"),
      Command("wristwire import apple-health", "FILE --account --data --json"),
      Command("wristwire revoke", "--account --device --data"),
      Command("wristwire status", "--data --json"),
      Command("wristwire audit", "--data --json"),
      Command("wristwire check", "--data"),
      Command("wristwire clock set", "INSTANT --data"),
      Command(
        "watch-emulator",
        "--server --pin --authority --server-name --token --code --code-file --outbox --offline "
          + "--device-clock --stay --json --do WRISTWIRE_TOKEN"),
      Command(
        "widget-emulator",
        "--server --pin --authority --server-name --token --code --code-file --widget --activity "
          + "--family --appearance --at --format WRISTWIRE_TOKEN"),
      Command(
        "load-tester",
        "--server --pin --authority --server-name --tokens --spawn --scenario --connections --pipeline --seconds --json"
      ),
      Command(
        "fault-simulator", "--seeds --seed --steps --jobs --failures --whole --json"),
      Command(
        "fault-proxy",
        "--listen --server --delay --split --corrupt --cut-after --reset --half-close --stall --up "
          + "--down --first --seed --control --json"),
    ]
  }

  @Test(arguments: Command.all)
  func `help names every option, with examples and endings`(command: Command) async throws {
    let ending = try await run(command.words + ["--help"])
    #expect(ending.status == 0, "\(ending)")
    #expect(ending.errors.isEmpty, "\(ending)")
    #expect(ending.output.contains("Usage:\n  \(command.words.joined(separator: " "))"))
    #expect(ending.output.contains("\nExit status:\n"))
    for option in command.options + ["--help", "--version"] {
      #expect(ending.output.contains(option), "\(option) is not there")
    }
    if !command.options.isEmpty { #expect(ending.output.contains("\nExamples:\n")) }
    for line in ending.output.split(separator: "\n") {
      #expect(line.count <= 110, "\(line)")
    }
  }

  @Test func `the help of serve lists every limit with its default`() async throws {
    let help = try await run(["wristwire", "serve", "--help"]).output
    for limit in ["clientFrameBytesMax = 65536", "idleMilliseconds = 90000", "reofferMax = 1000"] {
      #expect(help.contains("\n  \(limit)  "), "\(limit)")
    }
  }

  @Test(arguments: [
    "wristwire", "watch-emulator", "phone-emulator", "widget-emulator", "load-tester",
    "fault-simulator", "fault-proxy",
  ])
  func `every program tells its version and its help, and refuses what it does not know`(
    program: String
  ) async throws {
    let version = try await run([program, "--version"])
    #expect(version.status == 0)
    #expect(version.output == "\(program) \(toolVersion)\n")
    let help = try await run([program, "--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("Usage:\n  \(program)"))
    for wrong in [["--bogus"], ["bogus", "word"], []] {
      let ending = try await run([program] + wrong)
      #expect(ending.status == 2, "\(wrong): \(ending)")
      #expect(ending.output.isEmpty, "\(wrong): \(ending)")
      #expect(ending.errors.hasPrefix("\(program): "), "\(wrong): \(ending)")
      #expect(ending.errors.contains("--help"), "\(wrong): \(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(wrong): \(ending)")
    }
  }

  @Test(arguments: Command.all.filter { !$0.options.isEmpty })
  func `a command refuses what makes no sense`(command: Command) async throws {
    for wrong in [["--bogus"], ["--data"], ["one", "two", "three"], ["--help=yes"]] {
      let ending = try await run(command.words + wrong)
      #expect(ending.status == 2, "\(wrong): \(ending)")
      #expect(ending.output.isEmpty, "\(wrong): \(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(wrong): \(ending)")
    }
  }

  @Test func `a watch that waits ends cleanly when it is interrupted`() async throws {
    let folder = try TemporaryDirectory()
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = try await server.pair(.watch)
    let watch = try ChildProcess(
      "watch-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--outbox", "\(folder.path)/outbox", "--stay", "60",
        "--json", "--do", "mark Run",
      ],
      environment: ServeProcess.environment.merging(["WRISTWIRE_TOKEN": hex(token)]) { $1 })
    for await line in watch.lines where line.contains(#""type":"receipt""#) { break }
    watch.signal(SIGINT)
    let ending = await watch.end()
    #expect(ending.signal == nil, "\(ending)")
    #expect(ending.status == 0 || ending.status == 128 + SIGINT, "\(ending)")
    #expect(ending.output.contains(#""outcome":"applied""#))
    #expect(await server.end().status == 0)
  }

  @Test func `a watch that cannot reach anybody ends when it is interrupted, its action queued`()
    async throws
  {
    let folder = try TemporaryDirectory()
    let outbox = "\(folder.path)/outbox"
    let environment = ServeProcess.environment.merging(
      ["WRISTWIRE_TOKEN": String(repeating: "ab", count: 32)]
    ) { $1 }
    let watch = try ChildProcess(
      "watch-emulator",
      [
        "--server", "unix:\(folder.path)/nobody.sock", "--outbox", outbox, "--json", "--do",
        "mark Run",
      ],
      environment: environment)
    for await line in watch.lines where line.contains(#""type":"queued""#) { break }
    watch.signal(SIGINT)
    let ending = await watch.end()
    #expect(ending.status == 128 + SIGINT, "\(ending)")
    let again = try await ChildProcess.run(
      "watch-emulator",
      ["--server", "unix:\(folder.path)/nobody.sock", "--outbox", outbox, "--offline"],
      environment: environment)
    #expect(again.status == 3, "\(again)")
  }

  @Test func `a widget that waits for an answer ends when it is interrupted`() async throws {
    let folder = try TemporaryDirectory()
    let server = try await ServeProcess(data: "\(folder.path)/data")
    try await server.addAccount()
    let token = try await server.pair(.widget)
    // It takes connections, and answers nothing.
    server.child.signal(SIGSTOP)
    let widget = try ChildProcess(
      "widget-emulator",
      [
        "--server", "127.0.0.1:\(server.port)", "--widget", "streak", "--family", "small",
        "--appearance", "day", "--format", "json",
      ],
      environment: ServeProcess.environment.merging(["WRISTWIRE_TOKEN": hex(token)]) { $1 })
    #expect(
      Processes.wait {
        Processes.hasSocket(widget.id) && Processes.looksAfter(SIGINT, widget.id)
      })
    widget.signal(SIGINT)
    let ending = await widget.end()
    #expect(ending.status == 128 + SIGINT, "\(ending)")
    #expect(ending.output.isEmpty, "\(ending)")
    server.child.signal(SIGCONT)
    #expect(await server.end().status == 0)
  }

  @Test func `a load test that is interrupted ends its server too`() async throws {
    let load = try ChildProcess(
      "load-tester",
      [
        "--spawn", "--scenario", "act", "--connections", "4", "--pipeline", "1", "--seconds", "60",
        "--json",
      ], environment: ServeProcess.environment)
    #expect(
      Processes.wait(milliseconds: 20_000) {
        Processes.hasSocket(load.id) && Processes.looksAfter(SIGINT, load.id)
          && !Processes.children(of: load.id).isEmpty
      })
    let servers = Processes.children(of: load.id)
    load.signal(SIGINT)
    let ending = await load.end()
    #expect(ending.status == 128 + SIGINT, "\(ending)")
    for server in servers {
      #expect(Processes.waitForEnd(of: server, milliseconds: 5_000), "server \(server) lives on")
    }
  }

  @Test func `a demo holds all that it claims`() async throws {
    let ending = try await ChildProcess.run(
      "wristwire", ["demo"], environment: ServeProcess.environment, secondsMax: 100)
    #expect(ending.status == 0, "\(ending)")
    let claims = ending.output.split(separator: "\n").count { $0.hasPrefix("✓ ") }
    #expect(ending.output.hasSuffix("all \(claims) claims held\n"), "\(ending)")
    #expect(ending.errors.isEmpty, "\(ending)")
  }

  @Test func `a demo that is interrupted leaves no server behind`() async throws {
    let demo = try ChildProcess("wristwire", ["demo"], environment: ServeProcess.environment)
    for await _ in demo.lines { break }
    let servers = Processes.children(of: demo.id)
    demo.signal(SIGINT)
    let ending = await demo.end()
    #expect(ending.status == 128 + SIGINT, "\(ending)")
    for server in servers {
      #expect(Processes.waitForEnd(of: server, milliseconds: 5_000), "server \(server) lives on")
    }
  }

  private func run(_ words: [String]) async throws -> ChildProcess.Ending {
    try await ChildProcess.run(
      words[0], Array(words.dropFirst()), environment: ServeProcess.environment, secondsMax: 20)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
  }
}
