internal import Storage
internal import WatchTransfer

/// The real journal of one start of the server, on a `SimulatedDisk`; the store is told what
/// becomes durable.
final class DiskJournal: Journal {
  private var journal: SQLiteJournal?
  private let store: SimulatedStore
  // Outlives the journal, whose connection uses it to the end.
  private let disk: SimulatedDisk?

  init(_ journal: SQLiteJournal, _ store: SimulatedStore) {
    self.journal = journal
    self.store = store
    disk = store.disk
  }

  deinit {
    journal = nil
  }

  func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    let first = Int64(store.rows.count) + 1
    let rows = batches.enumerated().map { offset, batch in
      JournalRow(sequence: first + Int64(offset), epoch: batch.epoch, bytes: batch.bytes)
    }
    do throws(StorageError) {
      let range = try open.append(batches)
      store.append(rows)
      return range
    } catch {
      if case .outcomeUnknown = error { store.isUnsure(of: rows) }
      throw error
    }
  }

  func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    try open.storeCheckpoints(checkpoints, foldedThrough: foldedThrough)
  }

  func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {
    try open.replaceDamaged(checkpoints)
  }

  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    try open.loadAccount(account)
  }

  func accounts() throws(StorageError) -> [AccountID] { try open.accounts() }

  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    try open.eachCheckpoint(body)
  }

  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    try open.eachRow(after: after, body)
  }

  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    try open.attachment(key, range)
  }

  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    try open.isWhole(key, totalBytes: totalBytes)
  }

  func findings(replay: StorageCheck.Replay?) -> [Finding] { open.findings(replay: replay) }

  var foldedThrough: Int64 { open.foldedThrough }

  var lastSequence: Int64 { open.lastSequence }

  func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64 {
    // A simulated server keeps its history: the checker reads it.
    0
  }

  func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64? {
    // A simulated server keeps its accounts: the checker reads them.
    nil
  }

  func beginCopy(to path: String) throws(StorageError) -> any JournalCopy {
    // Backups are taken by the simulated store itself.
    throw .copyFailed(path: path, .sqlite(code: 0))
  }

  func hasMoved() throws(StorageError) -> Bool { try open.hasMoved() }

  func checkpointLog() throws(StorageError) { try open.checkpointLog() }

  func close() throws(StorageError) { try open.close() }

  private var open: SQLiteJournal {
    guard let journal else { fatalError("a journal was used after its end") }
    return journal
  }
}
