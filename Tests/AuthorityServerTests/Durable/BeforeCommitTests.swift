import AuthorityServer
import Storage
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct BeforeCommitTests {
  /// What must not leave while a change of its account is not durable.
  enum Leaving: String, CaseIterable {
    case update
    case receipt
    case repeatedReceipt
    case olderReceipt
    case conflict
    case hold
    case resume
    case welcome
    case snapshot
    case notModified
  }

  static let streak = WidgetView(kind: .streak, family: .small, appearance: .day)
  static let score = WidgetView(kind: .match, family: .small, appearance: .day)

  /// A match with a point that waits for the disk.
  struct Scenery {
    let fixture: ServerFixture
    let watch: TestDevice
    let phone: TestDevice
    let widget: TestDevice
    let match = MatchID.random()
    let first: Act
    let act: Act
    var streakHash: UInt64 = 0

    init() async throws {
      fixture = try await Scene.server()
      watch = try await fixture.device(.watch)
      phone = try await fixture.device(.phone)
      widget = try await fixture.device(.widget)
      try watch.connect()
      first = watch.queue(Scene.match(match))
      try watch.settle(first)
      try phone.connect()
      try widget.connect()
      try widget.send(.fetch(Fetch(view: streak)))
      streakHash = try widget.wait { if case .snapshot(let shot) = $0 { shot.hash } else { nil } }
      let held = Gate()
      fixture.faults.holdAppends { held.open() }
      act = watch.queue(Scene.point(in: match))
      try watch.send(.act(act))
      try held.wait()
    }

    /// Asks for something, and says who is to wait for which answer.
    func ask(for leaving: Leaving) throws -> (TestDevice, (ServerMessage) -> Bool) {
      switch leaving {
      case .update: break
      case .receipt: break
      case .repeatedReceipt: try watch.send(.act(act))
      case .olderReceipt: try watch.send(.act(first))
      case .conflict:
        var other = first
        other.body = Scene.brokenBody
        try watch.send(.act(other))
      case .hold:
        _ = watch.queue(Scene.goal(1))
        try watch.send(.act(watch.queue(Scene.goal(2))))
      case .resume: try phone.send(.resume(nil))
      case .welcome: try phone.begin()
      case .snapshot: try widget.send(.fetch(Fetch(view: score)))
      case .notModified: try widget.send(.fetch(Fetch(view: streak, knownHash: streakHash)))
      }
      return (asker(of: leaving), { answers($0, leaving) })
    }

    private func asker(of leaving: Leaving) -> TestDevice {
      switch leaving {
      case .receipt, .repeatedReceipt, .olderReceipt, .conflict, .hold: watch
      case .update, .resume, .welcome: phone
      case .snapshot, .notModified: widget
      }
    }

    private func answers(_ message: ServerMessage, _ leaving: Leaving) -> Bool {
      switch (leaving, message) {
      case (.receipt, .receipt(let receipt)), (.repeatedReceipt, .receipt(let receipt)):
        receipt.number == act.number
      case (.olderReceipt, .receipt(let receipt)): receipt.number == first.number
      case (.update, .update(let update)): update.to > 2
      case (.resume, .update(let update)): update.from == 0
      case (.conflict, .conflict), (.hold, .hold), (.welcome, .welcome), (.snapshot, .snapshot),
        (.notModified, .notModified):
        true
      default: false
      }
    }
  }

  @Test(arguments: Leaving.allCases)
  func `nothing of an account leaves while its newest change is not durable`(leaving: Leaving)
    async throws
  {
    let scenery = try await Scenery()
    let (device, isAnswer) = try scenery.ask(for: leaving)
    let early = try device.sync()
    #expect(!early.contains(where: isAnswer))
    scenery.fixture.faults.letAppendsGo()
    _ = try device.wait { isAnswer($0) ? true : nil }
    await scenery.fixture.stop()
  }

  @Test func `other accounts are answered meanwhile`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.phone)
    let ben = try await fixture.device(.phone, account: "ben")
    try anna.connect()
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try anna.offer(Scene.goal(1))
    try held.wait()
    try ben.connect()
    #expect(ben.welcome?.revision == 1)
    try ben.send(.resume(nil))
    #expect(try ben.nextUpdate().from == 0)
    fixture.faults.letAppendsGo()
    await fixture.stop()
  }

  @Test func `a turn is durable before the Welcome that it was made for`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let revision = watch.state.revision
    watch.disconnect()
    // A connected account is turned as soon as the clock is set.
    try await fixture.connectionsEnded()
    try await fixture.advanceClock(milliseconds: 3 * 86_400_000)
    let held = Gate()
    fixture.faults.holdAppends { held.open() }
    try watch.begin(cursor: watch.state.cursor(facetSet: DeviceKind.watch.facetSet))
    try held.wait()
    #expect(try watch.sync().isEmpty)
    fixture.faults.letAppendsGo()
    #expect(try watch.waitForWelcome().revision == revision + 1)
    let update = try watch.nextUpdate()
    #expect(update.from == revision && update.to == revision + 1)
    await fixture.stop()
  }

  @Test func `what was not durable when the server was asked to stop is answered before goodbye`()
    async throws
  {
    let scenery = try await Scenery()
    let (fixture, watch) = (scenery.fixture, scenery.watch)
    // A second batch is open, and a third act will stand in the socket.
    let second = watch.queue(Scene.goal(1))
    let third = watch.queue(Scene.goal(2))
    try watch.send(.act(second))
    try watch.sync()
    await fixture.keepClock()
    let server = try #require(fixture.server)
    async let stopped: Void = server.stop()
    // It stops reading: a ping has no answer any more.
    watch.client?.setTimeout(seconds: 1)
    while (try? watch.sync()) != nil {}
    watch.client?.setTimeout(seconds: 10)
    try watch.send(.act(third))
    fixture.faults.letAppendsGo()
    for act in [scenery.act, second] { _ = try watch.receipt(of: act) }
    let goodbye = try watch.goodbye()
    #expect(goodbye.reason == .shuttingDown && goodbye.comeBack)
    let receipts = watch.log.compactMap { message -> ActionNumber? in
      if case .receipt(let receipt) = message { receipt.number } else { nil }
    }
    #expect(receipts.last == second.number, "nothing new is decided")
    watch.disconnect()
    await stopped
    try fixture.start()
    #expect(try await fixture.status().recoveredRows == 0, "it was checkpointed")
    try watch.connect()
    #expect(watch.welcome?.expected.first?.number == third.number)
    await fixture.stop()
  }
}
