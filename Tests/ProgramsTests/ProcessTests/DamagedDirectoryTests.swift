import AuthorityServer
import Foundation
import Glibc
import TestSupport
import Testing
import WatchTransfer

/// G7, G8: every file of a data directory, damaged in every way a disk or a person damages files.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DamagedDirectoryTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// What happens to a file.
  enum Damage: String, CaseIterable, Sendable {
    case missing, empty, oneByte, cutInHalf, overwritten, aDirectory, aLink

    func inflict(on path: String) throws {
      let bytes = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
      unlink(path)
      switch self {
      case .missing: break
      case .empty: try Data().write(to: URL(filePath: path))
      case .oneByte: try Data([7]).write(to: URL(filePath: path))
      case .cutInHalf: try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
      case .overwritten:
        try Data(repeating: 7, count: max(600, bytes.count)).write(to: URL(filePath: path))
      case .aDirectory: mkdir(path, 0o700)
      case .aLink:
        let target = "\(path).target-\(getpid())"
        try bytes.write(to: URL(filePath: target))
        symlink(target, path)
      }
    }
  }

  /// What a start does about it.
  enum Answer: Sendable {
    /// Status 1 and one line with this in it; the file stays as it was.
    case refused(String)
    /// It serves, and an alarm says this.
    case alarmed(String)
    /// It serves: the file holds nothing that must be known.
    case served
  }

  /// The table. A journal or a list of accounts is never made anew in the place of one that cannot
  /// be read; the rest is made again.
  static func answer(_ file: String, _ damage: Damage) -> Answer {
    switch (file, damage) {
    case ("journal.db", .missing), ("journal.db", .empty):
      // With its log it is refused (below); alone, every listed account is made again, loudly.
      .alarmed("was listed but not in the journal: made again")
    case ("devices.db", .missing), ("devices.db", .empty):
      .alarmed("is in journal.db and not in devices.db")
    case ("journal.db", .cutInHalf), ("devices.db", .cutInHalf): .refused("\(file) is damaged")
    case ("journal.db", .aLink), ("devices.db", .aLink): .refused(file)
    case ("journal.db", .aDirectory), ("devices.db", .aDirectory): .refused(file)
    case ("journal.db", _), ("devices.db", _): .refused("\(file) is not a database")
    case ("lock", .aDirectory), ("lock", .aLink), ("ballast", .aLink),
      ("deciding.map", .aDirectory),
      ("deciding.map", .aLink), ("crashes", .aLink), ("crashes", .aDirectory):
      file == "ballast" ? .served : .refused("cannot use")
    case ("deciding.map", .oneByte), ("deciding.map", .cutInHalf), ("deciding.map", .overwritten):
      .alarmed("deciding.map was damaged")
    case ("crashes", .empty), ("crashes", .oneByte), ("crashes", .cutInHalf),
      ("crashes", .overwritten):
      .alarmed("crashes was damaged, and is crashes.damaged now")
    default: .served
    }
  }

  private func make() async throws {
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    #expect(await server.end().status == 0)
    // Present only after a crash; no account of this directory is in it.
    try Data(repeating: 1, count: 40).write(to: URL(filePath: "\(data)/crashes"))
  }

  @Test(
    arguments: ["journal.db", "devices.db", "lock", "ballast", "deciding.map", "crashes"],
    Damage.allCases)
  func `G7 a damaged file is refused or told, and never passed over`(
    file: String, damage: Damage
  ) async throws {
    try await make()
    if file != "crashes" { unlink("\(data)/crashes") }
    let path = "\(data)/\(file)"
    try damage.inflict(on: path)
    let before = facts(of: path)
    switch Self.answer(file, damage) {
    case .refused(let says):
      let ending = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
      #expect(ending.status == 1, "\(ending)")
      #expect(ending.output.isEmpty, "\(ending)")
      #expect(ending.errors.contains(says), "\(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
      #expect(facts(of: path) == before, "it was touched")
    case .alarmed(let says):
      let server = try await ServeProcess(data: data)
      let alarms = try await server.status().alarms
      #expect(alarms.contains { $0.contains(says) }, "\(alarms)")
      #expect(await server.end().status == 0)
      if file == "crashes" { #expect(facts(of: path + ".damaged") == before) }
      #expect(try await wristwire("check", "--data", data).output == "ok\n")
    case .served:
      let server = try await ServeProcess(data: data)
      #expect(try await server.status().alarms == [])
      #expect(await server.end().status == 0)
      #expect(try await wristwire("check", "--data", data).output == "ok\n")
    }
    unlink(path)
    rmdir(path)
  }

  @Test func `a check tells a record of crashes that is damaged`() async throws {
    try await make()
    let check = try await wristwire("check", "--data", data)
    #expect(check.status == 1 && check.output == "crashes: is not what was written\n", "\(check)")
  }

  /// What a file is and holds.
  private func facts(of path: String) -> [String] {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return [] }
    let bytes = facts.st_mode & S_IFMT == S_IFREG ? FileManager.default.contents(atPath: path) : nil
    return ["\(facts.st_mode & S_IFMT)", "\(facts.st_ino)", bytes?.base64EncodedString() ?? ""]
  }

  /// What happens to the log that a kill left.
  enum LogDamage: CaseIterable, Sendable { case missing, empty, cut, flipped, another }

  @Test(arguments: LogDamage.allCases)
  func `G8 what a lost log took with it is told by those who saw it, and nothing goes twice`(
    damage: LogDamage
  ) async throws {
    let log = "\(data)/journal.db-wal"
    let server = try await ServeProcess(data: data)
    try await server.addAccount()
    let token = try await server.pair(.watch)
    var watch = GoalWatch(token: token)
    for _ in 1...3 {
      watch.queue()
      guard case .settled = try watch.visit(server) else {
        throw ChildProcess.Failure(description: "not settled")
      }
    }
    _ = await server.end(SIGKILL)
    switch damage {
    case .missing: unlink(log)
    case .empty: try Data().write(to: URL(filePath: log))
    case .cut: try edit(log) { $0.removeLast($0.count / 2) }
    case .flipped: try edit(log) { $0[$0.count / 2] ^= 4 }
    case .another:
      let other = "\(folder.path)/other"
      let stranger = try await ServeProcess(data: other)
      try await stranger.addAccount("ben")
      _ = await stranger.end(SIGKILL)
      try Data(contentsOf: URL(filePath: "\(other)/journal.db-wal")).write(to: URL(filePath: log))
    }
    let again = try await wristwire("check", "--data", data)
    // Nothing half is there, and what is refused says so.
    let isRefused = again.status == 1
    let ending = isRefused ? try await wristwire("serve", "--data", data) : nil
    if let ending {
      #expect(ending.status == 1 && ending.errors.contains("journal.db"), "\(ending)")
      return
    }
    let next = try await ServeProcess(data: data)
    let client = try next.client()
    let state = IncarnationState(
      incarnation: watch.incarnation, confirmed: 3, oldest: 1, next: 4)
    let welcome = try client.greet(Hello(token: token, incarnations: [state]))
    let expected = try #require(welcome.expected.first?.number)
    #expect(1...4 ~= expected)
    let alarms = try await next.status().alarms
    #expect(
      expected == 4 || alarms.contains { $0.contains("restored from a backup?") }, "\(alarms)")
    #expect(await next.end().status == 0)
    #expect(try await wristwire("check", "--data", data).output == "ok\n")
  }

  private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    change(&bytes)
    try Data(bytes).write(to: URL(filePath: path))
  }
}
