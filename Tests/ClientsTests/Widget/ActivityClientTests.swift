import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

@testable import AuthorityLink
@testable import WidgetClient

/// A live activity over real sockets, against a scripted server.
@Suite(.timeLimit(.minutes(1))) struct ActivityClientTests {
  private let directory = TemporaryDirectory()

  private func activity(at address: SocketAddress) -> ActivityClient {
    var link = LinkConfiguration(address: address, token: [UInt8](repeating: 3, count: 32))
    link.firstBackoffMilliseconds = 5
    link.backoffMaxMilliseconds = 50
    return ActivityClient(link: link)
  }

  private static func goals(_ name: String, at revision: Revision) -> EncodedFacet {
    let goals = GoalsFacet(goals: [GoalsFacet.Goal(name: name, target: 1, progress: [])])
    return EncodedFacet(
      kind: .goals, revision: revision, content: MessageEncoder().encode(.goals(goals)))
  }

  /// A server whose state has the revision of the connection; it goes on from a cursor.
  private func serve(_ hellos: Recorder<Hello>) async throws -> FakeServer {
    try await FakeServer.start { number, message in
      guard case .hello(let hello) = message else { return [] }
      hellos.append(hello)
      let to = Revision(number)
      var greeting = welcome(revision: to, facetSet: DeviceKind.activity.facetSet)
      greeting.kind = .activity
      let from = hello.cursor?.revision ?? 0
      let update = Update(
        epoch: epoch(1), from: from, to: to, facets: [Self.goals("at \(number)", at: to)])
      return [.say(.welcome(greeting)), .say(.update(update))]
    }
  }

  private func name(_ facets: [FacetKind: Facet]) -> String? {
    if case .goals(let goals) = facets[.goals] { goals.goals.first?.name } else { nil }
  }

  @Test func `it greets without an outbox, and goes on where it stood`() async throws {
    let hellos = Recorder<Hello>()
    let server = try await serve(hellos)
    let activity = activity(at: server.address)
    var events = await activity.events().makeAsyncIterator()
    await activity.start()
    var shown: [String] = []
    while shown.count < 2, let event = await events.next(isolation: nil) {
      guard case .shown(let state) = event, !state.isStale, let name = name(state.facets) else {
        continue
      }
      if shown.last != name { shown.append(name) }
      if shown.count == 1 { await server.close(1) }
    }
    #expect(shown == ["at 1", "at 2"])
    #expect(hellos.values.map(\.incarnations) == [[], []])
    #expect(hellos.values.map(\.minimumIntervalMilliseconds) == [5_000, 5_000])
    #expect(hellos.values.map(\.cursor?.revision) == [nil, 1])
    await activity.stop()
    await server.stop()
  }

  @Test func `what it shows is stale while nobody can be heard`() async throws {
    let server = try await serve(Recorder())
    let activity = activity(at: server.address)
    let events = await activity.events()
    await activity.start()
    var isStopping = false
    for await event in events {
      guard case .shown(let state) = event else { continue }
      if isStopping, state.isStale { break }
      #expect(name(state.facets) == "at 1")
      if !state.isStale, !isStopping {
        isStopping = true
        await server.stop()
      }
    }
    #expect(await activity.state.isStale && isStopping)
    await activity.stop()
    #expect(await activity.events().first { _ in true } == nil, "a stopped client tells nothing")
  }

  @Test func `an update that does not go on from where it stands is asked for again`() async throws
  {
    let resumes = Recorder<Cursor?>()
    let server = try await FakeServer.start { _, message in
      switch message {
      case .hello:
        return [
          .say(.welcome(welcome(revision: 1))),
          .say(.update(Update(epoch: epoch(1), from: 0, to: 1, facets: [Self.goals("a", at: 1)]))),
          .say(.update(Update(epoch: epoch(1), from: 3, to: 4, facets: [Self.goals("c", at: 4)]))),
        ]
      case .resume(let cursor):
        resumes.append(cursor)
        return [
          .say(.update(Update(epoch: epoch(1), from: 1, to: 4, facets: [Self.goals("b", at: 4)])))
        ]
      default: return []
      }
    }
    let activity = activity(at: server.address)
    let events = await activity.events()
    await activity.start()
    for await event in events {
      if case .shown(let state) = event, state.revision == 4 { break }
    }
    #expect(name(await activity.state.facets) == "b")
    #expect(resumes.values.map { $0?.revision } == [1])
    await activity.stop()
    await server.stop()
  }
}
