internal import CSQLite

/// The owner of one prepared statement; it is finalised when the last reference goes.
///
/// Its text is a literal of this program (`StaticString`): nothing a peer sent can become SQL.
/// Columns are numbered from 0, parameters from 1, as in SQLite. It holds its connection.
public final class Statement {
  /// The connection it was prepared on.
  public let connection: Connection
  let pointer: OpaquePointer
  private let sql: StaticString

  /// Prepares a statement that is kept and used again.
  ///
  /// - Throws: the text is no SQL, or names what the schema lacks.
  public init(_ connection: Connection, _ sql: StaticString) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection.handle, sql.cString, Int32(sql.utf8CodeUnitCount + 1),
      UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    try connection.check(code, in: sql.description)
    guard let prepared else { fatalError("a statement without text was prepared") }
    self.connection = connection
    self.sql = sql
    pointer = prepared
  }

  deinit {
    sqlite3_finalize(pointer)
  }

  /// Moves on: true if there is a row to read, false if the statement is done.
  ///
  /// - Throws: the error of this step; the statement is reset and may be used again.
  public func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(pointer)
    switch code {
    case SQLITE_ROW:
      return true
    case SQLITE_DONE:
      sqlite3_reset(pointer)
      return false
    default:
      let failure = connection.error(code, in: sql.description)
      sqlite3_reset(pointer)
      throw failure
    }
  }

  /// Runs a statement that returns no rows from start to end.
  public func run() throws(SQLiteError) {
    while try step() {}
  }

  /// Stops a statement before its last row, so that it no longer holds a read transaction.
  public func reset() {
    // The answer repeats the last step's error, which was thrown there.
    sqlite3_reset(pointer)
  }

  /// Turns a result code of a binding into an error, if it is one.
  func check(_ code: Int32) throws(SQLiteError) {
    try connection.check(code, in: sql.description)
  }
}
