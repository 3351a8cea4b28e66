import Testing
import WatchTransfer

@testable import Simulation

/// Pulses and the reading `live`, on simulated time (DESIGN sections 2, 3, 6 and 7).
@Suite(.timeLimit(.minutes(1))) struct LivePulseTests {
  private let stage: PulseStage

  init() throws {
    stage = try PulseStage()
    stage.start()
  }

  @Test func `a pulse of the recorder is shown on every surface, with ready words`() {
    stage.pulse(stage.watch, 142, energy: 209.6)
    for peer in [stage.watch, stage.phone, stage.activity] {
      let live = stage.shown(peer)
      #expect(live?.session == stage.session)
      #expect(live?.text == "142 bpm, 210 kcal")
      #expect(live?.spoken == "142 beats a minute, 210 kilocalories")
      #expect(live?.heartRate == 142 && live?.energyKilocalories == 209.6)
      #expect(live?.distanceMeters == nil)
      #expect(live.map { stage.wall.milliseconds(since: $0.observedAt) < 200 } == true)
      #expect(live?.cadenceMilliseconds == 5_000)
      let stale = live?.staleAt.map { $0.milliseconds(since: live?.observedAt ?? $0) }
      #expect(stale == 15_000)
      #expect(stage.updates(peer).allSatisfy { $0.update.facets.isEmpty }, "it is no facet")
    }
    // The next says all that is known; what it leaves out is shown no more.
    stage.pulse(stage.watch, nil, distance: 1_520)
    #expect(stage.shown(stage.phone)?.text == "1.5 km")
    #expect(stage.shown(stage.phone)?.spoken == "1.5 kilometers")
    #expect(stage.end() == nil)
  }

  @Test(arguments: [(1_000, 30_000), (5_000, 30_000), (30_000, 180_000)] as [(UInt32, Int64)])
  func `a pulse is over when no more come, though nobody says anything`(
    cadence: UInt32, life: Int64
  ) {
    let began = stage.now
    stage.pulse(stage.watch, 142, cadence: cadence)
    while stage.now - began + 1_000 < life {
      stage.pass(1_000)
      // A sign of life, so that nobody is taken for gone; it carries no news.
      stage.say(stage.phone, .ping(Ping(nonce: 1)))
      stage.say(stage.watch, .ping(Ping(nonce: 1)))
      stage.say(stage.activity, .ping(Ping(nonce: 1)))
    }
    for peer in [stage.watch, stage.phone, stage.activity] {
      #expect(stage.readings(peer).count == 1, "it never flat-lines, and is not said again")
    }
    stage.pass(life + 400 - (stage.now - began))
    for peer in [stage.watch, stage.phone, stage.activity] {
      #expect(stage.readings(peer).count == 2)
      #expect(stage.isCleared(peer))
    }
    stage.forget()
    stage.pass(20_000)
    #expect(stage.readings(stage.phone).isEmpty, "and that only once")
    #expect(stage.end() == nil)
  }

  @Test func `nobody is told that it ended before that is durable`() {
    stage.pulse(stage.watch, 142)
    stage.forget()
    stage.server.machine?.isDiskSlowUntil = stage.world.now + 20_000_000_000
    stage.act(stage.watch, .controlSession(session: stage.session, control: .finish), wait: 0)
    var waited = 0
    while !stage.isCleared(stage.phone), waited < 200 {
      stage.pass(100)
      waited += 1
    }
    #expect(stage.isCleared(stage.phone))
    let end = stage.updates(stage.phone).first { !$0.update.facets.isEmpty }
    #expect(end?.update.readings == [.live(nil)])
    #expect(stage.readings(stage.phone).first?.at == end?.at, "not before the session's end")
    #expect(stage.end() == nil)
  }

  @Test func `it ends with the session, on every surface`() {
    stage.pulse(stage.watch, 142)
    stage.act(stage.watch, .controlSession(session: stage.session, control: .finish))
    for peer in [stage.watch, stage.phone] { #expect(stage.isCleared(peer)) }
    // In the very update that says that no session runs.
    let end = stage.updates(stage.phone).last { !$0.update.facets.isEmpty }?.update
    #expect(end?.facets.contains { $0.kind == .session } == true)
    #expect(end?.readings == [.live(nil)])
    stage.pass(5_500)
    #expect(stage.isCleared(stage.activity))
    stage.forget()
    stage.pulse(stage.watch, 150)
    #expect(stage.readings(stage.phone).isEmpty, "a session that has ended has no pulse")
    #expect(stage.end() == nil)
  }

  @Test
  func `a takeover ends the pulse of the former recorder, and from then on the other's count`() {
    stage.pulse(stage.watch, 142)
    stage.act(stage.phone, .takeOverSession(session: stage.session), wait: 500)
    #expect(stage.isCleared(stage.watch))
    stage.forget()
    stage.pulse(stage.watch, 150)
    #expect(stage.readings(stage.phone).isEmpty)
    stage.pulse(stage.phone, 99)
    #expect(stage.shown(stage.watch)?.heartRate == 99)
    #expect(stage.end() == nil)
  }

  @Test func `nobody else is heard, nor what is older than what is shown or over already`() {
    stage.pulse(stage.phone, 99)
    stage.pulse(stage.watch, 99, of: SessionID(high: 7, low: 2))
    stage.pulse(stage.watch, 99, ago: 31_000)
    #expect(stage.readings(stage.activity).isEmpty)
    stage.pulse(stage.watch, 142)
    stage.pulse(stage.watch, 99, ago: 2_000)
    #expect(stage.shown(stage.phone)?.heartRate == 142)
    #expect(stage.readings(stage.phone).count == 1)
    #expect(stage.end() == nil)
  }

  @Test func `a pulse that says that there is none is shown as none`() {
    stage.pulse(stage.watch, 142)
    stage.pulse(stage.watch, 0)
    #expect(stage.isCleared(stage.phone))
    // What was measured before it comes too late.
    stage.pulse(stage.watch, 99, ago: 1_000)
    #expect(stage.readings(stage.phone).count == 2)
    stage.pulse(stage.watch, 120)
    #expect(stage.shown(stage.phone)?.heartRate == 120)
    #expect(stage.end() == nil)
  }

  @Test func `a resume sends it whole, and so does a new connection; no answer waits for it`() {
    stage.pulse(stage.watch, 142, energy: 3)
    stage.forget()
    stage.say(stage.phone, .resume(nil))
    stage.pass(50)
    let whole = stage.updates(stage.phone).first?.update
    #expect(whole?.from == 0 && whole?.facets.isEmpty == false)
    #expect(whole?.readings.contains { $0.kind == .live } == true)
    #expect(stage.shown(stage.phone)?.text == "142 bpm, 3 kcal")
    // 20 s later it is stale, and says so; no moment of it is in the past.
    stage.pass(20_000)
    stage.activity.cut(byReset: true)
    stage.forget()
    stage.greet(stage.activity)
    let first = stage.updates(stage.activity).first?.update
    #expect(first?.from == 0)
    #expect(first?.readings.contains { $0.kind == .live } == true, "not five seconds later")
    let live = stage.shown(stage.activity)
    #expect(live?.heartRate == 142 && live?.staleAt == nil)
    #expect(live.map { $0.expiresAt > stage.wall } == true)
    // When it is over, a new connection is told nothing at all.
    stage.pass(11_000)
    stage.phone.cut(byReset: true)
    stage.forget()
    stage.greet(stage.phone)
    #expect(stage.readings(stage.phone).isEmpty)
    #expect(stage.end() == nil)
  }

  @Test(arguments: [0, 1, 60_000] as [UInt32])
  func `an activity is updated at most every five seconds, whatever it asks for`(asked: UInt32) {
    stage.activity.cut(byReset: true)
    stage.forget()
    stage.greet(stage.activity, minimumInterval: asked)
    for round in 0..<60 {
      stage.pulse(stage.watch, Double(100 + round), cadence: 1_000, wait: 400)
      stage.act(stage.phone, .setGoal(name: "steps", value: Double(round)), wait: 100)
    }
    let heard = stage.updates(stage.activity)
    let gaps = zip(heard.dropFirst(), heard).map { $0.at - $1.at }
    let least = Int64(max(asked, 5_000))
    // By when it was heard, which is within a step of when it was sent.
    #expect(gaps.allSatisfy { $0 >= least - 20 }, "\(gaps)")
    #expect(heard.count >= 30_000 / Int(least), "\(heard.count)")
    if asked < 5_000 {
      #expect(gaps.allSatisfy { $0 < 5_600 }, "as fast as it may: \(gaps)")
      // What changed and what is measured come together: neither waits for the other.
      #expect(heard.dropFirst(2).allSatisfy { !$0.update.facets.isEmpty })
      #expect(stage.readings(stage.activity).count >= heard.count - 1)
    }
    for (at, live) in stage.readings(stage.activity) {
      let sent = stage.wall.advanced(milliseconds: at - stage.now)
      #expect(live?.staleAt.map { $0 > sent } == true)
    }
    // Others are told of each.
    #expect(stage.readings(stage.phone).count == 60)
    #expect(stage.end() == nil)
  }

  @Test func `a wall clock that is set back does not extend it, and one set ahead ends it`() {
    stage.pulse(stage.watch, 142)
    stage.server.wallOffset -= 86_400_000
    stage.pass(30_500)
    #expect(stage.isCleared(stage.phone))
    stage.pulse(stage.watch, 142)
    stage.server.wallOffset -= 86_400_000
    stage.pulse(stage.watch, 143)
    #expect(stage.shown(stage.phone)?.heartRate == 143, "nor does it hold up the next")
    stage.server.wallOffset += 86_400_000
    stage.pass(500)
    #expect(stage.isCleared(stage.phone))
    #expect(stage.end() == nil)
  }

  @Test func `no surface is shown the pulse of a session that is not durable yet`() {
    stage.act(stage.watch, .controlSession(session: stage.session, control: .finish))
    stage.forget()
    stage.server.machine?.isDiskSlowUntil = stage.world.now + 3_000_000_000
    let next = SessionID(high: 7, low: 2)
    stage.act(stage.watch, .startSession(id: next, plan: .activity("rowing")), wait: 0)
    stage.pulse(stage.watch, 142, of: next)
    stage.pass(8_000)
    // The judge compares each with the session that is shown beside it.
    for peer in [stage.watch, stage.phone, stage.activity] {
      #expect(stage.shown(peer)?.session == next)
    }
    #expect(stage.end() == nil)
  }

  @Test func `a server that was killed knows of no pulse, and of the session`() {
    stage.pulse(stage.watch, 142)
    stage.server.crash()
    stage.pass(500)
    stage.server.start()
    stage.forget()
    stage.greetAll()
    #expect(stage.readings(stage.phone).isEmpty, "pulses are in no journal")
    stage.pulse(stage.watch, 143)
    #expect(stage.shown(stage.phone)?.heartRate == 143)
    #expect(stage.end() == nil)
  }
}
