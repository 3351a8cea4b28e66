import AuthorityServer
import Foundation
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(2))) struct BlockedReaderTests {
  /// In the full form the reader is blocked for at least 20 s.
  static let changes = isFullForm ? 100_000 : 20_000

  @Test func `a surface that does not read owes the server no memory and misses nothing`()
    async throws
  {
    var limits = ServerLimits()
    limits.actsPerSecond = 1_000_000
    limits.actsBurst = 1_000_000
    limits.stalledMilliseconds = 120_000
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    let reader = try await fixture.device(.watch)
    reader.usesUnixSocket = true
    try phone.connect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    // Large facets, so that few updates fill the socket.
    for index in 10..<40 {
      let name = String(repeating: "distance ", count: 13) + "\(index)"
      try phone.perform(.setGoal(name: name, value: 1))
    }
    try reader.connect()
    let blockedAt = TestClock.machineMilliseconds()
    // It fills what the kernel buffers; from then on the server owes it.
    try change(phone, match, count: 8_000)
    let before = residentBytes()
    try change(phone, match, count: Self.changes - 8_000)
    while isFullForm, TestClock.machineMilliseconds() - blockedAt < 20_000 {
      try change(phone, match, count: 100)
    }
    let grown = residentBytes() - before
    let blockedFor = TestClock.machineMilliseconds() - blockedAt
    try phone.sync()
    let known = reader.updates.count
    try reader.catchUp(to: phone.state.revision)
    let updates = reader.updates[known...]
    #expect(reader.state.contents == phone.state.contents(shownOn: .watch))
    // What the kernel held, and then one update with at most one copy of each facet.
    #expect(updates.count < 200)
    let last = try #require(updates.last)
    #expect(last.to == phone.state.revision)
    #expect(Set(last.facets.map(\.kind)).count == last.facets.count)
    #expect(last.to - last.from > UInt64(Self.changes - 8_000), "all that was owed came at once")
    // Other tests run beside this one.
    #expect(grown < 128 << 20)
    print("blocked for \(blockedFor) ms, \(updates.count) updates, \(grown) bytes grown")
    await fixture.stop()
  }

  /// Changes several facets over and over.
  private func change(_ phone: TestDevice, _ match: MatchID, count: Int) throws {
    var left = count
    while left > 0 {
      let acts = (0..<min(left, 128)).map { index in
        switch index % 4 {
        case 0: phone.queue(.setTheme(mode: index % 8 == 0 ? .night : .day))
        case 1: phone.queue(.nameTeam(match: match, team: .home, name: "Reds \(left - index)"))
        default: phone.queue(Scene.goal(left - index))
        }
      }
      try phone.send(pipelined: acts)
      for act in acts {
        guard case .applied = try phone.receipt(of: act).outcome else {
          Issue.record("not applied")
          return
        }
        phone.outbox.confirmed = act.number
      }
      phone.forgetLog()
      left -= acts.count
    }
  }

  private func residentBytes() -> Int {
    let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .ascii)) ?? ""
    return (statm.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
