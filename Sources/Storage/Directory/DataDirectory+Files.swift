internal import Glibc

extension DataDirectory {
  /// Bytes of a file in the directory; nil if there is none.
  func bytes(of name: String) throws(StorageError) -> Int64? {
    try facts(of: name).map { Int64($0.st_size) }
  }

  private func facts(of name: String) throws(StorageError) -> stat? {
    var facts = stat()
    if stat("\(path)/\(name)", &facts) == 0 { return facts }
    if errno == ENOENT { return nil }
    throw .directoryUnusable(path: "\(path)/\(name)", errno: errno)
  }

  /// Refuses what SQLite would take for a new database, and overwrite: a file of one byte, and a
  /// write-ahead log beside an empty database or none, which it would delete. No crash leaves
  /// either: the database's first page is durable before there is a log. A symbolic link is refused
  /// too: SQLite would keep the log beside what it points to.
  ///
  /// - Throws: `notADatabase`, `logWithoutDatabase`, `directoryUnusable`.
  func expectWhole(_ file: DataFile) throws(StorageError) {
    var entry = stat()
    if lstat(path(of: file), &entry) == 0, entry.st_mode & S_IFMT == S_IFLNK {
      throw .notADatabase(file)
    }
    let size = try bytes(of: file.name) ?? 0
    if size == 0, try bytes(of: file.name + "-wal") ?? 0 > 0 { throw .logWithoutDatabase(file) }
    if 1..<Self.databaseBytesMin ~= size { throw .notADatabase(file) }
  }

  /// The smallest page, and so the smallest database, in bytes
  /// (https://www.sqlite.org/fileformat.html, 1.3.2).
  private static let databaseBytesMin: Int64 = 512

  /// Makes sure a database file is there for SQLite to open, readable by this user alone.
  ///
  /// An empty file is made here and not by SQLite, whose mode would depend on the process's umask;
  /// SQLite gives the `-wal` file the mode of the database.
  ///
  /// - Throws: `notADatabase`, `logWithoutDatabase`, `directoryUnusable`.
  func prepare(_ file: DataFile) throws(StorageError) {
    try expectWhole(file)
    let path = path(of: file)
    guard let mode = try facts(of: file.name)?.st_mode else {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .directoryUnusable(path: path, errno: errno) }
      close(descriptor)
      return try Self.synchronize(directory: self.path)
    }
    // Not through a descriptor: see the type's note on locks. What the owner may do is left alone.
    if mode & 0o077 != 0, chmod(path, mode & 0o700) != 0 {
      throw .directoryUnusable(path: path, errno: errno)
    }
  }
}
