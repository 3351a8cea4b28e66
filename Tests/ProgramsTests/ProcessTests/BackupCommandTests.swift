import AuthorityServer
import CommandLineTool
import Foundation
import Glibc
import Storage
import TestSupport
import Testing
import WatchTransfer

/// `wristwire backup` and `restore`, as a person runs them, and killed in the middle.
@Suite(.serialized, .timeLimit(.minutes(10))) struct BackupCommandTests {
  private let folder = try! TestSupport.TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }
  private var target: String { "\(folder.path)/backups" }

  private func makeTarget() throws {
    try FileManager.default.createDirectory(
      atPath: target, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  private func backups() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: target).filter { !$0.hasPrefix(".") }
      .sorted()
  }

  /// A watch that sends edits, one after the other.
  private final class Sender {
    let token: [UInt8]
    private var outbox = TestOutbox()

    init(token: [UInt8]) {
      self.token = token
    }

    /// What the server decides next.
    func expected(by server: ServeProcess) throws -> ActionNumber {
      // It keeps everything, so that nothing counts as lost.
      let state = IncarnationState(
        incarnation: outbox.incarnation, confirmed: outbox.confirmed, oldest: 1, next: outbox.next)
      let welcome = try server.client().greet(Hello(token: token, incarnations: [state]))
      return welcome.expected.first?.number ?? 0
    }

    /// Sends `count` edits and waits for their receipts.
    func send(_ count: Int, to server: ServeProcess) throws {
      let client = try server.client()
      _ = try client.greet(Hello(token: token, incarnations: [outbox.state]))
      for _ in 0..<count {
        let now = Instant(milliseconds: Int64(time(nil)) * 1_000)
        let act = outbox.act(.setGoal(name: "steps", value: Double(outbox.next)), at: now)
        try client.send(.act(act))
        let receipt = try client.receipt()
        #expect(receipt.number == act.number && receipt.outcome.word == "applied")
        outbox.confirmed = act.number
      }
    }
  }

  @Test func `a server is backed up and restored by its commands`() async throws {
    try makeTarget()
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let sender = Sender(token: try await server.pair(.watch))
    try sender.send(50, to: server)
    let online = try await wristwire("backup", "--to", target, "--data", data, "--json")
    #expect(online.status == 0, "\(online)")
    let json = try JSONParser.parse(online.output)
    let backup = try #require(json["path"]?.text)
    #expect(json["accounts"]?.wholeNumber == 1)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
    #expect(try await wristwire("check", "--data", backup).output == "ok\n")
    let held = try await wristwire("restore", "--from", backup, "--data", data, "--replace")
    #expect(held.status == 1 && held.errors.contains("a server runs on"), "\(held)")
    try sender.send(40, to: server)
    #expect(await server.end().status == 0)
    let offline = try await wristwire("backup", "--to", target, "--keep", "1", "--data", data)
    #expect(offline.status == 0 && offline.output.contains(": verified, "), "\(offline)")
    #expect(try backups().count == 1)
    let newer = "\(target)/\(try backups()[0])"
    let refused = try await wristwire("restore", "--from", newer, "--data", data)
    #expect(refused.status == 1 && refused.errors.contains("--replace"), "\(refused)")
    let restored = try await wristwire("restore", "--from", newer, "--data", data, "--replace")
    #expect(restored.status == 0, "\(restored)")
    #expect(restored.output.contains("the journal that was there is journal.db.before-"))
    #expect(restored.output.contains("accounts and devices stay as they were"))
    let again = try await ServeProcess(data: data)
    try sender.send(10, to: again)
    #expect(try sender.expected(by: again) == 101)
    #expect(await again.end().status == 0)
  }

  @Test func `no command takes a backup for a data directory`() async throws {
    try makeTarget()
    #expect(
      try await wristwire("account", "add", "anna", "--zone", "UTC", "--data", data).status == 0)
    #expect(try await wristwire("backup", "--to", target, "--data", data).status == 0)
    let backup = "\(target)/\(try backups()[0])"
    let before = try FileManager.default.contentsOfDirectory(atPath: backup).sorted()
    for words in [
      ["status"], ["pair", "--account", "anna", "--kind", "watch"], ["serve"],
      ["account", "add", "ben", "--zone", "UTC"],
    ] {
      let ending = try await wristwire(words + ["--data", backup])
      #expect(ending.status == 1, "\(words): \(ending)")
      #expect(ending.errors.contains("is a backup and stays as it is"), "\(words): \(ending)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: backup).sorted() == before)
    #expect(try await wristwire("check", "--data", backup).output == "ok\n")
    #expect(try await wristwire("restore", "--from", backup, "--data", "\(data)-2").status == 0)
    let status = try await wristwire("status", "--data", "\(data)-2")
    #expect(status.status == 0 && status.output.contains("serving: false"), "\(status)")
    #expect(status.errors.contains("no server runs on"), "\(status)")
  }

  /// Writes checkpoints that are not what the rows make, with the right checksums.
  private func spoil(_ isChosen: (AccountID) -> Bool) throws {
    let directory = try DataDirectory(path: data)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: .random(), startedMilliseconds: 0)
    for id in try journal.accounts() where isChosen(id) {
      var checkpoint = try #require(try journal.loadAccount(id))
      checkpoint.state = []
      try journal.storeCheckpoints([checkpoint], foldedThrough: nil)
    }
    try journal.close()
    directory.release()
  }

  @Test func `a backup that lacks somebody stays, and failed; one that lacks everybody is none`()
    async throws
  {
    try makeTarget()
    let server = try await ServeProcess(data: data)
    try await server.addAccount("anna")
    try await server.addAccount("ben")
    let token = try await server.pair(.watch, account: "anna")
    let account = try server.client().greet(Hello(token: token)).account
    #expect(await server.end().status == 0)
    try spoil { $0 == account }
    let partial = try await wristwire("backup", "--to", target, "--data", data)
    #expect(partial.status == 1 && partial.output.contains(", 1 accounts"), "\(partial)")
    #expect(partial.errors.contains("account \(account) cannot be read"), "\(partial)")
    #expect(try backups().count == 1)
    try spoil { $0 != account }
    let none = try await wristwire("backup", "--to", target, "--data", data)
    #expect(none.status == 1 && none.output.isEmpty, "\(none)")
    #expect(none.errors.contains("no backup was made: the copy is not what it should be"))
    #expect(try backups().count == 1)
  }

  @Test(arguments: [
    (["backup", "--data", "d"], 2, "--to DIR is needed"),
    (["backup", "--to", "/nowhere", "--data", "d", "--keep", "0"], 2, "--keep"),
    (["restore", "--from", "/nowhere", "--data", "d"], 1, "/nowhere is not a backup"),
    (["serve", "--data", "d", "--backup-every", "1h"], 2, "need --backup-to"),
    (["serve", "--data", "d", "--backup-to", "/x", "--backup-every", "5s"], 2, "--backup-every"),
  ])
  func `what makes no sense is said in one line`(arguments: [String], status: Int, words: String)
    async throws
  {
    let ending = try await ChildProcess.run(
      "wristwire", arguments.map { $0 == "d" ? data : $0 }, environment: ServeProcess.environment)
    #expect(ending.status == Int32(status) && ending.errors.contains(words), "\(ending)")
    #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
  }

  /// The command line of a tool that is killed as it enters a call for the nth time.
  private func killed(at call: String, _ count: Int, _ arguments: [String]) async throws
    -> ChildProcess.Ending
  {
    try await ChildProcess.run(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
        "inject=\(call):signal=KILL:when=\(count)", "\(ChildProcess.folder)/wristwire",
      ] + arguments, environment: ServeProcess.environment)
  }

  @Test func `a backup killed at any write is no backup, and the next one is`() async throws {
    guard access("/usr/bin/strace", X_OK) == 0 else {
      return print("skipped: strace is not installed")
    }
    try makeTarget()
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let sender = Sender(token: try await server.pair(.watch))
    try sender.send(30, to: server)
    #expect(await server.end().status == 0)
    var made = 0
    let calls = ["pwrite64", "fsync", "fdatasync", "write", "rename", "mkdir"]
    for call in calls {
      for count in isFullForm ? Array(1...40) : [1, 2, 5, 12, 20] {
        let ending = try await killed(at: call, count, ["backup", "--to", target, "--data", data])
        let names = try backups()
        // Killed behind the last of its writes it may be one, unannounced.
        #expect((made...made + 1).contains(names.count), "\(call) \(count): \(ending)")
        if ending.status == 0 { #expect(names.count == made + 1, "\(call) \(count)") }
        made = names.count
        for name in names.suffix(1) {
          let check = try await wristwire("check", "--data", "\(target)/\(name)")
          #expect(check.output == "ok\n", "\(call) \(count): \(check)")
        }
      }
    }
    let last = try await wristwire("backup", "--to", target, "--keep", "1", "--data", data)
    #expect(last.status == 0, "\(last)")
    let left = try FileManager.default.contentsOfDirectory(atPath: target)
    #expect(left.count == 1, "what the kills left is cleared away: \(left)")
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  @Test func `a restore killed anywhere leaves the old journal or the new one`() async throws {
    guard access("/usr/bin/strace", X_OK) == 0 else {
      return print("skipped: strace is not installed")
    }
    try makeTarget()
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let sender = Sender(token: try await server.pair(.watch))
    try sender.send(20, to: server)
    let backup = try await wristwire("backup", "--to", target, "--data", data, "--json")
    let path = try #require(try JSONParser.parse(backup.output)["path"]?.text)
    try sender.send(20, to: server)
    // Killed, so that the old journal has a log.
    _ = await server.end(SIGKILL)
    unlink("\(data)/admin.sock")
    let whole = "\(folder.path)/whole"
    try FileManager.default.copyItem(atPath: data, toPath: whole)
    var outcomes: Set<ActionNumber> = []
    let calls = ["fsync", "rename", "link", "unlink", "write"]
    for call in calls {
      for count in isFullForm ? Array(1...12) : [1, 2, 3, 5] {
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.copyItem(atPath: whole, toPath: data)
        _ = try await killed(
          at: call, count, ["restore", "--from", path, "--data", data, "--replace"])
        let check = try await wristwire("check", "--data", data)
        #expect(check.output == "ok\n", "\(call) \(count): \(check)")
        let again = try await ServeProcess(data: data)
        let expected = try sender.expected(by: again)
        #expect([21, 41].contains(expected), "\(call) \(count): \(expected)")
        outcomes.insert(expected)
        #expect(await again.end().status == 0)
      }
    }
    #expect(outcomes == [21, 41], "no kill came before the restore was decided, or none after")
  }
}
