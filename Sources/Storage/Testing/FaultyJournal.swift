public import WatchTransfer

/// A journal for tests that passes everything on to another one, and is slow or fails when told to.
///
/// Like the real one it refuses every write after one whose outcome is unknown.
public final class FaultyJournal: Journal {
  /// The switches; they may be turned from another thread.
  public let faults: JournalFaults
  private let journal: any Journal
  private var unknownOutcome: StorageError?

  /// Wraps a journal, which nobody else may use from now on.
  public init(_ journal: any Journal, faults: JournalFaults = JournalFaults()) {
    self.journal = journal
    self.faults = faults
  }

  /// Counts, waits and fails as told, around the other journal's append.
  public func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    let fault = faults.enterAppend(batches: batches.count)
    try expectWritable()
    if fault == .before { throw end() }
    let rows = try journal.append(batches)
    if fault == .after { throw end() }
    return rows
  }

  /// Counts and fails as told, before the other journal stores anything.
  public func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    let fault = faults.enterStore(checkpoints: checkpoints.count)
    try expectWritable()
    if let fault {
      if case .outcomeUnknown = fault { unknownOutcome = fault }
      throw fault
    }
    try journal.storeCheckpoints(faults.spoil(checkpoints), foldedThrough: foldedThrough)
  }

  /// Counts, and passes on unless the checkpoint is lost.
  public func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    faults.count { $0.loads += 1 }
    if faults.loses(account) { return nil }
    return try journal.loadAccount(account)
  }

  /// Passes on.
  public func accounts() throws(StorageError) -> [AccountID] { try journal.accounts() }

  /// Passes on.
  public func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    try journal.eachCheckpoint(body)
  }

  /// Passes on.
  public func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    try journal.eachRow(after: after, body)
  }

  /// Passes on.
  public func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    try journal.attachment(key, range)
  }

  /// Passes on.
  public func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    try journal.isWhole(key, totalBytes: totalBytes)
  }

  /// Passes on.
  public func findings(replay: StorageCheck.Replay?) -> [Finding] {
    journal.findings(replay: replay)
  }

  /// Passes on.
  public var foldedThrough: Int64 {
    get throws(StorageError) { try journal.foldedThrough }
  }

  /// Passes on.
  public var lastSequence: Int64 {
    get throws(StorageError) { try journal.lastSequence }
  }

  /// Passes on unless a write has ended.
  public func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {
    try expectWritable()
    try journal.replaceDamaged(checkpoints)
  }

  /// Passes on unless a write has ended.
  public func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64 {
    faults.count { $0.drops += 1 }
    try expectWritable()
    return try journal.dropRows(through: through, rowsMax: rowsMax)
  }

  /// Passes on unless a write has ended.
  public func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64? {
    try expectWritable()
    return try journal.erase(account, after: after, rowsMax: rowsMax)
  }

  /// Passes on; each step is counted, and fails as told.
  public func beginCopy(to path: String) throws(StorageError) -> any JournalCopy {
    FaultyCopy(try journal.beginCopy(to: path), faults)
  }

  /// Passes on.
  public func hasMoved() throws(StorageError) -> Bool { try journal.hasMoved() }

  /// Counts, and passes on unless a write has ended.
  public func checkpointLog() throws(StorageError) {
    faults.count { $0.logCheckpoints += 1 }
    try expectWritable()
    try journal.checkpointLog()
  }

  /// Counts, and passes on unless a write has ended.
  public func close() throws(StorageError) {
    faults.count { $0.closes += 1 }
    try expectWritable()
    try journal.close()
  }

  private func expectWritable() throws(StorageError) {
    if let unknownOutcome { throw unknownOutcome }
  }

  private func end() -> StorageError {
    // 1034 is SQLITE_IOERR_FSYNC, the failure this stands for.
    let error = StorageError.outcomeUnknown(code: 1034)
    unknownOutcome = error
    return error
  }
}

/// A copy that fails when told to.
private final class FaultyCopy: JournalCopy {
  private let copy: any JournalCopy
  private let faults: JournalFaults

  init(_ copy: any JournalCopy, _ faults: JournalFaults) {
    self.copy = copy
    self.faults = faults
  }

  func step(pages: Int) throws(StorageError) -> CopyProgress {
    if let fault = faults.enterCopyStep() { throw fault }
    return try copy.step(pages: pages)
  }

  func end() { copy.end() }
}
