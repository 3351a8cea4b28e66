import Glibc
import SQLite
import Testing

@testable import Storage

/// Copies of a journal, rows that are dropped, and a damaged checkpoint that says it is newer.
struct JournalCopyTests {
  let temporary: TemporaryDirectory
  let target: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    target = try TemporaryDirectory()
  }

  @Test("a copy is the journal as of its last step, whatever was appended between steps")
  func copyUnderWrites() throws {
    let directory = try temporary.locked()
    let journal = try SQLiteJournal.start(directory)
    _ = try journal.append((1...20).map { batch($0, bytes: 4_000) })
    let copy = try journal.beginCopy(to: "\(target.path)/journal.db")
    var appended = 20
    while true {
      if try copy.step(pages: 2).remaining == 0 { break }
      if appended < 30 {
        appended += 1
        _ = try journal.append([batch(appended, bytes: 4_000)])
        try journal.storeCheckpoints(
          [checkpoint(1, through: Int64(appended))], foldedThrough: Int64(appended))
      }
    }
    #expect(appended == 30)
    _ = try journal.append([batch(31)])
    let devices = try DeviceStore.open(directory: directory)
    try devices.copy(to: "\(target.path)/devices.db")
    let image = StoreImage(directory: target.path)
    try image.seal()
    var rows: [JournalRow] = []
    let findings = image.findings { reading in
      rows = try reading.rows()
      return []
    }
    #expect(findings.isEmpty, "\(findings)")
    #expect(try rows == Array(journal.rows().prefix(30)))
    #expect(target.names() == ["devices.db", "journal.db"], "nothing is left beside the copy")
    try journal.close()
  }

  @Test("a copy is not made over a file, nor where there is no directory")
  func noTarget() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    try target.write("journal.db", [1])
    for (path, code) in [("\(target.path)/journal.db", EEXIST), ("/nowhere/journal.db", ENOENT)] {
      #expect(throws: StorageError.copyFailed(path: path, .system(errno: code))) {
        _ = try journal.beginCopy(to: path)
      }
    }
    #expect(target.read("journal.db") == [1])
    try journal.close()
  }

  @Test("an ordinary checkpoint takes the place of a damaged one that claims a later row")
  func damagedAndAhead() throws {
    let first = try SQLiteJournal.start(temporary.locked())
    _ = try first.append((1...9).map { batch($0) })
    try first.storeCheckpoints([checkpoint(1, through: 5)], foldedThrough: 2)
    try first.close()
    let connection = try Connection(path: temporary.path + "/journal.db")
    // Making the account again found no room, so this is still there when it changes next.
    try connection.execute("UPDATE checkpoints SET through_row = 900")
    try connection.close()
    let journal = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(throws: StorageError.corruptCheckpoint(account: id(1))) {
      try journal.loadAccount(id(1))
    }
    try journal.storeCheckpoints([checkpoint(1, through: 9)], foldedThrough: 9)
    #expect(try journal.loadAccount(id(1)) == checkpoint(1, through: 9))
    try journal.close()
  }

  @Test("rows are dropped in slices from the oldest on, and the newest stays")
  func dropping() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append((1...9).map { batch($0) })
    try journal.storeCheckpoints([checkpoint(1, through: 9)], foldedThrough: 9)
    #expect(try journal.dropRows(through: 5, rowsMax: 3) == 3)
    #expect(try journal.dropRows(through: 5, rowsMax: 3) == 2)
    #expect(try journal.dropRows(through: 5, rowsMax: 3) == 0)
    #expect(try journal.rows().map(\.sequence) == [6, 7, 8, 9])
    #expect(try journal.dropRows(through: 9, rowsMax: 100) == 3)
    #expect(try journal.rows().map(\.sequence) == [9])
    #expect(try journal.append([batch(10)]) == 10...10)
    try journal.close()
  }

  @Test(
    "a restore that was cut anywhere leaves all of the old files or all of the new ones",
    arguments: 0...5)
  func pendingRestore(step: Int) throws {
    func put(_ name: String, _ byte: UInt8) throws { try temporary.write(name, [byte]) }
    try put("journal.db", 1)
    try put("journal.db-wal", 1)
    try put("backups.json", 1)
    try put("devices.db", 1)
    try put("journal.db.restored", 2)
    try put("backups.json.restored", 2)
    // The marker decides; behind it the new files take their places one by one.
    if step >= 1 { try put("restore.draft", 0) }
    if step >= 2 { rename("\(temporary.path)/restore.draft", "\(temporary.path)/restore") }
    if step >= 3 { unlink("\(temporary.path)/journal.db-wal") }
    if step >= 4 {
      rename("\(temporary.path)/backups.json.restored", "\(temporary.path)/backups.json")
    }
    if step >= 5 { rename("\(temporary.path)/journal.db.restored", "\(temporary.path)/journal.db") }
    for _ in 0..<2 {
      let directory = try temporary.locked()
      let isNew = step >= 2
      #expect(temporary.read("journal.db") == [isNew ? 2 : 1])
      #expect(temporary.read("backups.json") == [isNew ? 2 : 1])
      #expect(temporary.read("journal.db-wal") == (isNew ? nil : [1]))
      #expect(temporary.read("devices.db") == [1])
      #expect(!temporary.names().contains { $0.hasSuffix(".restored") || $0.hasPrefix("restore") })
      directory.release()
    }
  }

  @Test("the log of a start that came after a finished restore stays")
  func finishedRestore() throws {
    try temporary.write("journal.db", [2])
    try temporary.write("journal.db-wal", [3])
    // Killed between the last rename and the marker's end: there is no log of the old journal.
    try temporary.write("restore", [])
    _ = try temporary.locked()
    #expect(temporary.read("journal.db-wal") == [3])
  }
}
