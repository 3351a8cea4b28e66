import Testing
import WatchTransfer

@testable import Authority

/// The match clock and the minutes of points (DESIGN section 6, rule 6).
@Suite struct MatchClockTests {
  private static let noon = instant("2026-06-10T10:00:00Z")
  private let match = MatchID.test(100)

  private func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant {
    Self.noon.advanced(milliseconds: (minutes * 60 + seconds) * 1_000)
  }

  private func started(halfMinutes: Int64 = 45) -> TestAccount {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(
        id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: halfMinutes * 60_000),
      by: Devices.watch, at: at(-5))
    account.control(match, .start, at: at(0))
    return account
  }

  @Test("SOC-01: half 2 starts at 45:00 although half 1 was stopped at 45:38")
  func secondHalf() {
    var account = started()
    account.control(match, .pause, at: at(45, 38))
    #expect(account.clock?.elapsedMilliseconds == 2_738_000)
    account.control(match, .nextHalf, at: at(60))
    #expect(account.clock?.phase == .idle)
    #expect(account.clock?.half == 2)
    #expect(account.clock?.elapsedMilliseconds == 2_700_000)
    account.control(match, .start, at: at(61))
    #expect(account.clock?.elapsedMilliseconds(at: at(61)) == 2_700_000)
    #expect(account.clock?.elapsedMilliseconds(at: at(62)) == 2_760_000)
    #expect(account.clock?.halfOverAt == at(106))
  }

  @Test(
    "SOC-01: each half starts where the one before should have ended, whenever it was stopped",
    arguments: [1, 20, 45, 180] as [Int64], [0, 1, 59, 60, 2_738, 11_000] as [Int64])
  func everyHalf(minutes: Int64, stopped: Int64) {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(
        id: match, home: "A", away: "B", halfLengthMilliseconds: minutes * 60_000,
        extraHalfMilliseconds: 900_000), by: Devices.watch, at: at(-5))
    var now = at(0)
    for (half, start) in [0, minutes, 2 * minutes, 2 * minutes + 15].enumerated() {
      if half > 0 { account.control(match, .nextHalf, at: now) }
      #expect(account.clock?.half == half + 1)
      #expect(account.clock?.elapsedMilliseconds == start * 60_000)
      #expect(account.clock?.phase == .idle)
      account.control(match, .start, at: now)
      #expect(account.clock?.elapsedMilliseconds(at: now) == start * 60_000)
      now = now.advanced(milliseconds: stopped * 1_000)
      account.control(match, .pause, at: now)
      #expect(account.clock?.elapsedMilliseconds == start * 60_000 + stopped * 1_000)
    }
  }

  @Test("SOC-03, SOC-11, SOC-13: an anchor does not drift, however often or late it is read")
  func anchor() {
    let account = started()
    for _ in 0..<8 { _ = account.clock }
    #expect(account.clock?.elapsedMilliseconds(at: at(1)) == 60_000)
    #expect(account.clock?.elapsedMilliseconds(at: at(20)) == 1_200_000)
    var again = started()
    again.control(match, .pause, at: at(2))
    again.control(match, .start, at: at(10))
    #expect(again.clock?.elapsedMilliseconds == 120_000)
    #expect(again.clock?.runningSince == at(10))
    #expect(again.clock?.elapsedMilliseconds(at: at(11)) == 180_000)
  }

  @Test("SOC-05: a goal in half 1's stoppage time stays there when half 2 starts")
  func stoppageGoal() {
    var account = started()
    account.point(match, .home, entry: 1, at: at(46, 30))
    account.control(match, .pause, at: at(47))
    account.control(match, .nextHalf, at: at(60))
    account.control(match, .start, at: at(60))
    account.point(match, .away, entry: 2, at: at(60, 30))
    #expect(account.score?.entries.map(\.minute) == ["45+2", "46"])
    #expect(account.score?.entries.map(\.half) == [1, 2])
    #expect(account.score?.home == 1)
  }

  @Test(
    "SOC-05: what happens later moves no goal to another half or minute",
    arguments: UInt64(1)...30)
  func goalsStay(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(
        id: match, home: "A", away: "B", halfLengthMilliseconds: 600_000,
        extraHalfMilliseconds: 120_000), by: Devices.watch, at: at(-5))
    account.control(match, .start, at: at(0))
    var shown: [EntryID: ScoreFacet.Entry] = [:]
    var seconds: Int64 = 0
    for step: UInt64 in 0..<60 {
      seconds += .random(in: 1...120, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        account.point(match, .home, entry: 200 + step, insist: true, at: at(0, seconds))
      } else {
        account.control(
          match, [.start, .pause, .nextHalf, .reset].randomElement(using: &random)!,
          at: at(0, seconds))
      }
      for entry in account.score?.entries ?? [] {
        #expect(shown[entry.id, default: entry] == entry, "step \(step)")
        shown[entry.id] = entry
      }
    }
    #expect(!shown.isEmpty)
  }

  struct Label: Sendable {
    let seconds: Int64
    let half: Int
    let text: String
  }

  @Test(
    "SOC-07: minutes count up past the end of a half",
    arguments: [
      Label(seconds: 0, half: 1, text: "1"), Label(seconds: 1, half: 1, text: "1"),
      Label(seconds: 60, half: 1, text: "1"), Label(seconds: 61, half: 1, text: "2"),
      Label(seconds: 2_700, half: 1, text: "45"), Label(seconds: 2_701, half: 1, text: "45+1"),
      Label(seconds: 2_770, half: 1, text: "45+2"), Label(seconds: 2_900, half: 1, text: "45+4"),
      Label(seconds: 3_005, half: 1, text: "45+6"), Label(seconds: 2_700, half: 2, text: "46"),
      Label(seconds: 5_400, half: 2, text: "90"), Label(seconds: 5_401, half: 2, text: "90+1"),
      Label(seconds: 5_580, half: 2, text: "90+3"), Label(seconds: 5_400, half: 3, text: "91"),
      Label(seconds: 6_300, half: 3, text: "105"), Label(seconds: 6_301, half: 3, text: "105+1"),
      Label(seconds: 6_300, half: 4, text: "106"), Label(seconds: 7_200, half: 4, text: "120"),
      Label(seconds: 7_261, half: 4, text: "120+2"),
    ])
  func labels(label: Label) {
    #expect(
      HalfLengths(regular: 2_700_000, extra: 900_000)
        .minute(clock: label.seconds * 1_000, half: label.half) == label.text)
  }

  @Test("SOC-09: after half 2 there is no half 3, and an ended match does not start again")
  func noThirdHalf() {
    var account = started()
    account.control(match, .nextHalf, at: at(50))
    account.control(match, .start, at: at(60))
    #expect(account.control(match, .nextHalf, at: at(106)) == .refused(.ended))
    account.control(match, .end, at: at(107))
    #expect(account.clock?.phase == .ended)
    for control in ClockControl.allCases {
      #expect(account.control(match, control, at: at(108)) == .refused(.ended))
    }
    #expect(account.clock?.phase == .ended)
    #expect(account.clock?.half == 2)
    account.act(
      .newMatch(id: .test(101), home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: at(200))
    #expect(account.clock?.phase == .idle)
    #expect(account.clock?.match == .test(101))
  }

  @Test("Reset goes back to the start of the half in play, idle")
  func reset() {
    var account = started()
    account.control(match, .reset, at: at(5))
    #expect(account.clock?.phase == .idle)
    #expect(account.clock?.elapsedMilliseconds == 0)
    account.control(match, .nextHalf, at: at(50))
    account.control(match, .start, at: at(51))
    account.control(match, .reset, at: at(55))
    #expect(account.clock?.elapsedMilliseconds == 2_700_000)
    #expect(account.clock?.half == 2)
  }

  @Test("A point before the clock ever ran has no minute; after the end it has the last")
  func minuteless() {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000), at: at(-9))
    account.point(match, .home, entry: 1, at: at(-1))
    account.control(match, .start, at: at(0))
    account.control(match, .end, at: at(30))
    #expect(account.point(match, .home, entry: 2, at: at(31)) == .applied)
    #expect(account.score?.entries.map(\.minute) == [nil, "30"])
  }

  @Test("What the recorder did late is put in at its time, and the minutes follow")
  func lateStart() {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000), at: at(-9))
    account.point(match, .home, entry: 1, by: Devices.phone, at: at(7, 30), now: at(8))
    #expect(account.score?.entries[0].minute == nil)
    #expect(account.control(match, .start, at: at(0), now: at(20)) == .applied)
    #expect(account.score?.entries[0].minute == "8")
    #expect(account.clock?.elapsedMilliseconds(at: at(20)) == 1_200_000)
    #expect(account.clock?.recorder == Devices.watch.id)
    #expect(account.control(match, .pause, at: at(10), now: at(30)) == .applied)
    #expect(account.control(match, .start, at: at(12), now: at(30)) == .applied)
    #expect(account.clock?.elapsedMilliseconds(at: at(30)) == 1_680_000)
  }

  @Test("The recorder is the device whose start first ran the timer; making a match is not driving")
  func recorder() {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      by: Devices.phone, at: at(-9))
    #expect(account.clock?.recorder == nil)
    account.control(match, .start, at: at(0))
    account.control(match, .pause, by: Devices.phone, at: at(1))
    account.control(match, .start, by: Devices.phone, at: at(2))
    #expect(account.clock?.recorder == Devices.watch.id)
  }

  @Test("The shown half-over moment is absent once the half is past it")
  func halfOver() {
    var account = started(halfMinutes: 1)
    #expect(account.clock?.halfOverAt == at(1))
    account.control(match, .pause, at: at(2))
    #expect(account.clock?.halfOverAt == nil)
    account.control(match, .start, at: at(3))
    #expect(account.clock?.halfOverAt == nil)
    #expect(account.clock?.phase == .running)
  }
}

extension TestAccount {
  /// Works the clock.
  @discardableResult
  mutating func control(
    _ match: MatchID, _ control: ClockControl, by device: ActingDevice = Devices.watch,
    at occurred: Instant, now: Instant? = nil, expiresAt: Instant? = nil, reoffered: Bool = false
  ) -> DecidedOutcome {
    act(
      .controlClock(match: match, control: control), by: device, at: occurred, now: now,
      expiresAt: expiresAt, reoffered: reoffered)
  }

  /// Adds a point.
  @discardableResult
  mutating func point(
    _ match: MatchID, _ team: Team, entry: UInt64, insist: Bool = false,
    by device: ActingDevice = Devices.watch, at occurred: Instant, now: Instant? = nil,
    reoffered: Bool = false
  ) -> DecidedOutcome {
    act(
      .addPoint(entry: .test(entry), match: match, team: team, insist: insist), by: device,
      at: occurred, now: now, reoffered: reoffered)
  }
}
