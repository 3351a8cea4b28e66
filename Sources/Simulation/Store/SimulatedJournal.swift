internal import Storage
internal import WatchTransfer

/// The journal of one start of the server, on a `SimulatedStore`.
final class SimulatedJournal: Journal {
  private let store: SimulatedStore
  private var isOver = false

  init(_ store: SimulatedStore) {
    self.store = store
  }

  func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    try expectOpen()
    let first = Int64(store.rows.count) + 1
    let rows = batches.enumerated().map { offset, batch in
      JournalRow(sequence: first + Int64(offset), epoch: batch.epoch, bytes: batch.bytes)
    }
    switch store.fate(.rows) {
    case .done: break
    case .kept:
      store.keep(batches)
      store.append(rows)
      throw over()
    case .lost, .full: throw over()
    }
    if store.flaw == .commitPretended, first % 7 == 0 {
      return first...(first + Int64(batches.count) - 1)
    }
    store.keep(batches)
    store.append(rows)
    return first...(first + Int64(batches.count) - 1)
  }

  func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    try expectOpen()
    switch store.fate(.checkpoints) {
    case .done: break
    case .full: throw .full(.journal)
    case .lost: throw over()
    case .kept:
      put(checkpoints, foldedThrough)
      throw over()
    }
    put(checkpoints, foldedThrough)
  }

  func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {
    try storeCheckpoints(checkpoints, foldedThrough: nil)
  }

  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    store.checkpoints[account]
  }

  func accounts() throws(StorageError) -> [AccountID] { store.checkpoints.keys.sorted() }

  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    for account in store.checkpoints.keys.sorted() {
      if let checkpoint = store.checkpoints[account] { try body(checkpoint) }
    }
  }

  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    for row in store.rows where row.sequence > after { try body(row) }
  }

  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    store.shelf.range(range, of: key)
  }

  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    store.shelf.isWhole(key, totalBytes: totalBytes)
  }

  func findings(replay: StorageCheck.Replay?) -> [Finding] { (try? replay?(self)) ?? [] }

  var foldedThrough: Int64 { store.foldedThrough }

  var lastSequence: Int64 { Int64(store.rows.count) }

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

  func hasMoved() throws(StorageError) -> Bool { false }

  func checkpointLog() throws(StorageError) { try expectOpen() }

  func close() throws(StorageError) { try expectOpen() }

  private func put(_ checkpoints: [AccountCheckpoint], _ foldedThrough: Int64?) {
    for checkpoint in checkpoints { put(checkpoint) }
    if let foldedThrough { store.foldedThrough = foldedThrough }
  }

  private func put(_ checkpoint: AccountCheckpoint) {
    let before = store.checkpoints[checkpoint.account]
    var kept = checkpoint
    switch store.flaw {
    case .checkpointPretended where before != nil: return
    case .facetsForgotten: kept.facets = before?.facets ?? kept.facets
    case .ledgerForgotten: kept.ledger = before?.ledger ?? kept.ledger
    case .rowSkipped: kept.throughRow += 1
    default: break
    }
    store.checkpoints[checkpoint.account] = kept
  }

  private func expectOpen() throws(StorageError) {
    if isOver { throw .outcomeUnknown(code: 0) }
  }

  private func over() -> StorageError {
    isOver = true
    // SQLITE_IOERR_FSYNC
    return .outcomeUnknown(code: 1034)
  }
}
