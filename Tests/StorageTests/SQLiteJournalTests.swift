import Glibc
import Testing

@testable import Storage

struct SQLiteJournalTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
  }

  @Test("a new journal is empty")
  func new() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    #expect(journal.lastSequence == 0)
    #expect(journal.foldedThrough == 0)
    #expect(try journal.rows() == [])
    #expect(try journal.checkpoints() == [])
    #expect(try journal.loadAccount(id(1)) == nil)
  }

  @Test("batches become rows numbered from 1, in order")
  func append() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    #expect(try journal.append([batch(1)]) == 1...1)
    #expect(try journal.append([batch(2), batch(3, bytes: 0)]) == 2...3)
    let rows = [batch(1), batch(2), batch(3, bytes: 0)].enumerated().map {
      JournalRow(sequence: Int64($0 + 1), epoch: epoch, bytes: $1.bytes)
    }
    #expect(try journal.rows() == rows)
    #expect(try journal.rows(after: 2) == [rows[2]])
    #expect(try journal.rows(after: 3) == [])
    #expect(journal.lastSequence == 3)
  }

  @Test("a row may have the largest size, and not one byte more")
  func largest() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    let max = StorageLimits.rowBytesMax
    let large = JournalBatch(epoch: epoch, bytes: [UInt8](repeating: 1, count: max))
    #expect(try journal.append([large]) == 1...1)
    var tooLarge = large
    tooLarge.bytes.append(1)
    #expect(throws: StorageError.tooLarge(bytes: max + 1, max: max)) {
      try journal.append([batch(1), tooLarge])
    }
    #expect(try journal.append([batch(2)]) == 2...2)
    #expect(try journal.rows().first?.bytes == large.bytes)
  }

  @Test("checkpoints replace older ones of the same account, all or none")
  func checkpoints() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1), batch(2)])
    try journal.storeCheckpoints(
      [checkpoint(2, through: 1), checkpoint(1, through: 1)], foldedThrough: 1)
    #expect(journal.foldedThrough == 1)
    try journal.storeCheckpoints([checkpoint(1, through: 2)], foldedThrough: nil)
    #expect(journal.foldedThrough == 1)
    #expect(
      try journal.checkpoints() == [checkpoint(1, through: 2), checkpoint(2, through: 1)])
    #expect(try journal.loadAccount(id(1)) == checkpoint(1, through: 2))
    #expect(try journal.loadAccount(id(3)) == nil)
  }

  @Test("a checkpoint may have the largest size, and not one byte more")
  func largestCheckpoint() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    let max = StorageLimits.checkpointBytesMax
    var large = checkpoint(1, through: 0, size: max - 3)
    try journal.storeCheckpoints([large], foldedThrough: nil)
    large.facets.append(1)
    #expect(throws: StorageError.tooLarge(bytes: max + 1, max: max)) {
      try journal.storeCheckpoints([checkpoint(2, through: 0), large], foldedThrough: nil)
    }
    #expect(try journal.loadAccount(id(2)) == nil)
    #expect(try journal.loadAccount(id(1))?.state.count == max - 3)
  }

  @Test("closing leaves one whole file, and opening finds everything")
  func reopen() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1), batch(2)])
    try journal.storeCheckpoints([checkpoint(1, through: 2)], foldedThrough: 1)
    try journal.close()
    #expect(temporary.read("journal.db-wal") ?? [] == [])
    let again = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(again.lastSequence == 2)
    #expect(again.foldedThrough == 1)
    #expect(try again.rows().count == 2)
    #expect(try again.checkpoints() == [checkpoint(1, through: 2)])
    #expect(try again.append([batch(3)]) == 3...3)
  }

  @Test("an epoch is good for one start")
  func epochs() throws {
    try SQLiteJournal.start(temporary.locked(), 1).close()
    try SQLiteJournal.start(temporary.locked(), 2).close()
    #expect(throws: StorageError.epochReused) { try SQLiteJournal.start(temporary.locked(), 1) }
  }

  @Test("dropped rows leave no trace but their numbers")
  func drop() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append((1...5).map { batch($0) })
    try journal.storeCheckpoints([checkpoint(1, through: 5)], foldedThrough: 4)
    #expect(try journal.dropRows(through: 4, rowsMax: 3) == 3)
    #expect(try journal.rows().map(\.sequence) == [4, 5])
    #expect(try journal.dropRows(through: 4, rowsMax: 3) == 1)
    #expect(try journal.dropRows(through: 4, rowsMax: 3) == 0)
    #expect(try journal.rows(after: 4).map(\.sequence) == [5])
    try journal.storeCheckpoints([], foldedThrough: 5)
    // The newest one stays, so that an account of before is never taken for one without a past.
    #expect(try journal.dropRows(through: 5, rowsMax: 9) == 0)
    try journal.close()
    let again = try SQLiteJournal.start(temporary.locked(), 2)
    #expect(again.lastSequence == 5)
    #expect(try again.append([batch(6)]) == 6...6)
  }

  @Test("a reader's own error ends the reading and comes out")
  func readerThrows() throws {
    struct Enough: Error {}
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1), batch(2)])
    var seen = 0
    #expect(throws: Enough.self) {
      try journal.eachRow(after: 0) { _ in
        seen += 1
        throw Enough()
      }
    }
    #expect(seen == 1)
    try journal.checkpointLog()
  }

  @Test("the log cannot be emptied in the middle of a reading, and nothing is lost by trying")
  func checkpointWhileReading() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    _ = try journal.append([batch(1), batch(2)])
    try journal.eachRow(after: 0) { _ in
      #expect(throws: StorageError.logBusy(.journal)) { try journal.checkpointLog() }
    }
    try journal.checkpointLog()
    #expect(temporary.read("journal.db-wal") == [])
  }

  @Test("a journal replaced under the server is noticed")
  func moved() throws {
    let journal = try SQLiteJournal.start(temporary.locked())
    #expect(try !journal.hasMoved())
    let bytes = try #require(temporary.read("journal.db"))
    try temporary.write("copy", bytes)
    rename(temporary.path + "/copy", temporary.path + "/journal.db")
    #expect(try journal.hasMoved())
  }

  @Test("our own misuse traps")
  func misuse() async {
    await #expect(processExitsWith: .failure) {
      _ = try SQLiteJournal.start(TemporaryDirectory().locked()).append([])
    }
    await #expect(processExitsWith: .failure) {
      try SQLiteJournal.start(TemporaryDirectory().locked())
        .storeCheckpoints([checkpoint(1, through: 1)], foldedThrough: nil)
    }
    await #expect(processExitsWith: .failure) {
      try SQLiteJournal.start(TemporaryDirectory().locked())
        .storeCheckpoints([], foldedThrough: 1)
    }
    await #expect(processExitsWith: .failure) {
      let journal = try SQLiteJournal.start(TemporaryDirectory().locked())
      try journal.close()
      _ = try journal.rows()
    }
  }

  @Test("a checkpoint older than the one that is stored traps")
  func olderCheckpoint() async {
    await #expect(processExitsWith: .failure) {
      let journal = try SQLiteJournal.start(TemporaryDirectory().locked())
      _ = try journal.append([batch(1)])
      try journal.storeCheckpoints([checkpoint(1, through: 1)], foldedThrough: nil)
      try journal.storeCheckpoints([checkpoint(1, through: 0)], foldedThrough: nil)
    }
  }

  @Test("a row that recovery needs is not dropped")
  func dropTooMuch() async {
    await #expect(processExitsWith: .failure) {
      let journal = try SQLiteJournal.start(TemporaryDirectory().locked())
      _ = try journal.append([batch(1)])
      _ = try journal.dropRows(through: 1, rowsMax: 1)
    }
  }
}
