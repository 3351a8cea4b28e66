import Foundation
import Glibc
import TestSupport
import Testing

/// Data directories that cannot be used: one line that says why, status 1, and nothing touched.
@Suite(.serialized, .timeLimit(.minutes(2))) struct DirectoryTests {
  private let folder = try! TemporaryDirectory()

  private var data: String { "\(folder.path)/data" }

  /// What can be wrong with a directory, and what is said.
  enum Trouble: String, CaseIterable, Sendable {
    case isAFile, isOpenToOthers, parentIsMissing, journalIsText, journalIsEmptyWithALog
    case journalIsDamaged, journalIsNewer, journalIsForeign, devicesAreDamaged, lockIsALink

    var says: String {
      switch self {
      case .isAFile: "is not a directory"
      case .isOpenToOthers: "make it private with chmod 700"
      case .parentIsMissing: "No such file or directory"
      case .journalIsText: "journal.db is not a database"
      case .journalIsEmptyWithALog: "journal.db-wal is there without journal.db"
      case .journalIsDamaged: "journal.db"
      case .journalIsNewer: "journal.db has version"
      case .journalIsForeign: "journal.db is a database of another kind"
      case .devicesAreDamaged: "devices.db is not a database"
      case .lockIsALink: "cannot use"
      }
    }
  }

  @Test(arguments: Trouble.allCases)
  func `a directory that cannot be used is left as it is`(trouble: Trouble) async throws {
    let directory = trouble == .parentIsMissing ? "\(folder.path)/none/data" : data
    try await make(trouble)
    let before = try contents(of: trouble)
    for arguments in [
      ["serve", "--data", directory, "--listen", "127.0.0.1:0"],
      ["account", "add", "bob", "--zone", "UTC", "--data", directory],
      ["status", "--data", directory],
    ] {
      let ending = try await ChildProcess.run(
        "wristwire", arguments, environment: ServeProcess.environment)
      #expect(ending.status == 1, "\(arguments): \(ending)")
      #expect(ending.output.isEmpty, "\(ending)")
      let isMissing = trouble == .parentIsMissing && arguments[0] == "status"
      let says = isMissing ? "there is no data directory" : trouble.says
      #expect(ending.errors.contains(says), "\(ending)")
      #expect(ending.errors.split(separator: "\n").count == 1, "\(ending)")
    }
    #expect(try contents(of: trouble) == before, "\(trouble) was touched")
    let all = try contents()
    let check = try await wristwire("check", "--data", directory)
    #expect(check.status == 1, "\(check)")
    let said = trouble == .parentIsMissing ? "there is no directory" : trouble.says
    #expect((check.output + check.errors).contains(said), "\(check)")
    #expect(try contents() == all, "a check wrote something")
  }

  @Test func `a directory that cannot be written is said`() async throws {
    try await makeGood()
    // Root may write everywhere; a file system mounted read-only is for it.
    guard geteuid() != 0 else { return print("skipped: root may write everywhere") }
    chmod(data, 0o500)
    defer { chmod(data, 0o700) }
    let ending = try await wristwire("serve", "--data", data, "--listen", "127.0.0.1:0")
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors.contains(data), "\(ending)")
  }

  @Test func `a read-only file system is said`() async throws {
    // /proc/sys takes no new directories, not even root's.
    let ending = try await wristwire(
      "serve", "--data", "/proc/sys/wristwire", "--listen", "127.0.0.1:0")
    #expect(ending.status == 1, "\(ending)")
    #expect(ending.errors.hasPrefix("wristwire: cannot use /proc/sys/wristwire: "), "\(ending)")
  }

  private func makeGood() async throws {
    let ending = try await wristwire("account", "add", "anna", "--zone", "UTC", "--data", data)
    #expect(ending.status == 0, "\(ending)")
  }

  private func make(_ trouble: Trouble) async throws {
    let journal = "\(data)/journal.db"
    switch trouble {
    case .isAFile:
      try Data("x".utf8).write(to: URL(filePath: data))
      return
    case .parentIsMissing:
      return
    case .isOpenToOthers:
      try FileManager.default.createDirectory(
        atPath: data, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
      try Data("mine".utf8).write(to: URL(filePath: "\(data)/notes"))
      return
    default:
      try await makeGood()
    }
    switch trouble {
    case .journalIsText:
      try Data(String(repeating: "not a database\n", count: 100).utf8).write(
        to: URL(filePath: journal))
    case .journalIsEmptyWithALog:
      try Data(repeating: 7, count: 4_128).write(to: URL(filePath: "\(journal)-wal"))
      try Data().write(to: URL(filePath: journal))
    case .journalIsDamaged:
      var bytes = try Data(contentsOf: URL(filePath: journal))
      for index in stride(from: 4_096, to: bytes.count, by: 3) { bytes[index] ^= 0x5A }
      try bytes.write(to: URL(filePath: journal))
    case .journalIsNewer:
      // user_version, at offset 60 of the header (https://www.sqlite.org/fileformat.html, 1.3).
      try patch(journal, at: 60, [0, 0, 0x10, 0])
    case .journalIsForeign:
      // application_id, at offset 68.
      try patch(journal, at: 68, [1, 2, 3, 4])
    case .devicesAreDamaged:
      try patch("\(data)/devices.db", at: 0, Array("NotSQLite".utf8))
    case .lockIsALink:
      try FileManager.default.removeItem(atPath: "\(data)/lock")
      try FileManager.default.createSymbolicLink(
        atPath: "\(data)/lock", withDestinationPath: "/dev/null")
    default:
      break
    }
  }

  private func patch(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
    var content = try Data(contentsOf: URL(filePath: path))
    content.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    try content.write(to: URL(filePath: path))
  }

  /// The bytes of the files that are in trouble; whole ones beside them may be opened.
  private func contents(of trouble: Trouble) throws -> [String: Data] {
    let name = trouble == .devicesAreDamaged ? "devices.db" : "journal.db"
    return try contents().filter { file, _ in
      file.isEmpty || file.hasPrefix(name) || file == "notes"
    }
  }

  /// The bytes of every file; the lock's say who came last.
  private func contents() throws -> [String: Data] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: data, isDirectory: &isDirectory) else {
      return [:]
    }
    guard isDirectory.boolValue else {
      return ["": try Data(contentsOf: URL(filePath: data))]
    }
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: data) where name != "lock" {
      contents[name] = try Data(contentsOf: URL(filePath: "\(data)/\(name)"))
    }
    return contents
  }
}
