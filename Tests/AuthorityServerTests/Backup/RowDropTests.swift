import Authority
import Foundation
import SQLite
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// Journal rows that every kept backup has go after a time, and nobody takes a part of a history
/// for the whole.
@Suite(.timeLimit(.minutes(2))) struct RowDropTests {
  private static let day: Int64 = 86_400_000
  private let fixture: ServerFixture
  private let target: String

  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
  }

  private func sequences() throws -> [Int64] {
    let directory = try DataDirectory(path: fixture.dataPath)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: .random(), startedMilliseconds: 0)
    var sequences: [Int64] = []
    try journal.eachRow(after: 0) { sequences.append($0.sequence) }
    try journal.close()
    return sequences
  }

  /// A backup of everything, folded, and what it dropped.
  private func backUpFolded(keep: Int) async throws -> BackupReport {
    try await fixture.restart()
    return try await fixture.backUp(to: target, keep: keep)
  }

  @Test func `rows go when they are old and every kept backup has them, and not before`()
    async throws
  {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for value in 1...5 { try watch.perform(Scene.goal(value)) }
    let first = try await backUpFolded(keep: 2)
    #expect(first.droppedRows == 0)
    try await fixture.advanceClock(milliseconds: 29 * Self.day)
    try watch.connect()
    for value in 6...9 { try watch.perform(Scene.goal(value)) }
    let second = try await backUpFolded(keep: 2)
    #expect(second.droppedRows == 0, "young")
    try await fixture.advanceClock(milliseconds: 2 * Self.day)
    let third = try await backUpFolded(keep: 5)
    // The first is older than 30 days and still there: its last row stays as the witness.
    #expect(third.droppedRows == first.lastRow - 1)
    #expect(try OfflineCheck.run(directory: third.path).isEmpty)
    #expect(try await fixture.check().isEmpty)
    let fourth = try await backUpFolded(keep: 5)
    #expect(fourth.droppedRows == 0)
    #expect(try OfflineCheck.run(directory: fourth.path).isEmpty, "a backup of a cut journal")
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 9)
    await fixture.stop()
    #expect(try sequences().first == first.lastRow)
    #expect(try fixture.offlineCheck().isEmpty)
    // And it restores.
    try fixture.restore(fourth.path)
    try fixture.start()
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 9)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }

  @Test
  func `a backup by a command of its own drops no rows: it does not know the server's limits`()
    async throws
  {
    fixture.limits.journalDaysKept = 365
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for value in 1...5 { try watch.perform(Scene.goal(value)) }
    try await fixture.restart()
    _ = try await fixture.backUp(to: target)
    await fixture.stop()
    let before = try sequences()
    // The machine's clock is months ahead of the test's, or behind it: made older, to be sure.
    let path = "\(fixture.dataPath)/backups.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let made = try #require(text.firstRange(of: /"marks":\[\{[^\]]*?"madeMilliseconds":/))
    let rest = text[made.upperBound...].drop(while: \.isNumber)
    try (text[..<made.upperBound] + "1000" + rest).write(
      toFile: path, atomically: true, encoding: .utf8)
    let connection = try await AdminConnection.open(directory: fixture.dataPath)
    let response = await connection.perform(.backUp(to: target, keep: nil))
    await connection.close()
    guard case .backedUp(let report) = response else {
      return #expect(Bool(false), "\(response)")
    }
    #expect(report.droppedRows == 0)
    #expect(try sequences() == before)
  }

  @Test func `a backup of another history is neither counted nor touched`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let older = try await backUpFolded(keep: 9)
    try await fixture.advanceClock(milliseconds: 1_000)
    try watch.connect()
    for value in 2...9 { try watch.perform(Scene.goal(value)) }
    let newer = try await backUpFolded(keep: 9)
    await fixture.stop()
    try fixture.restore(older.path)
    try fixture.start()
    try await fixture.advanceClock(milliseconds: 40 * Self.day)
    // Old by now, but what is before the older one's last row is all that both histories share.
    let report = try await backUpFolded(keep: 9)
    #expect(report.droppedRows == older.lastRow - 1)
    #expect(FileManager.default.fileExists(atPath: newer.path))
    #expect(try OfflineCheck.run(directory: newer.path).isEmpty)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    #expect(try sequences().first == older.lastRow)
  }

  @Test(arguments: [true, false])
  func `a damaged account whose rows went is not made of the rest: a backup is named`(
    whenLoaded: Bool
  ) async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for value in 1...5 { try watch.perform(Scene.goal(value)) }
    _ = try await backUpFolded(keep: 9)
    try await fixture.advanceClock(milliseconds: 31 * Self.day)
    try await fixture.addAccount("bob", zone: "UTC")
    let bobs = try await fixture.device(.watch, account: "bob")
    try bobs.connect()
    try bobs.perform(Scene.goal(7))
    let newest = try await backUpFolded(keep: 9)
    #expect(newest.droppedRows > 0)
    try watch.connect()
    if !whenLoaded { try watch.perform(Scene.goal(6)) }
    let crashed = whenLoaded ? nil : try await fixture.copied()
    await fixture.stop()
    let broken = crashed ?? fixture
    try damageCheckpoints(of: broken)
    try broken.start()
    watch.fixture = broken
    try watch.begin(cursor: nil)
    #expect(try watch.goodbye().reason == .internalError)
    let all = try await broken.status().alarms
    let alarm = all.first { $0.contains("cannot be read") && $0.contains("rows") }
    #expect(alarm?.contains("restore a backup") == true, "\(all)")
    let alarms = all.joined()
    let name = try #require(newest.path.split(separator: "/").last)
    #expect(alarms.contains(name), "\(alarms)")
    // An account that began later has all its rows, and is made again.
    bobs.fixture = broken
    try bobs.connect(cursor: nil)
    #expect(try bobs.shownGoal == 7)
    await broken.stop()
    try broken.restore(newest.path)
    try broken.start()
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 5)
    await broken.stop()
  }

  private func damageCheckpoints(of fixture: ServerFixture) throws {
    let connection = try Connection(path: "\(fixture.dataPath)/journal.db")
    try connection.execute("UPDATE checkpoints SET state_checksum = state_checksum + 1")
    #expect(try connection.checkpointLog() == .emptied)
    try connection.close()
  }

  @Test func `what may go is no newer than the oldest backup that is there`() {
    func manifest(_ number: Int64) -> BackupManifest {
      BackupManifest(
        name: "b\(number)", source: "s", madeMilliseconds: number * Self.day, epoch: "e", files: [],
        contents: BackupContents(
          firstRow: 1, lastRow: number * 10, lastRowEpoch: "e", accounts: []))
    }
    var book = BackupBook()
    for number: Int64 in 1...9 { book.note(manifest(number)) }
    func row(_ day: Int64, _ present: [String]) -> Int64? {
      book.droppable(
        at: Instant(milliseconds: day * Self.day), olderThan: 5 * Self.day, present: Set(present)
      )?.lastRow
    }
    #expect(row(9, ["b3", "b9"]) == 30)
    #expect(row(9, ["b8", "b9"]) == 40)
    #expect(row(5, ["b1"]) == nil)
    #expect(row(9, []) == nil)
    book.goBack(to: manifest(4))
    #expect(row(9, ["b2", "b8"]) == 20)
    #expect(row(20, ["b8"]) == nil, "b8 is of another history")
  }
}
