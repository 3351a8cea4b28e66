import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct RepeatTests {
  @Test(arguments: OutcomeCase.allCases, AskingAgain.allCases)
  func `an act that is asked about again has the same receipt and no second effect`(
    outcome: OutcomeCase, way: AskingAgain
  ) async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    try phone.connect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    try phone.perform(.controlClock(match: match, control: .start))
    var device = try await fixture.device(outcome.kind)
    try device.connect()
    let act = outcome.act(of: device, match: match)
    let first = try device.settle(act)
    #expect(outcome.fits(first.outcome), "\(first.outcome)")
    try phone.sync()
    let (shown, revision) = (phone.state.contents, phone.state.revision)

    let serving = try await ask(again: way, &device, of: fixture)
    if device.welcome?.expected.isEmpty == false, way != .sameConnection {
      #expect(device.welcome?.expected.first?.number == act.number + 1)
    }
    for _ in 0..<3 { #expect(try device.settle(act) == first) }
    phone.fixture = serving
    try phone.connect(cursor: nil)
    #expect(phone.state.contents == shown)
    #expect(phone.state.revision == revision)
    // The number is used up: the next one is decided.
    let next = try device.settle(OutcomeCase.refused.act(of: device, match: match))
    #expect(next.number == act.number + 1)
    await serving.stop()
  }

  private func ask(
    again way: AskingAgain, _ device: inout TestDevice, of fixture: ServerFixture
  ) async throws -> ServerFixture {
    switch way {
    case .sameConnection:
      return fixture
    case .newConnection:
      try device.connect()
      return fixture
    case .otherDevice:
      let other = try await fixture.device(device.kind, name: "second")
      other.outbox = device.outbox
      device = other
      try device.connect()
      return fixture
    case .afterRestart:
      try await fixture.restart()
      try device.connect()
      return fixture
    case .afterCrash:
      let copy = try await fixture.copied()
      try copy.start()
      device.fixture = copy
      try device.connect()
      await fixture.stop()
      return copy
    }
  }

  @Test func `an outbox survives the pairing of a new device`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let act = watch.queue(Scene.goal(1))
    let receipt = try watch.settle(act)
    try await fixture.revoke("watch")
    let paired = try await fixture.device(.watch, name: "watch again")
    paired.outbox = watch.outbox
    try paired.connect()
    #expect(paired.welcome?.expected.first?.number == 2)
    #expect(paired.welcome?.device != watch.welcome?.device)
    #expect(try paired.settle(act) == receipt)
    #expect(try paired.perform(Scene.goal(2)).number == 2)
    await fixture.stop()
  }

  @Test func `an outbox of another account begins there with 1`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.watch)
    let ben = try await fixture.device(.watch, account: "ben")
    try anna.connect()
    let acts = [anna.queue(Scene.goal(1)), anna.queue(Scene.goal(2))]
    for act in acts { try anna.settle(act) }
    ben.outbox = TestOutbox(incarnation: anna.outbox.incarnation)
    try ben.connect()
    #expect(ben.welcome?.expected.first?.number == 1)
    #expect(ben.welcome?.account != anna.welcome?.account)
    #expect(try ben.held(acts[1]).reason == .gap(expected: 1))
    // Other bytes than Anna's: no conflict, and no effect on her.
    #expect(try ben.perform(Scene.goal(9)).number == 1)
    #expect(try ben.shownGoal == 9)
    try anna.connect(cursor: nil)
    #expect(try anna.shownGoal == 2)
    #expect(try anna.settle(acts[0]).number == 1)
    await fixture.stop()
  }

  @Test func `two copies in flight are joined and have one effect`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let second = try await fixture.device(.watch, name: "second")
    try watch.connect()
    let match = MatchID.random()
    try watch.perform(Scene.match(match))
    second.outbox = watch.outbox
    try second.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    let act = watch.queue(Scene.point(in: match))
    try watch.send(pipelined: [act, act])
    try held.wait()
    try second.send(.act(act))
    for device in [watch, second] {
      let early = try device.sync().contains { if case .receipt = $0 { true } else { false } }
      #expect(!early, "nothing is answered before it is durable")
    }
    fixture.faults.letAppendsGo()
    let receipts = [
      try watch.receipt(of: act), try watch.receipt(of: act), try second.receipt(of: act),
    ]
    #expect(Set(receipts).count == 1)
    #expect(try watch.shownScore?.home == 1)
    #expect(try second.shownScore?.entries.count == 1)
    #expect(try await fixture.status().actions.applied == 2)
    await fixture.stop()
  }
}
