internal import Guards
internal import SQLite
public import WatchTransfer

/// The list of accounts and paired devices, in `devices.db`; a restore of the journal never turns
/// it back. Owned by one queue; not `Sendable`.
///
/// Every change is durable when its call returns. `outcomeUnknown` means the same as for the
/// journal: end the process at once.
public final class DeviceStore {
  /// The database; for the files of this module and its tests.
  let store: StoreFile
  private var statements: DeviceStatements?

  /// Opens the list of a directory, or makes an empty one, and makes sure that what it will read is
  /// on disk, as the journal does.
  ///
  /// - Throws: as `SQLiteJournal.open`.
  public static func open(directory: DataDirectory) throws(StorageError) -> DeviceStore {
    let store = try DeviceStore(StoreFile.open(.devices, .devices, in: directory))
    try store.store.write {
      try store.seal()
      try store.open.noteStart.run()
    }
    try store.store.checkpointLog()
    return store
  }

  private init(_ store: StoreFile) throws(StorageError) {
    self.store = store
    statements = try reading(.devices) { () throws(SQLiteError) in
      try DeviceStatements(store.connection)
    }
  }

  /// Damage of the database, in SQLite's words.
  public func findings() -> [Finding] { StorageCheck.check(devices: store.connection) }

  /// Copies the whole list into a new file, in one go: it is small. Not synced.
  ///
  /// - Throws: `copyFailed`.
  public func copy(to path: String) throws(StorageError) {
    let copy = try StoreCopy(of: store, to: path)
    _ = try copy.step(pages: -1)
  }

  /// Adds an account.
  ///
  /// - Throws: `refused` with `nameLength`, `zoneLength`, `idTaken`, `nameTaken`; `full`,
  ///   `outcomeUnknown`.
  public func addAccount(_ account: StoredAccount) throws(StorageError) {
    try expectName(account.name)
    try expectZone(account.zone)
    invariant(!account.isErased, "an erased account was added")
    let statements = open
    try change {
      if try statements.accountByID.finds(account.id.bytes) { throw refused(.idTaken) }
      if try statements.accountByName.finds(account.name) { throw refused(.nameTaken) }
      try statements.addAccount.bind(account.id.bytes, at: 1)
      try statements.addAccount.bind(account.name, at: 2)
      try statements.addAccount.bind(account.zone, at: 3)
      try statements.addAccount.bind(account.createdMilliseconds, at: 4)
      try statements.addAccount.bind(Checksum.account(account), at: 5)
      try statements.addAccount.run()
    }
  }

  /// Notes the zone an account is in now.
  ///
  /// - Throws: `refused` with `zoneLength`, `unknownAccount`, `accountErased`; `full`,
  ///   `outcomeUnknown`.
  public func updateZone(of account: AccountID, to zone: String) throws(StorageError) {
    try expectZone(zone)
    try change {
      var stored = try expectAccount(account)
      stored.zone = zone
      try set(stored)
    }
  }

  /// Forgets an account's name, zone and devices, and keeps its id as erased; its name is free
  /// again. Doing it twice changes nothing.
  ///
  /// - Throws: `refused` with `unknownAccount`; `full`, `outcomeUnknown`.
  public func markErased(_ account: AccountID) throws(StorageError) {
    let statements = open
    try change {
      guard var stored = try self.account(account) else { throw refused(.unknownAccount) }
      try statements.eraseDevices.bind(account.bytes, at: 1)
      try statements.eraseDevices.run()
      (stored.name, stored.zone, stored.isErased) = ([], "", true)
      try set(stored)
    }
  }

  /// Adds a device of an account.
  ///
  /// - Throws: `refused` with `nameLength`, `tokenHashLength`, `unknownAccount`, `accountErased`,
  ///   `idTaken`, `tokenTaken`; `full`, `outcomeUnknown`.
  public func addDevice(_ device: StoredDevice) throws(StorageError) {
    try expectName(device.name)
    guard device.tokenHash.count == StorageLimits.tokenHashBytes else {
      throw refused(.tokenHashLength(bytes: device.tokenHash.count))
    }
    let statements = open
    try change {
      _ = try expectAccount(device.account)
      if try statements.deviceByID.finds(device.id.bytes) { throw refused(.idTaken) }
      if try statements.deviceByToken.finds(device.tokenHash) { throw refused(.tokenTaken) }
      let insert = statements.addDevice
      try insert.bind(device.id.bytes, at: 1)
      try insert.bind(device.account.bytes, at: 2)
      try insert.bind(Int64(device.kind), at: 3)
      try insert.bind(device.name, at: 4)
      try insert.bind(device.tokenHash, at: 5)
      try insert.bind(device.createdMilliseconds, at: 6)
      try insert.bind(device.revokedMilliseconds, at: 7)
      try insert.bind(Checksum.device(device), at: 8)
      try insert.run()
    }
  }

  /// Ends a device's token; a second time keeps the first moment.
  ///
  /// - Parameter milliseconds: since 1970.
  /// - Throws: `refused` with `unknownDevice`; `full`, `outcomeUnknown`.
  public func revoke(_ device: DeviceID, at milliseconds: Int64) throws(StorageError) {
    let statements = open
    try change {
      guard var stored = try self.device(device) else { throw refused(.unknownDevice) }
      // The first revocation is the one that counts.
      if stored.revokedMilliseconds != nil { return }
      stored.revokedMilliseconds = milliseconds
      try statements.setDevice.bind(device.bytes, at: 1)
      try statements.setDevice.bind(milliseconds, at: 2)
      try statements.setDevice.bind(Checksum.device(stored), at: 3)
      try statements.setDevice.run()
    }
  }

  /// Empties the write-ahead log and lets go of the file; nothing may be called afterwards.
  public func close() throws(StorageError) {
    try store.checkpointLog()
    statements = nil
    try store.close()
  }

  /// The statements, for the files of this type alone.
  var open: DeviceStatements {
    guard let statements else { fatalError("a closed list of devices was used") }
    return statements
  }

  private func expectName(_ name: [UInt8]) throws(StorageError) {
    guard 1...StorageLimits.nameBytesMax ~= name.count else {
      throw refused(.nameLength(bytes: name.count))
    }
  }

  private func expectZone(_ zone: String) throws(StorageError) {
    guard 1...StorageLimits.zoneBytesMax ~= zone.utf8.count else {
      throw refused(.zoneLength(bytes: zone.utf8.count))
    }
  }

  /// Writes, and empties the log: changes are rare, and a log that is damaged or lost must not
  /// bring back what was revoked.
  private func change(_ body: () throws -> Void) throws(StorageError) {
    try store.write(body)
    do throws(StorageError) {
      try store.checkpointLog()
    } catch {
      // The log keeps everything; only what is unknown matters.
      if case .outcomeUnknown = error { throw error }
    }
  }

  /// A known account that was not erased.
  private func expectAccount(_ id: AccountID) throws -> StoredAccount {
    guard let account = try account(id) else { throw refused(.unknownAccount) }
    if account.isErased { throw refused(.accountErased) }
    return account
  }

  private func set(_ account: StoredAccount) throws {
    let update = open.setAccount
    try update.bind(account.id.bytes, at: 1)
    if account.isErased {
      try update.bind(nil as Int64?, at: 2)
    } else {
      try update.bind(account.name, at: 2)
    }
    try update.bind(account.zone, at: 3)
    try update.bind(account.isErased ? 1 : 0 as Int64, at: 4)
    try update.bind(Checksum.account(account), at: 5)
    try update.run()
  }

  private func refused(_ refusal: DeviceRefusal) -> StorageError { .refused(refusal) }
}
