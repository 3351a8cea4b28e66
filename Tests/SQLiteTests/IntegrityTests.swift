import Glibc
import SQLite
import Testing

struct IntegrityTests {
  private func filled(_ file: TemporaryFile) throws -> Connection {
    let connection = try Connection(path: file.path)
    try connection.useWriteAheadLog(autocheckpointPages: 0)
    try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB) STRICT")
    let insert = try Statement(connection, "INSERT INTO t (b) VALUES (zeroblob(3000))")
    for _ in 0..<20 { try insert.run() }
    return connection
  }

  @Test("a sound file has no faults", arguments: [Connection.IntegrityCheck.quick, .full])
  func sound(check: Connection.IntegrityCheck) throws {
    let file = try TemporaryFile()
    #expect(try filled(file).integrityFaults(check) == [])
  }

  @Test("a damaged page is named", arguments: [Connection.IntegrityCheck.quick, .full])
  func damaged(check: Connection.IntegrityCheck) throws {
    let file = try checkpointed()
    // Some page of rows; 64 bytes that are no page header.
    file.write([UInt8](repeating: 0xff, count: 64), at: 5 * 4_096)
    let faults = try Connection(path: file.path).integrityFaults(check)
    #expect(faults.contains { $0.contains("age 6") }, "\(faults)")
  }

  @Test(
    "damage at a root is a fault, not an error",
    arguments: [Connection.IntegrityCheck.quick, .full])
  func damagedRoot(check: Connection.IntegrityCheck) throws {
    let file = try checkpointed()
    file.write([UInt8](repeating: 0xff, count: 64), at: 4_096)
    #expect(try !Connection(path: file.path).integrityFaults(check).isEmpty)
  }

  private func checkpointed() throws -> TemporaryFile {
    let file = try TemporaryFile()
    let connection = try filled(file)
    #expect(try connection.checkpointLog() == .emptied)
    try connection.close()
    return file
  }

  @Test("a checkpoint moves the log into the database and empties it")
  func checkpoint() throws {
    let file = try TemporaryFile()
    let connection = try filled(file)
    #expect(file.bytes(of: file.logPath) > 60_000)
    #expect(try connection.checkpointLog() == .emptied)
    #expect(file.bytes(of: file.logPath) == 0)
    #expect(try connection.databaseBytes() == Int64(file.bytes(of: file.path)))
  }

  @Test("a checkpoint during a read says busy, and works afterwards")
  func checkpointBusy() throws {
    let file = try TemporaryFile()
    let connection = try filled(file)
    let query = try Statement(connection, "SELECT a FROM t")
    #expect(try query.step())
    #expect(try connection.checkpointLog() == .busy)
    query.reset()
    #expect(try connection.checkpointLog() == .emptied)
  }

  @Test("a file that was renamed or removed is noticed")
  func moved() throws {
    let file = try TemporaryFile()
    let connection = try filled(file)
    #expect(try !connection.hasMoved())
    rename(file.path, file.path + ".moved")
    #expect(try connection.hasMoved())
    rename(file.path + ".moved", file.path)
    #expect(try !connection.hasMoved())
    unlink(file.path)
    #expect(try connection.hasMoved())
  }
}
