internal import Glibc
internal import SQLite

/// An empty database in a file without a name: it is on a disk, as it may be larger than memory,
/// and goes with its connection, however the process ends.
enum NamelessDatabase {
  /// Makes one in `directory`, or in the one for temporary files where that may not be written, as
  /// on a medium for reading alone.
  ///
  /// - Throws: `copyFailed`.
  static func make(in directory: String) throws(StorageError) -> Connection {
    do throws(StorageError) {
      return try open(in: directory)
    } catch {
      guard case .copyFailed(_, .system(let errno)) = error,
        [EROFS, EACCES, EPERM].contains(errno)
      else { throw error }
      // tmpfile(3) takes /tmp, which may be memory.
      let other = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
      return try open(in: other)
    }
  }

  private static func open(in directory: String) throws(StorageError) -> Connection {
    var template = Array("\(directory)/.reading-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw .copyFailed(path: directory, CopyFault(errno: errno)) }
    close(descriptor)
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    // SQLite has it open by then.
    defer { unlink(path) }
    do throws(SQLiteError) {
      return try Connection(path: path)
    } catch {
      throw .copyFailed(path: directory, CopyFault(error))
    }
  }
}
