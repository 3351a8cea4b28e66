import Foundation
import Guards
import TestSupport
import WatchTransfer
import WireFormat

/// What a program talks to where no real authority could be brought to say this just now: it shows
/// what the test sets, and answers each act as the test says.
final class ScriptedAuthority: Sendable {
  /// What becomes of an act.
  enum Verdict: Sendable {
    case applied, expired
    case refused(RefusalReason)
  }

  /// Facets by their kinds; what an act changes of them is shown before its receipt.
  typealias Shown = [FacetKind: Facet]

  private struct State {
    var shown: Shown
    var revision: Revision = 1
    var actions: [Action] = []
    var connection = 0
  }

  /// What greets it, each once it is answered; for one consumer.
  let greeted: AsyncStream<Hello>
  private let greetings: AsyncStream<Hello>.Continuation
  private static let epoch = EpochID(high: 3, low: 1)
  private let state: Lock<State>
  private let kind: DeviceKind
  private let decide: @Sendable (Action, inout Shown) -> Verdict

  /// Shows `facets` to a device of a kind.
  init(
    to kind: DeviceKind, showing facets: [Facet],
    decide: @escaping @Sendable (Action, inout Shown) -> Verdict = { _, _ in .applied }
  ) {
    (greeted, greetings) = AsyncStream.makeStream(of: Hello.self)
    self.kind = kind
    self.decide = decide
    state = Lock(State(shown: Dictionary(uniqueKeysWithValues: facets.map { ($0.kind, $0) })))
  }

  /// The actions it was asked for, in order.
  var actions: [Action] { state.withLock { $0.actions } }

  /// The machine's clock, which is the authority's.
  static var now: Instant {
    Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
  }

  /// Listens at a Unix socket.
  func serve(at path: String) async throws -> FakeServer {
    try await FakeServer.start(path: path) { [self] connection, message in
      answer(message, on: connection)
    }
  }

  /// Shows something else, as when another device has acted; readings go along.
  func show(_ facets: [Facet], _ readings: [Reading] = [], by server: FakeServer) async {
    let (connection, update) = state.withLock { state in
      for facet in facets { state.shown[facet.kind] = facet }
      return (state.connection, Self.next(&state, facets, readings))
    }
    await server.say(update, to: connection)
  }

  private func answer(_ message: ClientMessage, on connection: Int) -> [FakeServer.Answer] {
    state.withLock { state in
      switch message {
      case .hello(let hello):
        state.connection = connection
        defer { greetings.yield(hello) }
        let welcome = Welcome(
          account: AccountID(high: 2, low: 1), device: Samples.device, kind: kind,
          epoch: Self.epoch, revision: state.revision, facetSet: kind.facetSet,
          expected: hello.incarnations.map {
            IncarnationNumber(incarnation: $0.incarnation, number: $0.confirmed + 1)
          }, backedUp: [], serverClock: Self.now, leaseMilliseconds: 90_000,
          frameBytesMax: 65_536, inFlightMax: 64, reofferMax: 1_000)
        let whole = Update(
          epoch: Self.epoch, from: 0, to: state.revision,
          facets: state.shown.values.map { Self.encoded($0, at: state.revision) })
        return [.say(.welcome(welcome)), .say(.update(whole))]
      case .act(let act): return receive(act, &state).map { .say($0) }
      case .ping(let ping):
        return [.say(.pong(Pong(nonce: ping.nonce, serverClock: Self.now)))]
      default: return []
      }
    }
  }

  private func receive(_ act: Act, _ state: inout State) -> [ServerMessage] {
    guard let action = try? MessageDecoder().decodeActionBody(act.body).action else { return [] }
    state.actions.append(action)
    var receipt = Receipt(incarnation: act.incarnation, number: act.number, outcome: .expired)
    switch decide(action, &state.shown) {
    case .expired: return [.receipt(receipt)]
    case .refused(let reason):
      receipt.outcome = .refused(reason)
      return [.receipt(receipt)]
    case .applied:
      let update = Self.next(&state, Array(state.shown.values), [])
      receipt.outcome = .applied(state.revision)
      return [update, .receipt(receipt)]
    }
  }

  private static func next(
    _ state: inout State, _ facets: [Facet], _ readings: [Reading]
  ) -> ServerMessage {
    state.revision += 1
    return .update(
      Update(
        epoch: epoch, from: state.revision - 1, to: state.revision,
        facets: facets.map { encoded($0, at: state.revision) }, readings: readings))
  }

  private static func encoded(_ facet: Facet, at revision: Revision) -> EncodedFacet {
    EncodedFacet(
      kind: facet.kind, revision: revision, content: MessageEncoder().encode(facet))
  }
}
