import Glibc
import SQLite
import Testing

@testable import Storage

struct StorageCheckTests {
  let temporary: TemporaryDirectory

  init() throws {
    temporary = try TemporaryDirectory()
    let directory = try temporary.locked()
    let journal = try SQLiteJournal.start(directory)
    for number in 1...9 { _ = try journal.append([batch(number, bytes: 3_000)]) }
    try journal.storeCheckpoints(
      [checkpoint(1, through: 9), checkpoint(2, through: 4)], foldedThrough: 4)
    _ = try journal.dropRows(through: 2, rowsMax: 10)
    try journal.close()
    try DeviceStore.open(directory: directory).close()
  }

  private func change(_ sql: StaticString) throws {
    let connection = try Connection(path: temporary.path + "/journal.db")
    try connection.execute(sql)
    #expect(try connection.checkpointLog() == .emptied)
  }

  private func problems(replay: StorageCheck.Replay? = nil) throws -> [Finding.Problem] {
    let before = temporary.contents()
    let findings = StorageCheck.check(directory: try temporary.locked(), replay: replay)
    #expect(temporary.contents() == before, "a check changes nothing")
    return findings.map(\.problem)
  }

  @Test("a sound directory has no findings")
  func sound() throws {
    #expect(try problems() == [])
  }

  @Test("a log a crash left is read, and stays")
  func log() throws {
    do { _ = try SQLiteJournal.start(temporary.locked(), 2).append([batch(10)]) }
    var rows: [Int64] = []
    #expect(
      try problems { journal in
        rows = try journal.rows().map(\.sequence)
        return []
      } == [])
    #expect(rows == [3, 4, 5, 6, 7, 8, 9, 10])
    #expect(temporary.read("journal.db-wal")?.isEmpty == false)
  }

  @Test(
    "each kind of fault in the journal is found",
    arguments: [
      ("UPDATE journal SET bytes = x'00' WHERE sequence = 7", .rowChecksum(sequence: 7)),
      ("UPDATE journal SET epoch = zeroblob(16) WHERE sequence = 7", .rowChecksum(sequence: 7)),
      ("DELETE FROM journal WHERE sequence IN (6, 7)", .rowsMissing(6...7)),
      ("DELETE FROM journal WHERE sequence < 7", .rowsMissing(5...6)),
      (
        "UPDATE checkpoints SET state = x'00' WHERE hex(account) LIKE '%1'",
        .checkpointChecksum(account: id(1))
      ),
      (
        "DELETE FROM journal WHERE sequence = 9",
        .checkpointAhead(account: id(1), throughRow: 9, lastSequence: 8)
      ),
      (
        "UPDATE folding SET through_row = 11", .foldedAhead(foldedThrough: 11, lastSequence: 9)
      ),
    ] as [(StaticString, Finding.Problem)])
  func journal(sql: StaticString, problem: Finding.Problem) throws {
    try change(sql)
    #expect(try problems() == [problem])
    var replayed = false
    _ = try problems { _ in
      replayed = true
      return []
    }
    #expect(!replayed, "what is damaged is not replayed")
  }

  @Test("a journal whose rows were all dropped is sound")
  func empty() throws {
    try change("UPDATE folding SET through_row = 9; DELETE FROM journal")
    #expect(try problems() == [])
  }

  @Test("damage SQLite sees is found in both files", arguments: [DataFile.journal, .devices])
  func damage(file: DataFile) throws {
    try temporary.edit(file.name) { bytes in
      for position in 2 * 4_096..<2 * 4_096 + 64 { bytes[position] = 0xff }
    }
    let findings = StorageCheck.check(directory: try temporary.locked())
    #expect(findings.allSatisfy { $0.file == file })
    #expect(
      findings.contains {
        if case .damage = $0.problem { true } else { false }
      })
  }

  @Test("files that cannot be read are findings")
  func unreadable() throws {
    try temporary.edit("journal.db") { $0[3] ^= 1 }
    unlink(temporary.path + "/devices.db")
    #expect(try problems() == [.unreadable(.notADatabase(.journal)), .missing])
  }

  @Test("a file no start has finished is of an older version")
  func older() throws {
    try temporary.write("devices.db", [])
    #expect(try problems() == [.olderVersion(found: 0, known: 2)])
  }

  @Test("whoever replays adds findings, and errors are findings too")
  func replay() throws {
    struct Trouble: Error, CustomStringConvertible { let description = "trouble" }
    let found = Finding(file: .journal, problem: .replay("account 1 differs"))
    #expect(try problems { _ in [found] } == [found.problem])
    #expect(try problems { _ in throw Trouble() } == [.replay("trouble")])
    #expect(
      try problems { _ in throw StorageError.corruptRow(sequence: 1) }
        == [.unreadable(.corruptRow(sequence: 1))])
  }

  @Test("many faults are counted, not listed")
  func many() {
    var list = FindingList(.journal)
    for sequence in 1...150 { list.add(.rowChecksum(sequence: Int64(sequence))) }
    #expect(list.findings.count == 101)
    #expect(list.findings.last?.problem == .more(50))
  }

  @Test("every finding has its file and its own words")
  func words() {
    let problems: [Finding.Problem] = [
      .missing, .unreadable(.notADatabase(.journal)), .olderVersion(found: 1, known: 2),
      .damage("x"), .rowChecksum(sequence: 1), .rowsMissing(1...2),
      .checkpointChecksum(account: id(1)),
      .checkpointAhead(account: id(1), throughRow: 2, lastSequence: 1),
      .foldedAhead(foldedThrough: 2, lastSequence: 1), .replay("y"), .more(3),
    ]
    let lines = problems.map { Finding(file: .journal, problem: $0).description }
    #expect(Set(lines).count == problems.count)
    #expect(lines.allSatisfy { $0.hasPrefix("journal.db: ") })
  }
}
