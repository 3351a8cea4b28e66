public import AuthorityServer
internal import Foundation
public import WatchTransfer

/// Devices, clocks, restarts and copies.
extension ServerFixture {
  /// A started server with one account.
  public static func running(
    limits: ServerLimits = ServerLimits(), testClock: Instant? = nil, zone: String = "Europe/Berlin"
  ) async throws -> ServerFixture {
    let fixture = try ServerFixture(limits: limits, testClock: testClock)
    try fixture.start()
    try await fixture.addAccount(zone: zone)
    return fixture
  }

  /// Pairs a device, named by its kind unless told otherwise.
  public func device(_ kind: DeviceKind, account: String = "anna", name: String? = nil)
    async throws -> TestDevice
  {
    TestDevice(self, token: try await pair(kind, account: account, name: name), kind: kind)
  }

  /// Makes a pairing code.
  public func code(_ kind: DeviceKind, account: String = "anna", name: String? = nil) async throws
    -> PairingCode
  {
    let response = await server?.admin.perform(
      .makeCode(account: account, kind: kind.word, name: name))
    guard case .code(let text, _) = response, let code = PairingCode(typed: text) else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
    return code
  }

  /// A device that is not paired: it has a secret of its own, and a code to redeem.
  public func stranger(_ code: PairingCode?, kind: DeviceKind = .watch) -> TestDevice {
    var random = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next() as UInt64) }
    let device = TestDevice(self, token: secret, kind: kind)
    device.code = code
    return device
  }

  /// The audit log, as it is on disk now.
  public func audit() throws -> [String] { try AuditReader.lines(directory: dataPath) }

  /// Revokes a device by id or name.
  public func revoke(_ device: String, account: String = "anna") async throws {
    let response = await server?.admin.perform(.revoke(account: account, device: device))
    guard case .done = response else { throw WireClient.Failure.unexpected("\(response as Any)") }
  }

  /// Sets the test clock.
  public func setClock(_ instant: Instant) async throws {
    let response = await server?.admin.perform(.setClock(to: instant.milliseconds, by: nil))
    guard case .done = response else { throw WireClient.Failure.unexpected("\(response as Any)") }
  }

  /// Moves the test clock.
  public func advanceClock(milliseconds: Int64) async throws {
    let response = await server?.admin.perform(.setClock(to: nil, by: milliseconds))
    guard case .done = response else { throw WireClient.Failure.unexpected("\(response as Any)") }
  }

  /// Returns once the server has noticed that every connection is gone.
  public func connectionsEnded() async throws {
    while try await status().connections > 0 { await Task.yield() }
  }

  /// Stops cleanly and starts again.
  public func restart() async throws {
    await stop()
    try start()
  }

  /// What a check finds while the server runs.
  public func check() async throws -> [String] {
    let response = await server?.admin.perform(.check)
    guard case .findings(let findings) = response else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
    return findings
  }

  /// Makes a backup while the server runs.
  @discardableResult
  public func backUp(to target: String, keep: Int? = nil) async throws -> BackupReport {
    let response = await server?.admin.perform(.backUp(to: target, keep: keep))
    guard case .backedUp(let report) = response else {
      throw WireClient.Failure.unexpected("\(response as Any)")
    }
    return report
  }

  /// A new directory for backups.
  public func backupTarget(_ name: String = "backups") throws -> String {
    let path = "\(directory.path)/\(name)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return path
  }

  /// Goes back to a backup; no server may run.
  @discardableResult
  public func restore(_ backup: String) throws -> Restore.Report {
    try Restore.run(from: backup, to: dataPath, replaces: true)
  }

  /// What `wristwire check` finds; no server may run.
  public func offlineCheck() throws -> [String] { try OfflineCheck.run(directory: dataPath) }

  /// Another fixture on a copy of the data directory as it is on disk, as a crash would leave it.
  /// The caller sees to it that nothing is being written.
  public func copied() async throws -> ServerFixture {
    await keepClock()
    let copy = try ServerFixture(limits: limits, testClock: testClock)
    copy.partitions = partitions
    try copyData(to: copy.dataPath)
    return copy
  }

  /// Copies the databases to a new directory.
  public func copyData(to path: String) throws {
    let files = FileManager.default
    try files.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    for name in ["journal.db", "devices.db"] { try copyDatabase(name, to: path) }
    let book = "\(dataPath)/backups.json"
    if files.fileExists(atPath: book) {
      try files.copyItem(atPath: book, toPath: "\(path)/backups.json")
    }
  }

  /// A checkpoint may empty the log while both are read: what was read is one state if the log was
  /// the same before and after.
  private func copyDatabase(_ name: String, to path: String) throws {
    let files = FileManager.default
    while true {
      let log = files.contents(atPath: "\(dataPath)/\(name)-wal")
      let database = files.contents(atPath: "\(dataPath)/\(name)")
      guard files.contents(atPath: "\(dataPath)/\(name)-wal") == log else { continue }
      try database?.write(to: URL(filePath: "\(path)/\(name)"))
      try log?.write(to: URL(filePath: "\(path)/\(name)-wal"))
      return
    }
  }

  /// Puts the journal of another directory in the place of this one's; no server may run. The list
  /// of devices stays, as after a restore.
  public func replaceJournal(from path: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: dataPath) where name.hasPrefix("journal.db") {
      try files.removeItem(atPath: "\(dataPath)/\(name)")
    }
    for name in try files.contentsOfDirectory(atPath: path) where name.hasPrefix("journal.db") {
      try files.copyItem(atPath: "\(path)/\(name)", toPath: "\(dataPath)/\(name)")
    }
  }
}
