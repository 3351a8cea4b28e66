import AuthorityServer
import Foundation
import TestSupport
import Testing
import WatchTransfer

/// What a server writes into its audit log.
@Suite(.timeLimit(.minutes(1))) struct AuditTrailTests {
  private func events(_ fixture: ServerFixture) throws -> [[String: Any]] {
    try fixture.audit().map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  @Test func `everything that changes who may come in, and every refusal, stands in it once`()
    async throws
  {
    var limits = ServerLimits()
    limits.codeTriesMax = 1
    limits.codeDelayMilliseconds = 0
    let fixture = try await Scene.server(limits: limits)
    let token = try await fixture.pair(.phone, name: "Phone")
    let phone = TestDevice(fixture, token: token, kind: .phone)
    try phone.connect()
    // Its payload is a secret word.
    try phone.perform(.setGoal(name: "xyzzy", value: 1))
    for _ in 1...50 {
      #expect(try phone.perform(.deleteWorkout(id: .random())).outcome == .refused(.notFound))
    }
    let code = try await fixture.code(.watch, name: "Wrist")
    let watch = fixture.stranger(code)
    try watch.connect()
    let killed = try await fixture.code(.watch)
    for _ in 1...3 {
      let guess = fixture.stranger(code)
      try guess.begin()
      #expect(try guess.goodbye().reason == .codeRefused)
    }
    try await fixture.revoke("Wrist")
    for _ in 1...2 {
      let nobody = fixture.stranger(nil)
      try nobody.begin()
      #expect(try nobody.goodbye().reason == .unauthenticated)
    }
    await fixture.stop()
    let events = try events(fixture)
    let names = events.compactMap { $0["event"] as? String }
    #expect(names.first == "started")
    #expect(names.last == "goodbye" || names.last == "refused" || names.last == "stopped")
    for (name, count) in [
      ("started", 1), ("stopped", 1), ("accountAdded", 1), ("paired", 1), ("codeMade", 2),
      ("codeRedeemed", 1), ("codeKilled", 1), ("codeExpired", 0), ("revoked", 1),
    ] {
      #expect(names.filter { $0 == name }.count == count, "\(name)")
    }
    // Of each reason a line at once, and one with the rest.
    func total(_ event: String, _ reason: String) -> [Int] {
      events.filter { $0["event"] as? String == event && $0["reason"] as? String == reason }
        .compactMap { $0["count"] as? Int }
    }
    #expect(total("refused", "notFound") == [1, 49])
    #expect(total("goodbye", "codeRefused") == [1, 2])
    #expect(total("goodbye", "unauthenticated") == [1, 1])
    #expect(total("goodbye", "revoked").reduce(0, +) == 1)
    let redeemed = events.first { $0["event"] as? String == "codeRedeemed" }
    #expect(redeemed?["name"] as? String == "Wrist")
    #expect(redeemed?["from"] as? String == "127.0.0.1")
    #expect(redeemed?["device"] as? String == watch.welcome?.device.description)
    // Nothing secret, and no payload.
    let all = try fixture.audit().joined()
    for secret in [
      hexadecimal(of: token), hexadecimal(of: watch.token), code.text, killed.text, "xyzzy",
    ] {
      #expect(!all.contains(secret))
    }
  }

  @Test func `each start adds to it, and a command without a server notes what it did`()
    async throws
  {
    let fixture = try await Scene.server()
    try await fixture.restart()
    await fixture.stop()
    let own = try AuthorityServer(ServerConfiguration(directory: fixture.dataPath)) { _ in }
    _ = await own.admin.perform(.pair(account: "anna", kind: "watch", name: nil))
    await own.stop()
    let names = try events(fixture).compactMap { $0["event"] as? String }
    #expect(
      names == ["started", "accountAdded", "stopped", "started", "stopped", "paired"])
  }

  @Test func `a log that cannot be written stops nothing`() async throws {
    let fixture = try await Scene.server()
    await fixture.stop()
    try FileManager.default.removeItem(atPath: "\(fixture.dataPath)/audit.log")
    try FileManager.default.createDirectory(
      atPath: "\(fixture.dataPath)/audit.log", withIntermediateDirectories: false)
    try fixture.start()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    while try await fixture.status().alarms.isEmpty { await Task.yield() }
    #expect(
      try await fixture.status().alarms.first?.contains("the audit log cannot be written") == true)
    #expect(try await fixture.status().limitUse["auditFileBytes"] == 0)
    await fixture.stop()
  }
}
