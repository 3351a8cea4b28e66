import Testing
import WatchTransfer

@testable import Authority

/// Facts of a match are put in at their time: in whatever order they arrive, the same is shown
/// (DESIGN section 4, Late facts and After a restore).
@Suite struct MatchOrderTests {
  private struct Deed {
    let action: Action
    let device: ActingDevice
    let at: Instant
  }

  private let match = MatchID.test(100)
  private let start = instant("2026-06-10T10:00:00Z")

  private func at(_ seconds: Int64) -> Instant { start.advanced(milliseconds: seconds * 1_000) }

  private func deed(
    _ action: Action, _ seconds: Int64, by device: ActingDevice = Devices.phone
  ) -> Deed {
    Deed(action: action, device: device, at: at(seconds))
  }

  private func control(_ control: ClockControl, _ seconds: Int64) -> Deed {
    deed(.controlClock(match: match, control: control), seconds, by: Devices.watch)
  }

  private func sub(_ id: UInt64, off: UInt64, on: UInt64, _ seconds: Int64) -> Deed {
    deed(
      .substitute(id: .test(id), match: match, team: .home, off: .test(off), on: .test(on)),
      seconds)
  }

  private var phone: [Deed] {
    [
      deed(
        .newMatch(
          id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 600_000,
          extraHalfMilliseconds: 120_000), -60),
      deed(
        .setSquad(
          match: match, team: .home, players: [player(1), player(2), player(3, starts: false)]), -50
      ),
      deed(.setSquad(match: match, team: .away, players: [player(11)]), -49),
      sub(50, off: 1, on: 3, 300), sub(51, off: 3, on: 1, 640),
      deed(.undoSubstitution(match: match, id: .test(51)), 650),
      deed(
        .addPoint(entry: .test(60), match: match, team: .away, insist: false), 660),
      deed(
        .setSquad(
          match: match, team: .home,
          players: [player(1), player(2), player(3, starts: false), player(4, starts: false)]), 700
      ),
      sub(52, off: 2, on: 4, 1_000),
      deed(.nameTeam(match: match, team: .home, name: "Lions"), 1_100),
    ]
  }

  private var watch: [Deed] {
    [
      control(.start, 0), control(.pause, 100), control(.start, 130),
      deed(
        .addPoint(entry: .test(61), match: match, team: .home, insist: false), 630,
        by: Devices.watch),
      control(.nextHalf, 700), control(.start, 900), control(.nextHalf, 1_600),
      control(.start, 1_700), control(.nextHalf, 1_850), control(.start, 1_900),
      control(.end, 2_100),
    ]
  }

  private func told(_ deeds: [Deed], reoffered: Bool) -> TestAccount {
    var account = TestAccount(at: at(-1_000))
    for deed in deeds {
      let outcome = account.act(
        deed.action, by: deed.device, at: deed.at, now: at(3_600), reoffered: reoffered)
      #expect(outcome == .applied, "\(deed.action)")
    }
    return account
  }

  private func shown(_ account: TestAccount) -> [Facet] {
    [.teams, .score, .matchClock, .squads, .playTime].map { project(account.state, $0) }
  }

  @Test("In the order in which it happened, it is what one expects")
  func expected() {
    let account = told((phone + watch).sorted { $0.at < $1.at }, reoffered: false)
    #expect(account.score?.entries.map(\.minute) == ["10", "10+1"])
    #expect(
      account.squads?.substitutions.map(\.text) == [
        "Player 3 for Player 1", "Player 4 for Player 2",
      ])
    #expect(account.squads?.substitutions.map(\.minute) == ["5", "12"])
    // 670 s of half 1, 700 s of half 2, 150 s and 200 s of extra time.
    #expect(
      account.playTime?.entries.map { $0.elapsedMilliseconds / 1_000 }
        == [270, 770, 1_450, 950, 1_720])
    #expect(account.clock?.half == 4)
    #expect(account.clock?.phase == .ended)
    #expect(account.teams?.home == "Lions")
  }

  @Test(
    "Two devices' outboxes, each in its order, may be delivered in any order to each other",
    arguments: UInt64(1)...40)
  func interleaved(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (phone, watch) = (phone[1...], watch[...])
    // The phone has made the match: edits of it are no facts, and need it.
    var deeds = [self.phone[0]]
    while !phone.isEmpty || !watch.isEmpty {
      if watch.isEmpty || !phone.isEmpty && Bool.random(using: &random) {
        deeds.append(phone.removeFirst())
      } else {
        deeds.append(watch.removeFirst())
      }
    }
    let expected = shown(told(self.phone + self.watch, reoffered: false))
    #expect(shown(told(deeds, reoffered: false)) == expected)
  }

  @Test(
    "Offered again after a restore, everything may come in any order", arguments: UInt64(1)...60)
  func reoffered(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let expected = shown(told(phone + watch, reoffered: false))
    #expect(shown(told((phone + watch).shuffled(using: &random), reoffered: true)) == expected)
  }

  @Test("Offered again although it is there, nothing changes", arguments: UInt64(1)...20)
  func offeredTwice(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var account = told(phone + watch, reoffered: false)
    let expected = shown(account)
    for deed in (phone + watch).shuffled(using: &random) {
      let adds = if case .controlClock = deed.action { true } else { false }
      // A control has no id; the ledger knows that it was decided.
      if adds { continue }
      let outcome = account.act(
        deed.action, by: deed.device, at: deed.at, now: at(3_600), reoffered: true)
      #expect(outcome == .applied)
    }
    #expect(shown(account) == expected)
  }
}
