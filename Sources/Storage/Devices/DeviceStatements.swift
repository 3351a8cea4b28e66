internal import SQLite

/// The prepared statements of the open list of devices.
struct DeviceStatements {
  let noteStart: Statement
  let accountByID: Statement
  let accountByName: Statement
  let addAccount: Statement
  let accounts: Statement
  let setZone: Statement
  let eraseAccount: Statement
  let eraseDevices: Statement
  let deviceByID: Statement
  let deviceByToken: Statement
  let addDevice: Statement
  let devices: Statement
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
