import TestSupport
import Testing
import WatchTransfer
import WireFormat

@testable import AuthorityServer

/// The limits of faults.md E that are about accounts and devices.
@Suite(.timeLimit(.minutes(1))) struct RateTests {
  /// What a device may ask too often, and the limits that say how often.
  enum Flood: CaseIterable, Sendable {
    case fetch, query, chunk, resume, ping, pong, pulse

    var message: ClientMessage {
      switch self {
      case .fetch:
        .fetch(Fetch(view: WidgetView(kind: .streak, family: .small, appearance: .day)))
      case .query: .query(Query(id: 1, question: .history(HistoryQuestion())))
      case .chunk:
        .chunk(
          Chunk(
            hash: AttachmentHash(bytes: Array(repeating: 1, count: 32))!, totalBytes: 1, offset: 0))
      case .resume: .resume(nil)
      case .ping: .ping(Ping(nonce: 1))
      case .pong: .pong(Pong(nonce: 1))
      case .pulse: .pulse(Scene.pulse(of: SessionID(high: 1, low: 1), 120))
      }
    }

    var limit: String {
      switch self {
      case .fetch: "fetchesPerSecond"
      case .query: "queriesPerSecond"
      case .chunk: "chunksPerSecond"
      case .resume: "resumesPerSecond"
      case .ping, .pong: "pingsPerSecond"
      case .pulse: "pulsesPerSecond"
      }
    }

    func limits(burst: Int) -> ServerLimits {
      var limits = ServerLimits()
      limits.fetchesPerSecond = 1
      limits.queriesPerSecond = 1
      limits.chunksPerSecond = 1
      limits.resumesPerSecond = 1
      limits.pingsPerSecond = 1
      limits.pulsesPerSecond = 1
      switch self {
      case .fetch: limits.fetchesBurst = burst
      case .query: limits.queriesBurst = burst
      case .chunk: limits.chunksBurst = burst
      // The first greeting counts as one.
      case .resume: limits.resumesBurst = 1 + burst
      case .ping, .pong: limits.pingsBurst = burst
      case .pulse: limits.pulsesBurst = burst
      }
      return limits
    }
  }

  @Test(arguments: Flood.allCases)
  func `what a device asks beyond its rate is read later, and others do not wait`(flood: Flood)
    async throws
  {
    let (burst, more) = (20, 1)
    let fixture = try await Scene.server(limits: flood.limits(burst: burst))
    let greedy = try await fixture.device(.phone)
    let other = try await fixture.device(.watch)
    greedy.answersPings = false
    try greedy.connect()
    try other.connect()
    let client = try #require(greedy.client)
    let frame = MessageEncoder().frame(flood.message)
    // As many as it may at once are taken.
    try client.send(bytes: Array(repeatElement(frame, count: burst).joined()))
    try other.perform(Scene.goal(1))
    var refusals = try await fixture.status().limitRefusals[flood.limit]
    #expect(refusals == 0)
    // More are not, until some come back.
    try client.send(bytes: Array(repeatElement(frame, count: more).joined()))
    while refusals == 0 { refusals = try await fixture.status().limitRefusals[flood.limit] }
    try other.perform(Scene.goal(2))
    // It is read in the end: what comes behind it is answered, and nothing was lost.
    try greedy.perform(Scene.goal(3))
    switch flood {
    case .fetch:
      #expect(
        greedy.log.filter { if case .snapshot = $0 { true } else { false } }.count == burst + more)
    case .query:
      #expect(
        greedy.log.filter { if case .page = $0 { true } else { false } }.count == burst + more)
    case .chunk:
      #expect(
        greedy.log.filter { if case .chunkState = $0 { true } else { false } }.count
          == burst + more)
    case .resume:
      #expect(greedy.updates.filter { $0.from == 0 }.count >= burst + more)
    case .ping:
      #expect(
        greedy.log.filter { if case .pong = $0 { true } else { false } }.count == burst + more)
    case .pong: break
    case .pulse: #expect(try await fixture.status().pulses == burst + more)
    }
    await fixture.stop()
  }

  @Test func `a new connection does not fill a device's bucket`() async throws {
    let fixture = try await Scene.server(limits: Flood.resume.limits(burst: 2))
    let phone = try await fixture.device(.phone)
    for _ in 1...2 {
      try phone.connect()
      try phone.resume(after: nil)
      try phone.sync()
      phone.disconnect()
    }
    try phone.connect()
    for _ in 1...4 { try phone.resume(after: nil) }
    while try await fixture.status().limitRefusals["resumesPerSecond"] == 0 {}
    await fixture.stop()
  }

  @Test(arguments: [false, true])
  func `who comes back for the whole state too often waits, and who has it does not`(
    hasOldCursor: Bool
  ) async throws {
    let fixture = try await Scene.server(limits: Flood.resume.limits(burst: 2))
    let phone = try await fixture.device(.phone)
    let old = Cursor(epoch: EpochID(high: 1, low: 2), revision: 3, facetSet: 0)
    func greet() throws -> Goodbye? {
      phone.disconnect()
      let client = try fixture.client()
      var hello = phone.hello()
      hello.cursor = hasOldCursor ? old : nil
      try client.send(.hello(hello))
      while true {
        switch try client.next() {
        case .update: return nil
        case .goodbye(let goodbye): return goodbye
        default: break
        }
      }
    }
    for _ in 1...3 { #expect(try greet() == nil) }
    let goodbye = try #require(try greet())
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    #expect((1_000..<2_000).contains(goodbye.retryAfterMilliseconds))
    var refusals = try await fixture.status().limitRefusals["resumesPerSecond"]
    #expect(refusals == 1)
    // It is let in again in the end; with what it has got it comes as often as it likes.
    while true {
      do {
        try phone.connect()
        break
      } catch {
        #expect(error as? WireClient.Failure == .unexpected("goodbye tooMany"))
      }
    }
    try phone.sync()
    refusals = try await fixture.status().limitRefusals["resumesPerSecond"]
    for _ in 1...10 {
      phone.disconnect()
      try phone.connect()
      try phone.sync()
    }
    #expect(try await fixture.status().limitRefusals["resumesPerSecond"] == refusals)
    await fixture.stop()
  }

  @Test func `the smallest frame that may be allowed is one that a server starts with`()
    async throws
  {
    var limits = ServerLimits()
    limits.clientFrameBytesMax = FrameLimits.clientFrameBytesMin
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    try phone.connect()
    try phone.perform(Scene.goal(1))
    await fixture.stop()
  }

  @Test func `who comes back too often does not lose the connection that works`() async throws {
    let fixture = try await Scene.server(limits: Flood.resume.limits(burst: 2))
    let phone = try await fixture.device(.phone)
    try phone.connect()
    for _ in 1...4 { try phone.resume(after: nil) }
    while try await fixture.status().limitRefusals["resumesPerSecond"] == 0 {}
    let second = try fixture.client()
    var hello = phone.hello()
    hello.cursor = Cursor(epoch: EpochID(high: 1, low: 2), revision: 3, facetSet: 0)
    try second.send(.hello(hello))
    guard case .goodbye(let goodbye) = try second.next(), goodbye.reason == .tooMany else {
      Issue.record("the second connection was not turned away")
      return await fixture.stop()
    }
    try phone.perform(Scene.goal(1))
    #expect(try await fixture.status().closed["replaced"] == nil)
    await fixture.stop()
  }

  @Test func `who asks for everything and does not read is owed it once`() async throws {
    let count = 20_000
    let fixture = try await Scene.server(limits: Flood.resume.limits(burst: count))
    let phone = try await fixture.device(.phone)
    phone.usesUnixSocket = true
    try phone.connect()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let frame = MessageEncoder().frame(ClientMessage.resume(nil))
    let act = phone.queue(Scene.goal(1))
    // Once another device is shown the act behind them, all were taken, and nothing was read.
    phone.client?.sendBeside(
      bytes: Array(repeatElement(frame, count: count).joined())
        + MessageEncoder().frame(ClientMessage.act(act)))
    while try watch.shownGoal != 1 { try watch.sync() }
    _ = try phone.receipt(of: act)
    let whole = phone.updates.count { $0.from == 0 }
    #expect(whole > 1 && whole < count / 2, "\(whole) of \(count)")
    await fixture.stop()
  }

  @Test func `readers that owe too much together are cut off, and the others are not`() async throws
  {
    var limits = ServerLimits()
    limits.bufferedBytesMax = 1_048_576
    let fixture = try await Scene.server(limits: limits)
    let phone = try await fixture.device(.phone)
    try phone.connect()
    let view = WidgetView(kind: .today, family: .large, appearance: .both)
    let fetch = MessageEncoder().frame(.fetch(Fetch(view: view)))
    var readers: [TestDevice] = []
    for index in 1...8 {
      let reader = try await fixture.device(.watch, name: "\(index)")
      reader.usesUnixSocket = true
      try reader.connect()
      reader.client?.sendBeside(bytes: Array(repeatElement(fetch, count: 5_000).joined()))
      readers.append(reader)
    }
    while try await fixture.status().closed["overBudget", default: 0] < 2 { try phone.sync() }
    try phone.perform(Scene.goal(1))
    let status = try await fixture.status()
    #expect(status.limitRefusals["bufferedBytesMax"] == status.closed["overBudget"])
    #expect(try #require(status.limitUse["bufferedBytesMax"]) <= limits.bufferedBytesMax)
    await fixture.stop()
  }

  @Test func `a device that acts too often is held, and another account does not wait`()
    async throws
  {
    var limits = ServerLimits()
    limits.actsPerSecond = 1
    limits.actsBurst = 3
    let fixture = try await Scene.server(limits: limits)
    try await fixture.addAccount("ben")
    let greedy = try await fixture.device(.phone)
    let other = try await fixture.device(.phone, account: "ben")
    try greedy.connect()
    try other.connect()
    try greedy.send(pipelined: (1...6).map { greedy.queue(Scene.goal($0)) })
    let hold = try greedy.wait { if case .hold(let hold) = $0 { hold } else { nil } }
    #expect(hold.number == 4)
    guard case .busy(let wait) = hold.reason else {
      Issue.record("\(hold)")
      return
    }
    #expect(wait > 0)
    try other.perform(Scene.goal(1))
    #expect(try await fixture.status().limitRefusals["actsPerSecond"] == 1)
    await fixture.stop()
  }

  @Test(arguments: [1, 3])
  func `an account has as many connections as it may, and one more is told to wait`(max: Int)
    async throws
  {
    var limits = ServerLimits()
    limits.connectionsPerAccountMax = max
    let fixture = try await Scene.server(limits: limits)
    var devices: [TestDevice] = []
    for index in 0...max { devices.append(try await fixture.device(.phone, name: "\(index)")) }
    for device in devices.dropLast() { try device.connect() }
    let last = try #require(devices.last)
    try last.begin()
    let goodbye = try last.goodbye()
    #expect(goodbye.reason == .tooMany && goodbye.comeBack)
    // A device that comes again replaces itself, and takes no other's place.
    try devices[0].connect()
    let status = try await fixture.status()
    #expect(status.limitRefusals["connectionsPerAccountMax"] == 1)
    while try await fixture.status().limitUse["connectionsPerAccountMax"] != max {
      await Task.yield()
    }
    try await fixture.revoke("0")
    try last.connect()
    await fixture.stop()
  }

  @Test func `every limit that can be reached is a limit, and stands in status with its use`()
    async throws
  {
    let names = Set(ServerLimits.table.map(\.name))
    for limit in ReachedLimit.allCases { #expect(names.contains(limit.rawValue), "\(limit)") }
    let fixture = try await Scene.server()
    let status = try await fixture.status()
    #expect(Set(status.limits.keys) == names)
    #expect(status.limitUse.keys.allSatisfy(names.contains))
    #expect(Set(status.limitRefusals.keys) == Set(ReachedLimit.allCases.map(\.rawValue)))
    #expect(status.limitRefusals.values.allSatisfy { $0 == 0 })
    await fixture.stop()
  }
}
