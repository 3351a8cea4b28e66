import AuthorityLink
import Foundation
import TestSupport
import Testing
import Transport
import WatchClient
import WatchTransfer

@testable import AuthorityServer

/// Real watches through restores: what the restored server lost they offer again, and every
/// action's effect is there once.
@Suite(.timeLimit(.minutes(2))) struct RestoredWatchesTests {
  private let fixture: ServerFixture
  private let target: String
  private let match = MatchID.random()

  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
  }

  /// A watch of an account, which reaches the fixture's server however often that starts again.
  private func watch(_ name: String, account: String = "anna") async throws -> WatchClient {
    try watch(name, token: try await fixture.pair(.watch, account: account, name: name))
  }

  private func watch(_ name: String, token: [UInt8]) throws -> WatchClient {
    var link = LinkConfiguration(
      address: try SocketAddress(parsing: "unix:\(fixture.unixPath)"), token: token)
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(link: link, directory: "\(fixture.directory.path)/\(name)"))
  }

  /// Waits until a watch shows a score, with nothing left to say.
  private func wait(_ watch: WatchClient, for home: Int) async {
    while true {
      let state = await watch.state
      if !state.isStale, case .score(let score) = state.facets[.score], score?.home == home,
        await watch.isSettledAll
      {
        return
      }
      await Task.yield()
    }
  }

  private func points(_ count: Int, by watch: WatchClient) async throws {
    for _ in 0..<count { _ = try await watch.submit(Scene.point(in: match)) }
  }

  private func restore(_ backup: String) async throws {
    await fixture.stop()
    try fixture.restore(backup)
    try fixture.start()
  }

  @Test func `two restores in a row lose nothing that watches kept`() async throws {
    let (left, right) = (try await watch("left"), try await watch("right"))
    await left.start()
    await right.start()
    _ = try await left.submit(Scene.match(match))
    try await points(3, by: left)
    await wait(left, for: 3)
    let backup = try await fixture.backUp(to: target).path
    try await points(4, by: left)
    await wait(left, for: 7)
    try await points(5, by: right)
    for watch in [left, right] { await wait(watch, for: 12) }
    try await restore(backup)
    for watch in [left, right] { await wait(watch, for: 12) }
    // The same backup once more, with actions that no copy ever had.
    try await points(1, by: right)
    for watch in [left, right] { await wait(watch, for: 13) }
    try await restore(backup)
    for watch in [left, right] { await wait(watch, for: 13) }
    #expect(try await fixture.check().isEmpty)
    #expect(try await fixture.status().missing == 0)
    await left.stop()
    await right.stop()
    await fixture.stop()
  }

  @Test func `devices and accounts that came after the backup stay, and what they did comes back`()
    async throws
  {
    let early = try await watch("early")
    await early.start()
    _ = try await early.submit(Scene.match(match))
    try await points(1, by: early)
    await wait(early, for: 1)
    let backup = try await fixture.backUp(to: target).path
    let late = try await watch("late")
    await late.start()
    try await points(2, by: late)
    await wait(late, for: 3)
    try await fixture.addAccount("bob", zone: "Asia/Tokyo")
    let bobs = try await watch("bobs", account: "bob")
    await bobs.start()
    _ = try await bobs.submit(Scene.match(match))
    try await points(2, by: bobs)
    await wait(bobs, for: 2)
    try await fixture.revoke("early")
    try await restore(backup)
    await wait(late, for: 3)
    await wait(bobs, for: 2)
    #expect(
      try await fixture.status().alarms.contains { $0.contains("was listed but not in the") })
    // What was revoked after the backup stays so.
    let revoked = try await fixture.device(.phone)
    try revoked.connect()
    while revoked.shownPresence == nil { _ = try revoked.next() }
    #expect(revoked.shownPresence?.map(\.name).sorted() == ["late", "phone"])
    await early.stop()
    await late.stop()
    await bobs.stop()
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }

  @Test func `a backup alone is enough when the whole directory is lost`() async throws {
    let token = try await fixture.pair(.watch, name: "only")
    let only = try watch("only", token: token)
    await only.start()
    _ = try await only.submit(Scene.match(match))
    try await points(2, by: only)
    await wait(only, for: 2)
    let backup = try await fixture.backUp(to: target).path
    try await points(1, by: only)
    await wait(only, for: 3)
    await fixture.stop()
    try FileManager.default.removeItem(atPath: fixture.dataPath)
    let report = try fixture.restore(backup)
    #expect(report.tookDevices && report.keptAside == nil)
    try fixture.start()
    await wait(only, for: 3)
    #expect(try await fixture.check().isEmpty)
    await only.stop()
    await fixture.stop()
  }

  @Test func `a restore asks before it sets a journal aside, and what is set aside is whole`()
    async throws
  {
    let device = try await fixture.device(.watch)
    try device.connect()
    try device.perform(Scene.goal(1))
    let backup = try await fixture.backUp(to: target).path
    try device.perform(Scene.goal(2))
    #expect(throws: (any Error).self, "a server runs") { try fixture.restore(backup) }
    // As a crash leaves it, with a log.
    let crashed = try await fixture.copied()
    await fixture.stop()
    #expect(throws: BackupError.self) {
      try Restore.run(from: backup, to: crashed.dataPath, replaces: false)
    }
    let report = try crashed.restore(backup)
    let aside = try #require(report.keptAside)
    // The journal that was set aside, under its own name again.
    let files = FileManager.default
    let folder = "\(fixture.directory.path)/aside"
    try files.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in try files.contentsOfDirectory(atPath: crashed.dataPath)
    where name.hasPrefix(aside) {
      try files.moveItem(
        atPath: "\(crashed.dataPath)/\(name)",
        toPath: "\(folder)/journal.db\(name.dropFirst(aside.count))")
    }
    try crashed.start()
    device.fixture = crashed
    try device.connect(cursor: nil)
    #expect(try device.shownGoal == 1)
    await crashed.stop()
    try crashed.replaceJournal(from: folder)
    try crashed.start()
    try device.connect(cursor: nil)
    #expect(try device.shownGoal == 2)
    await crashed.stop()
  }
}
