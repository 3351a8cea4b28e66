import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.serialized, .timeLimit(.minutes(5))) struct ConvergenceTests {
  /// Surfaces of one account that act, leave, come back, ask again and repeat themselves, while the
  /// server restarts, crashes and has its clock moved: what happens follows from the seed.
  struct Story {
    var random: SeededGenerator
    var fixture: ServerFixture
    let devices: [TestDevice]
    let match = MatchID.random()
    /// Every receipt that anybody was given.
    var receipts: [IncarnationNumber: Receipt] = [:]

    init(seed: UInt64) async throws {
      random = SeededGenerator(seed: seed)
      var limits = ServerLimits()
      limits.checkpointSeconds = 1
      fixture = try await Scene.server(limits: limits)
      var devices: [TestDevice] = []
      for name in ["a", "b", "c"] { devices.append(try await fixture.device(.phone, name: name)) }
      self.devices = devices
      for device in devices { try device.connect() }
    }

    mutating func step() async throws {
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50: try act(by: device, count: 1)
      case 50..<65: try act(by: device, count: Int.random(in: 2...20, using: &random))
      case 65..<75: try ask(again: device)
      case 75..<80: device.disconnect()
      case 80..<90: try repeatOld(by: device)
      case 90..<94:
        try await fixture.advanceClock(milliseconds: .random(in: 1...90_000_000, using: &random))
      case 94..<97: try await fixture.restart()
      default: try await crash()
      }
    }

    private mutating func connected(_ device: TestDevice) throws {
      guard device.client == nil else { return }
      try device.connect(minimumInterval: Bool.random(using: &random) ? 0 : 400)
    }

    private mutating func act(by device: TestDevice, count: Int) throws {
      try connected(device)
      let acts = (0..<count).map { _ in device.queue(anyAction()) }
      try device.send(pipelined: acts)
      for act in acts {
        let receipt = try device.receipt(of: act)
        let number = IncarnationNumber(incarnation: act.incarnation, number: act.number)
        #expect(receipts.updateValue(receipt, forKey: number) == nil)
        device.outbox.confirmed = act.number
      }
    }

    private mutating func anyAction() -> Action {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: Scene.match(match)
      case 1, 2: Scene.point(in: match)
      case 3: .setTheme(mode: ThemeMode.allCases.randomElement(using: &random) ?? .auto)
      case 4: .markWorkout(log: .random(), workout: .title("Row"))
      case 5: .unmarkWorkout(workout: .title("Row"))
      case 6: .unscheduleWorkout(id: .random())
      case 7: .setZone(id: ["Europe/Berlin", "Asia/Tokyo"].randomElement(using: &random) ?? "")
      default: Scene.goal(Int.random(in: 0..<5, using: &random))
      }
    }

    private mutating func ask(again device: TestDevice) throws {
      try connected(device)
      try device.sync()
      let cursor = device.state.cursor(facetSet: device.kind.facetSet)
      try device.resume(after: Bool.random(using: &random) ? cursor : nil)
      try device.sync()
    }

    private mutating func repeatOld(by device: TestDevice) throws {
      guard device.outbox.next > 1 else { return }
      try connected(device)
      let lowest = device.outbox.next > 250 ? device.outbox.next - 250 : 1
      let number = ActionNumber.random(in: lowest..<device.outbox.next, using: &random)
      let act = device.outbox.again(number)
      let known = receipts[IncarnationNumber(incarnation: act.incarnation, number: number)]
      try device.send(.act(act))
      #expect(try device.receipt(of: act) == known)
    }

    /// What is on the disk now is all that is left.
    private mutating func crash() async throws {
      let copy = try await fixture.copied()
      await fixture.stop()
      try copy.start()
      fixture = copy
      for device in devices { device.fixture = copy }
    }
  }

  @Test(arguments: (isFullForm ? 1...100 : 1...6) as ClosedRange<UInt64>)
  func `whatever happens, all surfaces end with the same state`(seed: UInt64) async throws {
    var story = try await Story(seed: seed)
    for _ in 1...150 { try await story.step() }
    for device in story.devices {
      if device.client == nil { try device.connect() }
      try device.perform(Scene.goal(Int(seed)))
    }
    let last = try #require(story.devices.last)
    let cold = try await story.fixture.device(.phone, name: "cold")
    try cold.connect(cursor: nil)
    for device in story.devices {
      // A revision that nobody sees is told to nobody but who asks.
      try device.resume(after: device.state.cursor(facetSet: device.kind.facetSet))
      try device.catchUp(to: cold.state.revision)
      #expect(
        device.state.contents == cold.state.contents(shownOn: device.kind), "seed \(seed)")
    }
    #expect(try last.shownGoal == Int(seed))
    #expect(try await story.fixture.check().isEmpty)
    await story.fixture.stop()
    #expect(try story.fixture.offlineCheck().isEmpty)
  }
}
