internal import WatchTransfer

/// A day, or a calendar week, as a policy counts it.
struct StreakUnit: Equatable {
  let first: CivilDay
  let last: CivilDay
}

/// Units in a row that are alike.
struct StreakStretch {
  enum Status {
    case satisfied, missed
    /// Neither counts nor breaks.
    case neutral
  }

  let status: Status
  let first: StreakUnit
  let last: CivilDay
  /// How many.
  let count: Int
}

/// What each day or week is under a policy, as the log stands (DESIGN section 6, rule 4):
/// - daily: a day that happened is satisfied by a log that counts;
/// - weekly: a week is satisfied by so many different days, of those that happened in it; one whose
///   pauses leave fewer days than that neither counts nor breaks;
/// - scheduled: as daily, for the days with something planned.
/// Days that are paused, or never happened, neither count nor break.
struct StreakCalendar {
  let state: AccountState
  let policy: StreakPolicy
  private let planned: PlannedDays?
  private let firstWeekday: Int
  private let satisfied: DayRuns
  private let paused: DayRuns

  init(state: AccountState, policy: StreakPolicy) {
    self.state = state
    self.policy = policy
    planned = policy == .scheduled ? PlannedDays(state: state) : nil
    firstWeekday = state.settings.firstWeekday.value
    satisfied = state.logs.satisfied
    paused = state.streaks.pausedDays
  }

  /// The unit that holds a day.
  func unit(holding day: CivilDay) -> StreakUnit {
    guard case .weekly = policy else { return StreakUnit(first: day, last: day) }
    let first = day.weekStart(firstWeekday: firstWeekday)
    return StreakUnit(first: first, last: first.advanced(days: 6))
  }

  /// The unit after `unit`.
  func unit(after unit: StreakUnit) -> StreakUnit {
    self.unit(holding: unit.last.advanced(days: 1))
  }

  /// The units from `unit` on that are like it, of those that begin before `end`. Takes a whole run
  /// of the log at once, so that years of history cost nothing.
  func stretch(from unit: StreakUnit, before end: CivilDay) -> StreakStretch {
    let status = status(of: unit)
    switch policy {
    case .daily:
      let last = status == .neutral ? neutralEnd(of: unit) : alikeEnd(of: unit.first)
      return stretch(of: status, unit, through: min(last, end.advanced(days: -1)))
    case .weekly:
      // Whole weeks within a run are alike.
      guard status == .satisfied, satisfied.contains(unit.first), !isOut(unit.first) else { break }
      let last = min(alikeEnd(of: unit.first), end.advanced(days: 6))
      let weeks = last.advanced(days: 1).days(since: unit.first) / 7
      guard weeks > 1 else { break }
      let weeksBefore = max(1, (end.days(since: unit.first) + 6) / 7)
      let count = min(weeks, weeksBefore)
      return StreakStretch(
        status: status, first: unit, last: unit.first.advanced(days: Int32(count * 7 - 1)),
        count: count)
    case .scheduled:
      guard let planned, status != .missed else { break }
      if status == .neutral {
        let end = max(end.advanced(days: -1), unit.last)
        guard !planned.contains(unit.first) else { break }
        let next = planned.first(from: unit.first, through: end)
        return stretch(of: status, unit, through: next?.advanced(days: -1) ?? end)
      }
      let last = max(unit.last, min(alikeEnd(of: unit.first), end.advanced(days: -1)))
      return StreakStretch(
        status: status, first: unit, last: last,
        count: planned.count(from: unit.first, through: last))
    }
    return StreakStretch(status: status, first: unit, last: unit.last, count: 1)
  }

  private func stretch(
    of status: StreakStretch.Status, _ unit: StreakUnit, through last: CivilDay
  ) -> StreakStretch {
    let last = max(last, unit.last)
    return StreakStretch(
      status: status, first: unit, last: last, count: last.days(since: unit.first) + 1)
  }

  /// Last day of the pause that a unit is in.
  private func neutralEnd(of unit: StreakUnit) -> CivilDay {
    paused.run(holding: unit.first).map { CivilDay(number: $0.upperBound) } ?? unit.last
  }

  /// Last of the days from `day` on that are all satisfied, or all not; none is paused, and all
  /// happened.
  private func alikeEnd(of day: CivilDay) -> CivilDay {
    var last = CivilDay(number: .max)
    if let start = paused.start(after: day) { last = min(last, start.advanced(days: -1)) }
    if let skipped = state.zone.skippedDay(after: day) {
      last = min(last, skipped.advanced(days: -1))
    }
    if let run = satisfied.run(holding: day) {
      last = min(last, CivilDay(number: run.upperBound))
    } else if let start = satisfied.start(after: day) {
      last = min(last, start.advanced(days: -1))
    }
    return last
  }

  /// The first day of the units before `day` among which none is missed; not before `earliest`.
  func unbroken(before day: CivilDay, notBefore earliest: CivilDay) -> CivilDay {
    var first = day
    while first > earliest {
      let unit = unit(holding: first.advanced(days: -1))
      if status(of: unit) == .missed { break }
      first = unit.first
      if let planned, !planned.contains(first) {
        // Nothing between two plans is missed.
        let before = planned.last(from: earliest, through: first)
        first = before.map { $0.advanced(days: 1) } ?? earliest
        continue
      }
      // Nothing within a run of the log is missed, and nothing within a pause.
      for run in [satisfied.run(holding: first), paused.run(holding: first)] {
        guard let run, run.lowerBound < first.number else { continue }
        let start = CivilDay(number: run.lowerBound)
        guard policy.daysAWeek != nil else {
          first = min(first, start)
          continue
        }
        // The weeks that lie in it whole; one that begins before it is looked at by itself.
        let whole = self.unit(holding: start)
        first = min(first, whole.first == start ? start : whole.last.advanced(days: 1))
      }
    }
    return first
  }

  /// Whether a unit is satisfied, missed (as far as the log goes), or neither.
  func status(of unit: StreakUnit) -> StreakStretch.Status {
    if case .weekly(let days) = policy { return weekStatus(of: unit, days: days) }
    let day = unit.first
    if paused.contains(day) || state.zone.isSkipped(day) { return .neutral }
    if let planned, !planned.contains(day) { return .neutral }
    return satisfied.contains(day) ? .satisfied : .missed
  }

  /// How many more days a week needs, and how many of its days from `day` on are open.
  func need(of week: StreakUnit, from day: CivilDay) -> (days: Int, open: Int) {
    let figures = figures(of: week)
    var open = 0
    for number in day.number...max(day.number, week.last.number) {
      let day = CivilDay(number: number)
      if !isOut(day), !satisfied.contains(day) { open += 1 }
    }
    return (max(0, figures.required - figures.satisfied), open)
  }

  private func weekStatus(of week: StreakUnit, days: Int) -> StreakStretch.Status {
    let figures = figures(of: week)
    if figures.satisfied >= figures.required, figures.satisfied > 0 { return .satisfied }
    return figures.open < figures.required || figures.required == 0 ? .neutral : .missed
  }

  /// Of a week: the days asked for, those that a log satisfies, those that are not paused.
  private func figures(of week: StreakUnit) -> (required: Int, satisfied: Int, open: Int) {
    let days = policy.daysAWeek ?? 0
    var happened = 7
    var open = 7
    var count = satisfied.count(from: week.first, through: week.last)
    if paused.count(from: week.first, through: week.last) > 0
      || state.zone.skippedDay(after: week.first.advanced(days: -1)).map({ $0 <= week.last })
        ?? false
    {
      happened = 0
      open = 0
      count = 0
      for number in week.first.number...week.last.number {
        let day = CivilDay(number: number)
        if state.zone.isSkipped(day) { continue }
        happened += 1
        if paused.contains(day) { continue }
        open += 1
        if satisfied.contains(day) { count += 1 }
      }
    }
    return (min(days, happened), count, open)
  }

  private func isOut(_ day: CivilDay) -> Bool { paused.contains(day) || state.zone.isSkipped(day) }
}
