import SQLite
import Testing

@testable import Storage

/// Writes that fail: cleanly, or with an outcome nobody knows.
struct FailedWriteTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
  }

  /// A journal whose database may grow by a few pages only.
  private func cramped() throws -> SQLiteJournal {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1)])
    try journal.limitPages()
    return journal
  }

  private let large = AccountCheckpoint(
    account: id(1), throughRow: 0, state: [UInt8](repeating: 1, count: 200_000), ledger: [],
    facets: [])

  @Test("a failed write system call leaves the outcome unknown, and nothing is written any more")
  func inputOutput() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1)])
    let before = temporary.contents()
    try temporary.breakDescriptor(of: "journal.db-wal")
    let error = try #require(throws: StorageError.self) { try journal.append([batch(2)]) }
    guard case .outcomeUnknown(let code) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(code & 0xff == 10)
    #expect(throws: error) { try journal.append([batch(3)]) }
    #expect(throws: error) { try journal.storeCheckpoints([], foldedThrough: nil) }
    #expect(throws: error) { try journal.checkpointLog() }
    #expect(throws: error) { try journal.close() }
    #expect(temporary.contents() == before)
  }

  @Test("the next start tells what became of a write of unknown outcome")
  func afterUnknown() throws {
    do {
      let journal = try SQLiteJournal.start(temporary.locked())
      _ = try journal.append([batch(1)])
      try temporary.breakDescriptor(of: "journal.db-wal")
      #expect(throws: StorageError.self) { try journal.append([batch(2)]) }
    }
    let again = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(again.lastSequence == 1)
    #expect(try again.append([batch(2)]) == 2...2)
  }

  @Test("an append that finds the disk full ends the process too: memory is ahead of it")
  func fullAppend() throws {
    let journal = try cramped()
    #expect(throws: StorageError.outcomeUnknown(code: 13)) {
      try journal.append([batch(2), batch(3, bytes: 200_000)])
    }
    #expect(throws: StorageError.outcomeUnknown(code: 13)) { try journal.append([batch(2)]) }
    #expect(try journal.rows().count == 1)
  }

  @Test("checkpoints that find the disk full are not stored, and appending goes on")
  func fullCheckpoint() throws {
    let journal = try cramped()
    #expect(throws: StorageError.full(.journal)) {
      try journal.storeCheckpoints([checkpoint(2, through: 1), large], foldedThrough: 1)
    }
    #expect(journal.foldedThrough == 0)
    #expect(try journal.checkpoints() == [])
    #expect(try journal.append([batch(2)]) == 2...2)
  }

  @Test("a failed checkpoint of the log leaves the outcome unknown")
  func logCheckpoint() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1)])
    try temporary.breakDescriptor(of: "journal.db")
    let error = try #require(throws: StorageError.self) { try journal.checkpointLog() }
    guard case .outcomeUnknown = error else {
      Issue.record("\(error)")
      return
    }
    #expect(throws: error) { try journal.append([batch(2)]) }
  }

  @Test("a read from a table that is gone fails by itself")
  func failedRead() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    try journal.dropTable()
    #expect(throws: StorageError.failed(.journal, code: 1)) { try journal.rows() }
  }

  @Test("devices: a failed write leaves the outcome unknown, a full disk does not")
  func devices() throws {
    let store = try DeviceStore.open(directory: temporary.locked())
    let account = StoredAccount(
      id: id(1), name: [1], zone: "Europe/Berlin", createdMilliseconds: 0)
    try store.limitPages()
    var error: StorageError?
    for number in 0..<1_000 where error == nil {
      var account = account
      account.id = id(UInt64(number))
      account.name = [UInt8](repeating: UInt8(number & 0xff), count: number / 256 + 1)
      do { try store.addAccount(account) } catch let refused { error = refused }
    }
    #expect(error == .full(.devices))
    let count = try store.accounts().count
    try store.updateZone(of: id(0), to: "Asia/Tokyo")
    try temporary.breakDescriptor(of: "devices.db-wal")
    error = #expect(throws: StorageError.self) { try store.markErased(id(0)) }
    guard case .outcomeUnknown? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(count > 10)
  }
}

extension SQLiteJournal {
  fileprivate func limitPages() throws {
    try store.connection.execute("PRAGMA max_page_count = 16")
  }

  fileprivate func dropTable() throws {
    try store.connection.execute("DROP TABLE journal")
  }
}

extension DeviceStore {
  fileprivate func limitPages() throws {
    try store.connection.execute("PRAGMA max_page_count = 16")
  }
}
