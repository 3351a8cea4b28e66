package import WatchTransfer

/// A zone the account was in, until the next period.
package struct ZonePeriod: Sendable, Equatable {
  /// Corrected time of the change.
  package var from: Instant
  package let zoneID: String

  /// Zone `zoneID` from `from` on.
  package init(from: Instant, zoneID: String) {
    self.from = from
    self.zoneID = zoneID
  }
}

/// The account's zone: its rules now, where it was before, and the civil days that never happened.
package struct ZoneBook: Sendable, Equatable {
  /// The current zone's rules, from about 400 days before the newest turn to the horizon.
  package var rules = ZoneRules.utc
  /// Release of the zone database they come from; empty: not known.
  package var dataVersion = ""
  /// Of the newest `setZone`.
  package var stamp: FieldStamp?
  /// In order of time; the last is the current zone.
  package var periods: [ZonePeriod] = []
  /// Days that the zone of their time left out, in order.
  package var skippedDays: [CivilDay] = []

  /// UTC.
  package init() {}

  /// Id of the account's zone at `instant`; before the first known, the first.
  func zoneID(at instant: Instant) -> String {
    let after = periods.partitionIndex { $0.from <= instant }
    return (after > 0 ? periods[after - 1] : periods.first)?.zoneID ?? rules.id
  }

  /// Starts in `rules`.
  mutating func begin(_ rules: ZoneRules, at: Instant, dataVersion: String) {
    self.rules = rules
    self.dataVersion = dataVersion
    periods = [ZonePeriod(from: at, zoneID: rules.id)]
    noteSkips(of: rules, from: nil)
  }

  /// Takes newer rules of the current zone.
  mutating func renew(_ rules: ZoneRules, dataVersion: String) {
    self.rules = rules
    self.dataVersion = dataVersion
    noteSkips(of: rules, from: periods.last?.from)
  }

  /// Moves to another zone, or notes an older move among the periods.
  mutating func move(to rules: ZoneRules, by newer: FieldStamp, dataVersion: String) {
    guard stamp?.yields(to: newer) ?? true else {
      insert(ZonePeriod(from: newer.at, zoneID: rules.id))
      return
    }
    let from = max(newer.at, periods.last?.from ?? newer.at)
    // A day that the former zone would have left out happens here.
    let today = rules.day(at: from)
    skippedDays.removeAll { $0 >= today }
    stamp = newer
    self.rules = rules
    self.dataVersion = dataVersion
    insert(ZonePeriod(from: from, zoneID: rules.id))
    noteSkips(of: rules, from: from)
  }

  /// The clock went back to `moment`: nobody has moved later than that.
  mutating func bringBack(to moment: Instant) {
    stamp?.bringBack(to: moment)
    for index in periods.indices where periods[index].from > moment {
      periods[index].from = moment
    }
  }

  /// Whether the civil day never happened.
  func isSkipped(_ day: CivilDay) -> Bool {
    let position = skippedDays.partitionIndex { $0 < day }
    return position < skippedDays.count && skippedDays[position] == day
  }

  /// The first civil day after `day` that never happened.
  func skippedDay(after day: CivilDay) -> CivilDay? {
    let position = skippedDays.partitionIndex { $0 <= day }
    return position < skippedDays.count ? skippedDays[position] : nil
  }

  /// The next civil day that happens.
  func day(after day: CivilDay) -> CivilDay {
    var next = day.advanced(days: 1)
    while isSkipped(next) { next = next.advanced(days: 1) }
    return next
  }

  /// The last civil day before `day` that happened.
  func day(before day: CivilDay) -> CivilDay {
    var previous = day.advanced(days: -1)
    while isSkipped(previous) { previous = previous.advanced(days: -1) }
    return previous
  }

  private mutating func insert(_ period: ZonePeriod) {
    let position = periods.partitionIndex { $0.from <= period.from }
    if position > 0, sameBytes(periods[position - 1].zoneID, period.zoneID) { return }
    periods.insert(period, at: position)
    if periods.count > AuthorityLimits.zonePeriodsMax { periods.removeFirst() }
  }

  /// Notes the days that a transition at or after `start` leaves out.
  private mutating func noteSkips(of rules: ZoneRules, from start: Instant?) {
    var offset = rules.initialOffsetSeconds
    for transition in rules.transitions {
      let before = Int64(offset)
      offset = transition.offsetSeconds
      if let start, transition.at < start { continue }
      guard Int64(offset) - before >= 43_200 else { continue }
      let last = transition.at.milliseconds &+ before &* 1_000 &- 1
      noteSkip(from: CivilDay(localMilliseconds: last), to: rules.day(at: transition.at))
    }
  }

  private mutating func noteSkip(from: CivilDay, to: CivilDay) {
    guard to.days(since: from) == 2 else { return }
    let skipped = from.advanced(days: 1)
    guard !isSkipped(skipped) else { return }
    skippedDays.insert(skipped, at: skippedDays.partitionIndex { $0 < skipped })
    if skippedDays.count > AuthorityLimits.zonePeriodsMax { skippedDays.removeFirst() }
  }
}
