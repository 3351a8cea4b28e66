import TestSupport
import Testing
import Transport
import WatchTransfer

@testable import AuthorityLink
@testable import WatchClient

/// How far actions have come, and what a person does about those whose outcome is unknown.
@Suite(.timeLimit(.minutes(1))) struct LadderTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()

  private func watch(at address: SocketAddress) throws -> WatchClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(link: link, directory: directory.path + "/watch"))
  }

  private func nowhere() throws -> SocketAddress {
    try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
  }

  /// The stages of `id` as they are told, up to one.
  private func stages(
    of id: IncarnationNumber, in events: AsyncStream<WatchEvent>,
    until last: (ActionStage) -> Bool
  ) async -> [ActionStage] {
    var stages: [ActionStage] = []
    for await event in events {
      guard case .stage(id, let stage) = event else { continue }
      stages.append(stage)
      if last(stage) { break }
    }
    return stages
  }

  /// An outbox of which the server keeps no receipts for the first `count` actions.
  private func quarantined(_ count: Int, by settled: FakeServer) async throws -> WatchClient {
    let watch = try watch(at: settled.address)
    let events = await watch.events()
    for number in 1...count { _ = try await watch.setGoal("goal \(number)", to: 1) }
    await watch.start()
    var left = count
    for await event in events {
      if case .quarantined = event { left -= 1 }
      if left == 0 { break }
    }
    return watch
  }

  private func settling() async throws -> FakeServer {
    try await FakeServer.start { [authority] _, message in
      if case .act(let act) = message, act.number <= 2 {
        authority.change {
          $0.lanes[act.incarnation, default: ModelLedger.Lane()].last = act.number
        }
        return [
          .say(
            .settled(IncarnationNumber(incarnation: act.incarnation, number: act.number)))
        ]
      }
      return authority.answer(message)
    }
  }

  @Test func `an action is queued, received, applied and shown, in this order`() async throws {
    let server = try await FakeServer.start { [authority] _, message in authority.answer(message) }
    let watch = try watch(at: server.address)
    let events = await watch.events()
    let id = try await watch.setGoal("steps", to: 1)
    #expect(await watch.stage(of: id) == .queued)
    #expect(await watch.outboxCounts.queued == 1)
    await watch.start()
    let stages = await stages(of: id, in: events) { if case .shown = $0 { true } else { false } }
    guard case .shown(let revision) = stages.last else { return }
    #expect(stages == [.received, .applied(revision), .shown(revision)])
    #expect(await watch.stage(of: id) == .shown(revision))
    #expect(await watch.outboxCounts == OutboxCounts())
    #expect(await watch.actions(newest: 9).map(\.stage) == [.shown(revision)])
    await watch.stop()
    await server.stop()
  }

  @Test func `a connection that ends takes what it had back to the queue`() async throws {
    let server = try await FakeServer.start { [authority] connection, message in
      if connection == 1, case .act = message { return [.close] }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    let events = await watch.events()
    let id = try await watch.setGoal("steps", to: 1)
    await watch.start()
    let stages = await stages(of: id, in: events) { if case .shown = $0 { true } else { false } }
    #expect(stages.filter { $0 == .received }.count == 2)
    await watch.stop()
    await server.stop()
  }

  @Test func `an action whose outcome is unknown is discarded, and stays so over a start`()
    async throws
  {
    let server = try await settling()
    let watch = try await quarantined(2, by: server)
    let ids = await watch.queued.map(\.id)
    #expect(
      await watch.queued.map(\.stage) == [
        .quarantined(.outcomeUnknown), .quarantined(.outcomeUnknown),
      ])
    #expect(await watch.outboxCounts.quarantined == 2)
    try await watch.discardQuarantined(ids[0])
    #expect(await watch.stage(of: ids[0]) == nil)
    // As a kill would leave the files: what the call said is on disk.
    let other = TemporaryDirectory()
    try other.put(directory.files(below: "watch"))
    await watch.stop()
    let link = LinkConfiguration(
      address: try nowhere(), token: [UInt8](repeating: 1, count: 32))
    let again = try WatchClient(WatchConfiguration(link: link, directory: other.path + "/watch"))
    #expect(await again.queued.map(\.id) == [ids[1]])
    await #expect(throws: OutboxError.notQuarantined(1)) {
      try await again.discardQuarantined(ids[0])
    }
    await again.stop()
    await #expect(throws: OutboxError.stopped) { try await again.discardQuarantined(ids[1]) }
    await server.stop()
  }

  @Test func `an action that is released goes again with its bytes, under a new number`()
    async throws
  {
    let server = try await settling()
    let watch = try await quarantined(2, by: server)
    let events = await watch.events()
    let old = try #require(await watch.queued.first)
    let new = try await watch.releaseQuarantined(old.id)
    #expect(new.number == 3 && new.incarnation == old.incarnation)
    _ = await stages(of: new, in: events) { if case .shown = $0 { true } else { false } }
    #expect(await watch.queued.map(\.number) == [2])
    #expect(await watch.stage(of: old.id) == nil)
    #expect(await watch.actions(newest: 1).first?.action == old.action)
    await #expect(throws: OutboxError.notQuarantined(1)) {
      try await watch.releaseQuarantined(old.id)
    }
    await #expect(throws: OutboxError.notQuarantined(3)) {
      try await watch.releaseQuarantined(new)
    }
    await watch.stop()
    await server.stop()
  }
}
