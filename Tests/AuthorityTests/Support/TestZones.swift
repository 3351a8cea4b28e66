import WatchTransfer

/// Zones as tables, for 2005 to 2035; nothing is read from the machine.
struct TestZones: ZoneRulesSource {
  var version = "test-1"

  func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules? {
    guard let zone = Self.table.first(where: { $0.id == id }) else { return nil }
    var initial = zone.initialOffsetSeconds
    var inside: [ZoneRules.Transition] = []
    for transition in zone.transitions {
      if transition.at <= start {
        initial = transition.offsetSeconds
      } else if transition.at <= end {
        inside.append(transition)
      }
    }
    return ZoneRules(id: id, initialOffsetSeconds: initial, transitions: inside)
  }

  static let table: [ZoneRules] = [
    european("Europe/Berlin", hours: 1), european("Europe/Brussels", hours: 1),
    european("Europe/Amsterdam", hours: 1), european("Europe/London", hours: 0),
    american("America/New_York", hours: -5), american("America/Los_Angeles", hours: -8),
    apia,
    ZoneRules(id: "Asia/Kolkata", initialOffsetSeconds: 19_800, transitions: []),
    .utc,
  ]

  /// Last Sundays of March and October, 01:00 UTC.
  private static func european(_ id: String, hours: Int32) -> ZoneRules {
    var transitions: [ZoneRules.Transition] = []
    for year in 2005...2035 {
      transitions.append(
        .init(
          at: utc(sunday(onOrBefore: 31, month: 3, year: year), hour: 1),
          offsetSeconds: (hours + 1) * 3_600))
      transitions.append(
        .init(
          at: utc(sunday(onOrBefore: 31, month: 10, year: year), hour: 1),
          offsetSeconds: hours * 3_600))
    }
    return ZoneRules(id: id, initialOffsetSeconds: hours * 3_600, transitions: transitions)
  }

  /// Second Sunday of March and first of November, 02:00 local (since 2007).
  private static func american(_ id: String, hours: Int32) -> ZoneRules {
    var transitions: [ZoneRules.Transition] = []
    for year in 2007...2035 {
      transitions.append(
        .init(
          at: utc(sunday(onOrBefore: 14, month: 3, year: year), hour: 2 - Int64(hours)),
          offsetSeconds: (hours + 1) * 3_600))
      transitions.append(
        .init(
          at: utc(sunday(onOrBefore: 7, month: 11, year: year), hour: 1 - Int64(hours)),
          offsetSeconds: hours * 3_600))
    }
    return ZoneRules(id: id, initialOffsetSeconds: hours * 3_600, transitions: transitions)
  }

  /// Samoa left out 2011-12-30: from -10 h to +14 h at its midnight.
  private static let apia = ZoneRules(
    id: "Pacific/Apia", initialOffsetSeconds: -39_600,
    transitions: [
      .init(at: utc(day(2011, 9, 24), hour: 14), offsetSeconds: -36_000),
      .init(at: utc(day(2011, 12, 30), hour: 10), offsetSeconds: 50_400),
      .init(at: utc(day(2012, 3, 31), hour: 14), offsetSeconds: 46_800),
      .init(at: utc(day(2012, 9, 29), hour: 14), offsetSeconds: 50_400),
    ])

  private static func sunday(onOrBefore dayOfMonth: Int, month: Int, year: Int) -> CivilDay {
    let last = day(year, month, dayOfMonth)
    return last.advanced(days: -Int32(last.weekday % 7))
  }

  private static func utc(_ day: CivilDay, hour: Int64) -> Instant {
    Instant(milliseconds: Int64(day.number) * 86_400_000 + hour * 3_600_000)
  }
}

/// A date that exists.
func day(_ year: Int, _ month: Int, _ dayOfMonth: Int) -> CivilDay {
  CivilDay(year: year, month: month, day: dayOfMonth)!
}

/// `2026-11-30T18:05:00Z`, or with an offset.
func instant(_ text: String) -> Instant {
  Instant(rfc3339: text)!
}

/// A local wall-clock time, `2014-05-05 18:00` or with seconds, in a zone of the table.
func local(_ text: String, _ zone: String) -> Instant {
  let seconds = text.utf8.count == 16 ? ":00" : ""
  let asUTC = Instant(rfc3339: text.replacing(" ", with: "T") + seconds + "Z")!
  let rules = TestZones.table.first { $0.id == zone }!
  let civil = CivilDay(localMilliseconds: asUTC.milliseconds)
  return rules.firstInstant(
    atOrAfter: civil,
    millisecondsOfDay: asUTC.milliseconds - Int64(civil.number) * 86_400_000)!
}
