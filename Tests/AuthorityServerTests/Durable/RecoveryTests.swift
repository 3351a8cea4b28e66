import Authority
import Foundation
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

  /// Where the damage is met: while rows are folded at the start, or when the account is asked for.
  enum Meeting: CaseIterable { case atStart, whenAskedFor }

  @Test(arguments: Meeting.allCases, Damage.allCases)
  func `an account whose checkpoint is damaged is made again from its rows`(
    meeting: Meeting, damage: Damage
  ) async throws {
    let (copy, watch) = try await crashed()
    if meeting == .whenAskedFor {
      try copy.start()
      await copy.stop()
    }
    let account = try #require(watch.welcome?.account)
    try damage.inflict(on: account, in: copy.dataPath)
    try copy.start()
    try watch.connect()
    #expect(try watch.shownGoal == 2)
    // A turn tells everybody all facets again.
    #expect(watch.state.revision == 4)
    #expect(watch.updates.first?.facets.count == DeviceKind.watch.facets.count)
    #expect(try watch.settle(watch.outbox.again(2)).outcome == .applied(3))
    #expect(try watch.perform(Scene.goal(3)).outcome == .applied(5))
    let alarms = try await copy.status().alarms
    #expect(alarms.contains { $0.contains("\(account) was damaged") }, "\(alarms)")
    // What stands under the other key is nobody's, and stays damaged.
    #expect(try await copy.check().isEmpty == (damage != .key))
    await copy.stop()
    #expect(try copy.offlineCheck().isEmpty == (damage != .key))
  }

  @Test func `one account that cannot be read, and whose rows are gone, takes no other down`()
    async throws
  {
    let (copy, watch) = try await crashed()
    try copy.start()
    try await copy.addAccount("ben")
    let ben = try await copy.device(.phone, account: "ben")
    try ben.connect()
    try ben.perform(Scene.goal(5))
    await copy.stop()
    let account = try #require(ben.welcome?.account)
    try Damage.state.inflict(on: account, in: copy.dataPath)
    let connection = try Connection(path: "\(copy.dataPath)/journal.db")
    try connection.execute(
      "DELETE FROM journal WHERE sequence < (SELECT max(sequence) FROM journal)")
    try connection.close()

    try copy.start()
    try watch.connect()
    for _ in 1...3 {
      try ben.begin()
      let goodbye = try ben.goodbye()
      #expect(goodbye.reason == .internalError)
      #expect(goodbye.retryAfterMilliseconds > 0)
    }
    #expect(!copy.failure.isRaised)
    let alarms = try await copy.status().alarms.filter { $0.contains("\(account)") }
    #expect(alarms.count == 1 && alarms[0].contains("(3 times, "), "\(alarms)")
    #expect(try watch.perform(Scene.goal(3)).outcome.word == "applied")
    await copy.stop()
    #expect(try !copy.offlineCheck().isEmpty)
  }

  /// What a flipped bit may hit.
  enum Damage: CaseIterable {
    case state, ledger, facets, throughRow, key, indexKey, row

    func inflict(on account: AccountID, in path: String) throws {
      let change: StaticString
      switch self {
      case .state:
        change = "UPDATE checkpoints SET state = CAST(x'00' || state AS BLOB) WHERE account = ?1"
      case .ledger: change = "UPDATE checkpoints SET ledger = x'' WHERE account = ?1"
      case .facets:
        change = "UPDATE checkpoints SET facets_checksum = facets_checksum + 1 WHERE account = ?1"
      case .throughRow: change = "UPDATE checkpoints SET through_row = 1000000 WHERE account = ?1"
      case .key:
        change =
          """
          UPDATE checkpoints SET account = x'00000000000000000000000000000001' WHERE account = ?1
          """
      case .row: change = "DELETE FROM checkpoints WHERE account = ?1"
      case .indexKey: return try flipKey(of: account, in: "\(path)/journal.db")
      }
      let connection = try Connection(path: "\(path)/journal.db")
      let statement = try Statement(connection, change)
      try statement.bind(account.bytes, at: 1)
      try statement.run()
      #expect(connection.changes == 1)
    }

    /// Flips a bit of the key in the index: there it stands behind a record header of three bytes,
    /// of which the second says "16 bytes" (https://www.sqlite.org/fileformat2.html, 2.1).
    private func flipKey(of account: AccountID, in path: String) throws {
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let key = account.bytes
      let places = 3..<(bytes.count - 16)
      let place = places.first { (place: Int) -> Bool in
        guard bytes[place - 3] == 3, bytes[place - 2] == 44 else { return false }
        return Array(bytes[place..<(place + 16)]) == key
      }
      bytes[try #require(place)] ^= 1
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.write(contentsOf: bytes)
      try file.close()
    }
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
}
