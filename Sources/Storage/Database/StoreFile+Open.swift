internal import SQLite

extension StoreFile {
  /// Opens a database of the directory for the server: makes it if there is none, recovers what a
  /// crash left, looks it over if it is small, and brings its schema up to date.
  ///
  /// What was read so far may not be on disk yet (a commit whose fsync failed can be visible):
  /// the caller writes one row and calls `checkpointLog()` before it believes anything.
  ///
  /// - Throws: the file is left as it is in all cases but a full disk and a failed migration,
  ///   which is one transaction.
  static func open(
    _ file: DataFile, _ schema: Schema, in directory: DataDirectory,
    quickCheckBytesMax: Int64 = StorageLimits.quickCheckBytesMax,
    busyTimeoutMilliseconds: Int32 = SQLiteLimits.busyTimeoutMilliseconds
  ) throws(StorageError) -> StoreFile {
    try directory.prepare(file)
    let (connection, identity) = try identify(
      file, schema, in: directory, busyTimeoutMilliseconds: busyTimeoutMilliseconds)
    try reading(file) { () throws(SQLiteError) in
      try connection.useWriteAheadLog(autocheckpointPages: StorageLimits.autocheckpointPages)
    }
    if !identity.isNew, try reading(file, connection.databaseBytes) <= quickCheckBytesMax {
      try expectNoFault(connection, .quick, file)
    }
    let store = try StoreFile(file, connection, in: directory)
    if identity.version < schema.version {
      try store.write {
        for migration in schema.migrations[Int(identity.version)...] {
          try connection.execute(migration)
        }
      }
    }
    return store
  }

  /// Opens a file and makes sure it is ours, without writing to it.
  static func identify(
    _ file: DataFile, _ schema: Schema, in directory: DataDirectory,
    busyTimeoutMilliseconds: Int32 = SQLiteLimits.busyTimeoutMilliseconds
  ) throws(StorageError) -> (Connection, Connection.Identity) {
    let path = directory.path(of: file)
    let connection = try reading(file) { () throws(SQLiteError) in
      try Connection(
        path: path, busyTimeoutMilliseconds: busyTimeoutMilliseconds,
        fileSystem: directory.fileSystem)
    }
    return (connection, try identity(of: connection, file, schema))
  }

  /// Makes sure that an open file is ours.
  static func identity(
    of connection: Connection, _ file: DataFile, _ schema: Schema
  ) throws(StorageError) -> Connection.Identity {
    let identity = try reading(file, connection.identity)
    guard identity.isNew || identity.application == schema.application else {
      throw .foreignDatabase(file, application: identity.application)
    }
    guard identity.version <= schema.version else {
      throw .newerVersion(file, found: identity.version, known: schema.version)
    }
    guard identity.isNew || identity.version > 0 else {
      throw .corrupt(file, detail: "its version is \(identity.version)")
    }
    return identity
  }

  private static func expectNoFault(
    _ connection: Connection, _ check: Connection.IntegrityCheck, _ file: DataFile
  ) throws(StorageError) {
    let faults = try reading(file) { () throws(SQLiteError) in
      try connection.integrityFaults(check)
    }
    if let fault = faults.first { throw .corrupt(file, detail: fault) }
  }
}
