import Glibc
import SQLite
import Testing
import WatchTransfer

@testable import Storage

struct SchemaTests {
  let temporary: TemporaryDirectory
  /// What a next version of the journal might be.
  let next = Schema(
    application: Schema.journal.application,
    migrations: Schema.journal.migrations + [
      "CREATE TABLE samples (id INTEGER PRIMARY KEY) STRICT; PRAGMA user_version = 3"
    ])

  init() throws {
    temporary = try TemporaryDirectory()
  }

  private func open(_ schema: Schema, _ start: UInt64) throws -> SQLiteJournal {
    try SQLiteJournal.open(
      directory: temporary.locked(), epoch: EpochID(high: 0, low: start), startedMilliseconds: 0,
      schema: schema)
  }

  private func version() throws -> Int64 {
    try Connection(path: temporary.path + "/journal.db").identity().version
  }

  @Test("each schema's last migration says its own version", arguments: [Schema.journal, .devices])
  func version(schema: Schema) throws {
    try temporary.write("test.db", [])
    let connection = try Connection(path: temporary.path + "/test.db")
    for (index, migration) in schema.migrations.enumerated() {
      try connection.execute(migration)
      #expect(try connection.identity().version == Int64(index + 1))
      #expect(try connection.identity().application == schema.application)
    }
  }

  @Test("an older file is brought up to date with what it holds")
  func migrate() throws {
    do { _ = try open(.journal, 1).append([batch(1)]) }
    #expect(try open(next, 2).rows().count == 1)
    #expect(try version() == 3)
  }

  @Test("a copy of an older version is read as it will be, and stays as it is")
  func image() throws {
    do {
      let journal = try open(.journal, 1)
      _ = try journal.append([batch(1)])
      try journal.close()
      let sealing = try Connection(path: temporary.path + "/journal.db")
      try sealing.leaveWriteAheadLog()
      try sealing.close()
    }
    let before = temporary.contents()
    let image = StoreImage(directory: temporary.path)
    let connection = try image.open(.journal, next)
    #expect(try connection.identity().version == 3)
    #expect(try connection.number("SELECT count(*) FROM samples") == 0)
    #expect(try connection.number("SELECT count(*) FROM journal") == 1)
    // On the disk of the copy, as it may be larger than memory, and under no name.
    #expect(try connection.text(Self.file).hasPrefix(temporary.path))
    #expect(temporary.contents() == before)
    let broken = Schema(
      application: next.application,
      migrations: next.migrations + ["CREATE TABLE samples (id INTEGER) STRICT"])
    #expect(throws: StorageError.failed(.journal, code: 1)) { try image.open(.journal, broken) }
    #expect(temporary.contents() == before)
  }

  private static let file: StaticString = "SELECT file FROM pragma_database_list"

  @Test("where nothing may be written a copy is read on the disk for temporary files")
  func readOnlyPlace() throws {
    let path = try NamelessDatabase.make(in: "/sys").text(Self.file)
    #expect(!path.isEmpty && !path.hasPrefix("/sys"))
    #expect(access(path, F_OK) != 0)
    #expect(throws: StorageError.copyFailed(path: "/nowhere", .system(errno: ENOENT))) {
      try NamelessDatabase.make(in: "/nowhere")
    }
  }

  @Test("a file of a newer version is refused and left as it is", arguments: [true, false])
  func newer(closed: Bool) throws {
    do {
      let journal = try open(next, 1)
      _ = try journal.append([batch(1)])
      if closed { try journal.close() }
    }
    let before = temporary.contents()
    #expect(throws: StorageError.newerVersion(.journal, found: 3, known: 2)) {
      try open(.journal, 2)
    }
    #expect(temporary.contents() == before)
    #expect(try open(next, 3).rows().count == 1)
  }

  @Test("a migration that fails changes nothing")
  func broken() throws {
    do { _ = try open(.journal, 1).append([batch(1)]) }
    let broken = Schema(
      application: next.application,
      migrations: Schema.journal.migrations + [
        "CREATE TABLE samples (id INTEGER) STRICT; PRAGMA user_version = 3",
        "CREATE TABLE samples (id INTEGER) STRICT; PRAGMA user_version = 4",
      ])
    #expect(throws: StorageError.failed(.journal, code: 1)) { try open(broken, 2) }
    #expect(try version() == 2)
    #expect(try open(.journal, 3).rows().count == 1)
  }

  @Test("a version that never was is damage")
  func negative() throws {
    try open(.journal, 1).close()
    let connection = try Connection(path: temporary.path + "/journal.db")
    try connection.execute("PRAGMA user_version = -1")
    #expect(try connection.checkpointLog() == .emptied)
    try connection.close()
    #expect(throws: StorageError.corrupt(.journal, detail: "its version is -1")) {
      try open(.journal, 2)
    }
  }

  @Test("only so many starts are kept")
  func starts() throws {
    let journal = try open(.journal, 1)
    let insert = try Statement(
      journal.store.connection, "INSERT INTO starts (epoch, started_ms) VALUES (?1, 0)")
    try journal.store.write {
      for number in 0..<2_000 as Range<UInt64> {
        try insert.bind(AccountID(high: 9, low: number).bytes, at: 1)
        try insert.run()
      }
    }
    try journal.store.note(start: id(1), at: 0)
    #expect(
      try journal.store.connection.number("SELECT count(*) FROM starts")
        == StorageLimits.startsMax)
    #expect(throws: StorageError.epochReused) { try journal.store.note(start: id(1), at: 0) }
  }
}
