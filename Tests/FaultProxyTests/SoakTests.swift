import AuthorityServer
import FaultProxy
import TestSupport
import Testing
import Transport
import WatchTransfer
import WireFormat

/// Many devices behind a proxy that has every fault at once.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SoakTests {
  private static let devices = 20
  /// Runs of each device, three actions each.
  private static let rounds = isFullForm ? 100 : 6

  /// Damaged bytes may be another action's bytes, and without TLS nobody can tell: they go to
  /// surfaces that do not act, beside those that count.
  @Test func `20 devices behind every fault at once end with one state, each action done once`()
    async throws
  {
    var limits = ProxiedServer.limits
    limits.idleMilliseconds = 1_000
    limits.frameMilliseconds = 600
    limits.greetingMilliseconds = 600
    let server = try await ProxiedServer(.tcp, limits: limits)
    await server.proxy.use(up: Self.faults, down: Self.faults)
    let (damaging, damagingAddress) = try await server.another(.tcp, named: "damaging")
    var damage = Self.faults
    damage.corrupt = .oneIn(bytes: 200)
    await damaging.use(up: damage, down: damage)
    let isOver = Flag()
    let widget = try await server.fixture.pair(.widget)
    let noise = Task {
      try await onThread { try Self.fetchDamaged(at: damagingAddress, widget, until: isOver) }
    }
    let start = monotonicMilliseconds()
    let revisions = try await withThrowingTaskGroup(of: [Revision].self) { group in
      for index in 0..<Self.devices {
        let token = try await server.fixture.pair(.watch, name: "watch \(index)")
        let directory = "\(server.fixture.directory.path)/watch \(index)"
        let address = server.address
        group.addTask {
          let wrist = Wrist(at: address, token: token, directory: directory)
          try await wrist.act(2, makesMatch: true)
          for _ in 1..<Self.rounds { try await wrist.act(3) }
          return wrist.revisions
        }
      }
      return try await group.reduce(into: [Revision]()) { $0 += $1 }
    }
    isOver.raise()
    let fetched = try await noise.value
    #expect(revisions.count == Self.devices * 3 * Self.rounds)
    #expect(Set(revisions).count == revisions.count, "two actions have one revision")
    let status = try await server.fixture.status()
    #expect(status.actions.applied == revisions.count)
    #expect(status.conflicts == 0 && status.settled == 0 && status.missing == 0)
    try await Self.compare(server)
    let statistics = await server.proxy.statistics
    #expect(statistics.cuts > 0 && statistics.resets > 0 && statistics.halfCloses > 0)
    #expect(statistics.stalls > 0 && statistics.delayed > 0)
    let damaged = await damaging.statistics.corrupted
    #expect(damaged > 0)
    print(
      "soak: \(revisions.count) actions in \(monotonicMilliseconds() - start) ms over "
        + "\(statistics.connections) connections, \(statistics.cuts) cuts, \(statistics.resets) "
        + "resets, \(statistics.halfCloses) half-closes, \(statistics.stalls) stalls; beside them "
        + "\(fetched) answers behind \(damaged) damaged bytes; closed \(status.closed)")
    await damaging.stop()
    await server.stop()
    #expect(try server.fixture.offlineCheck().isEmpty)
  }

  private static var faults: Faults {
    var faults = Faults()
    faults.delay = .milliseconds(0) ... .milliseconds(3)
    faults.split = 1...40
    faults.cut = .oneIn(bytes: 6_000)
    faults.reset = .oneIn(bytes: 6_000)
    faults.halfClose = .oneIn(bytes: 9_000)
    faults.stall = .oneIn(bytes: 20_000)
    return faults
  }

  /// What a surface that was there all the time is shown is what a cold one is shown.
  private static func compare(_ server: ProxiedServer) async throws {
    let fixture = server.fixture
    let first = try await fixture.device(.phone, name: "first")
    try first.connect(cursor: nil)
    let second = try await fixture.device(.phone, name: "second")
    try second.connect(cursor: nil)
    #expect(first.state.contents == second.state.contents)
    #expect(first.state.revision == second.state.revision)
  }

  /// A widget that asks through damage: whatever comes, it comes again. How often it was answered.
  private static func fetchDamaged(
    at address: SocketAddress, _ token: [UInt8], until isOver: Flag
  ) throws -> Int {
    var answers = 0
    while !isOver.isRaised {
      let client = try WireClient(to: address)
      client.setTimeout(seconds: 1)
      do {
        _ = try client.greet(Hello(token: token))
        for _ in 0..<20 {
          try client.send(
            .fetch(Fetch(view: WidgetView(kind: .match, family: .small, appearance: .day))))
          _ = try client.snapshot()
          answers += 1
        }
      } catch {}
    }
    return answers
  }
}
