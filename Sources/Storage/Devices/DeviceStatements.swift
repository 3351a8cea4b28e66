internal import SQLite

/// The prepared statements of the open list of devices.
struct DeviceStatements {
  /// Counts a start.
  let noteStart: Statement
  /// Whether every row has its checksum.
  let isSealed: Statement
  /// Says that every row has its checksum.
  let noteSealed: Statement
  /// An account, by its id.
  let accountByID: Statement
  /// Finds an account by its name.
  let accountByName: Statement
  /// Adds an account: id, name, zone, created, erased, checksum.
  let addAccount: Statement
  /// Every account, by id.
  let accounts: Statement
  /// Changes what may change of an account: id, name, zone, erased, checksum.
  let setAccount: Statement
  /// Removes the devices of an account.
  let eraseDevices: Statement
  /// A device, by its id.
  let deviceByID: Statement
  /// Finds a device by the hash of its token.
  let deviceByToken: Statement
  /// Adds a device: id, account, kind, name, hash, created, revoked, checksum.
  let addDevice: Statement
  /// Every device, by id.
  let devices: Statement
  /// Changes what may change of a device: id, revoked, checksum.
  let setDevice: Statement

  /// Prepares them all.
  init(_ connection: Connection) throws(SQLiteError) {
    noteStart = try Statement(connection, "UPDATE starts SET count = count + 1 WHERE id = 1")
    isSealed = try Statement(connection, "SELECT sealed FROM starts WHERE id = 1")
    noteSealed = try Statement(connection, "UPDATE starts SET sealed = 1 WHERE id = 1")
    accountByID = try Statement(
      connection,
      "SELECT id, name, zone, created_ms, erased, checksum FROM accounts WHERE id = ?1")
    accountByName = try Statement(connection, "SELECT 1 FROM accounts WHERE name = ?1")
    addAccount = try Statement(
      connection,
      """
      INSERT INTO accounts (id, name, zone, created_ms, erased, checksum)
      VALUES (?1, ?2, ?3, ?4, 0, ?5)
      """)
    accounts = try Statement(
      connection,
      "SELECT id, name, zone, created_ms, erased, checksum FROM accounts ORDER BY id")
    setAccount = try Statement(
      connection,
      "UPDATE accounts SET name = ?2, zone = ?3, erased = ?4, checksum = ?5 WHERE id = ?1")
    eraseDevices = try Statement(connection, "DELETE FROM devices WHERE account = ?1")
    deviceByID = try Statement(
      connection,
      """
      SELECT id, account, kind, name, token_hash, created_ms, revoked_ms, checksum FROM devices
      WHERE id = ?1
      """)
    deviceByToken = try Statement(connection, "SELECT 1 FROM devices WHERE token_hash = ?1")
    addDevice = try Statement(
      connection,
      """
      INSERT INTO devices
        (id, account, kind, name, token_hash, created_ms, revoked_ms, checksum)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    devices = try Statement(
      connection,
      """
      SELECT id, account, kind, name, token_hash, created_ms, revoked_ms, checksum FROM devices
      ORDER BY id
      """)
    setDevice = try Statement(
      connection, "UPDATE devices SET revoked_ms = ?2, checksum = ?3 WHERE id = ?1")
  }
}

extension Statement {
  /// True if the query, with its first parameter set to these bytes, has a row.
  func finds(_ bytes: [UInt8]) throws(SQLiteError) -> Bool {
    try bind(bytes, at: 1)
    defer { reset() }
    return try step()
  }
}
