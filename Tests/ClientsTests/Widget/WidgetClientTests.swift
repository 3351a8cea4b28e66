import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import WidgetClient

/// A widget over real sockets and files, against a scripted server.
@Suite(.timeLimit(.minutes(1)))
struct WidgetClientTests {
  private let directory = TemporaryDirectory()
  private let view = WidgetView(kind: .streak, family: .small, appearance: .both)

  private func timeline(_ text: String) -> WidgetTimeline {
    WidgetTimeline(
      kind: .streak, family: .small, reloadAfter: Instant(milliseconds: 9), day: nil, night: nil,
      entries: [
        WidgetTimeline.Entry(
          from: Instant(milliseconds: 1), lines: [text], spoken: text, symbol: "flame", stale: 0,
          theme: .day)
      ])
  }

  /// Serves `text` at `hash`, as a server does.
  private func serve(
    _ text: String, hash: UInt64, owner: AccountID = account(1),
    seen: Recorder<UInt64?> = Recorder()
  ) async throws -> FakeServer {
    let content = MessageEncoder().encode(timeline(text))
    return try await FakeServer.start { _, message in
      switch message {
      case .hello: return [.say(.welcome(welcome(account: owner)))]
      case .fetch(let fetch):
        seen.append(fetch.knownHash)
        if fetch.knownHash == hash {
          return [.say(.notModified(NotModified(view: fetch.view, revision: 8)))]
        }
        return [
          .say(
            .snapshot(Snapshot(view: fetch.view, revision: 7, hash: hash, content: content)))
        ]
      default: return []
      }
    }
  }

  private func widget(
    at address: SocketAddress, milliseconds: Int64 = 30_000, cached: Bool = true
  ) -> WidgetClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: 3, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return WidgetClient(
      link: link, cacheDirectory: cached ? directory.path + "/widgets" : nil,
      fetchMilliseconds: milliseconds)
  }

  private func nowhere() throws -> SocketAddress {
    try SocketAddress(parsing: "unix:" + directory.path + "/nobody")
  }

  @Test func itShowsWhatTheServerSent() async throws {
    let server = try await serve("5 days", hash: 11)
    let widget = widget(at: server.address)
    let fetched = try await widget.fetch(view)
    #expect(fetched.timeline == timeline("5 days"))
    #expect(fetched.revision == 7 && fetched.hash == 11 && !fetched.isFromCache)
    await widget.stop()
    await server.stop()
  }

  @Test(arguments: [false, true])
  func whatItHasAlreadyIsNotSentAgain(inANewProcess: Bool) async throws {
    let seen = Recorder<UInt64?>()
    let server = try await serve("5 days", hash: 11, seen: seen)
    let first = widget(at: server.address)
    _ = try await first.fetch(view)
    let second = inANewProcess ? widget(at: server.address) : first
    let again = try await second.fetch(view)
    #expect(again.timeline == timeline("5 days"))
    #expect(again.revision == 8 && !again.isFromCache)
    #expect(seen.values == [nil, 11])
    await first.stop()
    await second.stop()
    await server.stop()
  }

  @Test func whileTheServerCannotBeReachedTheLastOneIsShown() async throws {
    let server = try await serve("5 days", hash: 11)
    let first = widget(at: server.address)
    _ = try await first.fetch(view)
    await first.stop()
    await server.stop()
    let second = widget(at: try nowhere())
    let kept = try await second.fetch(view)
    #expect(kept.isFromCache)
    #expect(kept.timeline == timeline("5 days"))
    await second.stop()
  }

  @Test func aServerThatDoesNotAnswerIsNotWaitedForLong() async throws {
    let server = try await serve("5 days", hash: 11)
    let first = widget(at: server.address)
    _ = try await first.fetch(view)
    await first.stop()
    await server.setScript { _, _ in [] }
    let second = widget(at: server.address, milliseconds: 30)
    #expect(try await second.fetch(view).isFromCache)
    await second.stop()
    await server.stop()
  }

  @Test func withoutAnythingKeptItSaysSo() async throws {
    let widget = widget(at: try nowhere(), milliseconds: 30)
    await #expect(throws: WidgetError.unreachable) { try await widget.fetch(view) }
    await widget.stop()
  }

  @Test func anotherAccountsSnapshotIsNotShown() async throws {
    let server = try await serve("mine", hash: 11)
    let first = widget(at: server.address)
    _ = try await first.fetch(view)
    await first.stop()
    await server.stop()
    let seen = Recorder<UInt64?>()
    let other = try await serve("theirs", hash: 11, owner: account(2), seen: seen)
    let second = widget(at: other.address)
    #expect(try await second.fetch(view).timeline == timeline("theirs"))
    #expect(seen.values == [nil])
    await second.stop()
    await other.stop()
  }

  // WID-09
  @Test func aKeptSnapshotOfAnOlderServerIsReadWithDefaultsAndWithoutTheEntryThatMakesNoSense()
    async throws
  {
    // Kind and family; an entry at 1 ms, one without a moment, one at 2 ms: no palettes, no labels,
    // no moment to fetch again, as a server wrote that did not know of them.
    let old: [UInt8] = [
      0x08, 1, 0x10, 1, 0x32, 5, 0x08, 2, 0x12, 1, 0x41, 0x32, 3, 0x12, 1, 0x42, 0x32, 5, 0x08, 4,
      0x12, 1, 0x43,
    ]
    // And an unknown field of a newer server, which is skipped.
    let newer: [UInt8] = [0x98, 0x06, 0x01]
    var shelf = SnapshotShelf(
      directory: directory.path + "/widgets", token: [UInt8](repeating: 3, count: 32))
    shelf.keep(
      KeptSnapshot(account: account(1), revision: 2, hash: 5, content: old + newer), of: view)
    let widget = widget(at: try nowhere())
    let kept = try await widget.fetch(view)
    #expect(kept.timeline.entries.map(\.lines) == [["A"], ["C"]])
    #expect(kept.timeline.entries.map(\.stale) == [0, 0])
    #expect(kept.timeline.reloadAfter == Instant(milliseconds: 2))
    #expect(kept.isFromCache && kept.revision == 2)
    await widget.stop()
  }

  @Test func aKeptSnapshotThatIsBrokenIsFetchedAnew() async throws {
    let seen = Recorder<UInt64?>()
    let server = try await serve("5 days", hash: 11, seen: seen)
    var shelf = SnapshotShelf(
      directory: directory.path + "/widgets", token: [UInt8](repeating: 3, count: 32))
    shelf.keep(
      KeptSnapshot(account: account(1), revision: 2, hash: 11, content: [0xFF, 0xFF]), of: view)
    let widget = widget(at: server.address)
    #expect(try await widget.fetch(view).timeline == timeline("5 days"))
    #expect(seen.values == [nil])
    await widget.stop()
    await server.stop()
  }

  @Test func aFileThatIsBrokenAtAnyByteIsNotThere() throws {
    let token = [UInt8](repeating: 3, count: 32)
    var shelf = SnapshotShelf(directory: directory.path + "/widgets", token: token)
    let kept = KeptSnapshot(account: account(1), revision: 2, hash: 5, content: [1, 2, 3])
    shelf.keep(kept, of: view)
    let (name, whole) = try #require(directory.files().first)
    for index in whole.indices {
      var damaged = whole
      damaged[index] ^= 1
      try directory.put([name: damaged])
      var again = SnapshotShelf(directory: directory.path + "/widgets", token: token)
      #expect(again.snapshot(of: view, for: nil) == nil, "byte \(index)")
    }
    try directory.put([name: whole])
    var again = SnapshotShelf(directory: directory.path + "/widgets", token: token)
    #expect(again.snapshot(of: view, for: account(1)) == kept)
    #expect(again.snapshot(of: view, for: account(2)) == nil)
  }

  @Test(arguments: [Goodbye.Reason.unauthenticated, .revoked, .forbidden])
  func aWidgetThatIsNotWantedSaysWhy(reason: Goodbye.Reason) async throws {
    let server = try await FakeServer.start { _, _ in [.say(.goodbye(Goodbye(reason))), .close] }
    let widget = widget(at: server.address)
    for _ in 0..<2 {
      await #expect(throws: WidgetError.refused(Goodbye(reason))) { try await widget.fetch(view) }
    }
    await widget.stop()
    await server.stop()
  }

  @Test(arguments: [
    (Goodbye.Reason.unauthenticated, WidgetError.refused(Goodbye(.unauthenticated))),
    (.revoked, .refused(Goodbye(.revoked))), (.forbidden, .refused(Goodbye(.forbidden))),
    (.codeRefused, .codeRefused),
  ])
  func `a widget that loses its rights while it waits says why, whatever it has kept`(
    reason: Goodbye.Reason, error: WidgetError
  ) async throws {
    let server = try await serve("5 days", hash: 11)
    let first = widget(at: server.address)
    _ = try await first.fetch(view)
    await first.stop()
    await server.setScript { _, message in
      if case .hello = message { return [.say(.welcome(welcome()))] }
      return [.say(.goodbye(Goodbye(reason))), .close]
    }
    let second = widget(at: server.address)
    for _ in 0..<2 {
      await #expect(throws: error) { try await second.fetch(view) }
    }
    await second.stop()
    await server.stop()
  }

  @Test func `"not modified" of what nobody has is an answer that cannot be read`() async throws {
    let seen = Recorder<UInt64?>()
    let server = try await FakeServer.start { _, message in
      switch message {
      case .hello: return [.say(.welcome(welcome()))]
      case .fetch(let fetch):
        seen.append(fetch.knownHash)
        return [.say(.notModified(NotModified(view: fetch.view, revision: 8)))]
      default: return []
      }
    }
    let widget = widget(at: server.address)
    await #expect(throws: WidgetError.unreadable) { try await widget.fetch(view) }
    #expect(seen.values == [nil])
    await widget.stop()
    await server.stop()
  }

  @Test func manyFetchesOfOneViewAreOneRequest() async throws {
    let seen = Recorder<UInt64?>()
    let server = try await FakeServer.start { _, message in
      if case .fetch(let fetch) = message { seen.append(fetch.knownHash) }
      if case .hello = message { return [.say(.welcome(welcome()))] }
      return []
    }
    let widget = widget(at: server.address, cached: false)
    var asked = server.events.makeAsyncIterator()
    async let first = widget.fetch(view)
    while let event = await asked.next(isolation: nil) {
      if case .message(_, .fetch) = event { break }
    }
    async let second = widget.fetch(view)
    // The second is registered before the answer is on its way.
    while await widget.requests.count < 2 { await Task.yield() }
    await server.say(
      .snapshot(
        Snapshot(
          view: view, revision: 1, hash: 1, content: MessageEncoder().encode(timeline("once")))),
      to: 1)
    #expect(try await first.timeline == timeline("once"))
    #expect(try await second.timeline == timeline("once"))
    #expect(seen.values.count == 1)
    await widget.stop()
    await server.stop()
  }

  @Test func aCancelledFetchLeavesNothing() async throws {
    let server = try await FakeServer.start { _, message in
      if case .hello = message { [.say(.welcome(welcome()))] } else { [] }
    }
    let widget = widget(at: server.address, cached: false)
    let fetching = Task { [view] in try await widget.fetch(view) }
    var asked = server.events.makeAsyncIterator()
    while let event = await asked.next(isolation: nil) {
      if case .message(_, .fetch) = event { break }
    }
    fetching.cancel()
    await #expect(throws: WidgetError.cancelled) { try await fetching.value }
    #expect(await widget.requests.isEmpty)
    await widget.stop()
    await server.stop()
  }

  @Test func itHearsWhenToFetchAgainAndItsStreamEndsWithIt() async throws {
    let server = try await FakeServer.start { _, message in
      guard case .hello = message else { return [] }
      return [
        .say(.welcome(welcome())), .say(.reload([.streak, .match])), .say(.reload([.today])),
      ]
    }
    let widget = widget(at: server.address, cached: false)
    var kinds: [[WidgetKind]] = []
    for await reload in await widget.reloads() {
      kinds.append(reload)
      if kinds.count == 2 { break }
    }
    #expect(kinds == [[.streak, .match], [.today]])
    #expect(widget.reloadBroadcast.count == 0)
    let rest = await widget.reloads()
    await widget.stop()
    for await _ in rest {}
    await #expect(throws: WidgetError.stopped) { try await widget.fetch(view) }
    await server.stop()
  }
}
