import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct CueTests {
  /// A match with a phone that presses and a watch that shows.
  struct Field {
    let fixture: ServerFixture
    let phone: TestDevice
    let watch: TestDevice
    let match = MatchID.random()

    init(minimumInterval: UInt32 = 0) async throws {
      fixture = try await Scene.server()
      phone = try await fixture.device(.phone)
      watch = try await fixture.device(.watch)
      try phone.connect()
      try phone.perform(Scene.match(match))
      try watch.connect(minimumInterval: minimumInterval)
    }

    /// A point that was pressed some time ago.
    func press(ago milliseconds: Int64) throws {
      let at = phone.moment.wall.advanced(milliseconds: -milliseconds)
      let receipt = try phone.settle(phone.outbox.act(Scene.point(in: match), at: at))
      #expect(receipt.outcome.word == "applied")
    }
  }

  @Test(arguments: [(0, 1), (4_000, 1), (6_000, 0), (600_000, 0)] as [(Int64, Int)])
  func `a point cues within five seconds of its press, and not later`(ago: Int64, cues: Int)
    async throws
  {
    let field = try await Field()
    try field.press(ago: ago)
    for device in [field.watch, field.phone] {
      try device.sync()
      let rung = device.updates.flatMap(\.cues)
      #expect(rung.map(\.kind) == Array(repeating: .goal, count: cues))
      #expect(try device.shownScore?.home == 1)
    }
    await field.fixture.stop()
  }

  @Test func `a mark cues that a workout is done`() async throws {
    let field = try await Field()
    try field.phone.perform(.markWorkout(log: .random(), workout: .title("Row")))
    try field.watch.sync()
    #expect(field.watch.updates.flatMap(\.cues).map(\.kind) == [.workoutDone])
    await field.fixture.stop()
  }

  @Test func `cues ride on no resume and on no late update`() async throws {
    let field = try await Field(minimumInterval: 1_000)
    try field.press(ago: 0)
    // The first update after the Welcome has to wait for the interval.
    try field.watch.catchUp(to: field.phone.state.revision)
    #expect(field.watch.updates.flatMap(\.cues).isEmpty)
    field.watch.disconnect()
    try field.press(ago: 0)
    try field.watch.connect()
    try field.watch.send(.resume(nil))
    try field.watch.nextUpdate()
    #expect(field.watch.updates.flatMap(\.cues).isEmpty)
    #expect(try field.watch.shownScore?.home == 2)
    await field.fixture.stop()
  }
}
