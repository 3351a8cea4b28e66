internal import Glibc
internal import SQLite

/// A copy of an open database under way, into a file that it makes.
final class StoreCopy: JournalCopy {
  private let path: String
  private var target: Connection?
  private var copy: DatabaseCopy?

  /// Makes the file, which must not be there, readable by this user alone; nothing is copied yet.
  init(of store: StoreFile, to path: String) throws(StorageError) {
    self.path = path
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .copyFailed(path: path, CopyFault(errno: errno)) }
    close(descriptor)
    do throws(SQLiteError) {
      let connection = try Connection(path: path)
      copy = try DatabaseCopy(from: store.connection, to: connection)
      target = connection
    } catch {
      throw .copyFailed(path: path, CopyFault(error))
    }
  }

  /// Takes some pages over; see `JournalCopy`.
  func step(pages: Int) throws(StorageError) -> CopyProgress {
    guard let copy else { fatalError("a copy that has ended was continued") }
    do throws(SQLiteError) {
      let progress = try copy.step(pages: Int32(clamping: pages))
      if progress.remaining == 0 {
        copy.end()
        self.copy = nil
        try target?.close()
        target = nil
      }
      return CopyProgress(remaining: progress.remaining, total: progress.total)
    } catch {
      end()
      throw .copyFailed(path: path, CopyFault(error))
    }
  }

  /// Lets go of both databases; see `JournalCopy`.
  func end() {
    copy?.end()
    copy = nil
    target = nil
  }
}

extension CopyFault {
  /// What a failed system call means to a copy.
  init(errno: Int32) {
    self = errno == ENOSPC || errno == EDQUOT ? .full : .system(errno: errno)
  }

  /// What a failed call of SQLite's means to a copy.
  init(_ error: SQLiteError) {
    self = error.kind == .full ? .full : .sqlite(code: error.code)
  }
}
