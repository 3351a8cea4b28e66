import Authority
import Testing
import WatchTransfer

/// Matches, points and stubs (DESIGN sections 4 and 6).
@Suite struct MatchRulesTests {
  private let match = MatchID.test(100)
  private let start = instant("2026-06-10T10:00:00Z")

  private func at(_ seconds: Double) -> Instant {
    start.advanced(milliseconds: Int64(seconds * 1_000))
  }

  private func made() -> TestAccount {
    var account = TestAccount(at: at(-100))
    account.act(new(match), at: at(-50))
    return account
  }

  private func new(_ id: MatchID, home: String = "Reds", away: String = "Blues") -> Action {
    .newMatch(id: id, home: home, away: away, halfLengthMilliseconds: 2_700_000)
  }

  @Test("A point that is called like the match it opens is refused, and nothing is lost by it")
  func pointNamedLikeItsMatch() {
    var account = TestAccount(at: at(-100))
    let entry = EntryID(high: match.high, low: match.low)
    #expect(
      account.act(.addPoint(entry: entry, match: match, team: .home, insist: true), at: at(0))
        == .refused(.taken))
    #expect(account.state.matches.all.isEmpty)
  }

  struct Press: Sendable {
    let seconds: Double
    var team = Team.home
    var sameDevice = false
    var insist = false
    let outcome: DecidedOutcome
  }

  @Test(
    "Two referees: within 3 s of each other they are one point",
    arguments: [
      Press(seconds: 3, outcome: .refused(.coincides)),
      Press(seconds: 0, outcome: .refused(.coincides)),
      Press(seconds: -3, outcome: .refused(.coincides)),
      Press(seconds: 3.001, outcome: .applied), Press(seconds: -3.001, outcome: .applied),
      Press(seconds: 1, team: .away, outcome: .applied),
      Press(seconds: 1, sameDevice: true, outcome: .applied),
      Press(seconds: 1, insist: true, outcome: .applied),
    ])
  func coincidence(press: Press) {
    var account = made()
    account.point(match, .home, entry: 1, at: at(0))
    let outcome = account.point(
      match, press.team, entry: 2, insist: press.insist,
      by: press.sameDevice ? Devices.watch : Devices.phone, at: at(press.seconds), now: at(10))
    #expect(outcome == press.outcome)
    #expect(account.score?.entries.count == (press.outcome == .applied ? 2 : 1))
  }

  @Test(
    "Two referees: a device's own presses all count, those of others not within 3 s",
    arguments: UInt64(1)...40)
  func referees(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var account = made()
    account.act(
      .setKeymap(bindings: [KeyBinding(button: 1, gesture: .press, command: .point(.home))]),
      at: at(-1))
    var accepted: [(at: Instant, device: DeviceID)] = []
    var milliseconds: Int64 = 0
    for press: UInt64 in 0..<40 {
      milliseconds += .random(in: 0...2_500, using: &random)
      let moment = start.advanced(milliseconds: milliseconds)
      let device = [Devices.phone, Devices.watch, Devices.controller].randomElement(using: &random)!
      let coincides = accepted.contains {
        $0.device != device.id && moment.milliseconds(since: $0.at) <= 3_000
      }
      let outcome =
        device.kind == .controller
        ? account.press(1, .press, number: press + 1, at: moment)
        : account.point(match, .home, entry: 200 + press, by: device, at: moment)
      #expect(outcome == (coincides ? .refused(.coincides) : .applied))
      if !coincides { accepted.append((moment, device.id)) }
    }
    #expect(account.score?.home == accepted.count)
  }

  @Test("A point that was undone coincides with nothing")
  func undoneCoincidence() {
    var account = made()
    account.point(match, .home, entry: 1, at: at(0))
    account.act(.undoPoint(match: match, entry: .test(1)), at: at(1))
    #expect(account.point(match, .home, entry: 2, by: Devices.phone, at: at(2)) == .applied)
    #expect(account.score?.home == 1)
  }

  @Test("Undo names an entry")
  func undo() {
    var account = made()
    let undo = Action.undoPoint(match: match, entry: .test(1))
    #expect(account.act(undo, at: at(0)) == .refused(.notFound))
    account.point(match, .home, entry: 1, at: at(1))
    account.point(match, .home, entry: 2, at: at(9))
    #expect(account.act(undo, by: Devices.phone, at: at(10)) == .applied)
    #expect(account.act(undo, at: at(11)) == .refused(.gone))
    #expect(account.score?.entries.map(\.id) == [.test(2)])
    #expect(account.point(match, .home, entry: 1, at: at(20)) == .refused(.taken))
    #expect(
      account.act(.undoPoint(match: .test(7), entry: .test(1)), at: at(20)) == .refused(.notFound)
    )
  }

  @Test("The score shows the newest twelve entries, by their times, and who pressed")
  func newestEntries() {
    var account = made()
    for index in 0..<15 {
      account.point(match, .home, entry: UInt64(index), at: at(Double(index)))
    }
    account.point(match, .away, entry: 50, by: Devices.phone, at: at(13.5), now: at(60))
    #expect(account.score?.home == 15)
    #expect(account.score?.away == 1)
    #expect(account.score?.entries.count == 12)
    #expect(account.score?.entries.suffix(2).map(\.id) == [.test(50), .test(14)])
    #expect(account.score?.entries.suffix(2).map(\.by) == ["Phone", "Watch"])
  }

  @Test("A point for a match that has not arrived opens a stub, which the match fills")
  func stub() {
    var account = TestAccount(at: at(-100))
    #expect(account.point(match, .home, entry: 1, at: at(0)) == .applied)
    #expect(account.teams == TeamsFacet(match: match, home: "Home", away: "Away"))
    #expect(account.score?.home == 1)
    #expect(account.act(new(match), at: at(-10), now: at(5)) == .applied)
    #expect(account.teams?.home == "Reds")
    #expect(account.score?.home == 1)
    #expect(account.act(new(match), at: at(6)) == .refused(.taken))
  }

  @Test("A stub is shown only while no other match is open, and closes after 12 h without a fact")
  func stubShown() {
    var account = made()
    account.point(.test(200), .home, entry: 1, at: at(0))
    #expect(account.teams?.match == match)
    account.control(match, .start, at: at(1))
    account.control(match, .end, at: at(2))
    #expect(account.teams?.match == .test(200))
    let idle = at(12 * 3_600)
    account.turn(at: idle.advanced(milliseconds: -1))
    #expect(account.teams?.match == .test(200))
    account.turn(at: idle)
    #expect(account.teams?.match == match)
    #expect(account.events.count == 2)
    account.point(.test(200), .home, entry: 2, at: idle.advanced(milliseconds: 1_000))
    #expect(account.teams?.match == .test(200), "a newer fact opens it again")
    account.control(.test(200), .start, at: idle.advanced(milliseconds: 2_000))
    account.control(.test(200), .end, at: idle.advanced(milliseconds: 3_000))
    #expect(account.teams?.match == match, "its finish closes it")
  }

  @Test("Stubs of matches nobody makes keep nobody from a new match, and have a bound")
  func stubsBlockNothing() {
    var account = TestAccount(at: at(0))
    for index in 0..<AuthorityLimits.openMatchStubsMax {
      let stub = MatchID.test(2_000 + UInt64(index))
      let point = Action.addPoint(
        entry: .test(3_000 + UInt64(index)), match: stub, team: .home, insist: false)
      #expect(account.act(point, at: at(1)) == .applied)
    }
    let more = Action.addPoint(entry: .test(4_000), match: .test(2_999), team: .home, insist: false)
    #expect(account.act(more, at: at(1)) == .refused(.limit(of: "matches")))
    let new = Action.newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000)
    #expect(account.act(new, at: at(2)) == .applied)
    // A stub that its match fills is none any more; one that is closed makes room.
    let filled = Action.newMatch(
      id: .test(2_000), home: "A", away: "B", halfLengthMilliseconds: 2_700_000)
    #expect(account.act(filled, at: at(3)) == .applied)
    #expect(account.act(more, at: at(4)) == .applied)
    let again = Action.addPoint(
      entry: .test(4_001), match: .test(2_998), team: .home, insist: false)
    #expect(account.act(again, at: at(4)) == .refused(.limit(of: "matches")))
    account.turn(at: at(4 + 12 * 3_600))
    #expect(account.act(again, at: at(5 + 12 * 3_600)) == .applied)
  }

  @Test("The newest made match is shown, whichever arrives last")
  func newestMade() {
    var account = made()
    account.act(new(.test(101), home: "Later"), at: at(100))
    account.act(new(.test(102), home: "Earlier"), at: at(50), now: at(200))
    #expect(account.teams?.home == "Later")
  }

  @Test("Of two names for a team the later corrected time wins")
  func names() {
    var account = made()
    account.act(.nameTeam(match: match, team: .home, name: "Second"), at: at(20))
    #expect(
      account.act(.nameTeam(match: match, team: .home, name: "First"), at: at(10), now: at(30))
        == .refused(.superseded))
    #expect(
      account.act(.nameTeam(match: match, team: .away, name: "Ours"), at: at(10), now: at(30))
        == .applied)
    #expect(account.teams == TeamsFacet(match: match, home: "Second", away: "Ours"))
    #expect(
      account.act(.nameTeam(match: .test(7), team: .home, name: "x"), at: at(40))
        == .refused(.notFound))
  }

  @Test("A match takes 200 entries and 255 controls, and its end is always one more")
  func caps() {
    var account = made()
    for index in 0..<200 {
      #expect(
        account.point(match, .home, entry: 500 + UInt64(index), at: at(Double(index)))
          == .applied)
    }
    #expect(
      account.point(match, .home, entry: 900, at: at(300)) == .refused(.limit(of: "entries")))
    for index in 0..<255 {
      #expect(
        account.control(match, index % 2 == 0 ? .start : .pause, at: at(Double(index)))
          == .applied)
    }
    #expect(account.control(match, .pause, at: at(300)) == .refused(.limit(of: "controls")))
    #expect(account.control(match, .end, at: at(301)) == .applied)
    #expect(account.clock?.phase == .ended)
  }

  @Test("A 65th match drops the first one that is over, else one idle for 12 h, else is refused")
  func matchCap() {
    var account = TestAccount(at: at(-100))
    for index in 0..<64 {
      #expect(account.act(new(.test(1_000 + UInt64(index))), at: at(Double(index))) == .applied)
    }
    #expect(account.act(new(.test(2_000)), at: at(100)) == .refused(.limit(of: "matches")))
    account.point(.test(1_005), .home, entry: 1, at: at(101))
    account.control(.test(1_005), .start, at: at(101))
    account.control(.test(1_005), .end, at: at(102))
    #expect(account.act(new(.test(2_000)), at: at(103)) == .applied)
    #expect(account.events.first == .matchDropped(id: .test(1_005)))
    #expect(account.point(.test(1_005), .home, entry: 2, at: at(104)) == .refused(.gone))
    #expect(account.act(new(.test(1_005)), at: at(104)) == .refused(.gone))
    #expect(account.control(.test(1_005), .start, at: at(104)) == .refused(.gone))
    let later = at(13 * 3_600)
    #expect(account.act(new(.test(2_001)), at: later) == .applied)
    #expect(account.events.first == .matchDropped(id: .test(1_000)))
  }

  @Test(
    "A match has names and a half of 1 minute to 3 hours",
    arguments: [
      ("", "B", 60_000, "home"), ("A", "", 60_000, "away"), ("A", "B", 59_999, "half_length_ms"),
      ("A", "B", 10_800_001, "half_length_ms"), ("A", "B", -1, "half_length_ms"),
    ] as [(String, String, Int64, String)])
  func invalid(home: String, away: String, length: Int64, field: String) {
    var account = TestAccount(at: at(0))
    #expect(
      account.act(
        .newMatch(id: match, home: home, away: away, halfLengthMilliseconds: length), at: at(1))
        == .refused(.invalid(field: field)))
  }

  @Test("A goal and a mark are cued while they are fresh")
  func cued() {
    var account = made()
    account.point(match, .home, entry: 1, at: at(0))
    #expect(cues(of: account.events, at: at(5)) == [Cue(kind: .goal, at: at(0))])
    #expect(cues(of: account.events, at: at(5.001)) == [])
    account.mark(log: 5, at: at(10))
    #expect(cues(of: account.events, at: at(10)) == [Cue(kind: .workoutDone, at: at(10))])
    account.control(match, .start, at: at(11))
    #expect(cues(of: account.events, at: at(11)) == [])
  }
}
