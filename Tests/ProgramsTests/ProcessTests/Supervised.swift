import Glibc
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// A server that crashes, started again each time, as systemd would.
final class Supervised {
  let data: String
  /// What `trapping-server` is told.
  var traps: [String] = []
  /// Where planned backups go; nil: there are none.
  var backupTarget: String?
  private(set) var server: ServeProcess?
  /// How each crash ended.
  private(set) var crashes: [ChildProcess.Ending] = []

  /// Starts it would never need: more is a crash loop.
  static let crashesMax = 20

  init(data: String) {
    self.data = data
  }

  /// The running server, started as often as it takes.
  func ready() async throws -> ServeProcess {
    while true {
      if let server, kill(server.child.id, 0) == 0 { return server }
      try await takeCrash()
      do {
        server = try await ServeProcess(
          data: data,
          traps.flatMap { ["--trap", $0] } + (backupTarget.map { ["--backup-to", $0] } ?? []),
          program: "trapping-server")
      } catch let failure as ChildProcess.Failure {
        guard let ending = failure.ending else { throw failure }
        try note(ending)
      }
    }
  }

  /// Stops it cleanly.
  func stop() async throws {
    let ending = await server?.end()
    server = nil
    #expect(ending?.status == 0, "\(ending as Any)")
  }

  /// Kills it.
  func kill9() async throws {
    _ = await server?.end(SIGKILL)
    server = nil
  }

  /// The server has ended, or ends: waits for that.
  func takeCrash() async throws {
    guard let server else { return }
    self.server = nil
    try note(await server.child.end())
  }

  private func note(_ ending: ChildProcess.Ending) throws {
    crashes.append(ending)
    try #require(ending.signal != nil, "not a crash: \(ending)")
    try #require(crashes.count < Self.crashesMax, "a crash loop")
  }
}

/// A watch that sets its goal to 1, 2, 3 …, and offers what has no receipt until it has one.
struct GoalWatch {
  let token: [UInt8]
  let incarnation = IncarnationID.random()
  private(set) var bodies: [[UInt8]] = []
  private(set) var receipts: [Receipt] = []

  /// How one connection went.
  enum Visit {
    /// Everything has a receipt.
    case settled
    case turnedAway(Goodbye)
    case serverDied
  }

  init(token: [UInt8]) {
    self.token = token
  }

  /// Numbers one more act.
  mutating func queue() {
    let now = Instant(milliseconds: Int64(time(nil)) * 1_000)
    let action = Action.setGoal(name: "steps", value: Double(bodies.count + 1))
    bodies.append(
      MessageEncoder().encode(ActionBody(occurred: DeviceClock(wall: now), action: action)))
  }

  /// Act `number`, as it is offered.
  func act(_ number: Int) -> Act {
    Act(
      incarnation: incarnation, number: ActionNumber(number),
      confirmed: ActionNumber(max(0, receipts.count - 1)), body: bodies[number - 1])
  }

  /// Connects, offers at once what has no receipt, and checks that the newest receipt is the same.
  mutating func visit(_ server: ServeProcess) throws -> Visit {
    do {
      let client = try server.client()
      let state = IncarnationState(
        incarnation: incarnation, confirmed: ActionNumber(receipts.count),
        oldest: ActionNumber(receipts.count) + 1, next: ActionNumber(bodies.count) + 1)
      try client.send(.hello(Hello(token: token, incarnations: [state])))
      for number in max(1, receipts.count)...max(1, bodies.count) where number <= bodies.count {
        try client.send(.act(act(number)))
      }
      if let newest = receipts.last {
        guard let again = try receipt(client) else { return try farewell() }
        #expect(again == newest)
      }
      while receipts.count < bodies.count {
        guard let receipt = try receipt(client) else { return try farewell() }
        #expect(receipt.number == ActionNumber(receipts.count) + 1)
        receipts.append(receipt)
      }
      return .settled
    } catch WireClient.Failure.closed {
      return .serverDied
    } catch WireClient.Failure.connect {
      return .serverDied
    }
  }

  private var goodbye: Goodbye?

  private mutating func receipt(_ client: WireClient) throws -> Receipt? {
    while true {
      switch try client.next() {
      case .receipt(let receipt): return receipt
      case .goodbye(let goodbye):
        self.goodbye = goodbye
        return nil
      default: continue
      }
    }
  }

  private func farewell() throws -> Visit {
    .turnedAway(try #require(goodbye))
  }
}
