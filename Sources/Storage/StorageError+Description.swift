internal import Glibc

extension StorageError: CustomStringConvertible {
  /// One line that says what is wrong and, where something can be done about it, what.
  public var description: String {
    switch self {
    case .directoryUnusable(let path, let errno):
      "cannot use \(path): \(String(cString: strerror(errno)))"
    case .isBackup(let path):
      "\(path) is a backup and stays as it is: wristwire restore puts it into a data directory"
    case .notADirectory(let path):
      "\(path) is not a directory"
    case .wrongOwner(let path, let owner):
      "\(path) belongs to user \(owner); run as that user, or change the owner"
    case .openToOthers(let path, let mode):
      "\(path) has mode \(String(mode, radix: 8)); make it private with chmod 700"
    case .alreadyRunning(let pid):
      pid.map { "already running (pid \($0))" } ?? "already running"
    case .notWritable(let file, let code):
      "\(file.name) cannot be opened for writing (SQLite \(code)); check its owner and mode"
    case .heldByAnotherProgram(let file):
      "\(file.name) is open in another program; close it and start again"
    case .notADatabase(let file):
      "\(file.name) is not a database; it was left as it is: restore a backup"
    case .corrupt(let file, let detail):
      "\(file.name) is damaged (\(Self.oneLine(detail))); it was left as it is: restore a backup"
    case .foreignDatabase(let file, let application):
      "\(file.name) is a database of another kind (application id \(application)); "
        + "it was left as it is: check the data directory"
    case .newerVersion(let file, let found, let known):
      "\(file.name) has version \(found), this program knows up to \(known); "
        + "it was left as it is: run the newer program"
    case .logWithoutDatabase(let file):
      "\(file.name)-wal is there without \(file.name); nothing was touched: restore a backup"
    case .epochReused:
      "the epoch of this start was used before; start again"
    case .corruptRow(let sequence):
      "journal row \(sequence) is damaged; restore a backup"
    case .missingRow(let sequence):
      "journal row \(sequence) is missing; restore a backup"
    case .corruptCheckpoint(let account):
      "the checkpoint of account \(account) is damaged; restore a backup"
    case .corruptAccount(let account):
      "account \(account) of devices.db is damaged and left out: restore devices.db"
    case .corruptDevice(let device):
      "device \(device) of devices.db is damaged and left out: pair it again"
    case .rowsDropped(let account, let through):
      "the checkpoint of account \(account) is damaged, and its rows up to \(through) are in "
        + "backups alone: restore a backup"
    case .copyFailed(let path, let fault):
      "the copy \(path) was not made: \(fault)"
    case .tooLarge(let bytes, let max):
      "\(bytes) bytes are more than the \(max) that may be kept"
    case .full(let file):
      "no room left for \(file.name); free some space"
    case .logBusy(let file):
      "\(file.name)-wal is still being read"
    case .moved(let file):
      "\(file.name) was renamed, replaced or removed under the server: put it back before the next start"
    case .outcomeUnknown(let code):
      "a write failed and its outcome is unknown (SQLite \(code)); start again"
    case .failed(let file, let code):
      "\(file.name) failed (SQLite \(code))"
    case .refused(let refusal):
      refusal.description
    }
  }
}

extension StorageError {
  /// SQLite tells of each damaged page in a line of its own.
  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: "; ")
  }
}

extension CopyFault: CustomStringConvertible {
  /// What is wrong, without the path.
  public var description: String {
    switch self {
    case .system(let errno): String(cString: strerror(errno))
    case .full: "no room left there"
    case .sqlite(let code): "SQLite \(code)"
    }
  }
}

extension DeviceRefusal: CustomStringConvertible {
  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .nameLength(let bytes):
      "a name has 1 to \(StorageLimits.nameBytesMax) bytes, not \(bytes)"
    case .nameTaken: "another account has this name"
    case .idTaken: "this id was used before"
    case .zoneLength(let bytes):
      "a zone has 1 to \(StorageLimits.zoneBytesMax) bytes, not \(bytes)"
    case .tokenHashLength(let bytes):
      "a token hash has \(StorageLimits.tokenHashBytes) bytes, not \(bytes)"
    case .tokenTaken: "another device has this token"
    case .unknownAccount: "there is no such account"
    case .accountErased: "this account was erased"
    case .unknownDevice: "there is no such device"
    }
  }
}
