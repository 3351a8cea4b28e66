internal import SQLite
internal import WatchTransfer

extension DeviceStore {
  /// Every account, erased ones included, in the order of their ids.
  ///
  /// - Throws: `corrupt`, `failed`.
  public func accounts() throws(StorageError) -> [StoredAccount] {
    let query = open.accounts
    return try rows(of: query) {
      guard let id = AccountID(bytes: query.bytes(at: 0)) else { return nil }
      return StoredAccount(
        id: id, name: query.bytes(at: 1), zone: query.text(at: 2),
        createdMilliseconds: query.int64(at: 3), isErased: query.int64(at: 4) != 0)
    }
  }

  /// Every device, revoked ones included, in the order of their ids.
  ///
  /// - Throws: `corrupt`, `failed`.
  public func devices() throws(StorageError) -> [StoredDevice] {
    let query = open.devices
    return try rows(of: query) {
      guard let id = DeviceID(bytes: query.bytes(at: 0)),
        let account = AccountID(bytes: query.bytes(at: 1)),
        let kind = UInt8(exactly: query.int64(at: 2))
      else { return nil }
      return StoredDevice(
        id: id, account: account, kind: kind, name: query.bytes(at: 3),
        tokenHash: query.bytes(at: 4), createdMilliseconds: query.int64(at: 5),
        revokedMilliseconds: query.optionalInt64(at: 6))
    }
  }

  /// Every row of a query; one that cannot be read means damage past the schema's checks.
  private func rows<Row>(
    of query: Statement, _ read: () -> Row?
  ) throws(StorageError) -> [Row] {
    defer { query.reset() }
    var rows: [Row] = []
    while try reading(.devices, query.step) {
      guard let row = read() else { throw .corrupt(.devices, detail: "a row cannot be read") }
      rows.append(row)
    }
    return rows
  }
}
