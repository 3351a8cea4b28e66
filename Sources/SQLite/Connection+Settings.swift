internal import CSQLite

extension Connection {
  /// What a database file says of itself in its header.
  public struct Identity: Equatable, Sendable {
    /// `application_id`: which program's file it is; 0 for none.
    public let application: Int64
    /// `user_version`: the version of its schema; 0 for a new file.
    public let version: Int64
    /// Tables, indexes and the like; 0 for a new file.
    public let objects: Int64

    /// An identity from its parts.
    public init(application: Int64, version: Int64, objects: Int64) {
      self.application = application
      self.version = version
      self.objects = objects
    }

    /// True for a file nobody has written to yet.
    public var isNew: Bool { application == 0 && version == 0 && objects == 0 }
  }

  /// The settings that hold before the first access to the file; none of them writes to it.
  func harden() throws(SQLiteError) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, SQLiteLimits.lengthBytesMax)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, SQLiteLimits.statementBytesMax)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    try turn(SQLITE_DBCONFIG_DEFENSIVE, on: true, named: "defensive")
    try turn(SQLITE_DBCONFIG_TRUSTED_SCHEMA, on: false, named: "trusted_schema")
    try turn(SQLITE_DBCONFIG_ENABLE_FKEY, on: true, named: "foreign_keys")
    try turn(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, on: false, named: "load_extension")
    try turn(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on: true, named: "no_ckpt_on_close")
    try expect("exclusive", from: "PRAGMA locking_mode=EXCLUSIVE")
    try execute("PRAGMA cell_size_check=ON")
    try expect("1", from: "PRAGMA cell_size_check")
  }

  /// Reads what the file says of itself: the first access, which takes the lock and recovers a
  /// write-ahead log left behind, in memory only.
  ///
  /// - Throws: `busy`, `notADatabase`, `corrupt`, `readOnly`.
  public func identity() throws(SQLiteError) -> Identity {
    Identity(
      application: try number("PRAGMA application_id"),
      version: try number("PRAGMA user_version"),
      objects: try number("SELECT count(*) FROM sqlite_schema"))
  }

  /// Switches to the write-ahead log with one fsync per commit, and reads both settings back.
  ///
  /// Under `synchronous=NORMAL` a commit is not synced at all and acknowledged writes are lost when
  /// the power goes (https://www.sqlite.org/pragma.html#pragma_synchronous).
  ///
  /// - Parameter autocheckpointPages: a commit that leaves at least this many pages in the log
  ///   also copies them into the database; 0 for never.
  public func useWriteAheadLog(autocheckpointPages: Int32) throws(SQLiteError) {
    try expect("wal", from: "PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=FULL")
    try expect("2", from: "PRAGMA synchronous")
    try check(sqlite3_wal_autocheckpoint(handle, autocheckpointPages), in: "wal_autocheckpoint")
  }

  /// Leaves the write-ahead log for good, so that the file is whole by itself and can be read where
  /// nothing may be written.
  ///
  /// - Throws: `full`; the file is of no use as a copy then.
  public func leaveWriteAheadLog() throws(SQLiteError) {
    try expect("delete", from: "PRAGMA journal_mode=DELETE")
  }

  /// Keeps nothing to roll back by: for a file that is thrown away when a transaction fails.
  public func leaveRollbackJournal() throws(SQLiteError) {
    // The defensive mode refuses it, and with right for a file that is to be kept.
    try turn(SQLITE_DBCONFIG_DEFENSIVE, on: false, named: "defensive")
    try expect("off", from: "PRAGMA journal_mode=OFF")
    try turn(SQLITE_DBCONFIG_DEFENSIVE, on: true, named: "defensive")
  }

  private func turn(_ option: Int32, on: Bool, named name: String) throws(SQLiteError) {
    var now: Int32 = -1
    try check(wristwire_sqlite3_db_switch(handle, option, on ? 1 : 0, &now), in: name)
    if now != (on ? 1 : 0) { throw refused(name, answer: "\(now)") }
  }

  private func expect(_ value: String, from sql: StaticString) throws(SQLiteError) {
    let answer = try text(sql)
    if answer != value { throw refused(sql.description, answer: answer) }
  }

  private func refused(_ setting: String, answer: String) -> SQLiteError {
    SQLiteError(
      code: SQLITE_MISUSE, message: "the setting did not take, it is \(answer)", operation: setting)
  }
}
