import Authority
import SQLite
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct RecoveryTests {
  /// The directory of an account that was checkpointed, and changed once more before a crash.
  private func crashed() async throws -> (ServerFixture, TestDevice) {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    try await fixture.restart()
    try watch.connect()
    try watch.perform(Scene.goal(2))
    let copy = try await fixture.copied()
    await fixture.stop()
    watch.fixture = copy
    return (copy, watch)
  }

  @Test(arguments: ["1/2026a", "2/none"])
  func `facets of another build are left for a turn, not passed off as seen`(build: String)
    async throws
  {
    let (copy, _) = try await crashed()
    let directory = try DataDirectory(path: copy.dataPath)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: EpochID(high: 1, low: 1), startedMilliseconds: 0)
    let (checkpoints, summary) = try Recovery(journal: journal, build: build).fold()
    #expect(summary.rows == 1)
    let checkpoint = try #require(checkpoints.first)
    // Whoever stands at the account's revision saw what the old build made of it.
    #expect(try FacetTable.decoded(checkpoint.facets, build: build) == nil)
    #expect(try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger).revision == 3)
    try journal.close()
  }

  @Test func `recovery folds what no checkpoint includes, and then nothing more`() async throws {
    let (copy, watch) = try await crashed()
    try copy.start()
    #expect(try await copy.status().recoveredRows == 1)
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 2)
    #expect(try await copy.check().isEmpty)
    try await copy.restart()
    #expect(try await copy.status().recoveredRows == 0)
    await copy.stop()
  }

  @Test func `one account that cannot be read takes no other down`() async throws {
    let (copy, watch) = try await crashed()
    try copy.start()
    try await copy.addAccount("ben")
    let ben = try await copy.device(.phone, account: "ben")
    try ben.connect()
    try ben.perform(Scene.goal(5))
    await copy.stop()
    let account = try #require(ben.welcome?.account)
    try damageCheckpoint(of: account, in: copy.dataPath)

    try copy.start()
    try watch.connect()
    try ben.begin()
    let goodbye = try ben.goodbye()
    #expect(goodbye.reason == .internalError)
    #expect(goodbye.retryAfterMilliseconds > 0)
    #expect(!copy.failure.isRaised)
    #expect(try await copy.status().alarms.contains { $0.contains("\(account)") })
    #expect(try watch.perform(Scene.goal(3)).outcome.word == "applied")
    await copy.stop()
    #expect(try !copy.offlineCheck().isEmpty)
  }

  /// Something that a checkpoint may have wrong, with its checksums right.
  enum Wrong: CaseIterable { case facetContent, facetRevision, state, ledger }

  @Test(arguments: Wrong.allCases)
  func `check tells a checkpoint that is not what the rows make of it`(wrong: Wrong) async throws {
    let (copy, watch) = try await crashed()
    try copy.start()
    try watch.connect()
    try watch.perform(Scene.goal(3))
    let account = try #require(watch.welcome?.account)
    let epoch = try #require(watch.welcome?.epoch)
    await copy.stop()
    #expect(try copy.offlineCheck().isEmpty)
    let directory = try DataDirectory(path: copy.dataPath)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: EpochID(high: 1, low: 1), startedMilliseconds: 0)
    var checkpoint = try #require(try journal.loadAccount(account))
    let build = facetBuild(try MachineZones())
    var facets = try #require(try FacetTable.decoded(checkpoint.facets, build: build))
    let goals = try #require(facets[.goals])
    var record = try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger)
    switch wrong {
    case .facetContent:
      facets.put(.goals, content: goals.content.dropLast(), revision: goals.revision)
    case .facetRevision:
      facets.putRecovered(.goals, content: goals.content, revision: record.revision + 1)
    case .state, .ledger:
      let decided = DecidedAction(
        device: DeviceID(high: 1, low: 1), deviceName: "d",
        incarnation: IncarnationID(high: 1, low: 1), number: 1, confirmed: 0, bodyHash: 1,
        outcome: .refused(.forbidden))
      record.apply(
        JournalEntry(
          account: account, revision: record.revision + (wrong == .state ? 1 : 0),
          at: Scene.noon, cause: wrong == .state ? .turn : .action(decided), events: []),
        epoch: epoch)
    }
    checkpoint.facets = facets.encoded(build: build)
    checkpoint.state = record.encodedState
    checkpoint.ledger = record.encodedLedger
    try journal.storeCheckpoints([checkpoint], foldedThrough: nil)
    try journal.close()
    directory.release()
    let found = try copy.offlineCheck()
    #expect(found.count == 1 && found[0].contains("\(account)"), "\(found)")
  }

  private func damageCheckpoint(of account: AccountID, in path: String) throws {
    let connection = try Connection(path: "\(path)/journal.db")
    let statement = try Statement(
      connection, "UPDATE checkpoints SET state_checksum = state_checksum + 1 WHERE account = ?1")
    try statement.bind(account.bytes, at: 1)
    try statement.run()
    #expect(connection.changes == 1)
  }
}
