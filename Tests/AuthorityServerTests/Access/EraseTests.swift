import Foundation
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

/// `wristwire account list`, `zone` and `erase`.
@Suite(.timeLimit(.minutes(2))) struct EraseTests {
  private let secret = "Zwetschgendatschi"
  private let fixture: ServerFixture

  init() async throws {
    fixture = try await Scene.server()
    try await fixture.addAccount("bert")
  }

  private func ask(_ request: AdminRequest) async -> AdminResponse? {
    await fixture.server?.admin.perform(request)
  }

  private func erase(_ name: String) async throws {
    guard case .done = await ask(.eraseAccount(name: name)) else {
      throw WireClient.Failure.unexpected("\(name) was not erased")
    }
  }

  private func id(of name: String) async throws -> String {
    guard case .accounts(let found) = await ask(.listAccounts(after: nil, named: name)) else {
      throw WireClient.Failure.unexpected("no account \(name)")
    }
    return try #require(found.first).id
  }

  /// Whether any database or log of the data directory holds `bytes`.
  private func isOnDisk(_ bytes: [UInt8]) throws -> Bool {
    let wanted = Data(bytes)
    return try FileManager.default.contentsOfDirectory(atPath: fixture.dataPath)
      .filter { $0.contains(".db") }.contains { name in
        try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/\(name)")).range(of: wanted) != nil
      }
  }

  private func define(_ title: String, by device: TestDevice) throws {
    try device.perform(
      .defineWorkout(id: .random(), title: title, exercises: Array(repeating: title, count: 40)))
  }

  @Test func `I7 an account erased under connected devices is gone, and its id stays used`()
    async throws
  {
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    let neighbour = try await fixture.device(.watch, account: "bert")
    for device in [watch, phone, neighbour] { try device.connect() }
    for round in 1...200 {
      try define("\(secret) \(round)", by: round % 2 == 0 ? watch : phone)
      if round % 20 == 0 { try neighbour.perform(Scene.goal(round)) }
    }
    let former = try await id(of: "anna")
    let formerBytes = try #require(AccountID(hex: former)).bytes
    #expect(try isOnDisk(Array(secret.utf8)))

    try await erase("anna")
    #expect(try watch.goodbye().reason == .revoked)
    #expect(try phone.goodbye().reason == .revoked)
    #expect(try !isOnDisk(Array(secret.utf8)))
    #expect(try await fixture.check() == [])
    try watch.begin()
    #expect(try watch.goodbye().reason == .unauthenticated)

    // Others do not notice, and what was erased is not missed by a restart.
    try neighbour.perform(Scene.goal(7))
    try await fixture.restart()
    try neighbour.connect()
    #expect(try neighbour.shownGoal == 7)
    #expect(try await fixture.status().alarms == [])
    #expect(try !isOnDisk(Array(secret.utf8)))
    // The list keeps the id, and the journal does not have it.
    let journal = try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db"))
    #expect(journal.range(of: Data(formerBytes)) == nil)

    try await fixture.addAccount("anna")
    #expect(try await id(of: "anna") != former)
    let again = try await fixture.device(.watch)
    try again.connect()
    #expect(try again.shownGoal == nil)
    await fixture.stop()
    #expect(try fixture.offlineCheck() == [])
  }

  @Test func `an erased account that a backup brings back is erased again`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try define(secret, by: watch)
    let target = try fixture.backupTarget()
    let report = try await fixture.backUp(to: target)
    try await erase("anna")
    await fixture.stop()
    try fixture.restore(report.path)
    #expect(try isOnDisk(Array(secret.utf8)))
    try fixture.start()
    let alarms = try await fixture.status().alarms
    #expect(alarms.contains { $0.contains("was erased, and found in journal.db: erased again") })
    await fixture.stop()
    // What restore set aside is the person's own copy.
    let live = try Data(contentsOf: URL(filePath: "\(fixture.dataPath)/journal.db"))
    #expect(live.range(of: Data(secret.utf8)) == nil)
    #expect(try fixture.offlineCheck() == [])
  }

  @Test func `an erasure that was cut short goes on at the next start`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for round in 1...100 { try define("\(secret) \(round)", by: watch) }
    await fixture.stop()
    // The list says so first; then the process died.
    try fixture.start()
    let registry = try #require(fixture.server?.core.shared.registry)
    try registry.erase(try registry.account(named: "anna"))
    await fixture.stop()
    #expect(try isOnDisk(Array(secret.utf8)))
    try fixture.start()
    #expect(try !isOnDisk(Array(secret.utf8)))
    await fixture.stop()
  }

  @Test func `what waits for its commit when its account is erased harms nobody`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try watch.send(.act(watch.queue(Scene.goal(1))))
    try held.wait()
    let admin = try #require(fixture.server?.admin)
    let erasing = Task { await admin.perform(.eraseAccount(name: "anna")) }
    #expect(try watch.goodbye().reason == .revoked)
    fixture.faults.letAppendsGo()
    guard case .done = await erasing.value else {
      throw WireClient.Failure.unexpected("anna was not erased")
    }
    let neighbour = try await fixture.device(.watch, account: "bert")
    try neighbour.connect()
    try neighbour.perform(Scene.goal(3))
    #expect(try await fixture.check() == [])
    await fixture.stop()
  }

  @Test func `an erasure and a backup do not mix`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    for round in 1...300 { try define("\(secret) \(round)", by: watch) }
    let target = try fixture.backupTarget()
    let admin = try #require(fixture.server?.admin)
    let backingUp = Task { await admin.perform(.backUp(to: target, keep: nil)) }
    try await erase("anna")
    switch await backingUp.value {
    case .backedUp(let report):
      // All of the account or nothing: the backup was verified.
      await fixture.stop()
      try fixture.restore(report.path)
      try fixture.start()
    case .failed(let problem): #expect(problem.hasPrefix("no backup was made: "))
    case let other: Issue.record("\(other)")
    }
    #expect(try await fixture.check() == [])
    await fixture.stop()
  }

  @Test func `accounts are listed a page at a time, one of them with its devices`() async throws {
    _ = try await fixture.device(.watch, name: "Wrist")
    _ = try await fixture.device(.phone, name: "Old")
    try await fixture.revoke("Old")
    guard case .accounts(let all) = await ask(.listAccounts(after: nil, named: nil)),
      case .accounts(let rest) = await ask(.listAccounts(after: "anna", named: nil)),
      case .accounts(let one) = await ask(.listAccounts(after: nil, named: "anna"))
    else { throw WireClient.Failure.unexpected("no list") }
    #expect(all.map(\.name) == ["anna", "bert"])
    #expect(all.map(\.deviceCount) == [1, 0])
    #expect(all.allSatisfy { $0.devices == nil && $0.zone == "Europe/Berlin" })
    #expect(rest.map(\.name) == ["bert"])
    #expect(one.first?.devices?.map(\.name) == ["Wrist"])
    #expect(one.first?.devices?.map(\.kind) == ["watch"])
    guard case .failed(let problem) = await ask(.listAccounts(after: nil, named: "carl")) else {
      throw WireClient.Failure.unexpected("an account nobody added")
    }
    #expect(problem == "there is no account carl")
    await fixture.stop()
  }

  @Test func `an account is moved to another zone, and past days stay as they were`() async throws {
    let watch = try await fixture.device(.watch)
    try watch.connect()
    guard case .done = await ask(.setZone(account: "anna", zone: "Pacific/Auckland")) else {
      throw WireClient.Failure.unexpected("not moved")
    }
    try watch.sync()
    guard case .preferences(let shown) = try watch.state.facet(.preferences) else {
      throw WireClient.Failure.unexpected("no preferences")
    }
    #expect(shown.zoneID == "Pacific/Auckland")
    guard case .failed(let problem) = await ask(.setZone(account: "anna", zone: "Mars/Base")) else {
      throw WireClient.Failure.unexpected("moved to Mars")
    }
    #expect(problem.hasPrefix("there is no time zone Mars/Base"))
    // The zone is durable, and the list follows it.
    try await fixture.restart()
    guard case .accounts(let found) = await ask(.listAccounts(after: nil, named: "anna")) else {
      throw WireClient.Failure.unexpected("no list")
    }
    #expect(found.first?.zone == "Pacific/Auckland")
    await fixture.stop()
    #expect(try fixture.offlineCheck() == [])
  }

  @Test func `a record of an erasure is replayed to the byte`() async throws {
    let recorded = try RecordedServer(seed: 1)
    try await recorded.start(accounts: ["anna", "bert"])
    for device in recorded.devices {
      try device.connect()
      try device.perform(Scene.goal(1))
    }
    let admin = try #require(recorded.fixture.server?.admin)
    guard case .done = await admin.perform(.setZone(account: "bert", zone: "Asia/Tokyo")),
      case .done = await admin.perform(.eraseAccount(name: "anna"))
    else { throw WireClient.Failure.unexpected("not erased") }
    try recorded.devices[2].perform(Scene.goal(2))
    await recorded.fixture.stop()
    for part in recorded.parts {
      let report = try ServerReplay(path: part).run()
      #expect(report.difference == nil)
      #expect(report.rows > 0)
    }
  }
}
