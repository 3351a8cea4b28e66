import Foundation
import Guards
import SQLite
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// Remembers whose work was named.
private final class NamedSlots: WorkSlots {
  private let accounts = Lock<Set<AccountID>>([])

  func write(_ work: AccountWork?, in slot: Int) {
    if let work { accounts.withLock { _ = $0.insert(work.account) } }
  }

  func names(_ account: AccountID) -> Bool { accounts.withLock { $0.contains(account) } }
}

/// What may be restored: backups of older versions, and accounts that are set aside.
@Suite(.timeLimit(.minutes(2))) struct RestoreTests {
  private let fixture: ServerFixture
  private let target: String
  private let watch: TestDevice

  init() async throws {
    fixture = try await Scene.server()
    target = try fixture.backupTarget()
    watch = try await fixture.device(.watch)
    try watch.connect()
    for value in 1...3 { try watch.perform(Scene.goal(value)) }
  }

  /// Makes the list of devices of a backup one of version 1, as that version would have made it.
  private func turnBack(_ backup: String) throws {
    let path = "\(backup)/devices.db"
    let connection = try Connection(path: path)
    try connection.execute(
      """
      ALTER TABLE accounts DROP COLUMN checksum;
      ALTER TABLE devices DROP COLUMN checksum;
      ALTER TABLE starts DROP COLUMN sealed;
      PRAGMA user_version = 1;
      """)
    try connection.close()
    var manifest = try BackupManifest.read(in: backup)
    let facts = try FileDigest.of(path)
    for index in manifest.files.indices where manifest.files[index].name == "devices.db" {
      manifest.files[index].bytes = facts.bytes
      manifest.files[index].sha256 = facts.sha256
    }
    try BackupFile.write(manifest, to: "\(backup)/manifest.json")
  }

  @Test(arguments: [true, false])
  func `a backup of an older version is checked, restored and brought up to date`(
    intoNewDirectory: Bool
  ) async throws {
    let backup = try await fixture.backUp(to: target).path
    try turnBack(backup)
    await fixture.stop()
    let before = try Data(contentsOf: URL(filePath: "\(backup)/devices.db"))
    #expect(try OfflineCheck.run(directory: backup).isEmpty)
    if intoNewDirectory { try FileManager.default.removeItem(atPath: fixture.dataPath) }
    let report = try fixture.restore(backup)
    #expect(report.tookDevices == intoNewDirectory)
    #expect(try Data(contentsOf: URL(filePath: "\(backup)/devices.db")) == before)
    try fixture.start()
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 3)
    #expect(try watch.perform(Scene.goal(4)).outcome.word == "applied")
    #expect(try await fixture.check().isEmpty)
    await fixture.stop()
    #expect(try fixture.offlineCheck().isEmpty)
  }

  @Test func `a backup of a newer version is refused`() async throws {
    let backup = try await fixture.backUp(to: target).path
    await fixture.stop()
    let connection = try Connection(path: "\(backup)/devices.db")
    try connection.execute("PRAGMA user_version = 99")
    try connection.close()
    var manifest = try BackupManifest.read(in: backup)
    let facts = try FileDigest.of("\(backup)/devices.db")
    manifest.files[1].bytes = facts.bytes
    manifest.files[1].sha256 = facts.sha256
    try BackupFile.write(manifest, to: "\(backup)/manifest.json")
    #expect(throws: BackupError.self) { try fixture.restore(backup) }
  }

  @Test(arguments: [
    (AccountWork.Phase.folding, "is set aside, and was not replayed"),
    (.verifying, "was not replayed: the server has ended in that again and again"),
  ])
  func `an account that a server crashed on here is restored without being replayed`(
    phase: AccountWork.Phase, why: String
  ) async throws {
    try await fixture.addAccount("ben")
    let ben = try await fixture.device(.watch, account: "ben")
    try ben.connect()
    let backup = try await fixture.backUp(to: target).path
    await fixture.stop()
    let account = try #require(watch.welcome?.account)
    var record = CrashRecord(build: runningBuild())
    for start: UInt64 in 1...2 {
      let found = WorkFound(AccountWork(phase, of: account), hasCrashed: true)
      record.count(WorkMap.Found(works: [found], start: start))
    }
    try Data(record.encoded).write(to: URL(filePath: "\(fixture.dataPath)/crashes"))
    let found = try fixture.offlineCheck()
    #expect(found.count == 1 && found[0].hasSuffix("account \(account) \(why)"), "\(found)")
    let named = NamedSlots()
    let report = try Restore.run(
      from: backup, to: fixture.dataPath, replaces: true, slots: named)
    #expect(!named.names(account), "a trap in her rows would end the restore")
    #expect(named.names(try #require(ben.welcome?.account)))
    #expect(report.notReplayed == [account.description])
    #expect(report.asides == ["account \(account) \(why)"])
    #expect(report.accounts == 2 && report.damaged.isEmpty)
    // The record is kept, and a backup that is made now says so too.
    try fixture.start()
    let aside = try await fixture.backUp(to: target)
    #expect(try BackupManifest.read(in: aside.path).contents.setAside == [account.description])
    #expect(aside.accounts == 2)
    #expect(try await fixture.check() == ["account \(account) \(why)"])
    let readmit = { await fixture.server?.admin.perform(.readmit(account: $0)) }
    #expect("\(await readmit("ben") as Any)".contains("neither set aside nor left out"))
    await fixture.stop()
    let again = try fixture.restore(aside.path)
    #expect(again.brokenPromises == 0)
    #expect(
      again.asides == ["account \(account) was not replayed when the backup was made, nor now"])
    try FileManager.default.removeItem(atPath: "\(fixture.dataPath)/crashes")
    try fixture.start()
    try watch.connect(cursor: nil)
    #expect(try watch.shownGoal == 3)
    await fixture.stop()
  }
}
