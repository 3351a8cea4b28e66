internal import SQLite

/// The prepared statements of the open list of devices.
struct DeviceStatements {
  /// Counts a start.
  let noteStart: Statement
  /// Whether an account is erased, by its id.
  let accountByID: Statement
  /// Finds an account by its name.
  let accountByName: Statement
  /// Adds an account: id, name, zone, created.
  let addAccount: Statement
  /// Every account, by id.
  let accounts: Statement
  /// Changes the zone of an account: id, zone.
  let setZone: Statement
  /// Leaves of an account its id alone.
  let eraseAccount: Statement
  /// Removes the devices of an account.
  let eraseDevices: Statement
  /// Finds a device by its id.
  let deviceByID: Statement
  /// Finds a device by the hash of its token.
  let deviceByToken: Statement
  /// Adds a device: id, account, kind, name, hash, created, revoked.
  let addDevice: Statement
  /// Every device, by id.
  let devices: Statement
  /// Ends the token of a device: id, moment.
  let revoke: Statement

  /// Prepares them all.
  init(_ connection: Connection) throws(SQLiteError) {
    noteStart = try Statement(connection, "UPDATE starts SET count = count + 1 WHERE id = 1")
    accountByID = try Statement(connection, "SELECT erased FROM accounts WHERE id = ?1")
    accountByName = try Statement(connection, "SELECT 1 FROM accounts WHERE name = ?1")
    addAccount = try Statement(
      connection,
      "INSERT INTO accounts (id, name, zone, created_ms, erased) VALUES (?1, ?2, ?3, ?4, 0)")
    accounts = try Statement(
      connection, "SELECT id, name, zone, created_ms, erased FROM accounts ORDER BY id")
    setZone = try Statement(connection, "UPDATE accounts SET zone = ?2 WHERE id = ?1")
    eraseAccount = try Statement(
      connection, "UPDATE accounts SET name = NULL, zone = '', erased = 1 WHERE id = ?1")
    eraseDevices = try Statement(connection, "DELETE FROM devices WHERE account = ?1")
    deviceByID = try Statement(connection, "SELECT 1 FROM devices WHERE id = ?1")
    deviceByToken = try Statement(connection, "SELECT 1 FROM devices WHERE token_hash = ?1")
    addDevice = try Statement(
      connection,
      """
      INSERT INTO devices (id, account, kind, name, token_hash, created_ms, revoked_ms)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
      """)
    devices = try Statement(
      connection,
      """
      SELECT id, account, kind, name, token_hash, created_ms, revoked_ms FROM devices ORDER BY id
      """)
    // The first revocation is the one that counts.
    revoke = try Statement(
      connection, "UPDATE devices SET revoked_ms = ?2 WHERE id = ?1 AND revoked_ms IS NULL")
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
