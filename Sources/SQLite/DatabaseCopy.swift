internal import CSQLite

/// The owner of one `sqlite3_backup*`: copies an open database into another file, some pages at a
/// time (https://www.sqlite.org/c3ref/backup_finish.html).
///
/// Between two steps the source may be written to by its own connection: pages that are copied
/// already are copied again by the write itself. So the copy is the database as of the last step.
/// The source cannot be closed before the copy ends.
public final class DatabaseCopy {
  /// How far a copy has come, in pages.
  public struct Progress: Sendable, Equatable {
    /// Still to copy; 0: the copy is whole.
    public let remaining: Int
    /// All of them, as of the newest step.
    public let total: Int
  }

  private let source: Connection
  private let target: Connection
  private var pointer: OpaquePointer?

  /// Begins; nothing is copied yet.
  ///
  /// - Parameter target: of an empty file. What it writes is not synced: the owner does that when
  ///   the copy is whole and closed, where nobody waits for it.
  public init(from source: Connection, to target: Connection) throws(SQLiteError) {
    // A copy that breaks off is thrown away: neither a rollback journal nor a sync is of use.
    try target.execute("PRAGMA journal_mode=MEMORY")
    try target.execute("PRAGMA synchronous=OFF")
    self.source = source
    self.target = target
    pointer = sqlite3_backup_init(target.handle, "main", source.handle, "main")
    if pointer == nil { throw target.error(sqlite3_errcode(target.handle), in: "backup_init") }
  }

  deinit {
    end()
  }

  /// Copies at most `pages` more pages; negative: all.
  ///
  /// - Throws: what reading or writing a page came to; the copy is of no use then.
  public func step(pages: Int32) throws(SQLiteError) -> Progress {
    guard let pointer else { fatalError("a copy that has ended was continued") }
    let code = sqlite3_backup_step(pointer, pages)
    switch code {
    case SQLITE_OK, SQLITE_DONE:
      let remaining = Int(sqlite3_backup_remaining(pointer))
      return Progress(
        // A changed source may be read anew by the next step, whatever is left of it now.
        remaining: code == SQLITE_DONE ? 0 : max(1, remaining),
        total: Int(sqlite3_backup_pagecount(pointer)))
    default:
      throw SQLiteError(
        code: code, message: String(cString: sqlite3_errstr(code)), operation: "backup_step")
    }
  }

  /// Lets go of the source, whether the copy is whole or not; a second time does nothing.
  public func end() {
    // The answer repeats the last step's error, which was thrown there.
    sqlite3_backup_finish(pointer)
    pointer = nil
  }
}
