internal import Glibc

/// Putting restored files in the place of others, so that a kill at any moment leaves either all of
/// the old ones or all of the new ones.
///
/// The new files stand ready beside the old ones, under names that end with `.restored`; the old
/// ones have a second name. Then one rename makes the marker `restore`, and from there on whoever
/// opens the directory, this process or the next, puts the new files in place before it looks at
/// anything.
public struct PendingRestore {
  private let directory: DataDirectory

  /// What the marker is called.
  static let marker = "restore"
  /// What the names of files that stand ready end with.
  public static let suffix = ".restored"
  /// Put in place, when they stand ready, in this order.
  static let names = [DataFile.devices.name, DataFile.backups.name, DataFile.journal.name]
  /// What SQLite keeps beside a journal.
  private static let companions = ["-wal", "-shm", "-journal"]

  /// A restore into a directory that this process has locked.
  public init(into directory: DataDirectory) {
    self.directory = directory
  }

  /// Where a file is put to stand ready.
  public func path(of file: DataFile) -> String { directory.path(of: file) + Self.suffix }

  /// Gives the journal that is there, with its log, second names that begin with `name`.
  ///
  /// - Throws: `copyFailed`: the names are taken, or the file system has no second names.
  public func keepAside(as name: String) throws(StorageError) {
    let journal = directory.path(of: .journal)
    let aside = "\(directory.path)/\(name)"
    for companion in [""] + Self.companions where access(journal + companion, F_OK) == 0 {
      guard link(journal + companion, aside + companion) == 0 else {
        throw .copyFailed(path: aside + companion, CopyFault(errno: errno))
      }
    }
  }

  /// Decides for the new files, which are durable, and puts them in place.
  ///
  /// - Throws: `copyFailed`; it may have been decided, and the next to open the directory goes on.
  public func commit() throws(StorageError) {
    try FileDurability.synchronize(directory: directory.path)
    let draft = "\(directory.path)/\(Self.marker).draft"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .copyFailed(path: draft, CopyFault(errno: errno)) }
    close(descriptor)
    try FileDurability.synchronize(file: draft)
    try Self.rename(draft, to: "\(directory.path)/\(Self.marker)")
    try FileDurability.synchronize(directory: directory.path)
    try Self.finish(in: directory.path)
  }

  /// Goes on with what was decided, or clears away what was not; called whenever a directory was
  /// locked.
  static func finish(in path: String) throws(StorageError) {
    guard access("\(path)/\(marker)", F_OK) == 0 else {
      for name in names + ["\(marker).draft"] {
        unlink("\(path)/\(name)\(name.hasPrefix(marker) ? "" : suffix)")
      }
      return
    }
    let ready = names.filter { access("\(path)/\($0)\(suffix)", F_OK) == 0 }
    if !ready.isEmpty {
      // An old log must never be read with a new database.
      for name in ready {
        for companion in companions { unlink("\(path)/\(name)\(companion)") }
      }
      try FileDurability.synchronize(directory: path)
    }
    for name in ready {
      try rename("\(path)/\(name)\(suffix)", to: "\(path)/\(name)")
    }
    try FileDurability.synchronize(directory: path)
    unlink("\(path)/\(marker)")
    try FileDurability.synchronize(directory: path)
  }

  private static func rename(_ path: String, to target: String) throws(StorageError) {
    guard Glibc.rename(path, target) == 0 else {
      throw .copyFailed(path: target, CopyFault(errno: errno))
    }
  }
}
