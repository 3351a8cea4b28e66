import Testing
import WatchTransfer

@testable import Authority

/// Who drives the match clock (DESIGN sections 2 and 4).
@Suite struct TakeOverTests {
  private let match = MatchID.test(100)

  private func time(_ text: String) -> Instant { instant("2026-06-10T\(text)Z") }

  /// A match whose clock the watch started at 10:00.
  private func made(extraHalf: Int64? = nil) -> TestAccount {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(
        id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000,
        extraHalfMilliseconds: extraHalf), at: time("09:40:00"))
    account.control(match, .start, at: time("10:00:00"))
    return account
  }

  @Test("From its own time on the taker drives, and what the former recorder did before is a fact")
  func takeover() {
    var account = made()
    #expect(account.clock?.recorder == Devices.watch.id)
    #expect(account.takeOver(match, at: time("10:10:00")) == .applied)
    #expect(account.clock?.recorder == Devices.phone.id)
    // An hour late, and before the takeover: it is put in at its time.
    #expect(
      account.control(match, .pause, at: time("10:09:00"), now: time("11:00:00")) == .applied)
    #expect(account.clock?.elapsedMilliseconds == 540_000)
    #expect(
      account.control(match, .start, at: time("10:09:30"), now: time("11:00:00")) == .applied)
    #expect(account.clock?.runningSince == time("10:09:30"))
    // As late, and after it: a wish about a moment that has passed.
    #expect(
      account.control(match, .pause, at: time("10:11:00"), now: time("11:00:00")) == .expired)
    // The taker's are facts now, but not from before.
    #expect(
      account.control(
        match, .pause, by: Devices.phone, at: time("10:12:00"), now: time("11:00:00")) == .applied)
    #expect(
      account.control(
        match, .start, by: Devices.phone, at: time("10:09:59"), now: time("11:00:00")) == .expired)
    #expect(account.clock?.phase == .paused)
  }

  @Test(
    "A takeover lasts 120 s, or until the moment it names",
    arguments: [
      ("10:12:00", nil, DecidedOutcome.applied), ("10:12:01", nil, .expired),
      ("10:12:01", "10:30:00", .applied), ("10:10:11", "10:10:10", .expired),
    ] as [(String, String?, DecidedOutcome)])
  func lifetime(now: String, expiresAt: String?, expected: DecidedOutcome) {
    var account = made()
    #expect(
      account.act(
        .takeOverMatch(match: match), at: time("10:10:00"), now: time(now),
        expiresAt: expiresAt.map { time($0) }) == expected)
  }

  @Test("Of two takeovers the later corrected time wins, whichever arrives first")
  func competing() {
    var account = made()
    #expect(account.takeOver(match, at: time("10:10:00")) == .applied)
    #expect(
      account.takeOver(match, by: Devices.watch, at: time("10:09:00"), now: time("10:10:30"))
        == .refused(.superseded))
    #expect(account.clock?.recorder == Devices.phone.id)
    var other = made()
    other.takeOver(match, by: Devices.watch, at: time("10:09:00"), now: time("10:10:30"))
    other.takeOver(match, at: time("10:10:00"), now: time("10:10:40"))
    #expect(other.clock?.recorder == Devices.phone.id)
    #expect(account.takeOver(match, by: Devices.watch, at: time("10:20:00")) == .applied)
    #expect(account.clock?.recorder == Devices.watch.id)
    // At one instant the higher device id wins.
    let lower = ActingDevice(id: .test(0), name: "Old", kind: .phone)
    #expect(account.takeOver(match, by: lower, at: time("10:20:00")) == .refused(.superseded))
  }

  @Test("A clock that has not run can be taken; a late first start makes nobody its recorder again")
  func beforeStart() {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: time("09:40:00"))
    #expect(account.takeOver(match, at: time("10:05:00")) == .applied)
    #expect(account.clock?.phase == .idle)
    account.point(match, .home, entry: 1, at: time("10:06:00"))
    #expect(account.score?.entries.first?.minute == nil)
    // A start from before it is the fact it was; the takeover came after.
    #expect(
      account.control(match, .start, at: time("10:00:00"), now: time("10:30:00")) == .applied)
    #expect(account.clock?.recorder == Devices.phone.id)
    #expect(account.clock?.runningSince == time("10:00:00"))
    #expect(
      account.control(match, .pause, at: time("10:06:00"), now: time("10:30:00")) == .expired)
  }

  @Test("What nobody made, what is over and what is full cannot be taken")
  func refused() {
    var account = made()
    #expect(account.takeOver(.test(7), at: time("10:10:00")) == .refused(.notFound))
    for index in 0..<64 {
      let at = time("10:10:00").advanced(milliseconds: Int64(index))
      #expect(account.takeOver(match, at: at) == .applied)
    }
    #expect(
      account.takeOver(match, at: time("10:20:00")) == .refused(.limit(of: "takeovers")))
    account.control(match, .end, by: Devices.phone, at: time("10:30:00"))
    #expect(account.takeOver(match, at: time("10:31:00")) == .refused(.ended))
    #expect(account.clock?.recorder == Devices.phone.id)
  }

  @Test("Offered again, a takeover is put in at its time, also before its match")
  func reoffered() {
    var account = TestAccount(at: time("09:00:00"))
    #expect(account.takeOver(match, at: time("10:10:00"), reoffered: true) == .applied)
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: time("09:40:00"), now: time("11:00:00"), reoffered: true)
    account.control(match, .start, at: time("10:00:00"), now: time("11:00:00"), reoffered: true)
    #expect(account.clock?.recorder == Devices.phone.id)
    #expect(account.clock?.phase == .running)
    #expect(
      account.takeOver(
        match, by: Devices.watch, at: time("10:09:00"), now: time("12:00:00"), reoffered: true)
        == .applied)
    #expect(account.clock?.recorder == Devices.phone.id, "the later one still wins")
  }

  @Test("SOC-09: with extra time there are four halves and no fifth, without it no third")
  func extraTime() {
    var account = made(extraHalf: 900_000)
    #expect(account.clock?.halves == 4)
    #expect(account.clock?.halfLengthMilliseconds == 2_700_000)
    #expect(account.control(match, .nextHalf, at: time("10:50:00")) == .applied)
    #expect(account.clock?.elapsedMilliseconds == 2_700_000)
    account.control(match, .start, at: time("11:00:00"))
    account.point(match, .home, entry: 1, at: time("11:47:30"))
    #expect(account.control(match, .nextHalf, at: time("11:50:00")) == .applied)
    #expect(account.clock?.half == 3)
    #expect(account.clock?.elapsedMilliseconds == 5_400_000)
    #expect(account.clock?.halfLengthMilliseconds == 900_000)
    account.control(match, .start, at: time("12:00:00"))
    #expect(account.clock?.halfOverAt == time("12:15:00"))
    #expect(account.clock?.stoppage?.text == "105+")
    account.point(match, .home, entry: 2, at: time("12:15:01"))
    #expect(account.control(match, .nextHalf, at: time("12:16:00")) == .applied)
    #expect(account.clock?.elapsedMilliseconds == 6_300_000)
    account.control(match, .start, at: time("12:20:00"))
    account.point(match, .home, entry: 3, at: time("12:20:30"))
    #expect(account.control(match, .nextHalf, at: time("12:36:00")) == .refused(.ended))
    #expect(account.score?.entries.map(\.minute) == ["90+3", "105+1", "106"])
    #expect(account.score?.entries.map(\.half) == [2, 3, 4])
    account.control(match, .reset, at: time("12:37:00"))
    #expect(account.clock?.elapsedMilliseconds == 6_300_000)
  }

  @Test(
    "SOC-09: with any length of halves, no half follows the last, and start changes nothing then",
    arguments: [(60_000, nil), (2_700_000, nil), (10_800_000, nil), (60_000, 60_000)]
      as [(Int64, Int64?)])
  func lastHalf(length: Int64, extra: Int64?) {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(
        id: match, home: "A", away: "B", halfLengthMilliseconds: length,
        extraHalfMilliseconds: extra), at: time("09:40:00"))
    account.control(match, .start, at: time("10:00:00"))
    var seconds: Int64 = 0
    func next() -> Instant {
      seconds += 30
      return time("10:00:00").advanced(milliseconds: seconds * 1_000)
    }
    for _ in 1..<(extra == nil ? 2 : 4) {
      #expect(account.control(match, .nextHalf, at: next()) == .applied)
      #expect(account.control(match, .start, at: next()) == .applied)
    }
    let half = account.clock?.half
    #expect(half == account.clock?.halves)
    let running = account.clock
    #expect(account.control(match, .nextHalf, at: next()) == .refused(.ended))
    #expect(account.control(match, .start, at: next()) == .applied)
    #expect(account.clock == running)
    account.control(match, .end, at: next())
    for control in ClockControl.allCases {
      #expect(account.control(match, control, at: next()) == .refused(.ended))
    }
    #expect(account.clock?.half == half)
    #expect(account.clock?.phase == .ended)
  }

  @Test("An extra half has 1 minute to 3 hours", arguments: [0, 59_999, 10_800_001, -1] as [Int64])
  func invalidExtraTime(length: Int64) {
    var account = TestAccount(at: time("09:00:00"))
    #expect(
      account.act(
        .newMatch(
          id: match, home: "A", away: "B", halfLengthMilliseconds: 60_000,
          extraHalfMilliseconds: length), at: time("09:00:00"))
        == .refused(.invalid(field: "extra_half_ms")))
  }

  @Test("A third half of a match that has not arrived waits for it")
  func stubHalves() {
    var account = TestAccount(at: time("09:00:00"))
    for (index, control) in [
      ClockControl.start, .nextHalf, .start, .nextHalf, .start,
    ].enumerated() {
      let at = time("10:00:00").advanced(milliseconds: Int64(index) * 60_000)
      #expect(account.control(match, control, at: at) == .applied)
    }
    #expect(account.clock?.half == 2)
    account.act(
      .newMatch(
        id: match, home: "A", away: "B", halfLengthMilliseconds: 60_000,
        extraHalfMilliseconds: 120_000), at: time("09:40:00"), now: time("10:10:00"))
    #expect(account.clock?.half == 3)
    #expect(account.clock?.halfOverAt == time("10:06:00"))
  }

  struct Shown: Sendable {
    let minutes: Int64
    let seconds: Int64
    let text: String
  }

  @Test(
    "SOC-07: a surface shows stoppage time from two anchors, without computing a minute",
    arguments: [
      Shown(minutes: 44, seconds: 59, text: "44:59"),
      Shown(minutes: 45, seconds: 0, text: "45+ 0:00"),
      Shown(minutes: 46, seconds: 10, text: "45+ 1:10"),
      Shown(minutes: 48, seconds: 20, text: "45+ 3:20"),
      Shown(minutes: 50, seconds: 5, text: "45+ 5:05"),
    ])
  func stoppage(shown: Shown) throws {
    let moment = time("10:00:00").advanced(
      milliseconds: (shown.minutes * 60 + shown.seconds) * 1_000)
    var account = made()
    #expect(try text(#require(account.clock), at: moment) == shown.text)
    // Interrupted and resumed, the same is shown as long after.
    account.control(match, .pause, at: moment)
    let later = moment.advanced(milliseconds: 300_000)
    #expect(try text(#require(account.clock), at: later) == shown.text)
    account.control(match, .start, at: later)
    #expect(try text(#require(account.clock), at: later) == shown.text)
    account.control(match, .end, at: later)
    #expect(
      try text(#require(account.clock), at: later.advanced(milliseconds: 1_000)) == shown.text)
  }

  /// What a surface shows: the entry whose moment has passed, with its timer.
  private func text(_ clock: MatchClockFacet, at now: Instant) -> String {
    func timer(_ milliseconds: Int64) -> String {
      let seconds = milliseconds / 1_000
      return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
    if let stoppage = clock.stoppage, let over = stoppage.elapsedMilliseconds(at: now) {
      return "\(stoppage.text) \(timer(over))"
    }
    return timer(clock.elapsedMilliseconds(at: now))
  }
}

extension TestAccount {
  /// Takes a match's clock over.
  @discardableResult
  mutating func takeOver(
    _ match: MatchID, by device: ActingDevice = Devices.phone, at occurred: Instant,
    now: Instant? = nil, reoffered: Bool = false
  ) -> DecidedOutcome {
    act(.takeOverMatch(match: match), by: device, at: occurred, now: now, reoffered: reoffered)
  }
}
