import Testing

@testable import SQLite

/// Copies of an open database, some pages at a time.
struct DatabaseCopyTests {
  private let source: TemporaryFile
  private let target: TemporaryFile
  private let connection: Connection

  init() throws {
    source = try TemporaryFile()
    target = try TemporaryFile()
    connection = try Connection(path: source.path)
    try connection.useWriteAheadLog(autocheckpointPages: 8)
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
    for _ in 0..<40 { try connection.execute("INSERT INTO t (bytes) VALUES (randomblob(4000))") }
  }

  private func copy() throws -> DatabaseCopy {
    try DatabaseCopy(from: connection, to: Connection(path: target.path))
  }

  private func sum(_ connection: Connection) throws -> String {
    try connection.text("SELECT count(*) || ' ' || max(id) || ' ' || hex(max(bytes)) FROM t")
  }

  @Test("what is written between two steps is in the copy, the log emptied meanwhile or not")
  func writesBetweenSteps() throws {
    var copy: DatabaseCopy? = try self.copy()
    var steps = 0
    var remaining = 1
    while remaining > 0 {
      remaining = try #require(try copy?.step(pages: 4)).remaining
      steps += 1
      if remaining > 0, steps <= 6 {
        try connection.execute("INSERT INTO t (bytes) VALUES (randomblob(4000))")
        try connection.execute("UPDATE t SET bytes = randomblob(100) WHERE id = 1")
        if steps == 3 { #expect(try connection.checkpointLog() == .emptied) }
      }
    }
    #expect(steps > 6)
    copy?.end()
    copy = nil
    let copied = try Connection(path: target.path)
    #expect(try sum(copied) == sum(connection))
    #expect(try copied.integrityFaults(.full).isEmpty)
  }

  @Test("a copy that ended lets the source be closed; one under way does not")
  func endReleases() throws {
    let copy = try self.copy()
    _ = try copy.step(pages: 1)
    #expect(throws: SQLiteError.self) { try connection.close() }
    copy.end()
    copy.end()
    try connection.close()
  }

  @Test("a sealed copy has no log, and can be read where nothing may be written")
  func sealed() throws {
    var copy: DatabaseCopy? = try self.copy()
    _ = try copy?.step(pages: -1)
    copy?.end()
    copy = nil
    let sealing = try Connection(path: target.path)
    try sealing.leaveWriteAheadLog()
    try sealing.close()
    #expect(target.bytes(of: target.logPath) == -1)
    let reading = try Connection(path: target.path, access: .reading)
    #expect(try sum(reading) == sum(connection))
    #expect(throws: SQLiteError.self) { try reading.execute("DELETE FROM t") }
    #expect(target.bytes(of: target.logPath) == -1)
  }
}
