internal import WatchTransfer

/// The run of satisfied days, or weeks, for today and for every midnight up to the horizon, as it
/// will be when nothing more is done (DESIGN section 6, rule 4).
struct StreakProjection {
  let state: AccountState

  /// Nothing is looked for further ahead than two months.
  private static let daysAheadMax: Int32 = 62

  /// The facet.
  var facet: StreakFacet {
    StreakFacet(policy: state.settings.streakPolicy.value, entries: entries)
  }

  /// One entry a day.
  var entries: [StreakFacet.Entry] {
    let days = state.daysAhead
    guard let first = days.first else { return [] }
    let calendar = StreakCalendar(state: state, policy: state.settings.streakPolicy.value)
    var walk = StreakWalk(calendar: calendar, for: first.day)
    return days.map { ahead in
      walk.advance(to: calendar.unit(holding: ahead.day).first)
      return entry(of: ahead, after: walk.tally, calendar)
    }
  }

  /// Freezes in hand on a day, as the log stands.
  func freezes(on day: CivilDay) -> Int {
    let calendar = StreakCalendar(state: state, policy: state.settings.streakPolicy.value)
    var walk = StreakWalk(calendar: calendar, for: day)
    walk.advance(to: calendar.unit(holding: day).first)
    return Present(of: day, after: walk.tally, calendar).tally.inHand.count
  }

  /// The streak while a unit is the present one: what it adds, and the later ones that adjoin it.
  private struct Present {
    let unit: StreakUnit
    let status: StreakStretch.Status
    var tally: StreakTally
    /// The first unit that is still to do.
    var open: StreakUnit

    init(of day: CivilDay, after tally: StreakTally, _ calendar: StreakCalendar) {
      unit = calendar.unit(holding: day)
      status = calendar.status(of: unit)
      self.tally = tally
      open = unit
      // Not over, so not missed.
      guard status != .missed else {
        self.tally.grant(through: day)
        return
      }
      let newest = calendar.state.logs.satisfied.last ?? day
      let end = min(newest, day.advanced(days: StreakProjection.daysAheadMax)).advanced(days: 1)
      while open == unit || open.first < end {
        let stretch = calendar.stretch(from: open, before: max(end, open.last.advanced(days: 1)))
        if stretch.status == .missed { break }
        if open == unit || status == .satisfied { self.tally.take(stretch, in: calendar) }
        open = calendar.unit(holding: stretch.last.advanced(days: 1))
        if status != .satisfied { break }
      }
    }
  }

  private func entry(
    of ahead: DayAhead, after tally: StreakTally, _ calendar: StreakCalendar
  ) -> StreakFacet.Entry {
    let present = Present(of: ahead.day, after: tally, calendar)
    let lost = lostUnit(present, calendar)
    let todayDone = state.logs.satisfied.contains(ahead.day)
    var atRiskAt: Instant?
    if let lost, lost == present.unit, !todayDone, needsToday(ahead.day, of: lost, calendar) {
      atRiskAt = min(riskInstant(of: ahead.day) ?? ahead.end, ahead.end)
    }
    let count = present.tally.count
    let isPaused = state.streaks.pausedDays.contains(ahead.day)
    var entry = StreakFacet.Entry(
      from: ahead.from, days: count, todayDone: todayDone, atRiskAt: atRiskAt,
      lostAt: lost.flatMap { $0.last == ahead.day ? ahead.end : firstInstant(after: $0.last) },
      text: text(count, isPaused: isPaused))
    entry.freezes = present.tally.inHand.count
    entry.protected = present.tally.protected.suffix(AuthorityLimits.protectedShown).map(\.first)
    entry.isPaused = isPaused
    return entry
  }

  /// The unit at whose end the streak is over unless something is done; nil: there is none to
  /// lose, or none so soon.
  private func lostUnit(_ present: Present, _ calendar: StreakCalendar) -> StreakUnit? {
    var tally = present.tally
    if tally.count == 0 { return nil }
    var unit = present.open
    let end = unit.first.advanced(days: Self.daysAheadMax)
    while unit.first < end {
      let stretch = calendar.stretch(from: unit, before: end)
      if stretch.status == .missed {
        tally.miss(unit)
        if tally.count == 0 { return unit }
        unit = calendar.unit(after: unit)
      } else {
        tally.take(stretch, in: calendar)
        unit = calendar.unit(holding: stretch.last.advanced(days: 1))
      }
    }
    return nil
  }

  /// Whether the unit cannot be satisfied any more once `day` is over.
  private func needsToday(
    _ day: CivilDay, of unit: StreakUnit, _ calendar: StreakCalendar
  ) -> Bool {
    guard calendar.policy.daysAWeek != nil else { return true }
    let need = calendar.need(of: unit, from: day)
    return need.open <= need.days
  }

  /// 18:00 local: what is not done by then is at risk.
  private func riskInstant(of day: CivilDay) -> Instant? {
    state.zone.rules.firstInstant(atOrAfter: day, millisecondsOfDay: 18 * 3_600_000)
  }

  private func firstInstant(after day: CivilDay) -> Instant? {
    state.zone.rules.firstInstant(atOrAfter: state.zone.day(after: day), millisecondsOfDay: 0)
  }

  private func text(_ count: Int, isPaused: Bool) -> String {
    let unit = state.settings.streakPolicy.value.daysAWeek == nil ? "day" : "week"
    let run = count == 0 ? "no streak" : counted(count, unit)
    return isPaused ? "\(run), paused" : run
  }
}
