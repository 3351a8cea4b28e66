import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// Every command with a server and without one, and what keeps a directory from being used.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CommandTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  @Test(arguments: [true, false])
  func `every command does the same with a running server and without`(isRunning: Bool) async throws
  {
    let server = isRunning ? try await ServeProcess(data: data) : nil
    try await ok("account", "add", "anna", "--zone", "Europe/Berlin")
    let token = try await ok("pair", "--account", "anna", "--kind", "watch", "--name", "Wrist")
    #expect(token.wholeMatch(of: /[0-9a-f]{64}\n/) != nil, "\(token)")
    try await ok("revoke", "--account", "anna", "--device", "Wrist")
    let export = "\(folder.path)/export.xml"
    try Self.export.write(toFile: export, atomically: true, encoding: .utf8)
    let imported = try await ok("import", "apple-health", export, "--account", "anna", "--json")
    #expect(imported.hasPrefix(#"{"read":1,"logged":1,"known":0,"merged":0,"echo":0,"skipped":0"#))
    let again = try await wristwire(
      "import", "apple-health", "-", "--account", "anna", "--json", "--data", data,
      input: Self.export)
    #expect(again.output.hasPrefix(#"{"read":1,"logged":0,"known":1"#), "\(again)")
    let told = try await wristwire("status", "--json", "--data", data)
    #expect(told.status == 0 && told.errors.isEmpty == isRunning, "\(told)")
    let status = told.output
    #expect(status.contains(#""serving":\#(isRunning),"#), "\(status)")
    #expect(status.contains(#""accounts":1,"devices":1,"#), "\(status)")
    #expect(try await ok("check") == "ok\n")
    if let server { #expect(await server.end().status == 0) }
    #expect(try await ok("check") == "ok\n")
  }

  @Test(arguments: [true, false])
  func `what cannot be done is status 1 with one line`(isRunning: Bool) async throws {
    let server = isRunning ? try await ServeProcess(data: data) : nil
    try await ok("account", "add", "anna", "--zone", "Europe/Berlin")
    let failing: [([String], String)] = [
      (["account", "add", "anna", "--zone", "Europe/Berlin"], "there is an account anna already"),
      (["account", "add", "bob", "--zone", "Europe/Atlantis"], "there is no time zone"),
      (["account", "add", "bob", "--zone", "../../etc/passwd"], "there is no time zone"),
      (["account", "add", "", "--zone", "UTC"], "an account's name has 1 to"),
      (["account", "add", "a\nb", "--zone", "UTC"], "an account's name has 1 to"),
      (["pair", "--account", "bob", "--kind", "watch"], "there is no account bob"),
      (["pair", "--account", "anna", "--kind", "watch", "--name", ""], "a device's name has 1 to"),
      (["pair", "--account", "anna", "--kind", "watch", "--name", "a\tb"], "a device's name has"),
      (
        ["pair", "--account", "anna", "--kind", "watch", "--name", "a\u{202E}b"], "a device's name"
      ),
      (["pair", "--account", "anna", "--kind", "watch", "--name", " "], "a device's name has"),
      (["revoke", "--account", "anna", "--device", "Wrist"], "the account has no device Wrist"),
      (
        ["import", "apple-health", "/dev/null/none", "--account", "anna"],
        "/dev/null/none: the file cannot be read: Not a directory"
      ),
      (["import", "apple-health", data, "--account", "anna"], "\(data): no file of this folder"),
      (["import", "apple-health", "-", "--account", "bob"], "there is no account bob"),
      (["clock", "set", "now"], isRunning ? "the clock is the machine's" : "no server runs"),
    ]
    for (arguments, problem) in failing {
      let ending = try await ChildProcess.run(
        "wristwire", arguments + ["--data", data], environment: ServeProcess.environment,
        input: Self.export)
      #expect(ending.status == 1, "\(arguments): \(ending)")
      #expect(ending.output.isEmpty, "\(arguments): \(ending)")
      #expect(ending.errors.contains(problem), "\(arguments): \(ending)")
      #expect(ending.errors.hasPrefix("wristwire: "), "\(arguments): \(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(arguments): \(ending)")
    }
    if let server { #expect(await server.end().status == 0) }
  }

  @Test func `several devices of one name are told apart by their ids`() async throws {
    try await ok("account", "add", "anna", "--zone", "Europe/Berlin")
    for _ in 1...2 { try await ok("pair", "--account", "anna", "--kind", "watch") }
    let ending = try await wristwire(
      "revoke", "--account", "anna", "--device", "watch", "--data", data)
    #expect(ending.status == 1)
    let ids = ending.errors.matches(of: /([0-9a-f]{32}) \(watch\)/).map { String($0.1) }
    #expect(ids.count == 2, "\(ending)")
    try await ok("revoke", "--account", "anna", "--device", try #require(ids.first))
  }

  @Test(arguments: [
    ["account", "add", "bob", "--zone", "UTC"], ["status"], ["check"],
    ["pair", "--account", "anna", "--kind", "watch"],
    ["import", "apple-health", "-", "--account", "anna"], ["clock", "set", "now"],
  ])
  func `only a command that begins something makes a directory`(arguments: [String]) async throws {
    let ending = try await ChildProcess.run(
      "wristwire", arguments + ["--data", data], environment: ServeProcess.environment, input: "")
    let makes = arguments[0] == "account"
    #expect(ending.status == (makes ? 0 : 1), "\(ending)")
    #expect((access(data, F_OK) == 0) == makes, "\(ending)")
  }

  @Test func `an export that is cut off says so, and what was whole is logged`() async throws {
    try await ok("account", "add", "anna", "--zone", "Europe/Berlin")
    let ending = try await wristwire(
      "import", "apple-health", "-", "--account", "anna", "--json", "--data", data,
      input: String(Self.export.dropLast("</HealthData>\n".count)))
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.output.contains(#""logged":1"#), "\(ending)")
    #expect(ending.errors.contains("ends too early"), "\(ending)")
  }

  @Test func `words that are no UTF-8 or make no sense are usage errors`() async throws {
    try await ok("account", "add", "anna", "--zone", "Europe/Berlin")
    let pair = ["pair", "--account", "anna", "--data", data]
    for (words, problem) in [
      (pair + ["--kind", "toaster"], "one of phone, watch"),
      (["load-tester", "--spawn", "--tokens", "x", "--scenario", "fetch"], "exclude each other"),
    ] {
      let isOther = words[0] == "load-tester"
      let ending = try await ChildProcess.run(
        isOther ? words[0] : "wristwire", Array(words.dropFirst(isOther ? 1 : 0)),
        environment: ServeProcess.environment)
      #expect(ending.status == 2, "\(ending)")
      #expect(ending.errors.contains(problem), "\(ending)")
    }
    let shell = try await ChildProcess.run(
      "/bin/sh",
      ["-c", #""$0" account add "$(printf 'a\377')" --zone UTC --data "$1""#]
        + ["\(ChildProcess.folder)/wristwire", data], environment: ServeProcess.environment)
    #expect(shell.status == 2, "\(shell)")
    #expect(shell.errors.contains("argument 3 is not UTF-8"), "\(shell)")
  }

  @Test func `requests sent together on one admin connection are all answered`() async throws {
    let server = try await ServeProcess(data: data)
    let client = try WireClient(unixPath: "\(data)/admin.sock")
    let request = Array(#"{"status":{}}"#.utf8)
    let framed = [0, 0, 0, UInt8(request.count)] + request
    try client.send(bytes: framed + framed + framed)
    for _ in 1...3 {
      let header = try client.read(4)
      let answer = try client.read(header.reduce(0) { $0 << 8 | Int($1) })
      #expect(String(decoding: answer, as: UTF8.self).contains("acceptsActs"))
    }
    #expect(await server.end().status == 0)
  }

  @Test(arguments: [true, false])
  func `an import that is refused half-way through a long export ends with one line`(
    isRunning: Bool
  ) async throws {
    try await ok("account", "add", "anna", "--zone", "UTC")
    let server = isRunning ? try await ServeProcess(data: data) : nil
    let workouts = (0..<2_000).map { index in
      #" <Workout workoutActivityType="HKWorkoutActivityTypeRunning" sourceName="Watch" "#
        + #"startDate="2026-11-01 08:\#(index / 60 + 10):\#(index % 60 + 10) +0100" "#
        + #"endDate="2026-11-02 08:00:00 +0100"/>\#n"#
    }
    let ending = try await wristwire(
      "import", "apple-health", "-", "--account", "bob", "--data", data,
      input: "<HealthData>\n\(workouts.joined())</HealthData>\n")
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors == "wristwire: there is no account bob\n", "\(ending)")
    if let server { #expect(await server.end().status == 0) }
  }

  @Test func `the clock can be set where it is a test clock`() async throws {
    let server = try await ServeProcess(data: data, ["--test-clock", "2026-11-30T23:59:00+01:00"])
    try await ok("clock", "set", "+2m")
    #expect(try await server.status().clock.hasPrefix("2026-11-30T23:01"))
    try await ok("clock", "set", "2027-01-01T00:00:00+01:00")
    #expect(try await server.status().clock.hasPrefix("2026-12-31T23:00"))
    let wrong = try await wristwire("clock", "set", "yesterday", "--data", data)
    #expect(wrong.status == 2)
    #expect(await server.end().status == 0)
  }

  @Test(arguments: [
    ("nonsense\n", "line 1: expected: name = value"),
    (
      "# a comment\n\nidleMilliseconds = 90000\nidle = 1\n",
      "line 4: there is no limit of that name"
    ),
    ("inFlightMax = many\n", "line 1: inFlightMax is from 1 to 1024"),
    ("inFlightMax = 64\ninFlightMax = 65\n", "line 2: inFlightMax stands twice"),
    ("inFlightMax = 64 65\n", "line 1: expected: name = value"),
    ("inFlightMax = 0\n", "line 1: inFlightMax is from 1 to 1024"),
    ("inFlightMax = 99999999999999999999\n", "line 1: inFlightMax is from 1 to 1024"),
    ("inFlightMax=64\n", "line 1: expected: name = value"),
    ("actsPerSecond = 9000\n", "actsPerSecond is at most actsBurst"),
    ("clientFrameBytesMax = 70000\n", "line 1: clientFrameBytesMax is from 40960 to 65536"),
  ])
  func `a limits file that makes no sense is a usage error`(text: String, problem: String)
    async throws
  {
    let file = "\(folder.path)/limits"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let ending = try await wristwire("serve", "--data", data, "--limits", file)
    #expect(ending.status == 2, "\(ending)")
    #expect(ending.errors.contains(problem), "\(ending)")
    #expect(access(data, F_OK) != 0, "the directory was made all the same")
  }

  @Test func `a limits file that is not there is a usage error`() async throws {
    let ending = try await wristwire("serve", "--data", data, "--limits", "\(folder.path)/none")
    #expect(ending.status == 2, "\(ending)")
    #expect(ending.errors.contains("\(folder.path)/none"))
  }

  @Test func `a limits file is read whole or not at all`() async throws {
    let file = "\(folder.path)/limits"
    let text = String(repeating: "# much is said here\n", count: 4_000) + "inFlightMax = 0\n"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    let ending = try await wristwire("serve", "--data", data, "--limits", file)
    #expect(ending.status == 2, "\(ending)")
    #expect(ending.errors.contains("more than 65536 bytes"), "\(ending)")
  }

  @Test func `limits of a file hold, and stand in the status`() async throws {
    let file = "\(folder.path)/limits"
    try "inFlightMax = 7 # few\r\n\tidleMilliseconds = 60000\n".write(
      toFile: file, atomically: true, encoding: .utf8)
    let server = try await ServeProcess(data: data, ["--limits", file])
    try await server.addAccount()
    let client = try server.client()
    let welcome = try client.greet(Hello(token: try await server.pair(.watch)))
    #expect(welcome.inFlightMax == 7)
    let limits = try await server.status().limits
    #expect(limits["inFlightMax"] == 7 && limits["idleMilliseconds"] == 60_000)
    #expect(await server.end().status == 0)
  }

  @Test func `files are readable by their owner alone, whatever the umask`() async throws {
    let shell = "umask 000; exec \"$0\" \"$@\""
    let server = try await ServeProcess(data: data, launcher: ["/bin/sh", "-c", shell])
    try await server.addAccount()
    #expect(try mode(data) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: data)
    #expect(
      Set(names).isSuperset(of: ["journal.db", "devices.db", "lock", "admin.sock"]), "\(names)")
    for name in names {
      #expect(try mode("\(data)/\(name)") == 0o600, "\(name)")
    }
    #expect(try mode(server.unixPath) == 0o600)
    #expect(await server.end().status == 0)
  }

  @discardableResult
  private func ok(_ arguments: String...) async throws -> String {
    let ending = try await ChildProcess.run(
      "wristwire", arguments + ["--data", data], environment: ServeProcess.environment)
    #expect(ending.status == 0, "\(arguments): \(ending)")
    #expect(ending.errors.isEmpty, "\(arguments): \(ending)")
    return ending.output
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? NSNumber).intValue
  }

  private static let export = """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_DE">
     <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
    sourceName="Watch" startDate="2026-11-01 08:00:00 +0100" endDate="2026-11-01 08:30:00 +0100"/>
    </HealthData>

    """
}
