import Glibc
import Synchronization
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// Counts what writers send and receive, and does something once at a chosen step: a moment that
/// does not depend on clocks.
final class Steps: Sendable {
  private let left: Atomic<Int>
  private let endedAt = Atomic<Int64>(0)
  private let body: @Sendable () -> Void

  /// `body` runs at step `until`; 0: never, and writers stop when all is receipted.
  init(until: Int, _ body: @escaping @Sendable () -> Void) {
    left = Atomic(until)
    isEndless = until > 0
    self.body = body
  }

  /// Whether writers go on until their connection ends.
  let isEndless: Bool

  func step() {
    guard isEndless, left.subtract(1, ordering: .relaxed).oldValue == 1 else { return }
    endedAt.store(monotonicMilliseconds(), ordering: .relaxed)
    body()
  }

  func millisecondsSinceEnd() -> Int64 {
    monotonicMilliseconds() - endedAt.load(ordering: .relaxed)
  }
}

/// A watch with an outbox that remembers everything: every body it numbered, every receipt it got.
/// It offers what has no receipt again on each connection, and also some that has.
struct Writer: Sendable {
  let index: Int
  let account: String
  let token: [UInt8]
  let incarnation = IncarnationID.random()
  private(set) var bodies: [[UInt8]] = []
  /// By number - 1.
  private(set) var receipts: [Receipt] = []
  /// What the acts set, in order; nil: refused on purpose.
  private(set) var values: [Double?] = []
  /// How the last connection ended, if it was said.
  private(set) var goodbye: Goodbye.Reason?

  init(index: Int, account: String, token: [UInt8]) {
    self.index = index
    self.account = account
    self.token = token
  }

  /// Acts in flight.
  private static let window = 16

  var goal: String { "writer \(index)" }

  /// One connection: what is unconfirmed again, then new acts, until the connection ends or, when
  /// the steps have no end, all is receipted.
  mutating func write(_ client: WireClient, steps: Steps) throws {
    goodbye = nil
    let encoder = MessageEncoder()
    let confirmed = ActionNumber(receipts.count)
    let state = IncarnationState(
      incarnation: incarnation, confirmed: confirmed, oldest: confirmed + 1,
      next: ActionNumber(bodies.count) + 1)
    do {
      let welcome = try client.greet(Hello(token: token, incarnations: [state]))
      let expected = welcome.expected.first?.number ?? 0
      // What was receipted is there: the authority expects a later number.
      guard expected > confirmed, expected <= ActionNumber(bodies.count) + 1 else {
        throw WireClient.Failure.unexpected("expects \(expected) after \(confirmed)")
      }
      try repeatOld(client)
      var sent = receipts.count
      while true {
        while sent < receipts.count + Self.window, sent < bodies.count || steps.isEndless {
          if sent == bodies.count { queueNext(encoder) }
          steps.step()
          try client.send(.act(act(sent)))
          sent += 1
        }
        if sent == receipts.count { return }
        try take(try client.receipt())
        steps.step()
      }
    } catch WireClient.Failure.closed where steps.isEndless {
      // What was said before is still there to be read, unless the connection was reset.
      goodbye = (try? client.goodbye())?.reason
    } catch WireClient.Failure.unexpected("goodbye shuttingDown") where steps.isEndless {
      goodbye = .shuttingDown
    } catch WireClient.Failure.connect where steps.isEndless {
      return
    }
  }

  /// The same receipt for what was asked before.
  private func repeatOld(_ client: WireClient) throws {
    for place in receipts.indices.suffix(3) {
      try client.send(.act(act(place)))
      let receipt = try client.receipt()
      guard receipt == receipts[place] else {
        throw WireClient.Failure.unexpected("\(receipt) after \(receipts[place])")
      }
    }
  }

  private func act(_ place: Int) -> Act {
    Act(
      incarnation: incarnation, number: ActionNumber(place) + 1,
      confirmed: ActionNumber(receipts.count), body: bodies[place])
  }

  private mutating func queueNext(_ encoder: MessageEncoder) {
    let number = bodies.count + 1
    let action: Action
    if number % 5 == 0 {
      action = .deleteWorkout(id: WorkoutID.random())
      values.append(nil)
    } else {
      action = .setGoal(name: goal, value: Double(number))
      values.append(Double(number))
    }
    let now = Instant(milliseconds: Int64(time(nil)) * 1_000)
    bodies.append(
      encoder.encode(ActionBody(occurred: DeviceClock(wall: now), action: action)))
  }

  private mutating func take(_ receipt: Receipt) throws {
    guard receipt.incarnation == incarnation,
      receipt.number == ActionNumber(receipts.count) + 1
    else { throw WireClient.Failure.unexpected("\(receipt) after \(receipts.count)") }
    receipts.append(receipt)
  }

  /// The value that the goal has after all its acts.
  var lastValue: Double? {
    Array(zip(values, receipts)).last { $0.0 != nil && $0.1.outcome.word == "applied" }?.0
  }
}

/// Lets all writers write at once, each on a thread of its own.
func writeAll(_ writers: [Writer], to server: ServeProcess, steps: Steps) async throws -> [Writer] {
  try await withThrowingTaskGroup(of: Writer.self) { group in
    for writer in writers {
      group.addTask {
        try await onThread {
          var writer = writer
          guard let client = try? server.client(overTCP: writer.index % 2 == 0) else {
            return writer
          }
          try writer.write(client, steps: steps)
          return writer
        }
      }
    }
    var done: [Writer] = []
    for try await writer in group { done.append(writer) }
    return done.sorted { $0.index < $1.index }
  }
}

/// Makes sure that what the writers were told is what there is: each applied act took one revision
/// of its account and no two the same, no revision was taken by anything else, and the goals have
/// the last values.
func verify(_ writers: [Writer], on server: ServeProcess) async throws {
  for (account, group) in Dictionary(grouping: writers, by: \.account) {
    let phone = try server.client()
    let welcome = try phone.greet(Hello(token: try await server.pair(.phone, account: account)))
    let update = try phone.update()
    var revisions: [Revision] = []
    for writer in group {
      #expect(writer.receipts.count == writer.bodies.count, "writer \(writer.index)")
      for (value, receipt) in zip(writer.values, writer.receipts) {
        switch receipt.outcome {
        case .applied(let revision):
          revisions.append(revision)
          #expect(value != nil)
        case .refused(let reason):
          #expect(value == nil && reason == .notFound, "\(reason)")
        case .expired:
          Issue.record("an edit expired")
        }
      }
    }
    // Creating the account is revision 1.
    #expect(
      revisions.sorted() == Array(2..<2 + Revision(revisions.count)),
      "an act was applied twice, or something else was")
    #expect(welcome.revision == Revision(revisions.count) + 1, "an acknowledged act is lost")
    let content = try #require(update.facets.first { $0.kind == .goals })
    guard case .goals(let facet) = try MessageDecoder(limits: .fromServer).decodeFacet(content)
    else {
      Issue.record("no goals")
      return
    }
    for writer in group {
      let goal = facet.goals.first { $0.name == writer.goal }
      #expect(goal?.target == writer.lastValue, "writer \(writer.index)")
    }
  }
}
