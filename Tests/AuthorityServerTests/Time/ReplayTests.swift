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
    // A phone, which is shown every facet.
    let phone = try await fixture.device(.phone)
    try phone.connect()
    let player = SquadPlayer(id: .random(), name: "Ada", number: 7, starts: true)
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
        .setSquad(match: match, team: .home, players: [player]),
        .substitute(id: .random(), match: match, team: .home, off: player.id, on: .random()),
        .takeOverMatch(match: match),
        .setKeymap(bindings: [
          KeyBinding(button: 1, gesture: .press, command: .point(.away)),
          KeyBinding(button: 2, gesture: .press, command: .undoPoint),
        ]), .press(button: 1, gesture: .press), .press(button: 2, gesture: .press),
      ],
      [.unmarkWorkout(workout: .title("Row")), .deleteWorkout(id: workout), Scene.goal(2)],
    ]
    for actions in days {
      try phone.connect()
      for action in actions { try phone.perform(action) }
      phone.disconnect()
      try await fixture.advanceClock(milliseconds: 40 * 3_600_000)
      try await fixture.restart()
    }
    try phone.connect(cursor: nil)
    let account = try #require(phone.welcome?.account)
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    #expect(try fixture.offlineCheck().isEmpty)

    let record = try replay(account, in: fixture.dataPath)
    #expect(record.revision == phone.state.revision)
    let encoder = MessageEncoder()
    for kind in FacetKind.allCases {
      #expect(encoder.encode(project(record.state, kind)) == phone.state.contents[kind])
    }
    #expect(record.ledger.expected(of: phone.outbox.incarnation) == phone.outbox.next)
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
