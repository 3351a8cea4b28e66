import Authority
import Foundation
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(1))) struct AloneTests {
  @Test(arguments: [true, false])
  func `an account that the server has crashed on shares no batch with others`(isSuspect: Bool)
    async throws
  {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.watch)
    let ben = try await fixture.device(.watch, account: "ben")
    try anna.connect()
    try ben.connect()
    await fixture.stop()
    if isSuspect {
      var record = CrashRecord(build: runningBuild())
      let work = AccountWork(.turning, of: try #require(anna.welcome?.account))
      record.count(WorkMap.Found(works: [WorkFound(work, hasCrashed: true)], start: 1))
      try Data(record.encoded).write(to: URL(filePath: "\(fixture.dataPath)/crashes"))
    }
    try fixture.start()
    #expect(try await fixture.status().alarms.count == (isSuspect ? 1 : 0))
    try anna.connect()
    try ben.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try ben.offer(Scene.goal(1))
    try held.wait()
    // The committer is busy: these share a batch, where they may.
    for device in [ben, anna, anna, ben] {
      try device.offer(Scene.goal(2))
      _ = try device.sync()
    }
    fixture.faults.letAppendsGo()
    #expect(try anna.perform(Scene.goal(3)).outcome == .applied(4))
    #expect(try ben.perform(Scene.goal(3)).outcome == .applied(5))
    await fixture.stop()
    #expect(try fixture.offlineCheck().isEmpty)

    let journal = try SQLiteJournal.open(
      directory: try DataDirectory(path: fixture.dataPath), epoch: EpochID(high: 1, low: 1),
      startedMilliseconds: 0)
    var sizes: [Int] = []
    try journal.eachRow(after: 0) { row in
      let entries = try JournalEntry.entries(of: row)
      if Set(entries.map(\.account)).count > 1 { sizes.append(entries.count) }
    }
    #expect(sizes.isEmpty == isSuspect, "\(sizes)")
    try journal.close()
  }
}
