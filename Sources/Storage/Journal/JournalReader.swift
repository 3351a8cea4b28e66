internal import SQLite
internal import WatchTransfer

/// Reads a journal database, with the checksums.
final class JournalReader: JournalReading {
  /// A row as it stands, damaged or not.
  enum Scanned<Value> {
    /// Its bytes are those that were written.
    case intact(Value)
    /// They are not.
    case damaged
  }

  private static let file = DataFile.journal
  let connection: Connection
  private let loading: Statement

  /// Prepares the statements used often.
  init(_ connection: Connection) throws(StorageError) {
    self.connection = connection
    loading = try reading(Self.file) { () throws(SQLiteError) in
      try Statement(
        connection,
        """
        SELECT account, through_row, facets_checksum, facets, ledger_checksum, ledger,
          state_checksum, state
        FROM checkpoints WHERE account = ?1
        """)
    }
  }

  /// Reads one row by the statement that was prepared; see `JournalReading`.
  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    let found = try reading(Self.file) { () throws(SQLiteError) -> Scanned<AccountCheckpoint>? in
      try loading.bind(account.bytes, at: 1)
      guard try loading.step() else { return nil }
      defer { loading.reset() }
      return checkpoint(of: account, in: loading)
    }
    switch found {
    case .none: return nil
    case .intact(let checkpoint): return checkpoint
    case .damaged: throw .corruptCheckpoint(account: account)
    }
  }

  /// Reads the index alone; see `JournalReading`.
  func accounts() throws(StorageError) -> [AccountID] {
    let statement = try prepare("SELECT account FROM checkpoints ORDER BY account")
    var accounts: [AccountID] = []
    while try reading(Self.file, statement.step) {
      guard let account = AccountID(bytes: statement.bytes(at: 0)) else {
        throw .corrupt(Self.file, detail: "an account's id has not 16 bytes")
      }
      accounts.append(account)
    }
    return accounts
  }

  /// See `JournalReading`.
  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    try scanCheckpoints { account, scanned in
      guard case .intact(let checkpoint) = scanned else {
        throw StorageError.corruptCheckpoint(account: account)
      }
      try body(checkpoint)
    }
  }

  /// See `JournalReading`.
  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    // Rows up to the folded one may have been dropped, from the oldest on.
    var latestFirst = max(after, try foldedThrough) + 1
    try scanRows(after: after) { sequence, scanned in
      guard sequence <= latestFirst else {
        throw StorageError.missingRow(sequence: latestFirst)
      }
      latestFirst = sequence + 1
      guard case .intact(let row) = scanned else {
        throw StorageError.corruptRow(sequence: sequence)
      }
      try body(row)
    }
  }

  /// Of at most `rowsMax` rows above `after`, those that hold something of an account, without it;
  /// and the last row that was looked at, nil when there is none above it.
  ///
  /// - Throws: `corruptRow`.
  func rows(
    with account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> (cut: [JournalRow], last: Int64?) {
    struct Enough: Error {}
    var cut: [JournalRow] = []
    var last = after
    var count = 0
    do {
      try eachRow(after: after) { row in
        if count == rowsMax { throw Enough() }
        count += 1
        last = row.sequence
        do throws(StoredFormError) {
          if let rest = try row.without(account) { cut.append(rest) }
        } catch {
          throw StorageError.corruptRow(sequence: row.sequence)
        }
      }
    } catch let error as StorageError {
      throw error
    } catch {
      return (cut, last)
    }
    return (cut, nil)
  }

  /// See `JournalReading`.
  func findings(replay: StorageCheck.Replay?) -> [Finding] {
    StorageCheck.check(journal: connection, replay: replay)
  }

  /// Read from its table; see `JournalReading`.
  var foldedThrough: Int64 {
    get throws(StorageError) { try number("SELECT through_row FROM folding WHERE id = 1") }
  }

  /// Read from the end of the journal; see `JournalReading`.
  var lastSequence: Int64 {
    get throws(StorageError) {
      // Once every row was dropped only the fold remembers how far the numbers went.
      try max(number("SELECT max(sequence) FROM journal"), foldedThrough)
    }
  }

  /// Calls `body` with every row above `after`, damaged ones included, in order.
  func scanRows(
    after: Int64, _ body: (_ sequence: Int64, Scanned<JournalRow>) throws -> Void
  ) throws {
    let statement = try prepare(
      "SELECT sequence, epoch, checksum, bytes FROM journal WHERE sequence > ?1 ORDER BY sequence")
    try reading(Self.file) { () throws(SQLiteError) in try statement.bind(after, at: 1) }
    while try reading(Self.file, statement.step) {
      let sequence = statement.int64(at: 0)
      try body(sequence, row(sequence, in: statement))
    }
  }

  /// Calls `body` with every checkpoint, damaged ones included, in the order of the accounts.
  func scanCheckpoints(
    _ body: (_ account: AccountID, Scanned<AccountCheckpoint>) throws -> Void
  ) throws {
    let statement = try prepare(
      """
      SELECT account, through_row, facets_checksum, facets, ledger_checksum, ledger,
        state_checksum, state
      FROM checkpoints ORDER BY account
      """)
    while try reading(Self.file, statement.step) {
      guard let account = AccountID(bytes: statement.bytes(at: 0)) else {
        throw StorageError.corrupt(Self.file, detail: "an account's id has not 16 bytes")
      }
      try body(account, checkpoint(of: account, in: statement))
    }
  }

  private func row(_ sequence: Int64, in statement: Statement) -> Scanned<JournalRow> {
    guard let epoch = EpochID(bytes: statement.bytes(at: 1)) else { return .damaged }
    return statement.withBytes(at: 3) { bytes in
      let checksum = Checksum.row(sequence: sequence, epoch: epoch, bytes: bytes)
      guard checksum == statement.int64(at: 2) else { return .damaged }
      return .intact(JournalRow(sequence: sequence, epoch: epoch, bytes: [UInt8](bytes)))
    }
  }

  private func checkpoint(
    of account: AccountID, in statement: Statement
  ) -> Scanned<AccountCheckpoint> {
    let throughRow = statement.int64(at: 1)
    var parts: [[UInt8]] = []
    for part in 0..<3 as Range<Int32> {
      let bytes = statement.bytes(at: 3 + 2 * part)
      let checksum = bytes.withUnsafeBytes {
        Checksum.checkpoint(
          account: account, throughRow: throughRow, part: UInt64(part), bytes: $0)
      }
      guard checksum == statement.int64(at: 2 + 2 * part) else { return .damaged }
      parts.append(bytes)
    }
    return .intact(
      AccountCheckpoint(
        account: account, throughRow: throughRow, state: parts[2], ledger: parts[1],
        facets: parts[0]))
  }

  private func prepare(_ sql: StaticString) throws(StorageError) -> Statement {
    try reading(Self.file) { () throws(SQLiteError) in try Statement(connection, sql) }
  }

  private func number(_ sql: StaticString) throws(StorageError) -> Int64 {
    try reading(Self.file) { () throws(SQLiteError) in try connection.number(sql) }
  }
}
