import SQLite
import Testing

@testable import Storage

/// Damage SQLite does not see: bytes of a row that are not those that were written.
struct RowDamageTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append((1...5).map { batch($0) })
    try journal.storeCheckpoints(
      [checkpoint(1, through: 5), checkpoint(2, through: 5)], foldedThrough: 2)
    try journal.close()
  }

  private func change(_ sql: StaticString) throws {
    let connection = try Connection(path: temporary.path + "/journal.db")
    try connection.execute(sql)
    #expect(try connection.checkpointLog() == .emptied)
  }

  @Test(
    "a damaged row is noticed when it is read, and the ones before it are not lost",
    arguments: [
      "UPDATE journal SET bytes = x'00' WHERE sequence = 4",
      "UPDATE journal SET checksum = checksum + 1 WHERE sequence = 4",
      "UPDATE journal SET epoch = zeroblob(16) WHERE sequence = 4",
      """
      UPDATE journal SET (bytes, checksum) =
        (SELECT bytes, checksum FROM journal WHERE sequence = 3) WHERE sequence = 4
      """,
    ] as [StaticString])
  func row(sql: StaticString) throws {
    try change(sql)
    let journal = try SQLiteJournal.start(temporary.locked(), 2)
    var seen: [Int64] = []
    #expect(throws: StorageError.corruptRow(sequence: 4)) {
      try journal.eachRow(after: 0) { seen.append($0.sequence) }
    }
    #expect(seen == [1, 2, 3])
    #expect(try journal.rows(after: 4).map(\.sequence) == [5])
  }

  @Test(
    "a damaged checkpoint is noticed when it is read",
    arguments: [
      "UPDATE checkpoints SET state = x'00' WHERE hex(account) LIKE '%1'",
      "UPDATE checkpoints SET ledger = x'00' WHERE hex(account) LIKE '%1'",
      "UPDATE checkpoints SET facets = x'' WHERE hex(account) LIKE '%1'",
      "UPDATE checkpoints SET through_row = 4 WHERE hex(account) LIKE '%1'",
    ] as [StaticString])
  func damagedCheckpoint(sql: StaticString) throws {
    try change(sql)
    let journal = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(throws: StorageError.corruptCheckpoint(account: id(1))) {
      try journal.loadAccount(id(1))
    }
    #expect(throws: StorageError.corruptCheckpoint(account: id(1))) { try journal.checkpoints() }
    #expect(try journal.loadAccount(id(2)) != nil)
  }

  @Test("a gap above the folded rows is noticed, below them it is not one")
  func gap() throws {
    try change("DELETE FROM journal WHERE sequence = 1")
    #expect(
      try SQLiteJournal.start(temporary.locked(), 2).rows().map(\.sequence) == [2, 3, 4, 5])
    try change("DELETE FROM journal WHERE sequence = 3")
    let journal = try SQLiteJournal.start(temporary.locked(), 3)
    #expect(throws: StorageError.missingRow(sequence: 3)) { try journal.rows() }
    #expect(throws: StorageError.missingRow(sequence: 3)) { try journal.rows(after: 2) }
    #expect(try journal.rows(after: 3).map(\.sequence) == [4, 5])
  }
}
