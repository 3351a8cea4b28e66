import Glibc
import SQLite
import Testing

@testable import Storage

/// Files a start must refuse, and leave as they are.
struct DamagedFileTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    let journal = try SQLiteJournal.start(temporary.locked())
    for number in 1...20 { _ = try journal.append([batch(number, bytes: 3_000)]) }
    try journal.storeCheckpoints([checkpoint(1, through: 20)], foldedThrough: 3)
    try journal.close()
    try DeviceStore.open(directory: temporary.locked()).close()
  }

  private func expectRefused(_ expected: (StorageError) -> Bool) throws {
    let before = temporary.contents()
    let error = try #require(throws: StorageError.self) {
      try SQLiteJournal.start(temporary.locked(), 2)
    }
    #expect(expected(error), "\(error)")
    #expect(temporary.contents() == before)
  }

  @Test(
    "a file that is something else is no database",
    arguments: [1, 2, 100, 511, 512, 8_192])
  func foreign(bytes: Int) throws {
    try temporary.write("journal.db", [UInt8](repeating: 0x41, count: bytes))
    try expectRefused { $0 == .notADatabase(.journal) }
  }

  @Test("a flipped bit in the header's magic is no database")
  func magic() throws {
    try temporary.edit("journal.db") { $0[3] ^= 1 }
    try expectRefused { $0 == .notADatabase(.journal) }
  }

  @Test("a cut file is damaged", arguments: [4_096, 4_097, 20_000])
  func cut(bytes: Int) throws {
    try temporary.edit("journal.db") { $0.removeSubrange(bytes...) }
    try expectRefused {
      if case .corrupt(.journal, _) = $0 { true } else { false }
    }
  }

  @Test("an overwritten page is damage", arguments: [0, 1, 2, 3, 9])
  func page(number: Int) throws {
    // Page 1 begins with the file's header, which another test damages.
    let start = number * 4_096 + (number == 0 ? 100 : 0)
    try temporary.edit("journal.db") { bytes in
      for position in start..<start + 64 { bytes[position] = 0xff }
    }
    try expectRefused {
      if case .corrupt(.journal, _) = $0 { true } else { false }
    }
  }

  @Test("a file past the size for a quick look is opened without one")
  func noLook() throws {
    try temporary.edit("journal.db") { bytes in
      for position in 9 * 4_096..<9 * 4_096 + 64 { bytes[position] = 0xff }
    }
    _ = try StoreFile.open(.journal, .journal, in: temporary.locked(), quickCheckBytesMax: 4_096)
  }

  @Test("the other database under this name is refused")
  func swapped() throws {
    try temporary.write("journal.db", #require(temporary.read("devices.db")))
    try expectRefused { $0 == .foreignDatabase(.journal, application: 0x5772_4431) }
  }

  @Test("another program's database is refused")
  func foreignDatabase() throws {
    try temporary.write("journal.db", [])
    do {
      let connection = try Connection(path: temporary.path + "/journal.db")
      try connection.execute("CREATE TABLE notes (text TEXT)")
      try connection.close()
    }
    try expectRefused { $0 == .foreignDatabase(.journal, application: 0) }
  }

  @Test("a log without its database is refused", arguments: [true, false])
  func loneLog(remove: Bool) throws {
    let journal = try SQLiteJournal.start(temporary.locked(), 3)
    _ = try journal.append([batch(1)])
    let log = try #require(temporary.read("journal.db-wal"))
    try journal.close()
    try temporary.write("journal.db-wal", log)
    if remove {
      unlink(temporary.path + "/journal.db")
    } else {
      try temporary.write("journal.db", [])
    }
    try expectRefused { $0 == .logWithoutDatabase(.journal) }
  }

  @Test("a database another program has open is refused")
  func held() throws {
    let other = try Connection(path: temporary.path + "/journal.db")
    _ = try other.identity()
    #expect(throws: StorageError.heldByAnotherProgram(.journal)) {
      try StoreFile.open(
        .journal, .journal, in: temporary.locked(), busyTimeoutMilliseconds: 0)
    }
  }

  @Test("a database that cannot be written is refused")
  func readOnly() throws {
    let directory = try temporary.locked()
    try asOrdinaryUser(owning: [temporary.path, temporary.path + "/journal.db"]) {
      chmod(temporary.path + "/journal.db", 0o400)
      let error = #expect(throws: StorageError.self) { try SQLiteJournal.start(directory, 2) }
      if case .notWritable(.journal, _)? = error { return }
      Issue.record("\(String(describing: error))")
    }
  }

  @Test("a symbolic link in place of the database is not followed", arguments: [true, false])
  func link(isThere: Bool) throws {
    let elsewhere = temporary.path + "/elsewhere.db"
    rename(temporary.path + "/journal.db", elsewhere)
    chmod(elsewhere, 0o644)
    symlink(isThere ? elsewhere : temporary.path + "/nowhere.db", temporary.path + "/journal.db")
    #expect(throws: StorageError.notADatabase(.journal)) {
      try SQLiteJournal.start(temporary.locked(), 2)
    }
    #expect(temporary.mode("elsewhere.db") == 0o644)
  }

  @Test("a directory in place of the database is refused")
  func directory() throws {
    unlink(temporary.path + "/journal.db")
    mkdir(temporary.path + "/journal.db", 0o700)
    defer { rmdir(temporary.path + "/journal.db") }
    let error = #expect(throws: StorageError.self) {
      try SQLiteJournal.start(temporary.locked(), 2)
    }
    if case .notWritable(.journal, _)? = error { return }
    Issue.record("\(String(describing: error))")
  }

  @Test("the list of devices is as careful")
  func devices() throws {
    try temporary.edit("devices.db") { $0[3] ^= 1 }
    let before = temporary.contents()
    #expect(throws: StorageError.notADatabase(.devices)) {
      try DeviceStore.open(directory: temporary.locked())
    }
    #expect(temporary.contents() == before)
  }
}

/// Runs `body` without root's right to ignore modes, as the owner of `paths`.
private func asOrdinaryUser(owning paths: [String], _ body: () throws -> Void) throws {
  guard geteuid() == 0 else { return try body() }
  // Glibc's module hides setfsuid(2), which changes this thread alone.
  typealias SetFileSystemUser = @convention(c) (uid_t) -> Int32
  let symbol = try #require(dlsym(nil, "setfsuid"))
  let setFileSystemUser = unsafeBitCast(symbol, to: SetFileSystemUser.self)
  for path in paths { chown(path, 65_534, 65_534) }
  _ = setFileSystemUser(65_534)
  defer { _ = setFileSystemUser(0) }
  try body()
}
