internal import SQLite

/// One database of the data directory and its write transactions.
///
/// After a write whose outcome is unknown nothing is written any more, not even at the end: only a
/// fresh start can tell what is on disk.
final class StoreFile {
  /// Which file it is.
  let file: DataFile
  /// The connection; nobody else has one to this file.
  let connection: Connection
  private var transaction: Transaction?
  private var unknownOutcome: Int32?
  // Holds the lock for as long as the file is in use.
  private var directory: DataDirectory?

  private struct Transaction {
    let begin: Statement
    let commit: Statement
    let rollback: Statement
  }

  /// What a failed write that SQLite took back cleanly means to the caller.
  enum CleanFailure {
    /// Nothing happened; the error says why.
    case isReported
    /// The caller's memory is ahead of the disk already: as bad as an unknown outcome.
    case endsProcess
  }

  /// Wraps a connection whose schema is in order.
  init(
    _ file: DataFile, _ connection: Connection, in directory: DataDirectory
  ) throws(StorageError) {
    self.file = file
    self.connection = connection
    self.directory = directory
    transaction = try reading(file) { () throws(SQLiteError) in
      Transaction(
        begin: try Statement(connection, "BEGIN IMMEDIATE"),
        commit: try Statement(connection, "COMMIT"),
        rollback: try Statement(connection, "ROLLBACK"))
    }
  }

  /// Runs `body` in one transaction; it is durable, by one fsync, when this returns.
  ///
  /// - Throws: what `body` throws of `StorageError`, after taking its writes back;
  ///   `outcomeUnknown`; `full` and `failed`, unless `cleanFailure` says they end the process.
  func write<Result>(
    cleanFailure: CleanFailure = .isReported, _ body: () throws -> Result
  ) throws(StorageError) -> Result {
    let transaction = try usable()
    do {
      try transaction.begin.run()
      let result = try body()
      try transaction.commit.run()
      return result
    } catch {
      throw failure(error, transaction, cleanFailure)
    }
  }

  /// Copies the write-ahead log into the database and empties it.
  ///
  /// - Throws: `full`, where the log keeps everything; `logBusy`; `outcomeUnknown`.
  func checkpointLog() throws(StorageError) {
    _ = try usable()
    do {
      if try connection.checkpointLog() == .busy { throw StorageError.logBusy(file) }
    } catch let error as SQLiteError {
      throw error.isFatalForWriter ? unknown(error.code) : StorageError(error, in: file)
    } catch {
      throw .logBusy(file)
    }
  }

  /// Lets go of the file; the caller has dropped its statements. The log stays as it is.
  func close() throws(StorageError) {
    transaction = nil
    try reading(file, connection.close)
    directory = nil
  }

  private func usable() throws(StorageError) -> Transaction {
    if let unknownOutcome { throw .outcomeUnknown(code: unknownOutcome) }
    guard let transaction else { fatalError("a closed database was written to") }
    return transaction
  }

  private func failure(
    _ error: any Error, _ transaction: Transaction, _ clean: CleanFailure
  ) -> StorageError {
    if let error = error as? SQLiteError {
      if error.isFatalForWriter || clean == .endsProcess { return unknown(error.code) }
      return rollback(transaction) ?? StorageError(error, in: file)
    }
    guard let error = error as? StorageError else { fatalError("a write threw a foreign error") }
    return rollback(transaction) ?? error
  }

  /// Takes the open transaction back, if SQLite has not done so by itself; nil if that worked.
  private func rollback(_ transaction: Transaction) -> StorageError? {
    guard connection.isInTransaction else { return nil }
    do {
      try transaction.rollback.run()
      return nil
    } catch {
      return unknown(error.code)
    }
  }

  private func unknown(_ code: Int32) -> StorageError {
    unknownOutcome = code
    return .outcomeUnknown(code: code)
  }
}
