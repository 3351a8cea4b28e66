internal import CSQLite

extension Connection {
  /// How much an integrity check looks at.
  public enum IntegrityCheck: Sendable {
    /// Pages and records; a second per GiB or so.
    case quick
    /// Also that every index agrees with its table.
    case full
  }

  /// What copying the write-ahead log into the database came to.
  public enum LogCheckpoint: Equatable, Sendable {
    /// Everything is in the database, synced, and the log is empty.
    case emptied
    /// A statement of this connection is still reading; the log keeps what it has.
    case busy
  }

  /// Asks SQLite to look for damage; what it finds, in its words, empty if there is none.
  ///
  /// - Throws: anything but `corrupt`, which is a fault like the others: it ends the list where the
  ///   damage is such that the check cannot go on.
  public func integrityFaults(_ check: IntegrityCheck) throws(SQLiteError) -> [String] {
    let statement =
      switch check {
      case .quick: try Statement(self, "PRAGMA quick_check(100)")
      case .full: try Statement(self, "PRAGMA integrity_check(100)")
      }
    var faults: [String] = []
    do {
      while try statement.step() {
        let fault = statement.text(at: 0)
        if fault != "ok" { faults.append(fault) }
      }
    } catch {
      guard error.kind == .corrupt else { throw error }
      faults.append(error.message)
    }
    return faults
  }

  /// Copies the whole write-ahead log into the database, syncs it, and truncates the log.
  ///
  /// - Throws: `full` if the database cannot grow; the log then still holds everything.
  public func checkpointLog() throws(SQLiteError) -> LogCheckpoint {
    let code = sqlite3_wal_checkpoint_v2(handle, "main", SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    switch code & 0xff {
    case SQLITE_OK: return .emptied
    case SQLITE_BUSY, SQLITE_LOCKED: return .busy
    default: throw error(code, in: "wal_checkpoint(TRUNCATE)")
    }
  }

  /// The size of the database in bytes, the part in the write-ahead log included.
  public func databaseBytes() throws(SQLiteError) -> Int64 {
    try number("PRAGMA page_count") * number("PRAGMA page_size")
  }

  /// True if the file was renamed, replaced or removed since it was opened.
  public func hasMoved() throws(SQLiteError) -> Bool {
    var moved: Int32 = 0
    try check(
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved), in: "has moved")
    return moved != 0
  }
}
