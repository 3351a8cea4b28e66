import Foundation
import SQLite
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// A listed account that the journal lacks is made anew only if the journal never had it: all else
/// would be an empty account in the place of a person's.
@Suite(.timeLimit(.minutes(2))) struct WithheldTests {
  private static let day: Int64 = 86_400_000
  private let fixture: ServerFixture
  private let target: String
  private let anna: TestDevice
  private let ben: TestDevice
  private let annas: AccountID
  private let bens: AccountID

  /// Anna's rows are all older than Ben's.
  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
    anna = try await fixture.device(.watch)
    try anna.connect()
    for value in 1...5 { try anna.perform(Scene.goal(value)) }
    annas = try #require(anna.welcome?.account)
    try await fixture.advanceClock(milliseconds: 60_000)
    try await fixture.addAccount("ben")
    ben = try await fixture.device(.watch, account: "ben")
    try ben.connect()
    try ben.perform(Scene.goal(1))
    bens = try #require(ben.welcome?.account)
    try await fixture.restart()
  }

  /// Lets the rows of which a backup has everything go; the newest backup.
  private func dropRows() async throws -> String {
    _ = try await fixture.backUp(to: target, keep: 9)
    try await fixture.advanceClock(milliseconds: 31 * Self.day)
    try ben.connect()
    try ben.perform(Scene.goal(2))
    try await fixture.restart()
    let newest = try await fixture.backUp(to: target, keep: 9)
    #expect(newest.droppedRows > 0)
    return newest.path
  }

  private func change(_ sql: StaticString, _ account: AccountID? = nil) throws {
    let connection = try Connection(path: "\(fixture.dataPath)/journal.db")
    do {
      let statement = try Statement(connection, sql)
      if let account { try statement.bind(account.bytes, at: 1) }
      try statement.run()
      #expect(connection.changes == 1)
    }
    #expect(try connection.checkpointLog() == .emptied)
    try connection.close()
  }

  private func loseCheckpoint(of account: AccountID) throws {
    try change("DELETE FROM checkpoints WHERE account = ?1", account)
  }

  private func expectWithheld(_ device: TestDevice, _ account: AccountID) async throws {
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("\(account) is listed, and withheld") }, "\(alarms)")
    for _ in 1...2 {
      try device.begin(cursor: nil)
      #expect(try device.goodbye().reason == .internalError)
    }
  }

  @Test func `whose rows were all dropped is withheld, and a backup brings it back`() async throws {
    let newest = try await dropRows()
    await fixture.stop()
    try loseCheckpoint(of: annas)
    try fixture.start()
    try await expectWithheld(anna, annas)
    try ben.connect()
    #expect(try ben.perform(Scene.goal(3)).outcome.word == "applied")
    // A backup of the others says that it does not have her, and lets nothing go.
    try await fixture.advanceClock(milliseconds: 62 * Self.day)
    let without = try await fixture.backUp(to: target)
    #expect(without.damaged == [annas.description] && without.droppedRows == 0)
    // Another start does not think better of it.
    try await fixture.restart()
    try await expectWithheld(anna, annas)
    await fixture.stop()
    try fixture.restore(newest)
    try fixture.start()
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
  }

  @Test func `one damaged row withholds whoever has no checkpoint, and nobody else`() async throws {
    let backup = try await fixture.backUp(to: target).path
    try await fixture.addAccount("carl")
    let carl = try await fixture.device(.watch, account: "carl")
    try carl.connect()
    try await fixture.restart()
    await fixture.stop()
    try loseCheckpoint(of: annas)
    try loseCheckpoint(of: bens)
    try change("UPDATE journal SET checksum = checksum + 1 WHERE sequence = 2")
    try fixture.start()
    try await expectWithheld(anna, annas)
    try await expectWithheld(ben, bens)
    try carl.connect()
    #expect(try carl.perform(Scene.goal(3)).outcome.word == "applied")
    await fixture.stop()
    try fixture.restore(backup)
    try fixture.start()
    for (device, goal) in [(anna, 5), (ben, 1)] {
      try device.connect(cursor: nil)
      #expect(try device.shownGoal == goal)
    }
    await fixture.stop()
  }

  @Test(arguments: [true, false])
  func `one that was listed and never written is made, also where old rows were dropped`(
    dropping: Bool
  ) async throws {
    if dropping { _ = try await dropRows() }
    await fixture.stop()
    let before = "\(fixture.directory.path)/before"
    try fixture.copyData(to: before)
    try fixture.start()
    try await fixture.advanceClock(milliseconds: 1_000)
    try await fixture.addAccount("carl")
    let carl = try await fixture.device(.watch, account: "carl")
    await fixture.stop()
    // As if the machine had ended between the list and the journal.
    try fixture.replaceJournal(from: before)
    try fixture.start()
    try carl.connect()
    #expect(try carl.perform(Scene.goal(3)).outcome.word == "applied")
    #expect(try await fixture.status().alarms.contains { $0.contains("made again") })
    await fixture.stop()
  }

  @Test func `a checkpoint that is gone while the server runs is not taken for a new account`()
    async throws
  {
    fixture.faults.loseCheckpoint(of: annas)
    for _ in 1...2 {
      try anna.begin(cursor: nil)
      #expect(try anna.goodbye().reason == .internalError)
    }
    #expect(try await fixture.status().alarms.contains { $0.contains("cannot be read") })
    // The next start finds it where it was.
    await fixture.stop()
    fixture.faults.loseCheckpoint(of: nil)
    try fixture.start()
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 5)
    await fixture.stop()
  }
}
