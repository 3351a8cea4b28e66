internal import Guards
internal import SQLite
internal import WatchTransfer

/// The prepared statements of an open journal.
struct JournalStatements {
  /// The reading half.
  let reader: JournalReader
  /// The bytes of attachments.
  let pieces: PieceStatements
  private let inserting: Statement
  private let storing: Statement
  private let folding: Statement
  private let dropping: Statement
  private let rewriting: Statement
  private let connection: Connection

  /// Prepares them all.
  init(_ connection: Connection) throws(StorageError) {
    func prepare(_ sql: StaticString) throws(StorageError) -> Statement {
      try reading(.journal) { () throws(SQLiteError) in try Statement(connection, sql) }
    }
    self.connection = connection
    reader = try JournalReader(connection)
    pieces = try PieceStatements(connection)
    inserting = try prepare(
      "INSERT INTO journal (sequence, epoch, checksum, bytes) VALUES (?1, ?2, ?3, ?4)")
    storing = try prepare(
      """
      INSERT INTO checkpoints (account, through_row, facets_checksum, facets, ledger_checksum,
        ledger, state_checksum, state)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      ON CONFLICT (account) DO UPDATE SET through_row = excluded.through_row,
        facets_checksum = excluded.facets_checksum, facets = excluded.facets,
        ledger_checksum = excluded.ledger_checksum, ledger = excluded.ledger,
        state_checksum = excluded.state_checksum, state = excluded.state
      WHERE excluded.through_row >= through_row
      """)
    folding = try prepare("UPDATE folding SET through_row = ?1 WHERE id = 1")
    dropping = try prepare(
      """
      DELETE FROM journal WHERE sequence IN (
        SELECT sequence FROM journal WHERE sequence <= ?1 ORDER BY sequence LIMIT ?2)
      """)
    rewriting = try prepare("UPDATE journal SET checksum = ?2, bytes = ?3 WHERE sequence = ?1")
  }

  /// Writes one row.
  func insert(_ batch: JournalBatch, as sequence: Int64) throws(SQLiteError) {
    let checksum = batch.bytes.withUnsafeBytes {
      Checksum.row(sequence: sequence, epoch: batch.epoch, bytes: $0)
    }
    try inserting.bind(sequence, at: 1)
    try inserting.bind(batch.epoch.bytes, at: 2)
    try inserting.bind(checksum, at: 3)
    try inserting.run(borrowing: batch.bytes, at: 4)
  }

  /// Writes one account over its older checkpoint; false when what is there says it is newer.
  func store(_ checkpoint: AccountCheckpoint) throws(SQLiteError) -> Bool {
    // The copies may be large, and the next account may be a long time off.
    defer { storing.clearBindings() }
    try storing.bind(checkpoint.account.bytes, at: 1)
    try storing.bind(checkpoint.throughRow, at: 2)
    let parts = [checkpoint.facets, checkpoint.ledger, checkpoint.state]
    for (part, bytes) in parts.enumerated() {
      let checksum = bytes.withUnsafeBytes {
        Checksum.checkpoint(
          account: checkpoint.account, throughRow: checkpoint.throughRow, part: UInt64(part),
          bytes: $0)
      }
      try storing.bind(checksum, at: Int32(3 + 2 * part))
      if part < 2 { try storing.bind(bytes, at: Int32(4 + 2 * part)) }
    }
    try storing.run(borrowing: checkpoint.state, at: 8)
    return connection.changes == 1
  }

  /// Writes other bytes into a row that is there.
  func rewrite(_ row: JournalRow) throws(SQLiteError) {
    let checksum = row.bytes.withUnsafeBytes {
      Checksum.row(sequence: row.sequence, epoch: row.epoch, bytes: $0)
    }
    try rewriting.bind(row.sequence, at: 1)
    try rewriting.bind(checksum, at: 2)
    try rewriting.run(borrowing: row.bytes, at: 3)
  }

  /// Deletes an account's checkpoint, if it has one.
  func forget(_ account: AccountID) throws(SQLiteError) {
    let statement = try Statement(connection, "DELETE FROM checkpoints WHERE account = ?1")
    try statement.bind(account.bytes, at: 1)
    try statement.run()
  }

  /// Writes one account in place of whatever is there.
  func replace(_ checkpoint: AccountCheckpoint) throws(SQLiteError) {
    try forget(checkpoint.account)
    let isStored = try store(checkpoint)
    invariant(isStored, "a checkpoint that was deleted is still there")
  }

  /// Moves the mark recovery starts after.
  func fold(through row: Int64) throws(SQLiteError) {
    try folding.bind(row, at: 1)
    try folding.run()
  }

  /// Drops at most `rowsMax` of the rows up to `through`, oldest first; how many went.
  func drop(through: Int64, rowsMax: Int64) throws(SQLiteError) -> Int64 {
    try dropping.bind(through, at: 1)
    try dropping.bind(rowsMax, at: 2)
    try dropping.run()
    return connection.changes
  }
}

extension StoreFile {
  /// Writes a start into the journal's list and forgets the oldest ones.
  ///
  /// - Throws: `epochReused`.
  func note(start epoch: EpochID, at milliseconds: Int64) throws(StorageError) {
    try write {
      let known = try Statement(connection, "SELECT 1 FROM starts WHERE epoch = ?1")
      try known.bind(epoch.bytes, at: 1)
      if try known.step() { throw StorageError.epochReused }
      let insert = try Statement(
        connection, "INSERT INTO starts (epoch, started_ms) VALUES (?1, ?2)")
      try insert.bind(epoch.bytes, at: 1)
      try insert.bind(milliseconds, at: 2)
      try insert.run()
      let forget = try Statement(
        connection, "DELETE FROM starts WHERE number <= (SELECT max(number) FROM starts) - ?1")
      try forget.bind(StorageLimits.startsMax, at: 1)
      try forget.run()
    }
  }
}
