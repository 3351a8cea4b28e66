import SQLite
import Testing

struct StatementTests {
  let file: TemporaryFile
  let connection: Connection

  init() throws {
    file = try TemporaryFile()
    connection = try Connection(path: file.path)
    try connection.execute(
      "CREATE TABLE t (n INTEGER UNIQUE, b BLOB, s TEXT CHECK (s <> 'bad')) STRICT")
  }

  @Test("numbers come back as they went in", arguments: [0, 1, -1, .max, .min] as [Int64])
  func numbers(value: Int64) throws {
    let query = try Statement(connection, "SELECT ?1")
    try query.bind(value, at: 1)
    #expect(try query.step())
    #expect(query.int64(at: 0) == value)
    #expect(query.optionalInt64(at: 0) == value)
  }

  @Test("NULL is told from 0")
  func null() throws {
    let query = try Statement(connection, "SELECT ?1")
    try query.bind(Int64?.none, at: 1)
    #expect(try query.step())
    #expect(query.isNull(at: 0))
    #expect(query.optionalInt64(at: 0) == nil)
    #expect(query.bytes(at: 0) == [])
    #expect(query.text(at: 0) == "")
  }

  @Test(
    "bytes come back as they went in, copied or borrowed",
    arguments: [[], [0], [1, 0, 2], [UInt8](repeating: 7, count: 100_000)] as [[UInt8]])
  func bytes(value: [UInt8]) throws {
    let insert = try Statement(connection, "INSERT INTO t (b) VALUES (?1)")
    try insert.bind(value, at: 1)
    try insert.run()
    try insert.run(borrowing: value, at: 1)
    let query = try Statement(connection, "SELECT b, typeof(b) FROM t")
    for _ in 0..<2 {
      #expect(try query.step())
      #expect(query.bytes(at: 0) == value)
      #expect(query.withBytes(at: 0) { $0.count } == value.count)
      #expect(query.text(at: 1) == "blob")
    }
    #expect(try !query.step())
  }

  @Test("borrowed bytes are not kept")
  func borrowedAreLetGo() throws {
    let insert = try Statement(connection, "INSERT INTO t (b) VALUES (?1)")
    try insert.run(borrowing: [1, 2, 3], at: 1)
    try insert.run()
    #expect(try connection.number("SELECT count(*) FROM t WHERE b IS NULL") == 1)
  }

  @Test("copies are let go on request")
  func cleared() throws {
    let insert = try Statement(connection, "INSERT INTO t (b) VALUES (?1)")
    try insert.bind([1, 2, 3], at: 1)
    insert.clearBindings()
    try insert.run()
    #expect(try connection.number("SELECT count(*) FROM t WHERE b IS NULL") == 1)
  }

  @Test("text comes back as it went in", arguments: ["", "a", "Europe/Berlin", "ça\0va 🏊"])
  func text(value: String) throws {
    let query = try Statement(connection, "SELECT ?1, typeof(?1)")
    try query.bind(value, at: 1)
    #expect(try query.step())
    #expect(query.text(at: 0) == value)
    #expect(query.text(at: 1) == "text")
  }

  @Test("an error keeps SQLite's extended code and hides what was bound")
  func errors() throws {
    let insert = try Statement(connection, "INSERT INTO t (n, s) VALUES (?1, ?2)")
    try insert.bind(42_4242, at: 1)
    try insert.bind("my secret", at: 2)
    try insert.run()
    let error = try #require(throws: SQLiteError.self) { try insert.run() }
    #expect(error.code == 2_067)  // SQLITE_CONSTRAINT_UNIQUE
    #expect(error.primaryCode == 19)
    #expect(error.kind == .constraint)
    #expect(error.operation == "INSERT INTO t (n, s) VALUES (?1, ?2)")
    #expect(error.description.contains("t.n"))
    #expect(!error.description.contains("secret"))
    #expect(!error.description.contains("424242"))
  }

  @Test("a statement works again after an error")
  func again() throws {
    let insert = try Statement(connection, "INSERT INTO t (s) VALUES (?1)")
    try insert.bind("bad", at: 1)
    #expect(throws: SQLiteError.self) { try insert.run() }
    try insert.bind("good", at: 1)
    try insert.run()
    #expect(connection.changes == 1)
  }

  @Test("a parameter that is not there is an error")
  func range() throws {
    let query = try Statement(connection, "SELECT ?1")
    #expect(throws: SQLiteError.self) { try query.bind(1, at: 2) }
    #expect(throws: SQLiteError.self) { try query.run(borrowing: [1], at: 2) }
  }

  @Test("text that is no SQL is an error")
  func syntax() {
    #expect(throws: SQLiteError.self) { try Statement(connection, "SELEKT 1") }
    #expect(throws: SQLiteError.self) { try connection.execute("SELEKT 1") }
  }

  @Test("a query without rows reads as 0 and empty")
  func nothing() throws {
    #expect(try connection.number("SELECT n FROM t") == 0)
    #expect(try connection.text("SELECT s FROM t") == "")
  }

  @Test("a connection knows whether a transaction is open")
  func transaction() throws {
    #expect(!connection.isInTransaction)
    try connection.execute("BEGIN IMMEDIATE")
    #expect(connection.isInTransaction)
    try connection.execute("ROLLBACK")
    #expect(!connection.isInTransaction)
  }

  @Test("a full database says full, and the transaction can be taken back")
  func full() throws {
    try connection.execute("PRAGMA max_page_count = 4")
    let insert = try Statement(connection, "INSERT INTO t (b) VALUES (?1)")
    let error = try #require(throws: SQLiteError.self) {
      try insert.run(borrowing: [UInt8](repeating: 1, count: 100_000), at: 1)
    }
    #expect(error.kind == .full)
    #expect(!error.isFatalForWriter)
  }
}
