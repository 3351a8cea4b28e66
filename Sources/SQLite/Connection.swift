internal import CSQLite

/// The owner of one `sqlite3*`; nobody else opens or closes it.
///
/// Not `Sendable`: SQLite is opened without its mutexes, so one queue must own the connection and
/// its statements. The file is locked for this connection alone from the first access on: that
/// keeps other processes out, needs no `-shm` file, and removes the precondition of the WAL-reset
/// bug, which Debian's 3.40.1 has (https://www.sqlite.org/wal.html#walresetbug).
///
/// Dropping a connection leaves the write-ahead log as it is, like a crash; whoever wants it
/// emptied calls `checkpointLog()` first. So there is one way to recover, and it is always taken.
public final class Connection {
  /// What a connection may do to its file.
  public enum Access: Sendable {
    /// Read and write; a file that may only be read is refused.
    case full
    /// Read alone; the file and its directory stay as they are.
    case reading
  }

  private var pointer: OpaquePointer?

  /// Opens an existing file, or an empty one, for reading and writing; it is never created here.
  ///
  /// Nothing is read yet, so a file that is no database is noticed by the first statement.
  ///
  /// - Parameter path: of the database; SQLite puts `-wal` beside it.
  /// - Parameter access: what it may do to the file.
  /// - Parameter busyTimeoutMilliseconds: how long to wait for another process's lock.
  /// - Parameter fileSystem: the name of one that SQLite knows; nil: the host's.
  /// - Throws: the file could not be opened, or one of the safety settings did not take.
  public init(
    path: String, access: Access = .full,
    busyTimeoutMilliseconds: Int32 = SQLiteLimits.busyTimeoutMilliseconds,
    fileSystem: String? = nil
  ) throws(SQLiteError) {
    let mode = access == .full ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let flags = mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &pointer, flags, fileSystem)
    guard code == SQLITE_OK else {
      let failure = error(code, in: "open")
      sqlite3_close_v2(pointer)
      pointer = nil
      throw failure
    }
    // SQLite opens what it may not write for reading only, and fails later with less clear words.
    if access == .full, sqlite3_db_readonly(pointer, "main") == 1 {
      sqlite3_close_v2(pointer)
      pointer = nil
      throw error(SQLITE_READONLY, in: "open")
    }
    sqlite3_busy_timeout(pointer, busyTimeoutMilliseconds)
    try harden()
  }

  deinit {
    // Statements hold their connection, so none is alive here.
    sqlite3_close_v2(pointer)
  }

  /// Closes the file; the write-ahead log stays as it is.
  ///
  /// - Throws: `busy` if a statement of this connection is still alive; the connection stays open.
  public func close() throws(SQLiteError) {
    guard let pointer else { return }
    try check(sqlite3_close(pointer), in: "close")
    self.pointer = nil
  }

  /// True until `close()`.
  public var isOpen: Bool { pointer != nil }

  /// Runs statements that return nothing, one after the other.
  public func execute(_ sql: StaticString) throws(SQLiteError) {
    let code = sqlite3_exec(handle, sql.cString, nil, nil, nil)
    try check(code, in: sql.description)
  }

  /// The first column of the first row, as a number; 0 where SQLite has none.
  public func number(_ sql: StaticString) throws(SQLiteError) -> Int64 {
    let statement = try Statement(self, sql)
    guard try statement.step() else { return 0 }
    return statement.int64(at: 0)
  }

  /// The first column of the first row, as text; empty where SQLite has none.
  public func text(_ sql: StaticString) throws(SQLiteError) -> String {
    let statement = try Statement(self, sql)
    guard try statement.step() else { return "" }
    return statement.text(at: 0)
  }

  /// Rows the newest INSERT, UPDATE or DELETE touched.
  public var changes: Int64 { sqlite3_changes64(handle) }

  /// True while a transaction is open; some errors roll it back by themselves.
  public var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// The pointer, for the files of this module alone.
  var handle: OpaquePointer {
    guard let pointer else { fatalError("a closed database was used") }
    return pointer
  }

  /// Turns a result code into an error, if it is one.
  func check(_ code: Int32, in operation: String) throws(SQLiteError) {
    if code != SQLITE_OK { throw error(code, in: operation) }
  }

  /// The error for a code, with SQLite's words for it.
  func error(_ code: Int32, in operation: String) -> SQLiteError {
    let words = pointer.map { String(cString: sqlite3_errmsg($0)) }
    let message = words ?? String(cString: sqlite3_errstr(code))
    return SQLiteError(code: code, message: message, operation: operation)
  }
}

extension StaticString {
  /// The literal's bytes; they end with a zero and live as long as the program.
  var cString: UnsafePointer<CChar> {
    UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
