import AuthorityServer
import CommandLineTool
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// A server in this process with devices, and the load tester as a user runs it.
private struct Loaded {
  let fixture: ServerFixture
  let folder: TemporaryFolder

  init(_ kind: DeviceKind, devices: Int, limits: ServerLimits = ServerLimits()) async throws {
    folder = try TemporaryFolder()
    fixture = try ServerFixture(limits: limits)
    try fixture.start()
    try await fixture.addAccount()
    var tokens = ""
    for _ in 0..<devices {
      tokens += "\(hexadecimal(of: try await fixture.pair(kind)))\n"
    }
    try SmallFile.replace("\(folder.path)/tokens", with: tokens)
  }

  func arguments(_ more: [String]) -> [String] {
    ["--server", "127.0.0.1:\(fixture.port)", "--tokens", "\(folder.path)/tokens"] + more
  }

  /// Runs it to its end; what it printed.
  func run(_ more: [String]) async throws -> JSONValue {
    let ending = try await ChildProcess.run(
      "load-tester", arguments(more + ["--json", "--seconds", "1"]))
    #expect(ending.status == 0, "\(ending.errors)")
    return try JSONParser.parse(ending.output)
  }
}

@Suite(.timeLimit(.minutes(2))) struct LoadTesterTests {
  @Test(arguments: [1, 16])
  func `every answered fetch was a fetch of the server's`(pipeline: Int) async throws {
    let loaded = try await Loaded(.widget, devices: 3)
    let json = try await loaded.run([
      "--scenario", "fetch", "--connections", "3", "--pipeline", "\(pipeline)",
    ])
    let answered = try #require(json["answered"]?.wholeNumber)
    #expect(answered > 0)
    #expect(json["errors"]?.wholeNumber == 0)
    // What was in flight at the end was answered to nobody.
    let fetched = Int64(try await loaded.fixture.status().fetched)
    #expect(answered <= fetched && fetched <= answered + Int64(3 * pipeline))
    await loaded.fixture.stop()
  }

  @Test(arguments: [1, 16])
  func `every receipt of a load is an applied action`(pipeline: Int) async throws {
    let loaded = try await Loaded(.watch, devices: 4)
    let json = try await loaded.run([
      "--scenario", "act", "--connections", "4", "--pipeline", "\(pipeline)",
    ])
    let answered = try #require(json["answered"]?.wholeNumber)
    #expect(answered > 0)
    #expect(json["errors"]?.wholeNumber == 0, "\(json.json)")
    let status = try await loaded.fixture.status()
    #expect(status.actions.refused == 0 && status.actions.expired == 0)
    let applied = Int64(status.actions.applied)
    #expect(answered <= applied && applied <= answered + Int64(4 * pipeline))
    await loaded.fixture.stop()
  }

  @Test func `a device is loaded again and goes on behind its earlier actions`() async throws {
    let loaded = try await Loaded(.watch, devices: 1)
    var applied = 0
    for _ in 1...2 {
      let json = try await loaded.run(["--scenario", "act", "--connections", "1"])
      #expect(json["errors"]?.wholeNumber == 0, "\(json.json)")
      let status = try await loaded.fixture.status()
      #expect(status.actions.applied > applied)
      applied = status.actions.applied
    }
    await loaded.fixture.stop()
  }

  @Test func `held actions are counted, offered again and applied`() async throws {
    var limits = ServerLimits()
    limits.actsPerSecond = 100
    limits.actsBurst = 100
    let loaded = try await Loaded(.watch, devices: 1, limits: limits)
    let json = try await loaded.run([
      "--scenario", "act", "--connections", "1", "--pipeline", "16",
    ])
    let busy = try #require(json["errorsByReason"]?["held: busy"]?.wholeNumber)
    #expect(busy > 0)
    // More than the burst: what was held came through later.
    #expect(try #require(json["answered"]?.wholeNumber) > 100)
    #expect(json["errors"]?.wholeNumber == busy, "\(json.json)")
    await loaded.fixture.stop()
  }

  @Test func `a connection that the server ends is an error with its reason`() async throws {
    let loaded = try await Loaded(.watch, devices: 2)
    let child = try ChildProcess(
      "load-tester",
      loaded.arguments([
        "--scenario", "act", "--connections", "2", "--seconds", "30", "--json",
      ]))
    while try await loaded.fixture.status().actions.applied < 10 { await Task.yield() }
    await loaded.fixture.stop()
    // Without connections there is nothing to wait for.
    let ending = await child.end()
    #expect(ending.status == 0)
    let json = try JSONParser.parse(ending.output)
    #expect(json["errorsByReason"]?["the server said goodbye: shuttingDown"]?.wholeNumber == 2)
    #expect(try #require(json["seconds"]?.double) < 30)
  }

  @Test func `an interrupted load prints what it has measured`() async throws {
    let loaded = try await Loaded(.widget, devices: 1)
    let child = try ChildProcess(
      "load-tester",
      loaded.arguments(["--scenario", "fetch", "--connections", "1", "--seconds", "60", "--json"]))
    while try await loaded.fixture.status().fetched < 10 { await Task.yield() }
    child.signal(SIGINT)
    let ending = await child.end()
    #expect(ending.status == 130)
    let json = try JSONParser.parse(ending.output)
    #expect(try #require(json["answered"]?.wholeNumber) >= 9)
    #expect(try #require(json["seconds"]?.double) < 60)
    await loaded.fixture.stop()
  }

  @Test func `too few tokens, a broken one and the wrong kind are told`() async throws {
    let loaded = try await Loaded(.widget, devices: 2)
    var ending = try await ChildProcess.run(
      "load-tester", loaded.arguments(["--scenario", "fetch", "--connections", "3"]))
    #expect(ending.status == 2)
    #expect(ending.errors.contains("has 2 tokens for 3 connections"))
    ending = try await ChildProcess.run(
      "load-tester", loaded.arguments(["--scenario", "act", "--connections", "1"]))
    #expect(ending.status == 1)
    #expect(ending.errors.contains("a widget cannot act"))
    try SmallFile.replace("\(loaded.folder.path)/tokens", with: "5ec2e7\n")
    ending = try await ChildProcess.run(
      "load-tester", loaded.arguments(["--scenario", "fetch", "--connections", "1"]))
    #expect(ending.status == 2)
    #expect(ending.errors.contains("line 1 of") && !ending.errors.contains("5ec2e7"))
    let stranger = String(repeating: "ab", count: 32)
    try SmallFile.replace("\(loaded.folder.path)/tokens", with: "\(stranger)\n")
    ending = try await ChildProcess.run(
      "load-tester", loaded.arguments(["--scenario", "fetch", "--connections", "1"]))
    #expect(ending.status == 1)
    #expect(ending.errors.contains("the server said goodbye: unauthenticated"))
    await loaded.fixture.stop()
    ending = try await ChildProcess.run(
      "load-tester",
      [
        "--server", "127.0.0.1:9", "--tokens", "\(loaded.folder.path)/tokens", "--scenario",
        "fetch", "--connections", "1",
      ])
    #expect(ending.status == 1)
    #expect(ending.errors.contains("cannot connect: Connection refused"))
  }

  @Test(arguments: ["fetch", "act"])
  func `a server of its own is started, loaded, stopped and removed`(scenario: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let ending = try await ChildProcess.run(
      "load-tester",
      [
        "--spawn", "--scenario", scenario, "--connections", "5", "--accounts", "2", "--pipeline",
        "4", "--seconds", "1", "--json",
      ], environment: ["TMPDIR": folder.path])
    #expect(ending.status == 0, "\(ending.errors)")
    let json = try JSONParser.parse(ending.output)
    #expect(json["connections"]?.wholeNumber == 5)
    #expect(json["errors"]?.wholeNumber == 0, "\(json.json)")
    #expect(try #require(json["answered"]?.wholeNumber) > 0)
    // The folder is empty again, so that it can go.
    #expect(rmdir(folder.path) == 0)
  }

  @Test func `accounts and devices are made by the dozen`() async throws {
    let folder = try TemporaryFolder()
    let data = ["--data", "\(folder.path)/data"]
    var ending = try await ChildProcess.run(
      "wristwire", ["account", "add", "load", "--zone", "UTC", "--count", "3"] + data)
    #expect(ending.status == 0, "\(ending.errors)")
    ending = try await ChildProcess.run(
      "wristwire",
      ["pair", "--account", "load", "--accounts", "3", "--count", "2", "--kind", "watch"] + data)
    #expect(ending.status == 0, "\(ending.errors)")
    let tokens = ending.output.split(separator: "\n")
    #expect(Set(tokens).count == 6)
    #expect(tokens.allSatisfy { hexadecimalBytes(of: $0)?.count == 32 })
    ending = try await ChildProcess.run("wristwire", ["status", "--json"] + data)
    let status = try JSONParser.parse(ending.output)
    #expect(status["accounts"]?.wholeNumber == 3)
    #expect(status["devices"]?.wholeNumber == 6)
    ending = try await ChildProcess.run(
      "wristwire", ["account", "add", "load", "--zone", "UTC", "--count", "4"] + data)
    #expect(ending.status == 1)
    #expect(ending.errors.contains("there is an account load-1 already"))
  }
}
