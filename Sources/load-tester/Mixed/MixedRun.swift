internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// A crowd that behaves badly: whoever is sent away comes back. What a server may do to it is
/// counted; what it must never do is an error.
///
/// It runs on one thread, in a loop of what sockets bring and of what time asks for.
final class MixedRun {
  let options: LoadOptions
  let tokens: [[UInt8]]
  let stop: StopFlag
  let pool: ConnectionPool
  let encoder = MessageEncoder()
  let decoder = MessageDecoder(limits: .fromServer)
  var members: [Member] = []
  /// Whose a slot of the pool is.
  var memberOfSlot: [Int]
  /// Members that are away.
  var away: [Int] = []
  /// Members that have gone since `away` was looked at.
  var leftMeanwhile: [Int] = []
  /// Members without a Welcome.
  var greetingCount = 0
  /// Members whose sockets shall leave the pool.
  var detaching: [Int] = []
  /// Members that have acts to send again.
  var held: Set<Int> = []
  /// How many storms of an account there are.
  var sharers: [AccountID: Int] = [:]
  var address: SocketAddress?
  var random: SeededRandom
  var report: LoadReport
  /// From a connect of a stampede to its first update.
  var returns = LatencyHistogram()
  let requests: CrowdRequests
  let wallOffset = LoadRun.wallOffset()

  /// A crowd that has not come yet.
  init(_ options: LoadOptions, tokens: [[UInt8]], stop: StopFlag) throws {
    self.options = options
    self.tokens = tokens
    self.stop = stop
    pool = try LoadRun.pool(connections: tokens.count)
    memberOfSlot = Array(repeating: 0, count: tokens.count)
    random = SeededRandom(seed: options.seed)
    report = LoadReport(
      scenario: options.scenario, connections: tokens.count, pipeline: options.pipeline)
    requests = CrowdRequests(encoder)
    let behaviours = options.mix.behaviours(of: tokens.count, seed: options.seed)
    for (token, behaviour) in behaviours.enumerated() {
      members.append(
        Member(
          token: token, behaviour: behaviour,
          incarnation: LoadRun.incarnation(of: tokens[token])))
    }
    away = Array(members.indices)
  }

  /// Has the crowd there for the time that was asked, or until it is stopped.
  func load(_ address: SocketAddress) {
    self.address = address
    let usage = LoadRun.processorMicroseconds()
    let start = MonotonicInstant.now().nanoseconds
    let end = start + Int64(options.seconds) * Self.second
    let period = Int64(options.stampedeSeconds) * Self.second
    var nextStampede = start + period
    var nextSecond = start
    var now = start
    while now < end, stop.signal == nil {
      bringBack(by: now)
      resendHeld(by: now)
      if now >= nextStampede {
        stampede(at: now)
        nextStampede += period
      }
      if now >= nextSecond {
        sayHello(by: now)
        attendDetached(at: now)
        pool.sweep(now: .now())
        nextSecond += Self.second
      }
      pool.flush()
      turn()
      detach()
      now = MonotonicInstant.now().nanoseconds
    }
    report.nanoseconds = now - start
    report.ownMicroseconds = LoadRun.processorMicroseconds() - usage
    if returns.total > 0 {
      report.figures["returnP50Ms"] = Double(returns.quantile(0.5)) / 1e6
      report.figures["returnP99Ms"] = Double(returns.quantile(0.99)) / 1e6
      report.figures["returnMaxMs"] = Double(returns.longest) / 1e6
    }
    leave()
  }

  /// Takes down what happened and is no error.
  func happened(_ what: String) {
    report.happened[what, default: 0] += 1
  }

  private func turn() {
    pool.turn(waiting: .milliseconds(10)) { connection, event in
      guard Int(connection.slot) < memberOfSlot.count else { return 0 }
      let index = memberOfSlot[Int(connection.slot)]
      // Of a connection that its member has left.
      guard members[index].connection == connection, members[index].isAttached else { return 0 }
      switch event {
      case .received(let bytes): return receive(bytes, of: index)
      case .connected: greet(index)
      case .endOfInput: lost(index, "closed by the server")
      case .closed(let reason): lost(index, reason.words)
      case .drained: break
      }
      return 0
    }
  }

  private func leave() {
    pool.closeAll()
    for member in members {
      if case .detached(let socket) = member.phase { socket.close() }
    }
  }

  /// In nanoseconds.
  static var second: Int64 { 1_000_000_000 }
}
