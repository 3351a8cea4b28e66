internal import Glibc
internal import Guards

/// One server's files, locked against a second server until they are released, or for as long as
/// this object lives.
///
/// Its databases must never be opened by anything but SQLite in this process: closing any
/// descriptor of a file drops all locks the process has on it
/// (https://www.sqlite.org/howtocorrupt.html, 2.2).
public final class DataDirectory: Sendable {
  /// The absolute path, without symbolic links.
  public let path: String
  /// The name of the file system that SQLite uses in it; nil: the host's.
  let fileSystem: String?
  /// Holds the lock; nil once it was released.
  private let lockDescriptor: Lock<Int32?>

  /// What only a backup holds: the file that says how its other files were made.
  public static let manifestName = "manifest.json"

  /// Opens a directory, makes it (mode 0700) if it is missing, and locks it.
  ///
  /// An empty directory that others can read is closed to them; one that holds files is refused,
  /// as it may be somebody's home.
  ///
  /// - Throws: `isBackup`, `alreadyRunning`, `wrongOwner`, `openToOthers`, `notADirectory`,
  ///   `directoryUnusable`.
  public convenience init(path: String) throws(StorageError) {
    try self.init(path: path, fileSystem: nil)
  }

  /// The same, with databases on a file system that SQLite knows by name, for simulations.
  package init(path: String, fileSystem: String?) throws(StorageError) {
    self.fileSystem = fileSystem
    try Self.makeIfMissing(path)
    guard let resolved = realpath(path, nil) else {
      throw .directoryUnusable(path: path, errno: errno)
    }
    defer { free(resolved) }
    self.path = String(cString: resolved)
    if access("\(self.path)/\(Self.manifestName)", F_OK) == 0 { throw .isBackup(path: path) }
    try Self.keepPrivate(self.path)
    lockDescriptor = Lock(try Self.lock(self.path))
    // What a restore decided, and could not finish, is so for everybody.
    try PendingRestore.finish(in: self.path)
  }

  deinit {
    release()
  }

  /// Lets the next server in; nothing in the directory may be used any more. A second time does
  /// nothing.
  public func release() {
    // The file stays: removing it would let two servers hold two files of the same name.
    lockDescriptor.withLock { descriptor in
      if let descriptor { close(descriptor) }
      descriptor = nil
    }
  }

  /// The path of one of the files.
  public func path(of file: DataFile) -> String { "\(path)/\(file.name)" }

  private static func makeIfMissing(_ path: String) throws(StorageError) {
    if mkdir(path, 0o700) == 0 {
      // The name must be as durable as what will be put under it.
      try synchronize(directory: "\(path)/..")
    } else if errno != EEXIST {
      throw .directoryUnusable(path: path, errno: errno)
    }
  }

  private static func keepPrivate(_ path: String) throws(StorageError) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .directoryUnusable(path: path, errno: errno) }
    guard facts.st_mode & S_IFMT == S_IFDIR else { throw .notADirectory(path: path) }
    guard facts.st_uid == geteuid() else { throw .wrongOwner(path: path, owner: facts.st_uid) }
    if facts.st_mode & 0o077 == 0 { return }
    guard try isEmpty(path) else {
      throw .openToOthers(path: path, mode: facts.st_mode & 0o7777)
    }
    guard chmod(path, 0o700) == 0 else { throw .directoryUnusable(path: path, errno: errno) }
  }

  private static func isEmpty(_ path: String) throws(StorageError) -> Bool {
    guard let stream = opendir(path) else { throw .directoryUnusable(path: path, errno: errno) }
    defer { closedir(stream) }
    var entries = 0
    while readdir(stream) != nil { entries += 1 }
    return entries <= 2  // "." and ".."
  }
}
