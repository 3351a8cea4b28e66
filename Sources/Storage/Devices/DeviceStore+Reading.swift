internal import SQLite
internal import WatchTransfer

/// What the list holds: rows that are as they were written, and those that are not.
public struct DeviceList: Sendable, Equatable {
  /// Erased ones included, in the order of their ids.
  public var accounts: [StoredAccount] = []
  /// Revoked ones included, in the order of their ids.
  public var devices: [StoredDevice] = []
  /// Rows that are not what was written, each by the id it has now: `corruptAccount`,
  /// `corruptDevice`. They are left out above, so that a flipped bit gives nobody a right.
  public var damage: [StorageError] = []
}

extension DeviceStore {
  /// Everything, with the damaged rows apart.
  ///
  /// - Throws: `corrupt` for a row that cannot even be read, `failed`.
  public func list() throws(StorageError) -> DeviceList { try Self.list(open) }

  /// Everything, by the statements of a connection; before the rows have their checksums, all of
  /// them count as intact.
  static func list(_ statements: DeviceStatements) throws(StorageError) -> DeviceList {
    var list = DeviceList()
    let isSealed = try isSealed(statements)
    for row in try rows(of: statements.accounts, Self.account) {
      if row.isIntact || !isSealed {
        list.accounts.append(row.value)
      } else {
        list.damage.append(.corruptAccount(row.value.id))
      }
    }
    for row in try rows(of: statements.devices, Self.device) {
      if row.isIntact || !isSealed {
        list.devices.append(row.value)
      } else {
        list.damage.append(.corruptDevice(row.value.id))
      }
    }
    return list
  }

  /// Every account that is as it was written.
  ///
  /// - Throws: as `list`.
  public func accounts() throws(StorageError) -> [StoredAccount] { try list().accounts }

  /// Every device that is as it was written.
  ///
  /// - Throws: as `list`.
  public func devices() throws(StorageError) -> [StoredDevice] { try list().devices }

  /// The account of an id.
  ///
  /// - Throws: `corruptAccount` when it is not as it was written.
  func account(_ id: AccountID) throws -> StoredAccount? {
    guard let row = try row(of: open.accountByID, id, Self.account) else { return nil }
    guard row.isIntact else { throw StorageError.corruptAccount(id) }
    return row.value
  }

  /// The device of an id.
  ///
  /// - Throws: `corruptDevice` when it is not as it was written.
  func device(_ id: DeviceID) throws -> StoredDevice? {
    guard let row = try row(of: open.deviceByID, id, Self.device) else { return nil }
    guard row.isIntact else { throw StorageError.corruptDevice(id) }
    return row.value
  }

  /// Gives every row its checksum, once: those of a version that had none are taken as they are.
  /// Part of the caller's transaction.
  func seal() throws {
    if try Self.isSealed(open) { return }
    let connection = store.connection
    let account = try Statement(connection, "UPDATE accounts SET checksum = ?2 WHERE id = ?1")
    for row in try Self.rows(of: open.accounts, Self.account) {
      try account.bind(row.value.id.bytes, at: 1)
      try account.bind(Checksum.account(row.value), at: 2)
      try account.run()
    }
    let device = try Statement(connection, "UPDATE devices SET checksum = ?2 WHERE id = ?1")
    for row in try Self.rows(of: open.devices, Self.device) {
      try device.bind(row.value.id.bytes, at: 1)
      try device.bind(Checksum.device(row.value), at: 2)
      try device.run()
    }
    try open.noteSealed.run()
  }

  private static func isSealed(_ statements: DeviceStatements) throws(StorageError) -> Bool {
    let query = statements.isSealed
    defer { query.reset() }
    return try reading(.devices) { () throws(SQLiteError) in
      try query.step() && query.int64(at: 0) != 0
    }
  }

  /// A row, and whether it is as it was written.
  private struct Row<Value> {
    var value: Value
    var isIntact: Bool
  }

  private static func account(_ query: Statement) -> Row<StoredAccount>? {
    guard let id = AccountID(bytes: query.bytes(at: 0)) else { return nil }
    let account = StoredAccount(
      id: id, name: query.bytes(at: 1), zone: query.text(at: 2),
      createdMilliseconds: query.int64(at: 3), isErased: query.int64(at: 4) != 0)
    return Row(
      value: account, isIntact: query.optionalInt64(at: 5) == Checksum.account(account))
  }

  private static func device(_ query: Statement) -> Row<StoredDevice>? {
    guard let id = DeviceID(bytes: query.bytes(at: 0)),
      let account = AccountID(bytes: query.bytes(at: 1)),
      let kind = UInt8(exactly: query.int64(at: 2))
    else { return nil }
    let device = StoredDevice(
      id: id, account: account, kind: kind, name: query.bytes(at: 3),
      tokenHash: query.bytes(at: 4), createdMilliseconds: query.int64(at: 5),
      revokedMilliseconds: query.optionalInt64(at: 6))
    return Row(value: device, isIntact: query.optionalInt64(at: 7) == Checksum.device(device))
  }

  private func row<Value>(
    of query: Statement, _ id: Identifier<some Any>, _ read: (Statement) -> Row<Value>?
  ) throws -> Row<Value>? {
    try query.bind(id.bytes, at: 1)
    return try Self.rows(of: query, read).first
  }

  /// Every row of a query; one that cannot be read means damage past the schema's checks.
  private static func rows<Value>(
    of query: Statement, _ read: (Statement) -> Row<Value>?
  ) throws(StorageError) -> [Row<Value>] {
    defer { query.reset() }
    var rows: [Row<Value>] = []
    while try reading(.devices, query.step) {
      guard let row = read(query) else {
        throw .corrupt(.devices, detail: "a row cannot be read")
      }
      rows.append(row)
    }
    return rows
  }
}
