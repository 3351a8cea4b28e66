import Authority
import AuthorityServer
import TestSupport
import Testing
import WatchTransfer
import WireFormat

/// A match with everybody who has to do with it, over the wire.
@Suite(.timeLimit(.minutes(1))) struct MatchDayTests {
  /// A match that the phone made; the watch referees, a controller stands by.
  struct Pitch {
    let fixture: ServerFixture
    let phone: TestDevice
    let watch: TestDevice
    let match = MatchID.random()
    let ada = PlayerID.random()
    let ben = PlayerID.random()

    init() async throws {
      fixture = try await Scene.server()
      phone = try await fixture.device(.phone, name: "Bench")
      watch = try await fixture.device(.watch, name: "Wrist")
      try phone.connect()
      try watch.connect()
      try phone.perform(
        .newMatch(
          id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000,
          extraHalfMilliseconds: 900_000))
    }

    var squad: Action {
      .setSquad(
        match: match, team: .home,
        players: [
          SquadPlayer(id: ada, name: "Ada", number: 7, starts: true),
          SquadPlayer(id: ben, name: "Ben", starts: false),
        ])
    }

    func pass(minutes: Int64) async throws {
      try await fixture.advanceClock(milliseconds: minutes * 60_000)
    }
  }

  @Test func `the phone is shown who plays and for how long, the watch is not`() async throws {
    let pitch = try await Pitch()
    let (phone, watch) = (pitch.phone, pitch.watch)
    #expect(try phone.perform(pitch.squad).outcome.word == "applied")
    try watch.perform(.controlClock(match: pitch.match, control: .start))
    try await pitch.pass(minutes: 10)
    let entry = SubstitutionID.random()
    let substitution = Action.substitute(
      id: entry, match: pitch.match, team: .home, off: pitch.ada, on: pitch.ben)
    #expect(try watch.perform(pitch.squad).outcome == .refused(.forbidden))
    #expect(try watch.perform(substitution).outcome == .refused(.forbidden))
    #expect(try phone.perform(substitution).outcome.word == "applied")
    try watch.perform(Scene.point(in: pitch.match))
    try phone.sync()
    #expect(try phone.shownSquads?.home.map(\.isOnField) == [false, true])
    #expect(try phone.shownSquads?.substitutions.map(\.text) == ["Ben for Ada"])
    #expect(try phone.shownSquads?.substitutions.map(\.by) == ["Bench"])
    #expect(try phone.shownScore?.entries.map(\.by) == ["Wrist"], "who pressed")
    let clock = try #require(try phone.shownClock)
    let times = try #require(try phone.shownPlayTime?.entries)
    #expect(times.map(\.name) == ["Ada", "Ben"])
    #expect(times.map { $0.runningSince != nil } == [false, true])
    // Nobody else played: what both have played is what the clock shows, at any later moment.
    let later = Scene.noon.advanced(milliseconds: 3_600_000)
    #expect(
      times.map { $0.elapsedMilliseconds(at: later) }.reduce(0, +)
        == clock.elapsedMilliseconds(at: later))
    #expect(watch.state.contents[.squads] == nil)
    #expect(watch.state.contents[.playTime] == nil)
    #expect(
      try phone.perform(.undoSubstitution(match: pitch.match, id: entry)).outcome.word
        == "applied")
    try phone.sync()
    #expect(try phone.shownSquads?.home.map(\.isOnField) == [true, false])
    await pitch.fixture.stop()
  }

  @Test func `a takeover ends who drove the clock, from its own time on`() async throws {
    let pitch = try await Pitch()
    let (phone, watch) = (pitch.phone, pitch.watch)
    try watch.perform(.controlClock(match: pitch.match, control: .start))
    try phone.sync()
    #expect(try phone.shownClock?.recorder == watch.welcome?.device)
    try await pitch.pass(minutes: 10)
    let before = watch.outbox.act(
      .controlClock(match: pitch.match, control: .pause), at: Scene.noon.minutes(5))
    let after = watch.outbox.act(
      .controlClock(match: pitch.match, control: .start), at: Scene.noon.minutes(11))
    let taken = phone.outbox.act(.takeOverMatch(match: pitch.match), at: Scene.noon.minutes(10))
    #expect(try phone.settle(taken).outcome.word == "applied")
    #expect(try phone.shownClock?.recorder == phone.welcome?.device)
    try await pitch.pass(minutes: 20)
    #expect(try watch.settle(before).outcome.word == "applied", "a fact, however late")
    #expect(try watch.settle(after).outcome == .expired, "a wish by then")
    try phone.sync()
    #expect(try phone.shownClock?.phase == .paused)
    await pitch.fixture.stop()
  }

  @Test func `a controller's press is one act: once, and with the same id after a restart`()
    async throws
  {
    let pitch = try await Pitch()
    let controller = try await pitch.fixture.device(.controller, name: "Bar")
    try controller.connect()
    #expect(
      try controller.perform(.press(button: 1, gesture: .press)).outcome == .refused(.unmapped))
    try pitch.phone.perform(
      .setKeymap(bindings: [
        KeyBinding(button: 1, gesture: .press, command: .point(.away)),
        KeyBinding(button: 1, gesture: .hold, command: .undoPoint),
      ]))
    let press = controller.queue(.press(button: 1, gesture: .press))
    let receipt = try controller.settle(press)
    #expect(receipt.outcome.word == "applied")
    try controller.send(.act(press))
    #expect(try controller.receipt(of: press) == receipt)
    try pitch.phone.sync()
    let shown = try #require(try pitch.phone.shownScore)
    #expect(shown.away == 1)
    #expect(shown.entries.map(\.by) == ["Bar"])
    #expect(
      shown.entries.map(\.id)
        == [derivedID(of: IncarnationNumber(incarnation: press.incarnation, number: 2))])
    try await pitch.fixture.restart()
    try controller.connect()
    try controller.send(.act(press))
    #expect(try controller.receipt(of: press) == receipt)
    #expect(try controller.perform(.press(button: 1, gesture: .hold)).outcome.word == "applied")
    try pitch.phone.connect()
    try pitch.phone.sync()
    #expect(try pitch.phone.shownScore?.away == 0)
    for action in [Scene.goal(1), Scene.point(in: pitch.match), .setKeymap(bindings: [])] {
      #expect(try controller.perform(action).outcome == .refused(.forbidden))
    }
    await pitch.fixture.stop()
  }

  @Test func `a press whose clock is not known is measured before it is judged`() async throws {
    let pitch = try await Pitch()
    try pitch.phone.perform(
      .setKeymap(bindings: [KeyBinding(button: 1, gesture: .press, command: .point(.home))]))
    let controller = try await pitch.fixture.device(.controller, name: "Bar")
    // Two hours slow: by its wall clock every press would have expired.
    controller.clock = TestClock(wall: Scene.noon.minutes(-120))
    try controller.connect()
    #expect(try controller.perform(.press(button: 1, gesture: .press)).outcome.word == "applied")
    await pitch.fixture.stop()
  }

  @Test(arguments: [0, 1, 10, 47] as [Int64])
  func `SOC-03, SOC-11, SOC-13: a running clock is the same anchor after kills and delays`(
    minutes: Int64
  ) async throws {
    let pitch = try await Pitch()
    try pitch.watch.perform(.controlClock(match: pitch.match, control: .start))
    try pitch.watch.sync()
    let anchor = try #require(try pitch.watch.shownClock)
    let since = try #require(anchor.runningSince)
    for _ in 1...2 {
      try await pitch.pass(minutes: minutes)
      try await pitch.fixture.restart()
      // However late it is asked for, by whomever.
      let other = try await pitch.fixture.device(.watch, name: "late")
      try other.connect(cursor: nil)
      #expect(try other.shownClock == anchor)
      #expect(anchor.elapsedMilliseconds(at: since.minutes(20)) == 1_200_000)
      #expect(try other.shownClock?.phase == .running)
      try await pitch.fixture.revoke("late")
    }
    await pitch.fixture.stop()
  }

  @Test(arguments: [false, true])
  func `at every cap of a match its facets stay under 32 KiB, and what each surface is sent`(
    isOfSquads: Bool
  ) {
    var state = AccountState()
    state.apply(
      creationEvents(zone: .utc, at: Scene.noon)
        + fullMatchEvents(from: Scene.noon, isOfSquads: isOfSquads), revision: 1)
    let encoder = MessageEncoder()
    func bytes(_ kinds: [FacetKind]) -> Int {
      kinds.reduce(0) { $0 + encoder.encode(project(state, $1)).count }
    }
    for kind in FacetKind.allCases { #expect(bytes([kind]) <= 32_768, "\(kind)") }
    #expect(bytes(DeviceKind.watch.facets) <= 102_400)
    #expect(bytes(DeviceKind.phone.facets) <= 524_288)
    // Near the bounds, or the caps are not what is tested here.
    #expect(bytes([.squads]) > (isOfSquads ? 20_000 : 12_000), "\(bytes([.squads]))")
    #expect(bytes([.playTime]) > (isOfSquads ? 7_000 : 9_000), "\(bytes([.playTime]))")
  }
}

extension Instant {
  /// So many minutes later.
  fileprivate func minutes(_ count: Int64) -> Instant { advanced(milliseconds: count * 60_000) }
}
