import Foundation
import Glibc
import Guards
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite(.timeLimit(.minutes(2))) struct BackupTests {
  /// The rows of a database that nobody uses, read from a copy of it.
  private func rows(of path: String) throws -> [JournalRow] {
    let copy = try TemporaryDirectory()
    try FileManager.default.copyItem(atPath: path, toPath: "\(copy.path)/journal.db")
    let journal = try SQLiteJournal.open(
      directory: try DataDirectory(path: copy.path), epoch: .random(), startedMilliseconds: 0)
    var rows: [JournalRow] = []
    try journal.eachRow(after: 0) { rows.append($0) }
    try journal.close()
    return rows
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test
  func `a backup under load holds every receipt given before it, and a prefix of the history`()
    async throws
  {
    var limits = ServerLimits()
    limits.backupPagesPerStep = 1
    let fixture = try await Scene.server(limits: limits)
    let target = try fixture.backupTarget()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for value in 1...40 { try watch.perform(Scene.goal(value)) }
    let (second, goOn) = (Gate(), Gate())
    let commits = Lock<[Int]>([])
    let faults = fixture.faults
    faults.beforeCopySteps { number in
      commits.withLock { $0.append(faults.counts.appends) }
      if number == 2 {
        second.open()
        try? goOn.wait()
      }
    }
    let server = try #require(fixture.server)
    let backup = Task { await server.admin.perform(.backUp(to: target, keep: nil)) }
    try second.wait()
    // While a step holds the journal, acts come in: they are committed before the next step.
    let before = try await fixture.status().entries
    try watch.send(pipelined: (41...60).map { watch.queue(Scene.goal($0)) })
    while try await fixture.status().entries == before { await Task.yield() }
    goOn.open()
    guard case .backedUp(let report) = await backup.value else {
      return #expect(Bool(false), "no backup")
    }
    for number: ActionNumber in 41...60 { _ = try watch.receipt(of: watch.outbox.again(number)) }
    for value in 61...70 { try watch.perform(Scene.goal(value)) }
    let steps = commits.withLock { $0 }
    #expect(steps.count > 5, "one page a step")
    #expect(steps.count == faults.counts.copySteps)
    #expect(steps[1] < steps[2], "a commit went between the second step and the third")
    let manifest = try BackupManifest.read(in: report.path)
    let held = manifest.contents.accounts.first?.outboxes[watch.outbox.incarnation.description]
    #expect((41..<70).contains(held ?? 0), "\(held ?? 0)")
    #expect(try OfflineCheck.run(directory: report.path).isEmpty)
    #expect(report.lastRow == manifest.contents.lastRow && report.accounts == 1)
    let copied = try rows(of: "\(report.path)/journal.db")
    await fixture.stop()
    let all = try rows(of: "\(fixture.dataPath)/journal.db")
    #expect(copied == Array(all.prefix(copied.count)) && copied.count < all.count)
    #expect(try names(in: target) == [manifest.name])
    #expect(try names(in: report.path) == ["devices.db", "journal.db", "manifest.json"])
  }

  @Test func `a copy that breaks off leaves nothing that looks like a backup, and serving goes on`()
    async throws
  {
    var limits = ServerLimits()
    limits.backupPagesPerStep = 1
    let fixture = try await Scene.server(limits: limits)
    let target = try fixture.backupTarget()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    let failing: [(Int, CopyFault)] = [
      (1, .full), (3, .system(errno: EIO)), (6, .sqlite(code: 11)),
    ]
    for (step, fault) in failing {
      fixture.faults.failCopyStep(step, with: .copyFailed(path: "there", fault))
    }
    for _ in 1...3 {
      let response = await fixture.server?.admin.perform(.backUp(to: target, keep: nil))
      guard case .failed(let words) = response else {
        return #expect(Bool(false), "\(response as Any)")
      }
      #expect(words.contains("no backup was made: the copy there was not made"))
      #expect(try names(in: target).isEmpty)
      try watch.perform(Scene.goal(2))
    }
    #expect(try await fixture.status().continuity == "notConfigured")
    _ = try await fixture.backUp(to: target)
    #expect(try await fixture.status().continuity == "fresh")
    await fixture.stop()
  }

  @Test func `a copy that is not what it should be is thrown away, and never promised`()
    async throws
  {
    let fixture = try await Scene.server()
    let target = try fixture.backupTarget()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    // The journal decays, in a row that is folded and so not read at the start.
    try await fixture.restart()
    await fixture.stop()
    try damageFirstRow(of: fixture)
    try fixture.start()
    let response = await fixture.server?.admin.perform(.backUp(to: target, keep: nil))
    guard case .failed(let words) = response else {
      return #expect(Bool(false), "\(response as Any)")
    }
    #expect(words.contains("is damaged"), "\(words)")
    #expect(try names(in: target).isEmpty)
    try watch.connect()
    #expect(watch.welcome?.backedUp.isEmpty == true)
    #expect(watch.welcome?.reofferMax == 1_000)
    await fixture.stop()
  }

  /// Flips a bit of the oldest row.
  private func damageFirstRow(of fixture: ServerFixture) throws {
    let path = "\(fixture.dataPath)/journal.db"
    let row = try rows(of: path)[0]
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let start = try #require(bytes.firstRange(of: row.bytes)).lowerBound
    bytes[start + row.bytes.count / 2] ^= 1
    try Data(bytes).write(to: URL(filePath: path))
  }

  @Test func `a target that cannot take a backup is said, and never made`() async throws {
    let fixture = try await Scene.server()
    let nowhere = "\(fixture.directory.path)/unmounted"
    let cases = [
      (nowhere, "there is no directory"), (fixture.dataPath, "is in the data directory"),
      ("\(fixture.directory.path)/wire.sock", "cannot be written"),
      // Takes no new directories, not even root's.
      ("/proc/sys", "cannot be written"),
    ]
    for (path, words) in cases {
      let response = await fixture.server?.admin.perform(.backUp(to: path, keep: nil))
      guard case .failed(let said) = response else {
        return #expect(Bool(false), "\(response as Any)")
      }
      #expect(said.contains(words), "\(said)")
    }
    #expect(access(nowhere, F_OK) != 0)
    await fixture.stop()
  }

  @Test func `the newest are kept, of this directory alone, and what a crash left is cleared away`()
    async throws
  {
    let fixture = try await Scene.server()
    let target = try fixture.backupTarget()
    let other = try await Scene.server()
    let foreign = try await other.backUp(to: target)
    await other.stop()
    let partial = "\(target)/.wristwire-20260101T000000Z.wristwire-backup.partial"
    try FileManager.default.createDirectory(
      atPath: partial, withIntermediateDirectories: false)
    var made: [String] = []
    for _ in 1...4 {
      made.append(try await fixture.backUp(to: target, keep: 2).path)
      try await fixture.advanceClock(milliseconds: 1_000)
    }
    let kept = try names(in: target).map { "\(target)/\($0)" }
    #expect(Set(kept) == Set(made.suffix(2) + [foreign.path]))
    await fixture.stop()
  }

  @Test func `a check of a running server looks at a private copy, and commits go on`() async throws
  {
    var limits = ServerLimits()
    limits.backupPagesPerStep = 1
    let fixture = try await Scene.server(limits: limits)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(1))
    #expect(try await fixture.check().isEmpty)
    #expect(fixture.faults.counts.copySteps > 1)
    #expect(try !names(in: fixture.dataPath).contains { $0.hasSuffix(".partial") })
    // A server that dies in it leaves a copy, which its next start clears away.
    try FileManager.default.createDirectory(
      atPath: "\(fixture.dataPath)/check.partial", withIntermediateDirectories: false)
    try await fixture.restart()
    #expect(try !names(in: fixture.dataPath).contains("check.partial"))
    try watch.connect()
    try watch.perform(Scene.goal(2))
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
  }

  @Test func `a stop in the middle of a backup ends it, and leaves nothing`() async throws {
    var limits = ServerLimits()
    limits.backupPagesPerStep = 1
    let fixture = try await Scene.server(limits: limits)
    let target = try fixture.backupTarget()
    let (second, goOn) = (Gate(), Gate())
    fixture.faults.beforeCopySteps { number in
      guard number == 2 else { return }
      second.open()
      try? goOn.wait()
    }
    let server = try #require(fixture.server)
    let backup = Task { await server.admin.perform(.backUp(to: target, keep: nil)) }
    try second.wait()
    server.admin.backups?.stop()
    goOn.open()
    await fixture.stop()
    guard case .failed = await backup.value else {
      return #expect(Bool(false), "a backup of a server that stopped")
    }
    #expect(try names(in: target).isEmpty)
    try fixture.start()
    #expect(try await fixture.status().continuity == "notConfigured")
    await fixture.stop()
  }

  @Test func `every change to a backup is found, and it is not restored then`() async throws {
    let fixture = try await Scene.server()
    let target = try fixture.backupTarget()
    let backup = try await fixture.backUp(to: target).path
    await fixture.stop()
    let journal = try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db"))
    for name in ["journal.db", "devices.db", "manifest.json"] {
      let url = URL(filePath: "\(backup)/\(name)")
      let whole = try Data(contentsOf: url)
      var flipped = whole
      // In the manifest: a digit of what it says of the contents.
      let revision = whole.firstRange(of: Data("\"revision\":".utf8))
      let place = revision?.upperBound ?? whole.count / 2
      #expect((revision != nil) == (name == "manifest.json"))
      flipped[place] ^= 1
      for data in [flipped, whole.prefix(whole.count / 2), Data()] {
        try data.write(to: url)
        #expect(try !OfflineCheck.run(directory: backup).isEmpty, "\(name)")
        #expect(throws: BackupError.self) { try fixture.restore(backup) }
      }
      try whole.write(to: url)
    }
    #expect(try OfflineCheck.run(directory: backup).isEmpty)
    #expect(try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db")) == journal)
    #expect(throws: BackupError.notABackup(path: target)) { try fixture.restore(target) }
  }
}
