import Testing
import WatchTransfer

@testable import Authority

/// How long players have played (DESIGN section 6, Match manager).
@Suite struct PlayTimeTests {
  private let match = MatchID.test(100)
  private let start = instant("2026-06-10T10:00:00Z")

  private func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant {
    start.advanced(milliseconds: (minutes * 60 + seconds) * 1_000)
  }

  /// Players 1 and 2 start, 3 and 4 do not.
  private func made() -> TestAccount {
    var account = TestAccount(at: at(-10))
    account.act(
      .newMatch(
        id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000,
        extraHalfMilliseconds: 900_000), at: at(-9))
    account.squad(match, [(1, true), (2, true), (3, false), (4, false)], at: at(-8))
    return account
  }

  /// Seconds played at a moment, of players 1 to 4.
  private func played(_ account: TestAccount, at moment: Instant) -> [Int64] {
    (account.playTime?.entries ?? []).map { $0.elapsedMilliseconds(at: moment) / 1_000 }
  }

  enum Happening: Sendable {
    case control(ClockControl, Int64)
    case sub(off: UInt64, on: UInt64, Int64)
    case undoSub(Int)
  }

  struct Story: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let happenings: [Happening]
    /// Seconds after the start at which it is read.
    var read: Int64 = 6_000
    /// Of players 1 to 4, in seconds.
    let played: [Int64]
  }

  @Test(
    "Players have played while they were on the field and the clock ran",
    arguments: [
      Story("nothing yet", [], played: [0, 0, 0, 0]),
      Story("a running clock", [.control(.start, 0)], read: 90, played: [90, 90, 0, 0]),
      Story(
        "a paused clock plays nobody", [.control(.start, 0), .control(.pause, 60)],
        played: [60, 60, 0, 0]),
      Story(
        "all spans count",
        [.control(.start, 0), .control(.pause, 60), .control(.start, 100)], read: 130,
        played: [90, 90, 0, 0]),
      Story(
        "a substitution", [.control(.start, 0), .sub(off: 1, on: 3, 40)], read: 100,
        played: [40, 100, 60, 0]),
      Story(
        "one while the clock is paused",
        [
          .control(.start, 0), .control(.pause, 60), .sub(off: 1, on: 3, 80), .control(.start, 100),
        ], read: 110, played: [60, 70, 10, 0]),
      Story(
        "on, off and on again",
        [
          .control(.start, 0), .sub(off: 1, on: 3, 10), .sub(off: 3, on: 1, 30),
          .sub(off: 1, on: 3, 60), .sub(off: 2, on: 1, 70),
        ], read: 100, played: [70, 70, 60, 0]),
      Story(
        "one before the match began", [.sub(off: 1, on: 3, -60), .control(.start, 0)], read: 10,
        played: [0, 10, 10, 0]),
      Story(
        "one that was undone",
        [.control(.start, 0), .sub(off: 1, on: 3, 10), .undoSub(0)], read: 100,
        played: [100, 100, 0, 0]),
      Story(
        "who is not on does not go off, and who is does not come on",
        [.control(.start, 0), .sub(off: 3, on: 4, 10), .sub(off: 4, on: 1, 20)], read: 30,
        played: [30, 30, 0, 10]),
      Story(
        "both halves",
        [
          .control(.start, 0), .control(.nextHalf, 2_800), .sub(off: 2, on: 4, 3_000),
          .control(.start, 3_600),
        ], read: 3_700, played: [2_900, 2_800, 0, 100]),
      Story(
        "a half that is reset was not played",
        [
          .control(.start, 0), .sub(off: 1, on: 3, 50), .control(.reset, 100),
          .control(.start, 200),
        ], read: 210, played: [0, 10, 10, 0]),
      Story(
        "the half before stays",
        [
          .control(.start, 0), .control(.nextHalf, 100), .control(.start, 200),
          .control(.pause, 260), .control(.reset, 300),
        ], played: [100, 100, 0, 0]),
      Story(
        "the end stops it",
        [.control(.start, 0), .control(.end, 100), .sub(off: 1, on: 3, 200)],
        played: [100, 100, 0, 0]),
      Story(
        "extra time",
        [
          .control(.start, 0), .control(.nextHalf, 100), .control(.start, 200),
          .control(.nextHalf, 300), .control(.start, 400), .sub(off: 1, on: 3, 410),
          .control(.nextHalf, 500), .control(.start, 600),
        ], read: 650, played: [210, 350, 140, 0]),
    ])
  func table(story: Story) {
    var account = made()
    tell(story.happenings, to: &account)
    #expect(played(account, at: at(0, story.read)) == story.played)
  }

  private func tell(_ happenings: [Happening], to account: inout TestAccount) {
    for (index, happening) in happenings.enumerated() {
      switch happening {
      case .control(let control, let seconds):
        #expect(account.control(match, control, at: at(0, seconds)) == .applied)
      case .sub(let off, let on, let seconds):
        #expect(
          account.sub(match, 500 + UInt64(index), off: off, on: on, at: at(0, seconds))
            == .applied)
      case .undoSub:
        #expect(
          account.act(
            .undoSubstitution(match: match, id: .test(500 + UInt64(index - 1))), at: at(0, 5_999))
            == .applied)
      }
    }
  }

  @Test("Times are anchors: their bytes change with controls and substitutions, not with time")
  func anchors() {
    var account = made()
    account.control(match, .start, at: at(0))
    let first = account.playTime?.entries
    #expect(first?.map(\.runningSince) == [at(0), at(0), nil, nil])
    account.turn(at: at(20))
    account.point(match, .home, entry: 1, at: at(21))
    #expect(account.playTime?.entries == first)
    account.sub(match, 50, off: 1, on: 3, at: at(30))
    #expect(account.playTime?.entries.map(\.runningSince) == [nil, at(0), at(30), nil])
    #expect(account.playTime?.entries.map(\.elapsedMilliseconds) == [1_800_000, 0, 0, 0])
    account.control(match, .pause, at: at(40))
    #expect(account.playTime?.entries.map(\.runningSince) == [nil, nil, nil, nil])
    account.control(match, .start, at: at(50))
    #expect(account.playTime?.entries.map(\.runningSince) == [nil, at(50), at(50), nil])
    #expect(
      account.playTime?.entries.map(\.elapsedMilliseconds) == [1_800_000, 2_400_000, 600_000, 0])
  }

  @Test("Who is in no squad has played all the same, and gets a name when the squad comes")
  func strangers() {
    var account = made()
    account.control(match, .start, at: at(0))
    account.sub(match, 50, off: 1, on: 9, at: at(1))
    #expect(account.playTime?.entries.last?.name == "Player")
    #expect(account.playTime?.entries.last?.elapsedMilliseconds(at: at(3)) == 120_000)
    account.squad(match, [(1, true), (9, false)], at: at(4))
    #expect(account.playTime?.entries.map(\.name) == ["Player 1", "Player 9"])
    #expect(account.playTime?.entries.last?.elapsedMilliseconds(at: at(4)) == 180_000)
  }

  @Test(
    "Who is never substituted has played what the clock ran, and as many play as started",
    arguments: UInt64(1)...60)
  func conserved(seed: UInt64) {
    var account = made()
    var random = SeededGenerator(seed: seed)
    var (onField, bench): ([UInt64], [UInt64]) = ([1, 2], [3, 4])
    var seconds: Int64 = 0
    for step in 0..<40 {
      seconds += .random(in: 0...400, using: &random)
      if Bool.random(using: &random) {
        account.control(
          match, ClockControl.allCases.filter { $0 != .end }.randomElement(using: &random)!,
          at: at(0, seconds))
      } else {
        // Player 2 stays on.
        account.sub(
          match, 500 + UInt64(step), off: onField[0], on: bench[0], at: at(0, seconds))
        bench.append(onField[0])
        onField[0] = bench.removeFirst()
      }
      let now = at(0, seconds + 7)
      let times = (account.playTime?.entries ?? []).map { $0.elapsedMilliseconds(at: now) }
      let ran = ran(account, at: now)
      #expect(times[1] == ran, "step \(step)")
      #expect(times.reduce(0, +) == 2 * ran, "step \(step)")
      #expect(times.allSatisfy { $0 >= 0 })
    }
  }

  /// What the clock ran in all halves: what it shows, without what it jumped.
  private func ran(_ account: TestAccount, at now: Instant) -> Int64 {
    guard let found = account.state.matches[match] else { return -1 }
    var sum: Int64 = 0
    var before = MatchClock(halves: found.halves)
    for entry in found.controls {
      var next = before
      next.take(entry)
      if next.half != before.half {
        sum += before.elapsedMilliseconds(at: entry.stamp.at) - found.halves.start(of: before.half)
      }
      before = next
    }
    return sum + before.elapsedMilliseconds(at: now) - found.halves.start(of: before.half)
  }

  @Test("A clock that was set back keeps who is on the field and the order of all there was")
  func broughtBack() {
    var account = made()
    account.control(match, .start, at: at(0))
    account.sub(match, 50, off: 1, on: 3, at: at(30))
    account.control(match, .pause, at: at(31))
    account.sub(match, 51, off: 3, on: 4, at: at(32))
    account.control(match, .start, at: at(33))
    account.act(.takeOverMatch(match: match), at: at(34))
    account.turn(at: at(20))
    let found = account.state.matches[match]
    #expect(found?.controls.map(\.stamp.at).allSatisfy { $0 <= at(20) } == true)
    #expect(found?.lineUp.substitutions.map(\.at).allSatisfy { $0 <= at(20) } == true)
    #expect(account.squads?.home.map(\.isOnField) == [false, true, false, true])
    #expect(account.playTime?.entries.map(\.runningSince).count { $0 != nil } == 2)
    #expect(account.clock?.recorder == Devices.phone.id)
    #expect(played(account, at: at(20)).prefix(2) == [1_199, 1_199])
    #expect(account.sub(match, 52, off: 4, on: 1, at: at(21)) == .applied)
    #expect(account.squad(match, [(1, true)], at: at(21)) == .applied, "no edit is later than now")
    #expect(account.act(.takeOverMatch(match: match), by: Devices.watch, at: at(22)) == .applied)
  }
}

extension PlayTimeTests.Story {
  init(
    _ description: String, _ happenings: [PlayTimeTests.Happening], read: Int64 = 6_000,
    played: [Int64]
  ) {
    testDescription = description
    self.happenings = happenings
    self.read = read
    self.played = played
  }
}
