import AuthorityServer
import TestSupport
import Testing
import WatchTransfer

@Suite(.timeLimit(.minutes(1))) struct HoldTests {
  @Test func `acts behind a gap are held once and dropped until the missing one comes`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let acts = (1...6).map { watch.queue(Scene.goal($0)) }
    let hold = try watch.held(acts[2])
    #expect(hold.reason == .gap(expected: 1))
    #expect(hold.number == 3)
    try watch.send(pipelined: [acts[3], acts[4]])
    #expect(try watch.sync().filter(\.answersAnAct).isEmpty, "dropped in silence")
    // The client resends from the expected one, in order.
    try watch.send(pipelined: acts)
    for act in acts { #expect(try watch.receipt(of: act).outcome.word == "applied") }
    #expect(try watch.shownGoal == 6)
    #expect(try await fixture.status().held == 1)
    await fixture.stop()
  }

  @Test func `a second gap is held again`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let acts = (1...5).map { watch.queue(Scene.goal($0)) }
    #expect(try watch.held(acts[1]).reason == .gap(expected: 1))
    try watch.settle(acts[0])
    #expect(try watch.held(acts[3]).reason == .gap(expected: 2))
    for act in acts[1...] { try watch.settle(act) }
    await fixture.stop()
  }

  @Test func `a gap of one outbox holds up no other`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    var other = TestOutbox()
    _ = watch.queue(Scene.goal(1))
    #expect(try watch.held(watch.queue(Scene.goal(2))).reason == .gap(expected: 1))
    let moment = watch.moment.wall
    let receipt = try watch.settle(other.act(Scene.goal(3), at: moment))
    #expect(receipt.incarnation == other.incarnation)
    #expect(try watch.shownGoal == 3)
    await fixture.stop()
  }

  @Test func `acts over the rate are held and taken later`() async throws {
    var limits = ServerLimits()
    limits.actsPerSecond = 2
    limits.actsBurst = 3
    let fixture = try await Scene.server(limits: limits)
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let acts = (1...6).map { watch.queue(Scene.goal($0)) }
    try watch.send(pipelined: acts)
    for act in acts[..<3] { _ = try watch.receipt(of: act) }
    let hold: Hold = try watch.wait { if case .hold(let hold) = $0 { hold } else { nil } }
    guard case .busy(let retryAfter) = hold.reason else {
      Issue.record("\(hold.reason)")
      return
    }
    #expect(retryAfter > 0)
    #expect(hold.number == 4)
    // Again and again until it is taken: a hold consumes nothing.
    var taken = 3
    while taken < acts.count {
      try watch.send(.act(acts[taken]))
      let answer = try watch.wait { $0.answersAnAct ? $0 : nil }
      if case .receipt(let receipt) = answer {
        #expect(receipt.number == acts[taken].number)
        taken += 1
      }
    }
    #expect(try watch.shownGoal == 6)
    await fixture.stop()
  }

  @Test func `256 acts may wait for their confirmation, the next is held, older ones are settled`()
    async throws
  {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    try watch.connect()
    let acts = (1...257).map { watch.queue(Scene.goal($0)) }
    try watch.send(pipelined: Array(acts[..<256]))
    for act in acts[..<256] { _ = try watch.receipt(of: act) }
    guard case .busy = try watch.held(acts[256]).reason else {
      Issue.record("number 257 with nothing confirmed")
      return
    }
    watch.outbox.confirmed = 1
    try watch.settle(watch.outbox.again(257))
    try watch.send(.act(watch.outbox.again(1)))
    let settled: IncarnationNumber = try watch.wait {
      if case .settled(let number) = $0 { number } else { nil }
    }
    #expect(settled.number == 1)
    #expect(try watch.settle(watch.outbox.again(2)).number == 2)
    try watch.perform(Scene.goal(300))
    #expect(try watch.shownGoal == 300)
    await fixture.stop()
  }

  @Test func `the ninth new outbox of a day is held until the next day`() async throws {
    let fixture = try await Scene.server()
    let watch = try await fixture.device(.watch)
    let phone = try await fixture.device(.phone)
    for _ in 1...8 {
      watch.outbox = TestOutbox()
      try watch.connect()
      try watch.perform(Scene.goal(1))
    }
    watch.outbox = TestOutbox()
    try watch.connect()
    let act = watch.queue(Scene.goal(9))
    guard case .busy = try watch.held(act).reason else {
      Issue.record("a ninth outbox")
      return
    }
    // Outboxes that are known go on, and another device has its own eight.
    try phone.connect()
    try phone.perform(Scene.goal(2))
    try await fixture.advanceClock(milliseconds: 86_400_000)
    try watch.connect()
    try watch.settle(act)
    await fixture.stop()
  }
}

extension ServerMessage {
  /// Whether it answers an act in any way.
  var answersAnAct: Bool {
    switch self {
    case .receipt, .conflict, .settled, .hold: true
    default: false
    }
  }
}
