import Authority
import Testing
import WatchTransfer

/// Wishes about now and facts (DESIGN section 4, Perishable).
@Suite struct PerishableTests {
  private let match = MatchID.test(100)

  private func time(_ text: String) -> Instant { instant("2026-06-10T\(text)Z") }

  /// A match whose clock the phone started at 09:50.
  private var account: TestAccount {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: time("09:40:00"))
    account.control(match, .start, by: Devices.phone, at: time("09:50:00"))
    account.control(match, .pause, by: Devices.phone, at: time("09:55:00"))
    return account
  }

  @Test("WCH-03: an older pause from the wrist does not stop the clock that was started since")
  func olderPause() {
    var late = account
    late.control(match, .start, by: Devices.phone, at: time("10:02:00"))
    #expect(
      late.control(match, .pause, at: time("10:00:00"), now: time("10:05:00")) == .expired)
    #expect(late.clock?.phase == .running)
    var inTime = account
    inTime.control(match, .start, by: Devices.phone, at: time("10:02:00"))
    #expect(
      inTime.control(match, .pause, at: time("10:01:30"), now: time("10:03:00"))
        == .refused(.superseded))
    #expect(inTime.clock?.phase == .running)
  }

  @Test("WCH-03, the wrist being the recorder: its pause is put in at its time, the start wins")
  func recorderPause() {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: time("09:40:00"))
    account.control(match, .start, at: time("09:50:00"))
    account.control(match, .start, by: Devices.phone, at: time("10:02:00"))
    #expect(
      account.control(match, .pause, at: time("10:00:00"), now: time("10:05:00")) == .applied)
    #expect(account.clock?.phase == .running)
    #expect(account.clock?.runningSince == time("10:02:00"))
    #expect(account.clock?.elapsedMilliseconds == 600_000)
  }

  @Test("WCH-05: a mark stamped before the newest state is counted")
  func additive() {
    var account = self.account
    account.mark("Other", log: 1, at: time("11:58:00"))
    #expect(account.mark(log: 2, at: time("11:55:00"), now: time("12:00:00")) == .applied)
    #expect(account.today.days[0].items.count == 2)
    #expect(
      account.point(match, .home, entry: 3, at: time("09:51:00"), now: time("12:00:00"))
        == .applied)
  }

  @Test(
    "A wish lasts 120 s, or until the moment it names",
    arguments: [
      ("10:02:00", nil, DecidedOutcome.applied), ("10:02:01", nil, .expired),
      ("10:30:00", "10:30:00", .applied), ("10:30:01", "10:30:00", .expired),
      ("10:00:11", "10:00:10", .expired),
    ] as [(String, String?, DecidedOutcome)])
  func lifetime(now: String, expiresAt: String?, expected: DecidedOutcome) {
    var account = self.account
    #expect(
      account.control(
        match, .start, at: time("10:00:00"), now: time(now),
        expiresAt: expiresAt.map { time($0) }) == expected)
  }

  @Test("At one instant the higher device id wins; one device's later press wins")
  func ties() {
    var account = self.account
    account.control(match, .start, at: time("10:00:00"))
    #expect(
      account.control(match, .pause, at: time("10:00:00")) == .applied, "same device, later")
    var other = account
    let lower = ActingDevice(id: .test(0), name: "Old", kind: .phone)
    #expect(
      other.control(match, .start, by: lower, at: time("10:00:00")) == .refused(.superseded))
    let higher = ActingDevice(id: .test(9), name: "New", kind: .phone)
    #expect(other.control(match, .start, by: higher, at: time("10:00:00")) == .applied)
    #expect(other.clock?.phase == .running)
  }

  @Test("Only clock controls of other devices than the recorder perish")
  func whatPerishes() {
    let account = self.account
    func perishes(_ action: Action, _ device: ActingDevice, _ text: String = "10:00:00") -> Bool {
      isPerishable(account.state, action, by: device.id, at: time(text))
    }
    #expect(perishes(.controlClock(match: match, control: .pause), Devices.watch))
    #expect(!perishes(.controlClock(match: match, control: .pause), Devices.phone))
    #expect(
      perishes(.controlClock(match: match, control: .pause), Devices.phone, "09:49:00"),
      "not yet the recorder then")
    #expect(!perishes(.controlClock(match: .test(7), control: .start), Devices.watch))
    #expect(perishes(.controlClock(match: .test(7), control: .pause), Devices.watch))
    #expect(!perishes(.setTheme(mode: .day), Devices.watch))
    #expect(
      !perishes(
        .addPoint(entry: .test(1), match: match, team: .home, insist: false), Devices.watch))
    #expect(!perishes(.markWorkout(log: .test(1), workout: .title("x")), Devices.watch))
  }

  @Test("The first start is a fact however late, unless another device started meanwhile")
  func firstStart() {
    var account = TestAccount(at: time("09:00:00"))
    account.act(
      .newMatch(id: match, home: "A", away: "B", halfLengthMilliseconds: 2_700_000),
      at: time("09:40:00"))
    var other = account
    #expect(
      account.control(match, .start, at: time("09:50:00"), now: time("11:00:00")) == .applied)
    #expect(account.clock?.runningSince == time("09:50:00"))
    other.control(match, .start, by: Devices.phone, at: time("09:52:00"))
    #expect(
      other.control(match, .start, at: time("09:50:00"), now: time("11:00:00")) == .expired)
    #expect(other.clock?.recorder == Devices.phone.id)
  }
}
