internal import Authority
internal import Storage
internal import WatchTransfer

/// What is on the server's disk: it outlives every start, and knows of each decision when it became
/// durable.
final class SimulatedStore {
  fileprivate(set) var rows: [JournalRow] = []
  fileprivate(set) var checkpoints: [AccountID: AccountCheckpoint] = [:]
  fileprivate(set) var foldedThrough: Int64 = 0
  /// What the durable rows say.
  private(set) var history = DurableHistory()
  /// What they said before each restore: frames of that time may still be on their way.
  private(set) var formerHistories: [DurableHistory] = []
  /// Told each entry as it becomes durable, with the account as it was before.
  var onDurable: (JournalEntry, AccountRecord?) -> Void = { _, _ in }
  /// How the next write goes; asked each time.
  var fate: (Write) -> WriteFate = { _ in .done }
  /// What is wrong with the disk, to see whether the checker notices.
  var flaw: Flaw?

  /// What is written.
  enum Write { case rows, checkpoints }

  /// Whether a commit is known to have happened.
  enum WriteFate {
    case done
    /// The process hears of a failure, and the write did not happen.
    case lost
    /// The process hears of a failure, and the write did happen.
    case kept
    case full
  }

  /// Rows become durable.
  fileprivate func append(_ added: [JournalRow]) {
    rows += added
    for row in added { history.take(row) { onDurable($0, $1) } }
  }

  /// A copy of everything, as a backup has it.
  func backUp() -> Backup {
    Backup(rows: rows, checkpoints: checkpoints, foldedThrough: foldedThrough)
  }

  /// Everything is as a backup had it; the server must not run.
  func restore(_ backup: Backup) {
    rows = backup.rows
    checkpoints = backup.checkpoints
    foldedThrough = backup.foldedThrough
    formerHistories.append(history)
    history = DurableHistory()
    for row in rows { history.take(row) }
  }

  /// See `backUp`.
  struct Backup {
    fileprivate let rows: [JournalRow]
    fileprivate let checkpoints: [AccountID: AccountCheckpoint]
    fileprivate let foldedThrough: Int64
  }

  /// The process has died: what a lying disk had not written is gone.
  func crash() {
    guard flaw == .fsyncSkipped, let last = rows.last else { return }
    rows.removeLast()
    foldedThrough = min(foldedThrough, last.sequence - 1)
    for (id, checkpoint) in checkpoints where checkpoint.throughRow >= last.sequence {
      checkpoints[id] = nil
    }
  }
}

/// Something wrong with storage that must not go unnoticed.
public enum Flaw: CaseIterable, Sendable {
  /// A batch is said to be durable and is nowhere.
  case commitPretended
  /// The newest row is gone after a crash.
  case fsyncSkipped
  /// A checkpoint is said to be stored, with everything folded, and is nowhere.
  case checkpointPretended
  /// A checkpoint keeps the facets of the one before.
  case facetsForgotten
  /// A checkpoint keeps the ledger of the one before.
  case ledgerForgotten
  /// A checkpoint says that it includes a row more than it does.
  case rowSkipped
}

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
      store.append(rows)
      throw over()
    case .lost, .full: throw over()
    }
    if store.flaw == .commitPretended, first % 7 == 0 {
      return first...(first + Int64(batches.count) - 1)
    }
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

  func findings(replay: StorageCheck.Replay?) -> [Finding] { (try? replay?(self)) ?? [] }

  var foldedThrough: Int64 { store.foldedThrough }

  var lastSequence: Int64 { Int64(store.rows.count) }

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
