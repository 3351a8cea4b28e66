import Authority
import Testing
import WatchTransfer

/// The run of satisfied days (DESIGN section 6, rules 2 and 4).
@Suite struct StreakTests {
  @Test("STK-01: five days before today, none yet today, is a streak of five until today is over")
  func openToday() {
    let now = local("2026-06-10 09:00", "Europe/Berlin")
    var account = TestAccount(at: local("2026-06-01 08:00", "Europe/Berlin"))
    for (index, date) in (5...9).enumerated() {
      account.mark(log: UInt64(10 + index), at: local("2026-06-0\(date) 20:00", "Europe/Berlin"))
    }
    account.turn(at: now)
    let entry = account.streak(at: now)
    #expect(entry.days == 5)
    #expect(!entry.todayDone)
    #expect(entry.text == "5 days")
    #expect(entry.atRiskAt == local("2026-06-10 18:00", "Europe/Berlin"))
    #expect(entry.lostAt == local("2026-06-11 00:00", "Europe/Berlin"))
    let justBefore = local("2026-06-11 00:00", "Europe/Berlin").advanced(milliseconds: -1)
    #expect(account.streak(at: justBefore).days == 5)
    let lost = account.streak(at: local("2026-06-11 00:00", "Europe/Berlin"))
    #expect(lost.days == 0)
    #expect(lost.lostAt == nil)
    #expect(lost.atRiskAt == nil)
    #expect(lost.text == "no streak")
  }

  @Test("STK-03: logging the missing 3rd joins 1, 2 and 4, 5 to a streak of five")
  func backdated() {
    let now = local("2026-05-05 21:00", "Europe/Berlin")
    var account = TestAccount(at: local("2026-05-01 08:00", "Europe/Berlin"))
    for date in [1, 2, 4, 5] {
      account.mark(log: UInt64(date), at: local("2026-05-0\(date) 20:00", "Europe/Berlin"))
    }
    account.turn(at: now)
    #expect(account.streak(at: now).days == 2)
    account.act(
      .logWorkout(logged(3, endingAt: local("2026-05-03 19:00", "Europe/Berlin"))), at: now)
    #expect(account.streak(at: now).days == 5)
    #expect(account.streak(at: now).todayDone)
  }

  @Test("STK-12: three evenings in London and three in New York are a streak of six")
  func travel() {
    var account = TestAccount(
      zone: "Europe/London", at: local("2026-07-01 08:00", "Europe/London"))
    for date in 1...3 {
      account.mark(
        log: UInt64(date), at: local("2026-07-0\(date) 20:00", "Europe/London"),
        zone: "Europe/London")
    }
    account.act(
      .setZone(id: "America/New_York"), at: local("2026-07-04 12:00", "America/New_York"))
    for date in 4...6 {
      account.mark(
        log: UInt64(date), at: local("2026-07-0\(date) 20:00", "America/New_York"),
        zone: "America/New_York")
    }
    let now = local("2026-07-06 21:00", "America/New_York")
    account.turn(at: now)
    #expect(account.streak(at: now).days == 6)
  }

  @Test("A week without contact is right each day")
  func weekWithoutContact() {
    let now = local("2026-06-10 21:00", "Europe/Berlin")
    var account = TestAccount(at: now)
    account.mark(log: 1, at: local("2026-06-09 20:00", "Europe/Berlin"))
    account.mark(log: 2, at: local("2026-06-10 20:00", "Europe/Berlin"))
    let expected: [(date: Int, days: Int)] = [
      (10, 2), (11, 2), (12, 0), (13, 0), (14, 0), (15, 0), (16, 0), (17, 0), (18, 0),
    ]
    for (date, days) in expected {
      let entry = account.streak(at: local("2026-06-\(date) 20:30", "Europe/Berlin"))
      #expect(entry.days == days, "on the \(date)th")
      #expect(entry.todayDone == (date == 10), "on the \(date)th")
    }
    #expect(
      account.streak(at: now).lostAt == local("2026-06-12 00:00", "Europe/Berlin"),
      "done today: lost at the end of tomorrow")
    #expect(account.streak(at: now).atRiskAt == nil)
    #expect(account.streak.entries.count == 9)
  }

  @Test("Later days that adjoin the run count; a run that starts tomorrow does not")
  func laterDays() {
    let now = local("2026-06-10 12:00", "America/Los_Angeles")
    var account = TestAccount(zone: "America/Los_Angeles", at: now)
    // 2026-06-11 in Kolkata while Los Angeles still has the 10th.
    account.act(
      .logWorkout(logged(1, endingAt: now.advanced(milliseconds: -60_000), zone: "Asia/Kolkata")),
      at: now)
    #expect(account.streak(at: now).days == 0)
    account.mark(log: 2, at: now)
    #expect(account.streak(at: now).days == 2)
    #expect(
      account.streak(at: now).lostAt == local("2026-06-13 00:00", "America/Los_Angeles"))
  }

  struct ZeroCase: Sendable {
    var active: Int64?
    var energy: Double?
    var distance: Double?
    var counts: Bool
  }

  @Test(
    "An entry whose figures are all present and 0 does not count; one without figures does",
    arguments: [
      ZeroCase(active: 0, energy: 0, distance: 0, counts: false),
      ZeroCase(active: 0, energy: 0, distance: nil, counts: true),
      ZeroCase(active: nil, energy: nil, distance: nil, counts: true),
      ZeroCase(active: 0, energy: 0, distance: 0.5, counts: true),
      ZeroCase(active: 1, energy: 0, distance: 0, counts: true),
    ])
  func zeroFigures(zero: ZeroCase) {
    let now = local("2026-06-10 12:00", "Europe/Berlin")
    var account = TestAccount(at: now)
    var workout = logged(1, endingAt: now)
    workout.activeMilliseconds = zero.active
    workout.energyKilocalories = zero.energy
    workout.distanceMeters = zero.distance
    #expect(account.act(.logWorkout(workout), at: now) == .applied)
    #expect(account.streak(at: now).days == (zero.counts ? 1 : 0))
  }

  @Test("Taking a mark back takes its day back; a log by hand stays")
  func unmark() {
    let now = local("2026-06-10 12:00", "Europe/Berlin")
    var account = TestAccount(at: now)
    account.mark(log: 1, at: now)
    #expect(account.streak(at: now).days == 1)
    #expect(account.act(.unmarkWorkout(workout: .title("Legs")), at: now) == .applied)
    #expect(account.streak(at: now).days == 0)
    #expect(
      account.act(.unmarkWorkout(workout: .title("Legs")), at: now) == .refused(.notFound))
    var workout = logged(2, endingAt: now)
    workout.title = "Legs"
    account.act(.logWorkout(workout), at: now)
    #expect(
      account.act(.unmarkWorkout(workout: .title("Legs")), at: now) == .refused(.notFound))
    #expect(account.streak(at: now).days == 1)
  }
}
