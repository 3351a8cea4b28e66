import Authority
import Foundation
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// The reading `continuity`, and backups that are made by themselves.
@Suite(.timeLimit(.minutes(2))) struct ContinuityTests {
  private static let day: Int64 = 86_400_000

  private func scheduled(_ target: String) async throws -> ServerFixture {
    let fixture = try ServerFixture(testClock: Scene.noon)
    fixture.backup = BackupPlan(
      target: "\(fixture.directory.path)/\(target)", everyMilliseconds: Self.day, keep: 2)
    return fixture
  }

  private func shown(by device: TestDevice) -> ContinuityReading? {
    guard case .continuity(let reading) = device.state.readings[.continuity] else { return nil }
    return reading
  }

  private func wait(
    _ device: TestDevice, for state: ContinuityState, since moment: Instant? = nil
  ) throws -> ContinuityReading {
    while true {
      if let reading = shown(by: device), reading.state == state {
        let copied = reading.copiedAt?.milliseconds ?? 0
        if moment.map({ copied > $0.milliseconds }) ?? true { return reading }
      }
      _ = try device.next()
    }
  }

  private func backups(in target: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: target).filter { !$0.hasPrefix(".") }
  }

  @Test func `without backups a surface says so; one by hand is shown with its moment`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let widget = try await fixture.device(.widget)
    try watch.connect()
    try widget.connect()
    #expect(try wait(watch, for: .notConfigured).text == "No backup is set up")
    let target = try fixture.backupTarget()
    try await fixture.backUp(to: target)
    let fresh = try wait(watch, for: .fresh)
    // In the account's zone, with the day: nothing replaces it at midnight.
    #expect(fresh.text == "Backed up 15 Jun, 12:00")
    #expect(fresh.copiedAt.map { $0 >= Scene.noon } == true)
    try await fixture.advanceClock(milliseconds: 8 * Self.day)
    #expect(
      try wait(watch, for: .overdue).text == "Backup overdue, last one 15 Jun, 12:00")
    try widget.sync()
    #expect(shown(by: widget) == nil, "a widget sees no readings")
    await fixture.stop()
  }

  @Test func `whose copy was not verified is shown the older one that was, and nobody else is`()
    async throws
  {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.watch)
    let ben = try await fixture.device(.watch, account: "ben")
    for watch in [anna, ben] { try watch.connect() }
    let target = try fixture.backupTarget()
    try await fixture.backUp(to: target)
    let whole = try wait(anna, for: .fresh)
    let account = try #require(anna.welcome?.account)
    await fixture.stop()
    var record = CrashRecord(build: runningBuild())
    for start: UInt64 in 1...2 {
      let found = WorkFound(AccountWork(.verifying, of: account), hasCrashed: false)
      record.count(WorkMap.Found(works: [found], start: start))
    }
    try Data(record.encoded).write(to: URL(filePath: "\(fixture.dataPath)/crashes"))
    try fixture.start()
    for watch in [anna, ben] { try watch.connect() }
    try await fixture.advanceClock(milliseconds: 60_000)
    try await fixture.backUp(to: target)
    let annas = try wait(anna, for: .failing)
    #expect(annas.copiedAt == whole.copiedAt)
    #expect(annas.text == "Backup failed, last one 15 Jun, 12:00")
    _ = try wait(ben, for: .fresh, since: whole.copiedAt)
    // Time makes the copy of the others old, whatever hers is.
    try await fixture.advanceClock(milliseconds: 8 * Self.day)
    _ = try wait(ben, for: .overdue)
    #expect(shown(by: anna)?.state == .failing)
    await fixture.stop()
  }

  @Test func `planned backups are made when the clock says so, and the newest are kept`()
    async throws
  {
    let fixture = try await scheduled("backups")
    let target = try fixture.backupTarget()
    try fixture.start()
    try await fixture.addAccount()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    #expect(watch.welcome?.reofferMax == 10_000)
    var last = try wait(watch, for: .fresh)
    // Nothing happens before its time, whatever else does.
    try await fixture.advanceClock(milliseconds: Self.day - 60_000)
    try watch.perform(Scene.goal(1))
    #expect(try backups(in: target).count == 1)
    for _ in 1...3 {
      try await fixture.advanceClock(milliseconds: Self.day)
      last = try wait(watch, for: .fresh, since: last.copiedAt)
    }
    #expect(try backups(in: target).count == 2)
    // A restart does not begin anew.
    let before = try backups(in: target)
    try await fixture.restart()
    try watch.connect()
    _ = try wait(watch, for: .fresh)
    #expect(try await fixture.status().continuity == "fresh")
    #expect(try backups(in: target) == before)
    await fixture.stop()
  }

  @Test func `a target that is away is failing, one that refuses is restricted, and both recover`()
    async throws
  {
    let fixture = try await scheduled("backups")
    try fixture.start()
    try await fixture.addAccount()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    #expect(try wait(phone, for: .failing).text == "Backup failed, none yet")
    #expect(
      try await fixture.status().alarms.contains { $0.contains("there is no directory") })
    let target = try fixture.backupTarget()
    // It is tried again before a whole day has passed.
    try await fixture.advanceClock(milliseconds: 3_600_000)
    _ = try wait(phone, for: .fresh)
    await fixture.stop()
    // Root may write anywhere but into a file.
    try FileManager.default.removeItem(atPath: target)
    try Data().write(to: URL(filePath: target))
    fixture.testClock = fixture.testClock?.advanced(milliseconds: 2 * Self.day)
    try fixture.start()
    try phone.connect()
    #expect(
      try wait(phone, for: .restricted).text
        == "Backup refused by its target, last one 15 Jun, 13:00")
    // A restart does not make it look better.
    try await fixture.restart()
    #expect(try await fixture.status().continuity == "restricted")
    await fixture.stop()
  }

  @Test(arguments: ContinuityState.allCases) func `a text names a day and a time, and no age`(
    state: ContinuityState
  ) {
    let without = AccountState().continuity(state, copiedAt: nil)
    #expect(!without.text.contains { $0.isNumber } && without.copiedAt == nil)
    let with = AccountState().continuity(state, copiedAt: Scene.noon)
    #expect(with.text.hasSuffix("15 Jun, 10:00") == (state != .notConfigured))
    #expect(with.text.utf8.count < 80)
  }
}
