import Glibc
import SQLite
import Testing

struct ConnectionTests {
  @Test("the safety settings hold once the log is in use")
  func settings() throws {
    let file = try TemporaryFile()
    let connection = try Connection(path: file.path)
    try connection.useWriteAheadLog(autocheckpointPages: 7)
    #expect(try connection.text("PRAGMA journal_mode") == "wal")
    #expect(try connection.text("PRAGMA locking_mode") == "exclusive")
    #expect(try connection.number("PRAGMA synchronous") == 2)
    #expect(try connection.number("PRAGMA foreign_keys") == 1)
    #expect(try connection.number("PRAGMA trusted_schema") == 0)
    #expect(try connection.number("PRAGMA cell_size_check") == 1)
    #expect(try connection.number("PRAGMA wal_autocheckpoint") == 7)
    #expect(file.bytes(of: file.path + "-shm") == -1)
  }

  @Test("the schema cannot be rewritten by hand")
  func defensive() throws {
    let file = try TemporaryFile()
    let connection = try Connection(path: file.path)
    try connection.execute("CREATE TABLE t (a INTEGER) STRICT; PRAGMA writable_schema = ON")
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM sqlite_schema") }
  }

  @Test("a setting that does not take is an error")
  func refusedSetting() throws {
    // A database in memory has no write-ahead log.
    #expect(throws: SQLiteError.self) {
      try Connection(path: ":memory:").useWriteAheadLog(autocheckpointPages: 0)
    }
  }

  @Test("a file says whether it is new, and what it is")
  func identity() throws {
    let file = try TemporaryFile()
    let connection = try Connection(path: file.path)
    #expect(try connection.identity().isNew)
    try connection.execute(
      "CREATE TABLE t (a INTEGER) STRICT; PRAGMA application_id = 5; PRAGMA user_version = 3")
    #expect(
      try connection.identity() == Connection.Identity(application: 5, version: 3, objects: 1))
  }

  @Test("a missing file is not created")
  func missing() throws {
    let file = try TemporaryFile(holding: nil)
    let error = #expect(throws: SQLiteError.self) { try Connection(path: file.path) }
    #expect(error?.kind == .cannotOpen)
    #expect(file.bytes(of: file.path) == -1)
  }

  @Test("a file of something else is no database")
  func foreign() throws {
    let file = try TemporaryFile(holding: [UInt8](repeating: 0x41, count: 8_192))
    let connection = try Connection(path: file.path)
    let error = #expect(throws: SQLiteError.self) { try connection.identity() }
    #expect(error?.kind == .notADatabase)
  }

  @Test("a second connection is kept out from the first access on")
  func exclusive() throws {
    let file = try TemporaryFile()
    let first = try Connection(path: file.path)
    try first.useWriteAheadLog(autocheckpointPages: 0)
    let second = try Connection(path: file.path, busyTimeoutMilliseconds: 0)
    let error = #expect(throws: SQLiteError.self) { try second.identity() }
    #expect(error?.kind == .busy)
    #expect(try first.number("SELECT 1") == 1)
  }

  @Test("closing waits for no statement: it says busy and stays open")
  func closeBusy() throws {
    let file = try TemporaryFile()
    let connection = try Connection(path: file.path)
    var statement: Statement? = try Statement(connection, "SELECT 1")
    let error = #expect(throws: SQLiteError.self) { try connection.close() }
    #expect(error?.kind == .busy)
    #expect(connection.isOpen)
    _ = statement
    statement = nil
    try connection.close()
    #expect(!connection.isOpen)
    try connection.close()
  }

  @Test("dropping or closing leaves the log, and the next opener finds what was committed")
  func logStays() throws {
    let file = try TemporaryFile()
    for close in [false, true] {
      let connection = try Connection(path: file.path)
      try connection.useWriteAheadLog(autocheckpointPages: 0)
      try connection.execute("CREATE TABLE IF NOT EXISTS t (a INTEGER) STRICT")
      try connection.execute("INSERT INTO t VALUES (1)")
      if close { try connection.close() }
    }
    #expect(file.bytes(of: file.logPath) > 0)
    #expect(try Connection(path: file.path).number("SELECT count(*) FROM t") == 2)
  }

  @Test("a closed connection traps instead of crashing inside SQLite")
  func useAfterClose() async {
    await #expect(processExitsWith: .failure) {
      let connection = try Connection(path: ":memory:")
      try connection.close()
      _ = try connection.number("SELECT 1")
    }
  }
}
