import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct LiveTests {
  @Test func `a facet whose bytes did not change is not sent again`() async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try phone.perform(.setTheme(mode: .night))
    try watch.connect()
    let seen = watch.state.revision
    let themeRevision = watch.state.facets[.theme]?.revision
    let known = phone.updates.count
    let receipt = try phone.perform(.setTheme(mode: .night))
    #expect(receipt.outcome == .applied(seen + 1))
    // The asker hears of the revision, with nothing in it; the watcher of nothing.
    #expect(phone.updates[known...].map(\.to) == [seen + 1])
    #expect(phone.updates[known...].flatMap(\.facets).isEmpty)
    try watch.sync()
    #expect(watch.updates.count == 1)
    try phone.perform(Scene.goal(1))
    let update = try watch.nextUpdate()
    #expect(update.from == seen, "from is what the connection was sent last")
    #expect(update.facets.map(\.kind) == [.goals])
    try watch.connect()
    #expect(watch.state.facets[.theme]?.revision == themeRevision)
    await fixture.stop()
  }

  @Test(arguments: [0, 60_000] as [UInt32])
  func `a receipt never comes before its update, minimum interval or not`(interval: UInt32)
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect(minimumInterval: interval)
    let acts = (1...50).map { value in
      watch.queue(value % 5 == 0 ? .setTheme(mode: .day) : Scene.goal(value))
    }
    try watch.send(pipelined: acts)
    for act in acts {
      // The device fails on a receipt above what it was shown.
      guard case .applied(let revision) = try watch.receipt(of: act).outcome else {
        Issue.record("not applied")
        continue
      }
      #expect(watch.state.revision >= revision)
    }
    #expect(try watch.shownGoal == 49)
    await fixture.stop()
  }

  @Test func `between updates lies the interval the surface asked for, and nothing is lost`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect(minimumInterval: 1_500)
    let connectedAt = TestClock.machineMilliseconds()
    for value in 1...20 { try phone.perform(Scene.goal(value)) }
    #expect(TestClock.machineMilliseconds() - connectedAt < 1_500, "the machine is too slow")
    try watch.catchUp(to: phone.state.revision)
    let elapsed = TestClock.machineMilliseconds() - connectedAt
    #expect(elapsed >= 1_400 && elapsed < 5_000)
    #expect(watch.updates.count == 2, "the first, and one for all twenty changes")
    #expect(watch.state.contents == phone.state.contents(shownOn: .watch))
    await fixture.stop()
  }

  @Test func `the newest connection of a device takes over`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let second = TestDevice(fixture, token: watch.token, kind: .watch)
    second.outbox = watch.outbox
    try second.connect()
    let goodbye = try watch.goodbye()
    #expect(goodbye.reason == .replaced)
    #expect(goodbye.retryAfterMilliseconds == 60_000)
    #expect(!goodbye.comeBack)
    #expect(watch.client?.isClosedByPeer() == true)
    try second.perform(Scene.goal(5))
    #expect(try await fixture.status().closed["replaced"] == 1)
    #expect(try await fixture.status().connections == 1)
    await fixture.stop()
  }

  @Test func `WCH-09: a surface that asks again is answered although nothing changed`() async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    try watch.perform(Scene.goal(4))
    let cursor = watch.state.cursor(facetSet: DeviceKind.watch.facetSet)
    let revision = watch.state.revision
    for _ in 1...3 {
      try watch.resume(after: cursor)
      let update = try watch.nextUpdate()
      #expect(update.from == revision && update.to == revision && update.facets.isEmpty)
    }
    try watch.resume(after: nil)
    let whole = try watch.nextUpdate()
    #expect(whole.from == 0)
    #expect(whole.facets.map(\.kind) == DeviceKind.watch.facets)
    await fixture.stop()
  }

  @Test func `WCH-01: after days idle a surface is shown the last state once, without old moments`()
    async throws
  {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    var cursors = [watch.state.cursor(facetSet: DeviceKind.watch.facetSet)]
    watch.disconnect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    for _ in 1...12 {
      try phone.perform(Scene.point(in: match))
      cursors.append(phone.state.cursor(facetSet: DeviceKind.watch.facetSet))
    }
    let update = try watch.connect()
    #expect(update.to == phone.state.revision)
    #expect(try watch.shownScore?.home == 12)
    // The same news asked for from ever earlier cursors: the same end, and no haptic.
    for cursor in cursors.reversed() + cursors {
      try watch.resume(after: cursor)
      try watch.nextUpdate()
      #expect(watch.state.revision == phone.state.revision)
    }
    #expect(watch.updates.flatMap(\.cues).isEmpty)
    await fixture.stop()
  }
}
