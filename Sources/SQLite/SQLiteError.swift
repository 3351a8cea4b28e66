internal import CSQLite

/// A call to SQLite that failed.
///
/// It keeps SQLite's own code and the statement's text, which is always a literal of this program;
/// bound values are never part of it.
public struct SQLiteError: Error, Equatable, Sendable {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  public let code: Int32
  /// SQLite's own words; they name tables and columns, not values.
  public let message: String
  /// The statement or the call that failed.
  public let operation: String

  /// An error from its parts.
  public init(code: Int32, message: String, operation: String) {
    self.code = code
    self.message = message
    self.operation = operation
  }

  /// The primary result code: the low byte of the extended one.
  public var primaryCode: Int32 { code & 0xff }

  /// What kind of trouble it is, as far as a caller acts differently.
  public var kind: Kind {
    switch primaryCode {
    case SQLITE_NOTADB: .notADatabase
    case SQLITE_CORRUPT: .corrupt
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_READONLY, SQLITE_PERM: .readOnly
    case SQLITE_CANTOPEN: .cannotOpen
    case SQLITE_FULL: .full
    case SQLITE_IOERR: .inputOutput
    case SQLITE_CONSTRAINT: .constraint
    default: .other
    }
  }

  /// True if, after this error on the writing connection, nothing can be said about what is on
  /// disk: stop acknowledging and end the process.
  ///
  /// A commit that failed with SQLITE_IOERR_FSYNC has been seen to come back after a restart, and
  /// Linux marks pages clean after a failed write-back, so a later fsync proves nothing
  /// (https://wiki.postgresql.org/wiki/Fsync_Errors). A full disk and a broken constraint are not
  /// in the list: SQLite reports them before anything is committed.
  public var isFatalForWriter: Bool {
    switch primaryCode {
    case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY, SQLITE_PERM, SQLITE_PROTOCOL,
      SQLITE_CANTOPEN, SQLITE_BUSY, SQLITE_NOLFS, SQLITE_INTERNAL, SQLITE_MISUSE, SQLITE_NOMEM:
      true
    default:
      false
    }
  }
}

extension SQLiteError {
  /// The kinds of trouble a caller can tell apart.
  public enum Kind: Sendable {
    /// The file's first bytes are not SQLite's.
    case notADatabase
    /// A page or the schema is damaged.
    case corrupt
    /// Another connection holds the file, or a statement of this one is still running.
    case busy
    /// The file or its directory cannot be written.
    case readOnly
    /// The file, or one that belongs to it, could not be opened.
    case cannotOpen
    /// The disk, or the database's own limit, is full.
    case full
    /// A system call failed; the outcome of a write is unknown.
    case inputOutput
    /// A constraint of the schema refused the row.
    case constraint
    /// Anything else.
    case other
  }
}

extension SQLiteError: CustomStringConvertible {
  /// One line for a log.
  public var description: String { "SQLite \(code), \(message) (\(operation))" }
}
