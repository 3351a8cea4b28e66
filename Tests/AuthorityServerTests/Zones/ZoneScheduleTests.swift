import TestSupport
import Testing
import WatchTransfer

@testable import Authority
@testable import AuthorityServer

/// What depends on days and wall clocks, around every kind of change that the zones of the
/// machine's database make from 1990 to 2050: changes of the clocks, days that never happened, new
/// rules, and at leap days and turns of the year. Every zone at some of its changes, by seed; all
/// of them with WRISTWIRE_FULL=1.
@Suite(.timeLimit(.minutes(isFullForm ? 60 : 3))) struct ZoneScheduleTests {
  private static let start = Instant(milliseconds: 631_152_000_000)
  private static let end = Instant(milliseconds: 2_556_144_000_000)
  private let zones: MachineZones

  init() throws {
    zones = try MachineZones()
  }

  /// A zone with moments around which to look.
  struct Place: Sendable {
    let zone: String
    let seed: UInt64
  }

  static let places = ZoneAccount.identifiers.enumerated().map {
    Place(zone: $1, seed: UInt64($0))
  }

  /// Zones that are looked at more closely each time.
  private static let always: Set = [
    "Pacific/Apia", "Pacific/Kwajalein", "Europe/Berlin", "America/New_York", "Asia/Amman",
  ]

  /// Changes of the zone's clocks, with a leap day and a turn of the year among them.
  private func moments(_ place: Place) throws -> [Instant] {
    let rules = try #require(zones.rules(for: place.zone, from: Self.start, to: Self.end))
    var random = SeededGenerator(seed: place.seed)
    let wholeDays = rules.transitions.enumerated().filter { index, transition in
      let before =
        index == 0 ? rules.initialOffsetSeconds : rules.transitions[index - 1].offsetSeconds
      return abs(transition.offsetSeconds - before) > 7_200
    }
    var moments = rules.transitions.map(\.at)
    let isClose = isFullForm || Self.always.contains(place.zone)
    if !isFullForm {
      moments = Array(moments.shuffled(using: &random).prefix(isClose ? 3 : 1))
    }
    moments += wholeDays.map(\.element.at)
    // One that never changed its clocks has a moment, too.
    guard isClose || moments.isEmpty else { return moments }
    for text in ["2016-02-29T12:00:00Z", "2025-12-31T12:00:00Z", "2004-02-28T12:00:00Z"] {
      if let moment = Instant(rfc3339: text) { moments.append(moment) }
    }
    return moments
  }

  @Test(
    "DST-01, DST-03, DST-06: each day that happens has one occurrence, at the first instant whose wall clock shows its time or later",
    arguments: places)
  func occurrences(place: Place) throws {
    var random = SeededGenerator(seed: place.seed ^ 0xD57)
    for moment in try moments(place) {
      let now = moment.advanced(milliseconds: -Int64.random(in: 1...7 * 86_400_000, using: &random))
      var account = ZoneAccount(place.zone, zones, at: now)
      account.act(
        .defineWorkout(id: WorkoutID(high: 9, low: 9), title: "Legs", exercises: []), at: now)
      // Half of the times are such as are left out or happen twice.
      let wall = account.rules.localMilliseconds(at: moment)
      let times = [
        (wall - floorDivide(wall, 86_400_000) * 86_400_000 + 86_370_000) % 86_400_000,
        Int64.random(in: 0..<86_400_000, using: &random), 0, 86_399_999,
      ]
      for (index, time) in times.enumerated() {
        account.act(
          .scheduleWeekly(
            id: ScheduleID(high: 3, low: UInt64(index + 1)), workout: .title("Legs"),
            weekdays: .all, timeOfDay: time, firstDay: CivilDay(number: 0)), at: now)
      }
      let days = account.today.days
      for (index, day) in days.enumerated() {
        #expect(day.items.count == times.count || index == 0, "\(place.zone) \(day.day)")
        for item in day.items {
          let time = times[Int(item.id.low) - 1]
          let wanted = Int64(day.day.number) * 86_400_000 + time
          #expect(account.rules.localMilliseconds(at: item.at) >= wanted, "\(place.zone)")
          for earlier in [1, 60_000, 600_000, 1_800_000, 3_599_999, 7_200_000] as [Int64] {
            let before = item.at.advanced(milliseconds: -earlier)
            #expect(
              account.rules.localMilliseconds(at: before) < wanted, "\(place.zone) \(day.day)")
          }
          if index + 1 < days.count { #expect(item.at <= days[index + 1].from) }
        }
        if index > 0 {
          #expect(account.rules.day(at: day.from) == day.day)
          #expect(account.rules.day(at: day.from.advanced(milliseconds: -1)) < day.day)
        }
      }
    }
  }

  @Test(
    "DST-01, STK-12: a log on every day that happened is an unbroken streak, one left out breaks it; the weeks are those of the first weekday",
    arguments: places)
  func streaks(place: Place) throws {
    var random = SeededGenerator(seed: place.seed ^ 0x57)
    for moment in try moments(place) {
      var account = ZoneAccount(
        place.zone, zones, at: moment.advanced(milliseconds: -7 * 86_400_000))
      account.turn(at: moment.advanced(milliseconds: 7 * 86_400_000))
      let rules = account.rules
      let today = rules.day(at: moment.advanced(milliseconds: 6 * 86_400_000))
      var logged: [CivilDay] = []
      for offset: Int32 in 0..<13 {
        let day = today.advanced(days: offset - 12)
        guard rules.start(of: day) != nil,
          let noon = rules.firstInstant(atOrAfter: day, millisecondsOfDay: 43_200_000)
        else { continue }
        account.log(UInt64(offset + 1), endingAt: noon)
        logged.append(day)
      }
      let now = try #require(rules.firstInstant(atOrAfter: today, millisecondsOfDay: 72_000_000))
      account.turn(at: now)
      #expect(account.streak.entries[0].days == logged.count, "\(place.zone) \(today)")
      #expect(account.streak.entries[0].todayDone)
      let firstWeekday = Int.random(in: 1...7, using: &random)
      var change = PreferenceChange()
      change.firstWeekday = firstWeekday
      change.streakPolicy = .weekly(days: 7)
      account.act(.setPreferences(change), at: now)
      var weeks: [CivilDay: [CivilDay]] = [:]
      for day in logged {
        var first = day
        while first.weekday != firstWeekday { first = first.advanced(days: -1) }
        weeks[first, default: []].append(day)
      }
      // A week that lost a day asks for its six.
      let whole = weeks.filter { first, days in
        days.count == (0..<7).count { !account.state.zone.isSkipped(first.advanced(days: $0)) }
      }
      #expect(account.streak.entries[0].days == whole.count, "\(place.zone) \(today)")
      let missed = logged[Int.random(in: 1..<logged.count - 1, using: &random)]
      change.streakPolicy = .daily
      account.act(.setPreferences(change), at: now)
      let gone = try #require(account.state.logs.logs(on: missed).first)
      account.act(.deleteLog(log: gone.id), at: now)
      #expect(
        account.streak.entries[0].days == logged.count { $0 > missed }, "\(place.zone) \(missed)")
    }
  }

  @Test(
    "THM-01, THM-03, THM-07: day from the first instant that shows 07:00:00 to the first that shows 19:00:00",
    arguments: places)
  func themes(place: Place) throws {
    for moment in try moments(place) {
      let account = ZoneAccount(
        place.zone, zones, at: moment.advanced(milliseconds: -3 * 86_400_000))
      let theme = account.theme
      for flip in theme.flips.dropFirst() {
        let wall = account.rules.localMilliseconds(at: flip.from)
        let time = wall - floorDivide(wall, 86_400_000) * 86_400_000
        let isOnTime = time == (flip.to == .day ? 7 : 19) * 3_600_000
        #expect(
          isOnTime || account.rules.transitions.contains { $0.at == flip.from }, "\(place.zone)")
      }
      for hour: Int64 in stride(from: 0, to: 7 * 24, by: 1) {
        let at = account.state.asOf.advanced(milliseconds: hour * 3_600_000 + 1_234)
        let shown = theme.flips.current(at: at)?.to
        let wall = account.rules.localMilliseconds(at: at)
        let time = wall - floorDivide(wall, 86_400_000) * 86_400_000
        let expected: Appearance =
          (7 * 3_600_000..<19 * 3_600_000).contains(time) ? .day : .night
        // Where a clock goes back over a flip, what it flipped to stays.
        let isNearChange = account.rules.transitions.contains {
          abs($0.at.milliseconds(since: at)) < 26 * 3_600_000
        }
        if !isNearChange { #expect(shown == expected, "\(place.zone) \(at)") }
      }
    }
  }

  @Test(
    "TZ-03, TZ-05: after a flight to any other zone the days go on in order, what was done stays on its day, and a streak goes on",
    arguments: places)
  func travel(place: Place) throws {
    var random = SeededGenerator(seed: place.seed ^ 0xF117)
    let dayLength: Int64 = 86_400_000
    for moment in try moments(place) {
      let departure = moment.advanced(milliseconds: .random(in: 0...dayLength, using: &random))
      var account = ZoneAccount(
        place.zone, zones, at: departure.advanced(milliseconds: -6 * dayLength))
      account.turn(at: departure)
      let left = account.rules.day(at: departure)
      for offset: Int32 in -4..<0 {
        let noon = account.rules.firstInstant(
          atOrAfter: left.advanced(days: offset), millisecondsOfDay: 43_200_000)
        if let noon { account.log(UInt64(offset + 5), endingAt: noon) }
      }
      account.log(5, endingAt: departure)
      let before = account.state.logs.days.map { ($0.day, $0.logs.count) }
      let other = try #require(ZoneAccount.identifiers.randomElement(using: &random))
      account.act(.setZone(id: other), at: departure)
      account.turn(at: departure)
      let after = account.state.logs.days.map { ($0.day, $0.logs.count) }
      #expect(before.elementsEqual(after, by: ==), "\(place.zone) to \(other)")
      let rules = account.rules
      let arrived = rules.day(at: departure)
      let days = account.today.days
      #expect(days.first?.day == arrived)
      for (day, next) in zip(days, days.dropFirst()) {
        #expect(day.day < next.day && day.from < next.from, "\(place.zone) to \(other)")
        #expect(rules.day(at: next.from) == next.day)
        #expect(rules.day(at: next.from.advanced(milliseconds: -1)) < next.day)
      }
      for offset: Int32 in 0..<3 {
        let noon = rules.firstInstant(
          atOrAfter: arrived.advanced(days: offset), millisecondsOfDay: 43_200_000)
        guard let noon, noon > departure else { continue }
        account.turn(at: noon)
        account.log(UInt64(offset + 10), endingAt: noon)
      }
      // Back from the newest day as long as none that happened is missing.
      let logged = Set(account.state.logs.days.map(\.day))
      var day = try #require(logged.max())
      var count = 0
      while logged.contains(day) || account.state.zone.isSkipped(day) {
        if logged.contains(day) { count += 1 }
        day = day.advanced(days: -1)
      }
      #expect(account.streak.entries[0].days == count, "\(place.zone) to \(other)")
    }
  }

  @Test(
    "Kwajalein left out 1993-08-21, Samoa 2011-12-30: no occurrence, no missed day",
    arguments: [
      ("Pacific/Kwajalein", "1993-08-18T12:00:00Z", CivilDay(year: 1993, month: 8, day: 21)!),
      ("Pacific/Apia", "2011-12-27T12:00:00Z", CivilDay(year: 2011, month: 12, day: 30)!),
    ])
  func neverHappened(zone: String, from: String, skipped: CivilDay) throws {
    let now = try #require(Instant(rfc3339: from))
    var account = ZoneAccount(zone, zones, at: now)
    account.act(
      .defineWorkout(id: WorkoutID(high: 9, low: 9), title: "Legs", exercises: []), at: now)
    account.act(
      .scheduleWeekly(
        id: ScheduleID(high: 3, low: 1), workout: .title("Legs"), weekdays: .all,
        timeOfDay: 64_800_000, firstDay: CivilDay(number: 0)), at: now)
    #expect(!account.today.days.contains { $0.day == skipped })
    #expect(account.today.days.contains { $0.day == skipped.advanced(days: 1) })
    #expect(account.state.zone.isSkipped(skipped))
    let trace = streakTrace(
      account.state, policy: .scheduled, from: skipped, through: skipped,
      today: account.rules.day(at: now))
    #expect(trace.map(\.status) == [.skipped])
    for (index, offset) in [-1, 1].enumerated() {
      let noon = try #require(
        account.rules.firstInstant(
          atOrAfter: skipped.advanced(days: Int32(offset)), millisecondsOfDay: 43_200_000))
      account.log(UInt64(index + 1), endingAt: noon)
      account.turn(at: noon)
    }
    #expect(account.streak.entries[0].days == 2)
  }
}
