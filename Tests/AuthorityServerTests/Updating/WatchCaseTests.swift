import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct WatchCaseTests {
  /// Minutes and seconds after 10:00.
  static func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant {
    Scene.instant("2026-06-15T10:00:00+02:00")
      .advanced(milliseconds: (minutes * 60 + seconds) * 1_000)
  }

  @Test(
    arguments: [
      // The watch pauses offline; it is delivered; what its receipt says.
      (at(0), at(5), .expired), (at(1, 30), at(3), .refused(.superseded)),
    ] as [(Instant, Instant, Outcome)])
  func `WCH-03: a pause made before a start that came first leaves the timer running`(
    paused: Instant, delivered: Instant, outcome: Outcome
  ) async throws {
    let fixture = try await Scene.server(at: Self.at(-10))
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    // The watch's wall clock is two hours off; its boot clock is measured by pings.
    phone.clock = TestClock(wall: Self.at(-10))
    watch.clock = TestClock(wall: Self.at(-130))
    try phone.connect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    try phone.perform(.controlClock(match: match, control: .start))
    try phone.perform(.controlClock(match: match, control: .pause))
    try watch.connect()
    try watch.sync()
    watch.disconnect()

    try await pass(until: paused, for: [phone, watch], on: fixture)
    let pause = watch.queue(.controlClock(match: match, control: .pause))
    try await pass(until: Self.at(2), for: [phone, watch], on: fixture)
    try phone.connect()
    try phone.sync()
    try phone.perform(.controlClock(match: match, control: .start))
    try await pass(until: delivered, for: [phone, watch], on: fixture)
    try watch.connect()
    // The server's monotonic clock did not pass as the watch's did: it is measured anew.
    try watch.sync()
    #expect(try watch.settle(pause).outcome == outcome)
    #expect(try watch.shownClock?.phase == .running)
    let since = try #require(try watch.shownClock?.runningSince)
    #expect(abs(since.milliseconds(since: Self.at(2))) < 2_000)
    await fixture.stop()
  }

  /// Time passes for the server and for devices.
  private func pass(until moment: Instant, for devices: [TestDevice], on fixture: ServerFixture)
    async throws
  {
    let now = try #require(Instant(rfc3339: try await fixture.status().clock))
    let span = moment.milliseconds(since: now)
    for device in devices { device.clock?.advance(milliseconds: span) }
    try await fixture.setClock(moment)
  }

  @Test func `WCH-05: a fact with an older stamp than the state is counted`() async throws {
    let fixture = try await Scene.server(at: Self.at(120))
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    let match = MatchID.random()
    func point(_ device: TestDevice, at moment: Instant) throws -> Outcome {
      try device.settle(device.outbox.act(Scene.point(in: match), at: moment)).outcome
    }
    try phone.settle(phone.outbox.act(Scene.match(match), at: Self.at(110)))
    #expect(try point(phone, at: Self.at(118)).word == "applied")
    // Five minutes slow, and no boot clock to correct it by.
    #expect(try point(watch, at: Self.at(115)).word == "applied")
    #expect(try watch.shownScore?.home == 2)
    await fixture.stop()
  }

  @Test(
    arguments: [
      // A frame of length 0; a message without a member; one with an unknown member.
      [0, 0, 0, 0], [0, 0, 0, 3, 0xC2, 0x3E, 0x00], [0, 0, 0, 2, 0x0A, 0x00],
    ] as [[UInt8]], [false, true])
  func `WCH-07: an empty message is answered once, and nothing changed`(
    bytes: [UInt8], repeats: Bool
  ) async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let revision = watch.state.revision
    try watch.client?.send(bytes: repeats ? bytes + bytes + bytes : bytes)
    #expect(try watch.goodbye().reason == .malformed)
    #expect(watch.client?.isClosedByPeer() == true)
    #expect(watch.log.count { if case .goodbye = $0 { true } else { false } } == 1)
    try watch.connect()
    #expect(watch.state.revision == revision)
    #expect(try await fixture.status().closed["malformed"] == 1)
    await fixture.stop()
  }

  @Test func `WCH-07: an act with an empty body is refused and uses up its number`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let receipt = try watch.settle(watch.outbox.act(body: []))
    #expect(receipt.outcome == .refused(.invalid(field: "body")))
    #expect(try watch.perform(Scene.goal(1)).number == 2)
    await fixture.stop()
  }
}
