import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct MeasuringTests {
  /// A match whose clock the phone runs, and a watch whose wall clock is two hours slow.
  struct Pitch {
    let fixture: ServerFixture
    let watch: TestDevice
    let match = MatchID.random()

    init(measureMilliseconds: Int = 5_000) async throws {
      var limits = ServerLimits()
      limits.measureMilliseconds = measureMilliseconds
      fixture = try await Scene.server(limits: limits)
      let phone = try await fixture.device(.phone)
      try phone.connect()
      try phone.perform(Scene.match(match))
      try phone.perform(.controlClock(match: match, control: .start))
      watch = try await fixture.device(.watch)
      watch.clock = TestClock(wall: Scene.noon.advanced(milliseconds: -7_200_000))
      watch.answersPings = false
      try watch.connect()
    }

    /// The server's newest ping is answered now.
    func answerPing() throws {
      try watch.sync()
      let nonce = watch.log.compactMap { message -> UInt64? in
        if case .ping(let ping) = message { ping.nonce } else { nil }
      }.last
      let clock = watch.clock?.reading()
      try watch.send(.pong(Pong(nonce: try #require(nonce), clock: clock)))
    }

    var pause: Action { .controlClock(match: match, control: .pause) }
  }

  @Test
  func `a wish about now waits for the first sample of its device's clock, and is judged by it`()
    async throws
  {
    let pitch = try await Pitch()
    let watch = pitch.watch
    let acts = [watch.queue(pitch.pause), watch.queue(Scene.goal(1))]
    try watch.send(pipelined: acts)
    // What comes behind it waits too: order is kept.
    #expect(try watch.sync().filter(\.answersAnAct).isEmpty)
    try pitch.answerPing()
    let outcomes = try acts.map { try watch.receipt(of: $0).outcome.word }
    #expect(outcomes == ["applied", "applied"], "by its wall clock it would have expired")
    #expect(try watch.shownClock?.phase == .paused)
    // Measured once, it is judged at once.
    try watch.perform(.controlClock(match: pitch.match, control: .start))
    await pitch.fixture.stop()
  }

  @Test func `without a sample the wall clock decides after a while`() async throws {
    let pitch = try await Pitch(measureMilliseconds: 300)
    let watch = pitch.watch
    // Not even the greeting told of its clock.
    watch.greetsWithClock = false
    watch.clock?.reboot()
    try watch.connect()
    let acts = [watch.queue(pitch.pause), watch.queue(Scene.goal(1))]
    try watch.send(pipelined: acts)
    let outcomes = try acts.map { try watch.receipt(of: $0).outcome.word }
    #expect(outcomes == ["expired", "applied"])
    // It does not wait again on this connection.
    #expect(try watch.perform(pitch.pause).outcome == .expired)
    await pitch.fixture.stop()
  }

  @Test func `a fact waits for no sample, nor does an act without a boot clock`() async throws {
    let pitch = try await Pitch()
    let watch = pitch.watch
    #expect(try watch.perform(Scene.point(in: pitch.match)).outcome.word == "applied")
    let act = watch.outbox.act(pitch.pause, at: Scene.noon.advanced(milliseconds: 60_000))
    #expect(try watch.settle(act).outcome.word == "applied")
    await pitch.fixture.stop()
  }

  @Test func `what is done before the first sample is corrected by the greeting's clock`()
    async throws
  {
    let pitch = try await Pitch()
    let watch = pitch.watch
    // Two hours slow, and nothing measured: a mark made now is of now.
    try watch.perform(.markWorkout(log: .random(), workout: .title("Row")))
    let today = try #require(
      { if case .today(let today) = try watch.state.facet(.today) { today } else { nil } }())
    let item = try #require(today.days.first?.items.first)
    #expect(abs(item.at.milliseconds(since: Scene.noon)) < 60_000, "\(item.at)")
    // Of two edits made on it, before and after the first sample is in, the later one wins.
    let early = watch.queue(Scene.goal(1))
    #expect(try watch.settle(early).outcome.word == "applied")
    try pitch.answerPing()
    try watch.sync()
    #expect(try watch.perform(Scene.goal(2)).outcome.word == "applied")
    #expect(try watch.shownGoal == 2)
    await pitch.fixture.stop()
  }

  @Test func `an expiry counts from when the person acted, by the device's clock`() async throws {
    let pitch = try await Pitch()
    let watch = pitch.watch
    try pitch.answerPing()
    let moment = watch.moment
    func pause(expiringIn milliseconds: Int64) throws -> Outcome {
      let act = watch.outbox.act(
        pitch.pause, at: moment.wall, boot: moment.boot,
        expiresAt: moment.wall.advanced(milliseconds: milliseconds))
      return try watch.settle(act).outcome
    }
    #expect(try pause(expiringIn: -1) == .expired)
    #expect(try pause(expiringIn: 60_000).word == "applied")
    await pitch.fixture.stop()
  }

  @Test func `a device that starts again is measured again`() async throws {
    let pitch = try await Pitch()
    let watch = pitch.watch
    try pitch.answerPing()
    try watch.perform(pitch.pause)
    watch.clock?.reboot()
    watch.answersPings = true
    try watch.connect()
    try watch.sync()
    #expect(
      try watch.perform(.controlClock(match: pitch.match, control: .start)).outcome.word
        == "applied")
    await pitch.fixture.stop()
  }
}
