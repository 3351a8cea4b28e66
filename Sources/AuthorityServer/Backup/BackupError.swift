internal import Glibc
public import Storage

/// Why there is no backup, or why it was not restored.
public enum BackupError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The target is not there; it is never made, as it may be the place of a medium that is away.
  case noTarget(path: String)
  /// The target is the data directory, or lies in it.
  case insideData(path: String)
  /// The target refuses.
  case targetRefuses(path: String, errno: Int32)
  /// The target has too little room.
  case noRoom(path: String, neededBytes: Int64, freeBytes: Int64)
  /// Another backup into the same target, or of the same server, is under way.
  case underWay
  /// The server ends.
  case stopping
  /// The copy was not made.
  case copy(StorageError)
  /// The copy was made, and is not what it should be; it was thrown away.
  case notVerified([String])
  /// The path names no backup.
  case notABackup(path: String)
  /// A backup that is not as it was made.
  case damaged(path: String, [String])
  /// The directory holds a journal already.
  case wouldOverwrite(path: String)

  /// Whether the target itself said no, or has no room.
  var isRefusal: Bool {
    switch self {
    case .targetRefuses, .noRoom, .copy(.copyFailed(_, .full)): true
    case .copy(.copyFailed(_, .system(let errno))): [EACCES, EPERM, EROFS, EDQUOT].contains(errno)
    default: false
    }
  }

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .noTarget(let path):
      "there is no directory \(path) to back up to: make it, or mount what belongs there"
    case .insideData(let path):
      "\(path) is in the data directory: a backup there is lost with it"
    case .targetRefuses(let path, let errno):
      "\(path) cannot be written: \(String(cString: strerror(errno)))"
    case .noRoom(let path, let needed, let free):
      "\(path) has \(free) bytes free and \(needed) are needed: make room there"
    case .underWay: "another backup is under way: wait for its end"
    case .stopping: "the server is stopping"
    case .copy(let error): "\(error)"
    case .notVerified(let findings):
      "the copy is not what it should be, and was thrown away: \(findings.joined(separator: "; "))"
    case .notABackup(let path): "\(path) is not a backup: it has no manifest.json"
    case .damaged(let path, let findings):
      "the backup \(path) is damaged: \(findings.joined(separator: "; "))"
    case .wouldOverwrite(let path):
      "\(path) holds a journal: restore with --replace, which keeps it aside"
    }
  }
}

/// Runs calls of storage's and turns their errors into a backup's.
func copying<Result>(
  _ body: () throws(StorageError) -> Result
) throws(BackupError) -> Result {
  do {
    return try body()
  } catch {
    throw .copy(error)
  }
}
