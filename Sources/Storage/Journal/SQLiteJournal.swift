internal import Guards
internal import SQLite
public import WatchTransfer

/// The journal in one SQLite database, `journal.db`.
///
/// Dropping it without `close()` leaves the files as a crash would.
public final class SQLiteJournal: Journal {
  /// The database; for the files of this module and its tests.
  let store: StoreFile
  private var statements: JournalStatements?
  private var newestSequence: Int64
  private var newestFolded: Int64

  /// Opens the journal of a directory, or makes it, and makes sure that what it will read is on
  /// disk: it recovers, writes this start into the list of starts, and empties the log.
  ///
  /// - Parameter epoch: drawn at random for this start, and for every further try.
  /// - Parameter startedMilliseconds: since 1970, for people who look into the list.
  /// - Throws: one of `notADatabase`, `corrupt`, `foreignDatabase`, `newerVersion`,
  ///   `logWithoutDatabase`, `notWritable`, `heldByAnotherProgram`, with the file left as it is;
  ///   `epochReused`; `full`, `failed` or `outcomeUnknown` from the writes of a start.
  public static func open(
    directory: DataDirectory, epoch: EpochID, startedMilliseconds: Int64
  ) throws(StorageError) -> SQLiteJournal {
    try open(
      directory: directory, epoch: epoch, startedMilliseconds: startedMilliseconds,
      schema: .journal)
  }

  /// `open`, with a schema of the caller's: how a next version would open this one's file.
  static func open(
    directory: DataDirectory, epoch: EpochID, startedMilliseconds: Int64, schema: Schema
  ) throws(StorageError) -> SQLiteJournal {
    let store = try StoreFile.open(.journal, schema, in: directory)
    try store.note(start: epoch, at: startedMilliseconds)
    try store.checkpointLog()
    return try SQLiteJournal(store)
  }

  private init(_ store: StoreFile) throws(StorageError) {
    let statements = try JournalStatements(store.connection)
    newestSequence = try statements.reader.lastSequence
    newestFolded = try statements.reader.foldedThrough
    self.store = store
    self.statements = statements
  }

  /// Appends by one prepared INSERT a row; see `Journal`.
  public func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    invariant(!batches.isEmpty, "an append of no batches")
    for batch in batches where batch.bytes.count > StorageLimits.rowBytesMax {
      throw .tooLarge(bytes: batch.bytes.count, max: StorageLimits.rowBytesMax)
    }
    let statements = open
    let first = newestSequence + 1
    try store.write(cleanFailure: .endsProcess) {
      var sequence = first
      for batch in batches {
        try statements.insert(batch, as: sequence)
        try statements.pieces.write(batch.attachments)
        sequence += 1
      }
    }
    newestSequence += Int64(batches.count)
    return first...newestSequence
  }

  /// Stores by one prepared statement an account; see `Journal`.
  public func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    let statements = open
    for checkpoint in checkpoints {
      invariant(
        0...newestSequence ~= checkpoint.throughRow, "a checkpoint of a row that is not there")
      let bytes = checkpoint.state.count + checkpoint.ledger.count + checkpoint.facets.count
      if bytes > StorageLimits.checkpointBytesMax {
        throw .tooLarge(bytes: bytes, max: StorageLimits.checkpointBytesMax)
      }
    }
    if let foldedThrough {
      invariant(newestFolded...newestSequence ~= foldedThrough, "a fold that goes back or ahead")
    }
    try store.write {
      for checkpoint in checkpoints {
        if try statements.store(checkpoint) { continue }
        // Only a damaged one may say that it is newer: a rebuilt account's whose making again
        // found no room.
        let isDamaged = try isDamaged(checkpoint.account)
        invariant(isDamaged, "a checkpoint older than the one that is stored")
        try statements.replace(checkpoint)
      }
      if let foldedThrough { try statements.fold(through: foldedThrough) }
    }
    newestFolded = foldedThrough ?? newestFolded
  }

  private func isDamaged(_ account: AccountID) throws(StorageError) -> Bool {
    do throws(StorageError) {
      _ = try open.reader.loadAccount(account)
      return false
    } catch {
      guard case .corruptCheckpoint = error else { throw error }
      return true
    }
  }

  /// Deletes by one prepared statement; see `Journal`.
  public func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64 {
    invariant(through <= newestFolded, "a row was dropped that recovery needs")
    let statements = open
    // The newest one says how far the numbers went, and that there is a past.
    let last = min(through, newestSequence - 1)
    return try store.write { try statements.drop(through: last, rowsMax: rowsMax) }
  }

  /// Rewrites rows by one prepared statement, with what is freed overwritten; see `Journal`.
  public func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64? {
    let statements = open
    let slice = try statements.reader.rows(with: account, after: after, rowsMax: rowsMax)
    let hasMorePieces = try store.write {
      try store.connection.execute("PRAGMA secure_delete=ON")
      for row in slice.cut { try statements.rewrite(row) }
      let hasMorePieces = try statements.pieces.erase(account)
      // Last of all: by its checkpoint a start finds that an erasure was cut short.
      if slice.last == nil, !hasMorePieces { try statements.forget(account) }
      return hasMorePieces
    }
    // Rows are looked at once; what is left then are bytes of attachments.
    return slice.last ?? (hasMorePieces ? newestSequence : nil)
  }

  /// Copies by `sqlite3_backup` on the journal's own connection; see `Journal`.
  public func beginCopy(to path: String) throws(StorageError) -> any JournalCopy {
    try StoreCopy(of: store, to: path)
  }

  /// `REINDEX`, as nothing can be deleted past a damaged index; then deletes and stores; see
  /// `Journal`.
  public func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {
    let statements = open
    try store.write {
      try store.connection.execute("REINDEX checkpoints")
      for checkpoint in checkpoints {
        // Not over it: what stands there may say that it is newer.
        try statements.replace(checkpoint)
      }
    }
  }

  /// Asks SQLite; see `Journal`.
  public func hasMoved() throws(StorageError) -> Bool {
    try reading(.journal, store.connection.hasMoved)
  }

  /// Reads one row; see `JournalReading`.
  public func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    try open.reader.loadAccount(account)
  }

  /// Reads the index alone; see `JournalReading`.
  public func accounts() throws(StorageError) -> [AccountID] { try open.reader.accounts() }

  /// Walks the table with a statement of its own; see `JournalReading`.
  public func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    try open.reader.eachCheckpoint(body)
  }

  /// Walks the table with a statement of its own; `body` must not append. See `JournalReading`.
  public func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    try open.reader.eachRow(after: after, body)
  }

  /// Reads some rows; see `JournalReading`.
  public func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    try open.reader.attachment(key, range)
  }

  /// Reads all rows of it; see `JournalReading`.
  public func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    try open.reader.isWhole(key, totalBytes: totalBytes)
  }

  /// Looks with statements of its own; see `JournalReading`.
  public func findings(replay: StorageCheck.Replay?) -> [Finding] {
    open.reader.findings(replay: replay)
  }

  /// Kept in memory; see `JournalReading`.
  public var foldedThrough: Int64 { newestFolded }

  /// Kept in memory; see `JournalReading`.
  public var lastSequence: Int64 { newestSequence }

  /// `PRAGMA wal_checkpoint(TRUNCATE)`; see `Journal`.
  public func checkpointLog() throws(StorageError) { try store.checkpointLog() }

  /// Leaves one whole file and lets go of the directory's lock; see `Journal`.
  public func close() throws(StorageError) {
    try store.checkpointLog()
    statements = nil
    try store.close()
  }

  private var open: JournalStatements {
    guard let statements else { fatalError("a closed journal was used") }
    return statements
  }
}
