internal import Glibc
internal import SQLite
public import WatchTransfer

/// The databases of a directory that nobody uses: a copy that was made, or a backup.
public struct StoreImage: Sendable {
  /// Where the files are.
  public let directory: String

  /// The files of a copy; `lock` and `ballast` belong to a living directory.
  public static let files: [DataFile] = [.journal, .devices]

  /// The copy in `directory`; nothing is looked at yet.
  public init(directory: String) {
    self.directory = directory
  }

  /// The path of one of the files.
  public func path(of file: DataFile) -> String { "\(directory)/\(file.name)" }

  /// Makes fresh copies whole by themselves, and durable: without a write-ahead log they can be
  /// read where nothing may be written.
  ///
  /// - Throws: `copyFailed`.
  public func seal() throws(StorageError) {
    for file in Self.files {
      let path = path(of: file)
      do throws(SQLiteError) {
        let connection = try Connection(path: path)
        try connection.leaveWriteAheadLog()
        try connection.close()
      } catch {
        throw .copyFailed(path: path, CopyFault(error))
      }
      // SQLite has let go of the file, so that no lock is lost by this.
      try FileDurability.synchronize(file: path)
    }
    try FileDurability.synchronize(directory: directory)
  }

  /// Everything that is wrong with the copy; empty if nothing is. It is opened for reading alone
  /// and stays as it is.
  ///
  /// - Parameter deviceRows: whether each row of the list of devices is compared with its checksum.
  ///   A damaged one is left out by whoever reads the list: no reason not to keep a copy.
  /// - Parameter replay: as for `StorageCheck.check(directory:replay:)`.
  public func findings(deviceRows: Bool = true, replay: StorageCheck.Replay? = nil) -> [Finding] {
    var damaged: Set<AccountID>?
    return StorageCheck.check(
      image: self, deviceRows: deviceRows, damaged: &damaged, replay: replay)
  }

  /// The same, but that accounts whose checkpoints are not what was written are told apart: they
  /// are no reason not to keep a copy of all others. `replay` is called in spite of them.
  public func sortedFindings(
    deviceRows: Bool, replay: StorageCheck.Replay? = nil
  ) -> (findings: [Finding], damaged: Set<AccountID>) {
    var damaged: Set<AccountID>? = []
    let findings = StorageCheck.check(
      image: self, deviceRows: deviceRows, damaged: &damaged, replay: replay)
    return (findings, damaged ?? [])
  }

  /// Opens a database for reading alone. One of an older version is read in a copy without a name,
  /// brought up to date there as the server that starts on it will do; the file stays as it is.
  func open(_ file: DataFile, _ schema: Schema) throws(StorageError) -> Connection {
    let path = path(of: file)
    let connection = try reading(file) { () throws(SQLiteError) in
      try Connection(path: path, access: .reading)
    }
    let identity = try StoreFile.identity(of: connection, file, schema)
    if identity.version >= schema.version { return connection }
    guard !identity.isNew else { throw .notADatabase(file) }
    let fresh = try NamelessDatabase.make(in: directory)
    return try reading(file) { () throws(SQLiteError) in
      let copy = try DatabaseCopy(from: connection, to: fresh)
      while try copy.step(pages: -1).remaining > 0 {}
      copy.end()
      // One in memory would hold all that a migration changes.
      try fresh.leaveRollbackJournal()
      for migration in schema.migrations[Int(identity.version)...] {
        try fresh.execute(migration)
      }
      return fresh
    }
  }
}

/// Making files and names durable, for files that SQLite does not have open.
public enum FileDurability {
  /// fsync(2) of a file.
  ///
  /// - Throws: `copyFailed`.
  public static func synchronize(file path: String) throws(StorageError) {
    try synchronize(path, flags: O_RDONLY | O_CLOEXEC)
  }

  /// fsync(2) of a directory: the names in it are durable when this returns.
  ///
  /// - Throws: `copyFailed`.
  public static func synchronize(directory path: String) throws(StorageError) {
    try synchronize(path, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  }

  private static func synchronize(_ path: String, flags: Int32) throws(StorageError) {
    let descriptor = open(path, flags)
    guard descriptor >= 0 else { throw .copyFailed(path: path, CopyFault(errno: errno)) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else {
      throw .copyFailed(path: path, CopyFault(errno: errno))
    }
  }
}
