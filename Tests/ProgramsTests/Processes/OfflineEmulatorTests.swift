import CommandLineTool
import Glibc
import Testing

/// Nobody listens there: the port of discard(9), which loopback refuses.
private let nobody = "127.0.0.1:9"
private let environment = ["WRISTWIRE_TOKEN": String(repeating: "ab", count: 32), "TZ": "UTC"]

/// A watch with an outbox of its own and no server.
private struct LoneWatch {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  var arguments: [String] { ["--server", nobody, "--outbox", "\(folder.path)/outbox", "--json"] }

  func run(_ more: [String]) async throws -> ChildProcess.Ending {
    try await ChildProcess.run("watch-emulator", arguments + more, environment: environment)
  }

  /// Numbers of the actions that a run has queued.
  static func numbers(_ output: String) throws -> [Int64] {
    try output.split(separator: "\n").map { try JSONParser.parse($0) }
      .filter { $0["type"]?.text == "queued" }.compactMap { $0["number"]?.wholeNumber }
  }
}

@Suite(.timeLimit(.minutes(2))) struct OfflineEmulatorTests {
  @Test func `an offline watch queues, keeps what it queued, and counts on`() async throws {
    let watch = try LoneWatch()
    var ending = try await watch.run([
      "--offline", "--do", "define Morning run", "--do", "match A B", "--do", "point home",
    ])
    #expect(ending.status == 3)
    #expect(try LoneWatch.numbers(ending.output) == [1, 2, 3])
    // The match is the one that waits in the outbox.
    ending = try await watch.run(["--offline", "--do", "clock start"])
    #expect(ending.status == 3)
    #expect(try LoneWatch.numbers(ending.output) == [4])
  }

  @Test func `an offline watch with nothing queued is done at once, and shows a stale state`()
    async throws
  {
    let ending = try await LoneWatch().run(["--offline", "--do", "state"])
    #expect(ending.status == 0)
    let state = try JSONParser.parse(ending.output)
    #expect(state["type"]?.text == "state")
    #expect(state["stale"]?.truth == true)
    #expect(state["revision"]?.wholeNumber == 0)
  }

  @Test(arguments: [
    ["--do", "define x", "--do", "point home"], ["--do", "define x", "--do", "jump"],
    ["--do", "define x", "--server", "nowhere"],
  ])
  func `what makes no sense queues nothing`(more: [String]) async throws {
    let watch = try LoneWatch()
    var ending = try await watch.run(["--offline"] + more)
    #expect(ending.status == 2)
    #expect(ending.output.isEmpty)
    ending = try await watch.run(["--offline", "--do", "define y"])
    #expect(try LoneWatch.numbers(ending.output) == [1])
  }

  @Test func `a watch that meets nobody says so once and gives up after its time`() async throws {
    let ending = try await LoneWatch().run(["--timeout", "1", "--do", "define x", "--do", "state"])
    #expect(ending.status == 3)
    let lines = ending.errors.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first?.contains("no connection to \(nobody)") == true)
    #expect(lines.last?.contains("1 action remains queued") == true)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `an interrupted watch stops cleanly, and its outbox stays`(signal: Int32) async throws {
    let watch = try LoneWatch()
    let child = try ChildProcess(
      "watch-emulator", watch.arguments + ["--do", "define x"], environment: environment)
    for await line in child.lines where line.contains("queued") { break }
    // The outbox belongs to one process.
    let second = try await watch.run(["--offline", "--do", "define y"])
    #expect(second.status == 1)
    #expect(second.errors.contains("in use by another process"))
    child.signal(signal)
    let ending = await child.end()
    #expect(ending.status == 128 + signal)
    let next = try await watch.run(["--offline", "--do", "define z"])
    #expect(try LoneWatch.numbers(next.output) == [2])
  }

  @Test func `a watch that is killed has lost nothing it has shown as queued`() async throws {
    let watch = try LoneWatch()
    let child = try ChildProcess(
      "watch-emulator", watch.arguments + ["--do", "define x", "--do", "define y"],
      environment: environment)
    for await line in child.lines where line.contains("\"number\":2") { break }
    child.signal(SIGKILL)
    #expect(await child.end().signal == SIGKILL)
    let next = try await watch.run(["--offline", "--do", "define z"])
    #expect(try LoneWatch.numbers(next.output) == [3])
  }

  @Test func `an emulated clock keeps its boot in the outbox directory`() async throws {
    let watch = try LoneWatch()
    let file = "\(watch.folder.path)/outbox/emulated-boot"
    _ = try await watch.run(["--offline", "--device-clock", "2026-11-30T12:00:00Z"])
    let first = try SmallFile.read(file)
    _ = try await watch.run(["--offline", "--device-clock", "2026-12-01T12:00:00Z"])
    let second = try SmallFile.read(file)
    #expect(first.prefix(32) == second.prefix(32))
    _ = try await watch.run(["--offline", "--device-clock", "2026-11-01T12:00:00Z"])
    #expect(try SmallFile.read(file).prefix(32) != first.prefix(32))
  }

  @Test func `a widget that meets nobody and has kept nothing fails with one line`() async throws {
    let ending = try await ChildProcess.run(
      "widget-emulator", ["--server", nobody, "--widget", "streak"], environment: environment)
    #expect(ending.status == 1)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.split(separator: "\n").count == 1)
  }
}
