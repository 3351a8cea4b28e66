internal import SQLite
public import WatchTransfer

/// Everything storage can say no with. Descriptions hold file names, ids and numbers, never
/// payloads or names people chose.
public enum StorageError: Error, Equatable, Sendable {
  /// A call on the data directory, or on a file in it, failed.
  case directoryUnusable(path: String, errno: Int32)
  /// The directory is a backup: opening its files would change what its manifest vouches for.
  case isBackup(path: String)
  /// The path names something else than a directory.
  case notADirectory(path: String)
  /// The directory belongs to another user.
  case wrongOwner(path: String, owner: UInt32)
  /// Others may look into a directory that already holds files.
  case openToOthers(path: String, mode: UInt32)
  /// Another server holds the directory; its process id, where the lock file tells.
  case alreadyRunning(pid: Int32?)

  /// The file cannot be written, or opened, by this user.
  case notWritable(DataFile, code: Int32)
  /// Another program has the database open.
  case heldByAnotherProgram(DataFile)
  /// The first bytes are not those of a database.
  case notADatabase(DataFile)
  /// Damaged; in SQLite's words.
  case corrupt(DataFile, detail: String)
  /// A database, but of another program or of another kind.
  case foreignDatabase(DataFile, application: Int64)
  /// Written by a newer version of this program.
  case newerVersion(DataFile, found: Int64, known: Int64)
  /// A write-ahead log without the database it belongs to.
  case logWithoutDatabase(DataFile)
  /// The epoch offered for this start was used by an earlier one.
  case epochReused

  /// The bytes of a journal row are not those that were written.
  case corruptRow(sequence: Int64)
  /// The journal lacks this row.
  case missingRow(sequence: Int64)
  /// The bytes of an account's checkpoint are not those that were written.
  case corruptCheckpoint(account: AccountID)
  /// An account of the list is not as it was written; the id is the one the row has now.
  case corruptAccount(AccountID)
  /// A device of the list is not as it was written; the id is the one the row has now.
  case corruptDevice(DeviceID)
  /// The account's checkpoint cannot be read, and of its rows those up to `through` were dropped,
  /// as a backup has them: only that has the whole account.
  case rowsDropped(account: AccountID, through: Int64)
  /// Something handed over to be kept is larger than a limit; nothing was written.
  case tooLarge(bytes: Int, max: Int)

  /// The disk is full; nothing was written, reading goes on.
  case full(DataFile)
  /// Statements are still reading; the write-ahead log could not be emptied.
  case logBusy(DataFile)
  /// Nothing can be said about what is on disk: end the process, without closing the database.
  case outcomeUnknown(code: Int32)
  /// The file was renamed, replaced or removed under the server.
  case moved(DataFile)
  /// SQLite refused for a reason that is none of the above.
  case failed(DataFile, code: Int32)

  /// A copy could not be written, or read back; what was copied is as it was.
  case copyFailed(path: String, CopyFault)

  /// A rule of the list of devices.
  case refused(DeviceRefusal)
}

/// Why a copy was not made.
public enum CopyFault: Error, Equatable, Sendable {
  /// A system call on it failed.
  case system(errno: Int32)
  /// No room is left where it is made.
  case full
  /// SQLite failed on it, or on what was to be copied.
  case sqlite(code: Int32)
}

/// Why the list of accounts and devices did not take a change; nothing was written.
public enum DeviceRefusal: Error, Equatable, Sendable {
  /// A name with no bytes, or with more than `StorageLimits.nameBytesMax`.
  case nameLength(bytes: Int)
  /// Another account has this name.
  case nameTaken
  /// The id is in use, or was.
  case idTaken
  /// A zone with no bytes, or with more than `StorageLimits.zoneBytesMax`.
  case zoneLength(bytes: Int)
  /// A hash that has not `StorageLimits.tokenHashBytes` bytes.
  case tokenHashLength(bytes: Int)
  /// Another device has this token.
  case tokenTaken
  /// No such account.
  case unknownAccount
  /// The account was erased.
  case accountErased
  /// No such device.
  case unknownDevice
}

extension StorageError {
  /// What a failed call on a database means here.
  init(_ error: SQLiteError, in file: DataFile) {
    self =
      switch error.kind {
      case .notADatabase: .notADatabase(file)
      case .corrupt: .corrupt(file, detail: error.message)
      case .busy: .heldByAnotherProgram(file)
      case .readOnly, .cannotOpen: .notWritable(file, code: error.code)
      case .full: .full(file)
      case .inputOutput, .constraint, .other: .failed(file, code: error.code)
      }
  }
}

/// Runs calls on SQLite and turns their errors into storage's.
func reading<Result>(
  _ file: DataFile, _ body: () throws(SQLiteError) -> Result
) throws(StorageError) -> Result {
  do {
    return try body()
  } catch {
    throw StorageError(error, in: file)
  }
}
