import Authority
import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite(.timeLimit(.minutes(1))) struct ReplayTests {
  @Test func `replaying the journal gives the bytes that surfaces were shown`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let (match, workout) = (MatchID.random(), WorkoutID.random())
    let days: [[Action]] = [
      [
        Scene.goal(1), .defineWorkout(id: workout, title: "Row", exercises: ["pull"]),
        .scheduleWorkout(id: .random(), workout: .id(workout), at: Scene.noon),
        .markWorkout(log: .random(), workout: .title("Row")), .unscheduleWorkout(id: .random()),
      ],
      [
        Scene.match(match), .controlClock(match: match, control: .start), Scene.point(in: match),
        .setZone(id: "America/New_York"), .setTheme(mode: .auto),
      ],
      [.unmarkWorkout(workout: .title("Row")), .deleteWorkout(id: workout), Scene.goal(2)],
    ]
    for actions in days {
      try watch.connect()
      for action in actions { try watch.perform(action) }
      watch.disconnect()
      try await fixture.advanceClock(milliseconds: 40 * 3_600_000)
      try await fixture.restart()
    }
    try watch.connect(cursor: nil)
    let account = try #require(watch.welcome?.account)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    #expect(try fixture.offlineCheck().isEmpty)

    let record = try replay(account, in: fixture.dataPath)
    #expect(record.revision == watch.state.revision)
    let encoder = MessageEncoder()
    for kind in FacetKind.allCases {
      #expect(encoder.encode(project(record.state, kind)) == watch.state.contents[kind])
    }
    #expect(record.ledger.expected(of: watch.outbox.incarnation) == watch.outbox.next)
  }

  /// Every row, from the first one on, and its checkpoint compared on the way.
  private func replay(_ id: AccountID, in path: String) throws -> AccountRecord {
    let directory = try DataDirectory(path: path)
    let journal = try SQLiteJournal.open(
      directory: directory, epoch: EpochID(high: 1, low: 1), startedMilliseconds: 0)
    var record = AccountRecord()
    try journal.eachRow(after: 0) { row in
      for entry in try JournalEntry.entries(of: row) where entry.account == id {
        record.apply(entry, epoch: row.epoch)
      }
    }
    let stored = try journal.loadAccount(id)
    #expect(stored?.state == record.encodedState)
    #expect(stored?.ledger == record.encodedLedger)
    try journal.close()
    return record
  }
}
