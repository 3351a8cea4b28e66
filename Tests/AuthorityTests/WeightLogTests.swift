import Testing
import WatchTransfer

@testable import Authority

/// The weight log (DESIGN section 6, rule 7).
@Suite struct WeightLogTests {
  private let now = local("2026-06-10 12:00", "Europe/Berlin")

  private func log(
    _ account: inout TestAccount, _ id: UInt64, _ text: String, _ unit: WeightUnit = .kilograms,
    _ moment: LoggedWeight.Moment, zone: String? = nil, at occurred: Instant? = nil
  ) -> DecidedOutcome {
    account.act(
      .logWeight(
        LoggedWeight(
          id: .test(id), weight: Weight(text, unit: unit)!, moment: moment, zoneID: zone)),
      at: occurred ?? now, now: max(now, occurred ?? now))
  }

  @Test("WGT-01: of two weights of a day stamped alike the one logged last is the current one")
  func sameMoment() {
    let noon = local("2026-06-10 12:00", "Europe/Berlin")
    for moments in [
      [.instant(noon), .instant(noon)], [.day(day(2026, 6, 10)), .day(day(2026, 6, 10))],
    ]
      as [[LoggedWeight.Moment]]
    {
      // The ids say nothing: the later revision wins.
      for ids: [UInt64] in [[1, 2], [2, 1]] {
        var account = TestAccount(at: now)
        #expect(log(&account, ids[0], "180.2", .pounds, moments[0]) == .applied)
        #expect(log(&account, ids[1], "184.6", .pounds, moments[1]) == .applied)
        #expect(account.goals.weight?.weight == Weight("184.6", unit: .pounds))
        #expect(account.state.weights.all.last?.entry.weight.text == "184.6 lb")
        account.act(.deleteWeight(id: .test(ids[1])), at: now)
        #expect(account.goals.weight?.weight == Weight("180.2", unit: .pounds))
      }
    }
  }

  @Test("The latest is that of the last day, then the last time, where a day alone comes first")
  func latest() {
    var account = TestAccount(at: now)
    func current() -> String? { account.goals.weight?.weight.figure }
    _ = log(&account, 1, "81", .kilograms, .day(day(2026, 6, 9)))
    #expect(current() == "81")
    _ = log(&account, 2, "80", .kilograms, .instant(local("2026-06-09 08:00", "Europe/Berlin")))
    #expect(current() == "80")
    _ = log(&account, 3, "79", .kilograms, .day(day(2026, 6, 9)))
    #expect(current() == "80", "a day alone is before its first time")
    _ = log(&account, 4, "78", .kilograms, .instant(local("2026-06-09 07:00", "Europe/Berlin")))
    #expect(current() == "80")
    _ = log(&account, 5, "77", .kilograms, .day(day(2026, 6, 10)))
    #expect(current() == "77")
  }

  @Test(
    "WGT-03: 80 kg, and 152 kg an hour later from the same source, both stay; the latest is 152")
  func doubtful() {
    var account = TestAccount(at: now)
    _ = log(&account, 1, "80", .kilograms, .instant(instant("2017-03-05T15:32:00Z")))
    _ = log(&account, 2, "152", .kilograms, .instant(instant("2017-03-05T16:49:00Z")))
    #expect(account.state.weights.all.map(\.entry.weight.text) == ["80 kg", "152 kg"])
    #expect(account.goals.weight?.text == "152 kg on 5 Mar 2017")
  }

  @Test(
    "TZ-07: a weight with a day alone is of that day in every zone",
    arguments: ["America/New_York", "Asia/Kolkata", "Pacific/Apia", "Europe/London", "UTC"])
  func dayAlone(zone: String) {
    var account = TestAccount(zone: zone, at: now)
    let named = day(2022, 4, 20)
    _ = log(&account, 1, "80", .kilograms, .day(named), zone: zone)
    account.act(.setZone(id: "America/Los_Angeles"), at: now)
    #expect(account.goals.weight?.day == named)
    #expect(account.goals.weight?.at == nil)
    #expect(account.goals.weight?.text == "80 kg on 20 Apr 2022")
  }

  @Test("A weight with an instant is of the day in its own zone, else in that of the device")
  func ownZone() {
    let late = instant("2026-06-09T22:30:00Z")
    for (zone, expected) in [("America/New_York", 9), ("Asia/Kolkata", 10), (nil, 10)]
      as [(String?, Int)]
    {
      var account = TestAccount(at: now)
      _ = log(&account, 1, "80", .kilograms, .instant(late), zone: zone)
      #expect(account.goals.weight?.day == day(2026, 6, expected), "\(zone ?? "device")")
      #expect(account.goals.weight?.at == late)
    }
  }

  @Test(
    "UNI-07: what is entered in pounds is shown again as it was entered",
    arguments: ["241", "242", "243", "180.2", "184.60", "0.1", "999.9999"])
  func entered(figure: String) {
    var account = TestAccount(at: now)
    var change = PreferenceChange()
    change.units = .imperial
    account.act(.setPreferences(change), at: now)
    _ = log(&account, 1, figure, .pounds, .day(day(2026, 6, 10)))
    #expect(account.goals.weight?.text == "\(figure) lb on 10 Jun 2026")
    #expect(account.goals.weight?.weight == Weight(figure, unit: .pounds))
  }

  @Test("In the other unit it is shown to a tenth, and the goal is measured in kilograms")
  func otherUnit() {
    var account = TestAccount(at: now)
    _ = log(&account, 1, "241", .pounds, .day(day(2026, 6, 10)))
    account.act(.setGoal(name: "weight", value: 100), at: now)
    #expect(account.goals.weight?.text == "109.3 kg on 10 Jun 2026")
    let progress = account.goals.goals[0].progress
    #expect(progress.map(\.text) == ["109.3 kg, goal 100 kg"])
    #expect(abs((progress.first?.value ?? 0) - 109.315_761_17) < 1e-9)
    var change = PreferenceChange()
    change.units = .imperial
    account.act(.setPreferences(change), at: now)
    #expect(account.goals.goals[0].progress.map(\.text) == ["241 lb, goal 220.5 lb"])
  }

  @Test("Goals that need samples are accepted, and show no progress yet")
  func goals() {
    var account = TestAccount(at: now)
    for name in ["steps", "energy", "weight"] {
      #expect(account.act(.setGoal(name: name, value: 10), at: now) == .applied)
    }
    #expect(account.goals.goals.map(\.name) == ["energy", "steps", "weight"])
    #expect(account.goals.goals.flatMap(\.progress).isEmpty)
    account.act(.setGoal(name: "minutes-per-day", value: 30), at: now)
    account.act(.setGoal(name: "workouts-per-week", value: 3), at: now)
    #expect(
      account.goals.goals.filter { !$0.progress.isEmpty }.map(\.name)
        == ["minutes-per-day", "workouts-per-week"])
  }

  @Test("Weights that nobody has, days and ids are checked; at the cap it is refused `limit`")
  func refusals() {
    var account = TestAccount(at: now)
    for figure in ["0", "-80", "1000.1"] {
      #expect(
        log(&account, 1, figure, .kilograms, .day(day(2026, 6, 10)))
          == .refused(.invalid(field: "weight")))
    }
    #expect(
      log(&account, 1, "80", .kilograms, .day(CivilDay(number: -1)))
        == .refused(.invalid(field: "day")))
    #expect(
      log(&account, 1, "80", .kilograms, .instant(Instant(milliseconds: -1)))
        == .refused(.invalid(field: "at_ms")))
    #expect(log(&account, 1, "1000", .kilograms, .day(day(2026, 6, 10))) == .applied)
    #expect(log(&account, 1, "80", .kilograms, .day(day(2026, 6, 10))) == .refused(.taken))
    #expect(account.act(.deleteWeight(id: .test(1)), at: now) == .applied)
    #expect(account.goals.weight == nil)
    #expect(account.act(.deleteWeight(id: .test(1)), at: now) == .refused(.gone))
    #expect(account.act(.deleteWeight(id: .test(2)), at: now) == .refused(.notFound))
    #expect(log(&account, 1, "80", .kilograms, .day(day(2026, 6, 10))) == .refused(.gone))
    for id in 0..<AuthorityLimits.weightsMax {
      let entry = WeightEntry(
        id: .test(UInt64(10_000 + id)), weight: Weight("80", unit: .kilograms)!,
        day: day(2026, 6, 10), at: nil, zoneID: nil)
      account.state.apply(
        [
          .consistency(
            .weightLogged(
              entry,
              by: Occurrence(
                at: now, raw: now, isFlagged: false, device: .test(1))))
        ],
        revision: account.state.revision + 1)
    }
    #expect(
      log(&account, 2, "80", .kilograms, .day(day(2026, 6, 10)))
        == .refused(.limit(of: "weights")))
  }
}
