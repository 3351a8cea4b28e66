import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct ConflictTests {
  @Test func `a number with other bytes is a conflict that tells the stored outcome`() async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let first = watch.queue(Scene.goal(1))
    let receipt = try watch.settle(first)
    var other = first
    other.body = watch.outbox.act(Scene.goal(2), at: watch.moment.wall).body
    #expect(try watch.conflict(other) == receipt)
    #expect(try watch.shownGoal == 1)
    // The right bytes still have their receipt.
    #expect(try watch.settle(first) == receipt)
    await fixture.stop()
  }

  @Test func `after a conflict the outbox's new acts are ignored on that connection alone`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let first = watch.queue(Scene.goal(1))
    try watch.settle(first)
    var other = first
    other.body = Scene.brokenBody
    _ = try watch.conflict(other)
    let next = watch.queue(Scene.goal(2))
    _ = watch.queue(Scene.goal(3))
    try watch.send(pipelined: [next, watch.outbox.again(3)])
    // Neither decided nor held: the client has to notice.
    #expect(try watch.sync().filter(\.answersAnAct).isEmpty)
    var fresh = TestOutbox()
    _ = try watch.settle(fresh.act(Scene.goal(4), at: watch.moment.wall))
    try watch.connect()
    #expect(watch.welcome?.expected.first?.number == 2)
    try watch.settle(next)
    await fixture.stop()
  }

  /// A watch whose outbox was put back to what it was `lost` acts ago makes 500 acts offline, some
  /// of them about a match of the phone's, offers them, hears of the conflict, and moves them to a
  /// new incarnation.
  @Test(arguments: [1, 300])
  func `an outbox gone back in time loses nothing and does nothing twice`(lost: Int) async throws {
    let fixture = try await Scene.server()
    let phone = try await fixture.device(.phone)
    let watch = try await fixture.device(.watch)
    try phone.connect()
    try watch.connect()
    let match = MatchID.random()
    try phone.perform(Scene.match(match))
    for value in 1...5 { try watch.perform(Scene.goal(value)) }
    let old = watch.outbox
    for value in 1...lost { try watch.perform(Scene.goal(1_000 + value)) }
    watch.disconnect()

    watch.outbox = old
    let bodies = (0..<500).map { index in
      watch.queue(index % 50 == 0 ? Scene.point(in: match) : Scene.goal(2_000 + index)).body
    }
    try watch.connect()
    // It can tell from the Welcome already.
    #expect(watch.welcome?.expected.first?.number == ActionNumber(6 + lost))
    try watch.send(pipelined: (6...505).map { watch.outbox.again($0) })
    let answers = try watch.sync().filter(\.answersAnAct)
    let conflicts = answers.count { if case .conflict = $0 { true } else { false } }
    let settled = answers.count { if case .settled = $0 { true } else { false } }
    // The receipts of the newest 256 are kept; new numbers are ignored from the first conflict on.
    #expect(conflicts == min(lost, 256))
    #expect(settled == max(lost - 256, 0))
    #expect(answers.count == lost)
    watch.outbox = TestOutbox()
    try move(bodies, to: watch)
    #expect(try watch.shownScore?.home == 10)
    #expect(try watch.shownGoal == 2_499)
    let applied = try await fixture.status().actions.applied
    #expect(applied == 1 + 5 + lost + 500)
    try phone.sync()
    #expect(phone.state.contents(shownOn: .watch) == watch.state.contents)
    await fixture.stop()
  }

  /// Sends bodies under new numbers, at most 200 without a receipt.
  private func move(_ bodies: [[UInt8]], to watch: TestDevice) throws {
    for start in stride(from: 0, to: bodies.count, by: 200) {
      let acts = bodies[start..<min(start + 200, bodies.count)].map { watch.outbox.act(body: $0) }
      try watch.send(pipelined: acts)
      for act in acts {
        let receipt = try watch.receipt(of: act)
        #expect(receipt.outcome.word == "applied")
        watch.outbox.confirmed = act.number
      }
    }
  }
}
