import AuthorityServer
import FaultProxy
import TestSupport
import Testing
import Transport
import WatchTransfer

/// D16: a real watch whose connection ends at every byte of what it says and of what it is told.
/// The history is checked: what was acknowledged is there once, in order, and nothing else is.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CutAnywhereTests {
  /// Watches that work beside each other, each in an account of its own.
  private static let watches = 8

  @Test(arguments: Route.allCases, FaultDirection.allCases)
  func `D16: a cut at every byte of request and reply loses nothing, does nothing twice`(
    route: Route, direction: FaultDirection
  ) async throws {
    try await tell(.cut, direction, over: route, every: 1)
  }

  @Test(arguments: FaultDirection.allCases)
  func `F2: a reset at any byte loses nothing and does nothing twice`(
    direction: FaultDirection
  ) async throws {
    try await tell(.reset, direction, over: .tcp, every: isFullForm ? 1 : 7)
  }

  @Test(arguments: Route.allCases, FaultDirection.allCases)
  func `F1: a stream that ends at any byte in one direction loses nothing and does nothing twice`(
    route: Route, direction: FaultDirection
  ) async throws {
    try await tell(.halfClose, direction, over: route, every: isFullForm ? 1 : 11)
  }

  @Test(arguments: FaultDirection.allCases)
  func `F3: a peer that vanishes at any byte is given up, and loses nothing`(
    direction: FaultDirection
  ) async throws {
    try await tell(.stall, direction, over: .tcp, every: isFullForm ? 17 : 97)
  }

  private func tell(
    _ ending: FaultEnding, _ direction: FaultDirection, over route: Route, every stride: UInt64
  ) async throws {
    var limits = ProxiedServer.limits
    limits.idleMilliseconds = 1_000
    let server = try await ProxiedServer(route, limits: limits)
    let start = monotonicMilliseconds()
    let cuts = try await withThrowingTaskGroup(of: Int.self) { group in
      for index in 0..<Self.watches {
        let account = "account \(index)"
        try await server.fixture.addAccount(account)
        let token = try await server.fixture.pair(.watch, account: account)
        let (proxy, address) = try await server.another(route, named: account)
        let directory = "\(server.fixture.directory.path)/watch \(index)"
        group.addTask {
          let wrist = Wrist(at: address, token: token, directory: directory)
          return try await Self.wear(
            wrist, behind: proxy, ending, direction, from: UInt64(index) * stride,
            by: stride * UInt64(Self.watches))
        }
      }
      var sum = 0
      for try await count in group { sum += count }
      return sum
    }
    let status = try await server.fixture.status()
    #expect(status.conflicts == 0 && status.settled == 0 && status.missing == 0)
    #expect(status.alarms.isEmpty, "\(status.alarms)")
    #expect(!server.fixture.failure.isRaised)
    await server.stop()
    #expect(try server.fixture.offlineCheck().isEmpty)
    print(
      "\(ending) \(direction) over \(route): \(cuts) connections ended in "
        + "\(monotonicMilliseconds() - start) ms")
  }

  /// Ends the first connection of each run one step later, until it is not ended any more.
  private static func wear(
    _ wrist: Wrist, behind proxy: FaultProxy, _ ending: FaultEnding, _ direction: FaultDirection,
    from first: UInt64, by step: UInt64
  ) async throws -> Int {
    try await wrist.act(2, makesMatch: true)
    var at = first
    var ended = 0
    while true {
      let faults = Faults.ending(ending, after: at)
      await proxy.use(
        up: direction == .up ? faults : Faults(), down: direction == .down ? faults : Faults(),
        connections: 1)
      let before = await proxy.statistics
      let state = try await wrist.act(2, makesMatch: ended % 50 == 49)
      let after = await proxy.statistics
      try check(wrist, state, "\(ending) \(direction) at \(at)")
      let count = count(of: ending, in: after) - count(of: ending, in: before)
      if count == 0 { break }
      ended += 1
      at += step
    }
    await proxy.stop()
    return ended
  }

  private static func count(of ending: FaultEnding, in statistics: ProxyStatistics) -> Int {
    switch ending {
    case .cut: statistics.cuts
    case .reset: statistics.resets
    case .halfClose: statistics.halfCloses
    case .stall: statistics.stalls
    }
  }

  /// The account is this watch's alone: each revision after the first is one of its actions.
  private static func check(_ wrist: Wrist, _ state: Shown, _ moment: String) throws {
    let revisions = wrist.revisions
    let first = revisions.first ?? 0
    try expect(
      revisions == Array(first..<first + UInt64(revisions.count)),
      "\(moment): revisions \(revisions.suffix(6))")
    try expect(
      state.homeScore == wrist.points, "\(moment): \(state.homeScore) points of \(wrist.points)")
    try expect(state.revision >= revisions.last ?? 0, "\(moment): shown \(state.revision)")
  }
}
