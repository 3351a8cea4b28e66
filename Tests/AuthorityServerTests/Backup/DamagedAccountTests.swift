import Foundation
import Glibc
import SQLite
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// One account that is damaged on disk is no reason to have no backups of all others.
@Suite(.timeLimit(.minutes(2))) struct DamagedAccountTests {
  private static let day: Int64 = 86_400_000
  private let fixture: ServerFixture
  private let target: String
  private let anna: TestDevice
  private let ben: TestDevice
  private let account: AccountID

  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
    anna = try await fixture.device(.watch)
    try anna.connect()
    for value in 1...5 { try anna.perform(Scene.goal(value)) }
    account = try #require(anna.welcome?.account)
    try await fixture.advanceClock(milliseconds: 60_000)
    try await fixture.addAccount("ben")
    ben = try await fixture.device(.watch, account: "ben")
    try ben.connect()
    try ben.perform(Scene.goal(1))
    try await fixture.restart()
  }

  private func dropRows() async throws -> String {
    _ = try await fixture.backUp(to: target)
    try await fixture.advanceClock(milliseconds: 31 * Self.day)
    try ben.connect()
    try ben.perform(Scene.goal(2))
    try await fixture.restart()
    let newest = try await fixture.backUp(to: target)
    #expect(newest.droppedRows > 0)
    return newest.path
  }

  /// Damages anna's checkpoint on the disk, her account being idle.
  private func damage() async throws {
    await fixture.stop()
    let connection = try Connection(path: "\(fixture.dataPath)/journal.db")
    do {
      let statement = try Statement(
        connection,
        "UPDATE checkpoints SET state_checksum = state_checksum + 1 WHERE account = ?1")
      try statement.bind(account.bytes, at: 1)
      try statement.run()
      #expect(connection.changes == 1)
    }
    #expect(try connection.checkpointLog() == .emptied)
    try connection.close()
    try fixture.start()
  }

  @Test func `an idle account that has all its rows is made again for the backup`() async throws {
    try await damage()
    let report = try await fixture.backUp(to: target)
    #expect(report.accounts == 2 && report.damaged.isEmpty)
    #expect(try OfflineCheck.run(directory: report.path).isEmpty)
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("\(account) was damaged: made again") }, "\(alarms)")
    #expect(try await fixture.check().isEmpty)
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
    try fixture.restore(report.path)
    try fixture.start()
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
  }

  @Test func `one that cannot be mended is left out by name, and its rows stay`() async throws {
    let whole = try await dropRows()
    try await damage()
    try await fixture.advanceClock(milliseconds: 62 * Self.day)
    try ben.connect()
    try ben.perform(Scene.goal(3))
    for _ in 1...2 {
      let report = try await fixture.backUp(to: target, keep: 1)
      #expect(report.damaged == [account.description] && report.accounts == 1)
      #expect(report.droppedRows == 0)
      #expect(try OfflineCheck.run(directory: report.path).isEmpty)
      let manifest = try BackupManifest.read(in: report.path)
      #expect(manifest.contents.damaged == [account.description])
      #expect(manifest.contents.accounts.map(\.id) == [ben.welcome?.account.description])
      try await fixture.advanceClock(milliseconds: 1_000)
    }
    let alarms = try await fixture.status().alarms
    #expect(
      alarms.contains { $0.contains("\(account) cannot be read, and new backups") }, "\(alarms)")
    #expect(try await fixture.status().continuity == "failing")
    // The others are told of the copy, and it restores them.
    try ben.connect()
    #expect(ben.welcome?.backedUp.first?.number == 3)
    let newest = try await fixture.backUp(to: target, keep: 1)
    // The newest that has her is kept, however many newer ones there are.
    let kept = try FileManager.default.contentsOfDirectory(atPath: target).map { "\(target)/\($0)" }
    #expect(Set(kept) == [newest.path, whole])
    await fixture.stop()
    let report = try fixture.restore(newest.path)
    #expect(report.damaged == [account.description])
    #expect(report.brokenPromises == 1, "anna's watch was told of the older backup")
    try fixture.start()
    try ben.connect(cursor: nil)
    #expect(try ben.shownGoal == 3)
    try anna.begin(cursor: nil)
    #expect(try anna.goodbye().reason == .internalError)
    await fixture.stop()
    try fixture.restore(whole)
    try fixture.start()
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
  }

  @Test func `what is not what its rows make of it is left out too`() async throws {
    await fixture.stop()
    let directory = try DataDirectory(path: fixture.dataPath)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: .random(), startedMilliseconds: 0)
    var checkpoint = try #require(try journal.loadAccount(account))
    // Its checksums are right: it was written so.
    checkpoint.state = []
    try journal.storeCheckpoints([checkpoint], foldedThrough: nil)
    try journal.close()
    directory.release()
    try fixture.start()
    let report = try await fixture.backUp(to: target)
    #expect(report.damaged == [account.description] && report.accounts == 1)
    #expect(try OfflineCheck.run(directory: report.path).isEmpty)
    await fixture.stop()
  }

  @Test func `one that is in memory is stored again from there`() async throws {
    fixture.limits.checkpointSeconds = 1
    _ = try await dropRows()
    try anna.connect(cursor: nil)
    // Written wrong, while memory has it right, and no rows that could make it again.
    fixture.faults.spoilNextCheckpoint(of: account)
    try anna.perform(Scene.goal(6))
    let stores = fixture.faults.counts.checkpoints
    while fixture.faults.counts.checkpoints == stores { await Task.yield() }
    let report = try await fixture.backUp(to: target)
    #expect(report.damaged.isEmpty && report.accounts == 2)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    try fixture.start()
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 6)
    await fixture.stop()
  }
}
