import Glibc
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import WatchClient

/// A whole watch, over real sockets and files, against a scripted authority.
@Suite(.timeLimit(.minutes(1)))
struct WatchClientTests {
  private let directory = TemporaryDirectory()
  private let authority = FakeAuthority()

  private func serve() async throws -> FakeServer {
    try await FakeServer.start { [authority] _, message in authority.answer(message) }
  }

  private func watch(
    at address: SocketAddress, token: UInt8 = 1, directory other: String? = nil
  ) throws -> WatchClient {
    var link = LinkConfiguration(
      address: address, token: [UInt8](repeating: token, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return try WatchClient(
      WatchConfiguration(
        link: link, directory: other ?? directory.path + "/watch",
        zone: { ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600) }))
  }

  private func nowhere() throws -> SocketAddress {
    try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
  }

  private func settled(
    _ events: inout AsyncStream<WatchEvent>.Iterator, _ count: Int
  ) async -> [Receipt] {
    var receipts: [Receipt] = []
    while receipts.count < count, let event = await events.next(isolation: nil) {
      if case .receipt(let receipt) = event { receipts.append(receipt) }
    }
    return receipts
  }

  /// Goes on until an event is what is looked for.
  private func wait(
    _ events: inout AsyncStream<WatchEvent>.Iterator, until found: (WatchEvent) -> Bool
  ) async {
    while let event = await events.next(isolation: nil) {
      if found(event) { return }
    }
    Issue.record("the stream ended")
  }

  @Test func anActionIsAppliedShownAndReceipted() async throws {
    let server = try await serve()
    let watch = try watch(at: server.address)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    let id = try await watch.setGoal("steps", to: 8_000)
    #expect(id.number == 1)
    // A pending mark ends with the receipt, and by then the change is shown.
    let receipts = await settled(&events, 1)
    guard case .applied(let revision) = receipts.first?.outcome else {
      Issue.record("not applied")
      return
    }
    let state = await watch.state
    #expect(state.revision >= revision)
    #expect(!state.isStale)
    #expect(state.facets[.goals] != nil)
    #expect(await watch.isSettledAll)
    #expect(await watch.queued.isEmpty)
    await watch.stop()
    await server.stop()
  }

  @Test func theBodyHasTheClocksAndTheZoneOfItsMoment() async throws {
    let server = try await serve()
    let watch = try watch(at: server.address)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    _ = try await watch.submit(.setZone(id: "Asia/Tokyo"), expiresAt: Instant(milliseconds: 99))
    _ = await settled(&events, 1)
    let body = try MessageDecoder().decodeActionBody(try #require(authority.applied.first))
    #expect(body.action == .setZone(id: "Asia/Tokyo"))
    #expect(body.zone == ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600))
    #expect(body.expiresAt == Instant(milliseconds: 99))
    #expect(body.occurred.boot != nil)
    await watch.stop()
    await server.stop()
  }

  @Test func whatWasSubmittedOfflineOutlivesTheProcessAndIsSentLater() async throws {
    let offline = try watch(at: nowhere())
    await offline.start()
    for number in 1...30 { _ = try await offline.setGoal("goal \(number)", to: Double(number)) }
    #expect(await offline.queued.map(\.number) == Array(1...30))
    #expect(await !offline.isSettledAll)
    // Not stopped: the files are copied as a kill would leave them.
    let files = directory.files(below: "watch")
    let other = TemporaryDirectory()
    try other.put(files)
    let server = try await serve()
    let watch = try watch(at: server.address, directory: other.path + "/watch")
    #expect(await watch.queued.map(\.number) == Array(1...30))
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    #expect(await settled(&events, 30).map(\.number) == Array(1...30))
    #expect(authority.applied.count == 30)
    await watch.stop()
    await offline.stop()
    await server.stop()
  }

  @Test func actionsSubmittedTogetherGetNumbersWithoutAHole() async throws {
    let watch = try watch(at: nowhere())
    let numbers = try await withThrowingTaskGroup(of: ActionNumber.self) { group in
      for number in 0..<50 {
        group.addTask { try await watch.setGoal("g\(number)", to: 1).number }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(numbers.sorted() == Array(1...50))
    #expect(await watch.queued.count == 50)
    await watch.stop()
  }

  @Test func aConnectionLostAtAnyTimeIsResumedFromTheCursor() async throws {
    let server = try await serve()
    let cursors = Recorder<Cursor?>()
    await server.setScript { [authority] _, message in
      if case .hello(let hello) = message { cursors.append(hello.cursor) }
      return authority.answer(message)
    }
    let watch = try watch(at: server.address)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    for round in 1...5 {
      _ = try await watch.setGoal("round \(round)", to: 1)
      _ = await settled(&events, 1)
      let shown = await watch.state.cursor
      await server.close(round)
      await wait(&events) { if case .connected = $0 { true } else { false } }
      #expect(cursors.values.last == shown)
    }
    #expect(authority.applied.count == 5)
    await watch.stop()
    await server.stop()
  }

  @Test func offlineTheLastStateIsShownStale() async throws {
    let server = try await serve()
    let first = try watch(at: server.address)
    var events = await first.events().makeAsyncIterator()
    await first.start()
    _ = try await first.setGoal("steps", to: 1)
    _ = await settled(&events, 1)
    let shown = await first.state
    await first.stop()
    await server.stop()
    let second = try watch(at: nowhere())
    let state = await second.state
    #expect(state.isStale)
    #expect(state.facets == shown.facets)
    #expect(state.cursor == shown.cursor)
    await second.stop()
  }

  @Test func aTokenThatWasNeverWelcomedShowsNothingAndUsesItsOwnIncarnation() async throws {
    let server = try await serve()
    let first = try watch(at: server.address, token: 1)
    var events = await first.events().makeAsyncIterator()
    await first.start()
    let earlier = try await first.setGoal("steps", to: 1)
    _ = await settled(&events, 1)
    await first.stop()
    let second = try watch(at: nowhere(), token: 2)
    #expect(await second.state == .empty)
    #expect(try await second.setGoal("steps", to: 2).incarnation != earlier.incarnation)
    await second.stop()
    await server.stop()
  }

  @Test func aNewTokenOfTheSameAccountSendsWhatTheOldOneQueued() async throws {
    let server = try await serve()
    let first = try watch(at: server.address, token: 1)
    var events = await first.events().makeAsyncIterator()
    await first.start()
    _ = try await first.setGoal("one", to: 1)
    _ = await settled(&events, 1)
    await first.stop()
    let offline = try watch(at: nowhere(), token: 1)
    let waiting = try await offline.setGoal("two", to: 2)
    await offline.stop()
    let second = try watch(at: server.address, token: 2)
    var later = await second.events().makeAsyncIterator()
    await second.start()
    #expect(await settled(&later, 1).map(\.number) == [waiting.number])
    #expect(authority.applied.count == 2)
    await second.stop()
    await server.stop()
  }

  @Test func onAnotherAccountsWelcomeEverythingIsSetAsideAndComesBackWithIts() async throws {
    let server = try await serve()
    let first = try watch(at: server.address)
    var events = await first.events().makeAsyncIterator()
    await first.start()
    _ = try await first.setGoal("one", to: 1)
    _ = await settled(&events, 1)
    await first.stop()
    let offline = try watch(at: nowhere())
    _ = try await offline.setGoal("two", to: 2)
    await offline.stop()

    authority.become(account(2))
    let second = try watch(at: server.address)
    var later = await second.events().makeAsyncIterator()
    await second.start()
    await wait(&later) { if case .connected = $0 { true } else { false } }
    #expect(await second.queued.isEmpty)
    #expect(await second.state.account == account(2))
    #expect(authority.applied.isEmpty)
    _ = try await second.setGoal("three", to: 3)
    _ = await settled(&later, 1)
    #expect(authority.applied.count == 1)
    await second.stop()
    let names = directory.files(below: "watch").keys
    #expect(names.contains("watch/aside-\(account(1))-1/outbox"))

    authority.become(account(1))
    let third = try watch(at: server.address)
    var last = await third.events().makeAsyncIterator()
    await third.start()
    // What was set aside is offered again: the fake has lost everything.
    await wait(&last) { if case .receipt = $0 { true } else { false } }
    let bodies = authority.applied.compactMap { try? MessageDecoder().decodeActionBody($0) }
    #expect(bodies.map(\.action).contains(.setGoal(name: "two", value: 2)))
    #expect(!bodies.map(\.action).contains(.setGoal(name: "three", value: 3)))
    await third.stop()
    await server.stop()
  }

  // WCH-09
  @Test func theStateAskedForAgainComesThoughNothingChanged() async throws {
    let server = try await serve()
    let watch = try watch(at: server.address)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    await wait(&events) { if case .update = $0 { true } else { false } }
    for _ in 0..<3 {
      await watch.resumeEverything()
      await wait(&events) { if case .update(let update) = $0 { update.from == 0 } else { false } }
    }
    await watch.stop()
    await server.stop()
  }

  @Test func anOutboxThatWentBackMovesToANewIncarnation() async throws {
    let server = try await serve()
    let first = try watch(at: server.address)
    var events = await first.events().makeAsyncIterator()
    await first.start()
    _ = try await first.setGoal("one", to: 1)
    _ = await settled(&events, 1)
    await first.stop()
    let copy = directory.files(below: "watch")
    let second = try watch(at: server.address)
    var later = await second.events().makeAsyncIterator()
    await second.start()
    _ = try await second.setGoal("two", to: 2)
    _ = await settled(&later, 1)
    await second.stop()
    try directory.put(copy)
    let third = try watch(at: server.address)
    var last = await third.events().makeAsyncIterator()
    _ = try await third.setGoal("three", to: 3)
    await third.start()
    await wait(&last) { if case .movedToNewIncarnation(_, _, 1) = $0 { true } else { false } }
    #expect(await settled(&last, 1).map(\.number) == [1])
    #expect(authority.applied.count == 3)
    await third.stop()
    await server.stop()
  }

  @Test func aSecondClientOfOneDirectoryIsLockedOutUntilTheFirstStops() async throws {
    let first = try watch(at: nowhere())
    #expect(throws: OutboxError.locked(directory: directory.path + "/watch")) {
      _ = try watch(at: nowhere())
    }
    await first.stop()
    let second = try watch(at: nowhere())
    await second.stop()
  }

  @Test func aStoppedClientTakesNothingAndEndsItsStreams() async throws {
    let watch = try watch(at: nowhere())
    let states = await watch.states()
    let events = await watch.events()
    await watch.start()
    await watch.stop()
    await watch.stop()
    for await _ in states {}
    for await _ in events {}
    for await _ in await watch.cues() {}
    await #expect(throws: OutboxError.stopped) { try await watch.setGoal("x", to: 1) }
  }

  @Test func aFinalGoodbyeIsTold() async throws {
    let server = try await FakeServer.start { _, _ in
      [.say(.goodbye(Goodbye(.revoked))), .close]
    }
    let watch = try watch(at: server.address)
    var events = await watch.events().makeAsyncIterator()
    await watch.start()
    await wait(&events) { $0 == .ended(Goodbye(.revoked)) }
    await watch.stop()
    await server.stop()
  }
}
