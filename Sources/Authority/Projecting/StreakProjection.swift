internal import WatchTransfer

/// The run of satisfied days, for today and for every midnight up to the horizon, as it will be
/// when nothing more is done (DESIGN section 6, rule 4).
struct StreakProjection {
  let state: AccountState

  /// The facet.
  var facet: StreakFacet {
    StreakFacet(policy: state.settings.streakPolicy.value, entries: entries)
  }

  /// One entry a day.
  var entries: [StreakFacet.Entry] {
    var run: Run?
    return state.daysAhead.map { ahead in
      let todayDone = isSatisfied(ahead.day)
      let anchor = todayDone ? ahead.day : state.zone.day(before: ahead.day)
      if !(run?.contains(anchor) ?? false) { run = self.run(around: anchor) }
      return entry(of: ahead, run: run, todayDone: todayDone)
    }
  }

  private func entry(of ahead: DayAhead, run: Run?, todayDone: Bool) -> StreakFacet.Entry {
    let days = run?.count ?? 0
    var atRiskAt: Instant?
    var lostAt: Instant?
    if let run {
      // The first day that is still open; its end is the end of the streak.
      let open = todayDone ? state.zone.day(after: run.last) : ahead.day
      lostAt = open == ahead.day ? ahead.end : firstInstant(after: open)
      if !todayDone { atRiskAt = min(riskInstant(of: ahead.day) ?? ahead.end, ahead.end) }
    }
    return StreakFacet.Entry(
      from: ahead.from, days: days, todayDone: todayDone, atRiskAt: atRiskAt, lostAt: lostAt,
      text: days == 0 ? "no streak" : days == 1 ? "1 day" : "\(days) days")
  }

  /// 18:00 local: what is not done by then is at risk.
  private func riskInstant(of day: CivilDay) -> Instant? {
    state.zone.rules.firstInstant(atOrAfter: day, millisecondsOfDay: 18 * 3_600_000)
  }

  private func firstInstant(after day: CivilDay) -> Instant? {
    state.zone.rules.firstInstant(atOrAfter: state.zone.day(after: day), millisecondsOfDay: 0)
  }

  private func isSatisfied(_ day: CivilDay) -> Bool {
    (state.logs.record(of: day)?.countingLogs ?? 0) > 0
  }

  /// Days that adjoin each other, all satisfied.
  private struct Run {
    var first: CivilDay
    var last: CivilDay
    var count: Int

    func contains(_ day: CivilDay) -> Bool { first <= day && day <= last }
  }

  /// The run that holds `day`; nil when the day is not satisfied.
  private func run(around day: CivilDay) -> Run? {
    let days = state.logs.days
    guard let index = state.logs.index(of: day), days[index].countingLogs > 0 else { return nil }
    var run = Run(first: day, last: day, count: 1)
    var before = index
    while before > 0, days[before - 1].countingLogs > 0,
      adjoin(days[before - 1].day, days[before].day)
    {
      before -= 1
      run.first = days[before].day
      run.count += 1
    }
    var after = index
    while after + 1 < days.count, days[after + 1].countingLogs > 0,
      adjoin(days[after].day, days[after + 1].day)
    {
      after += 1
      run.last = days[after].day
      run.count += 1
    }
    return run
  }

  /// Whether no day that happened lies between.
  private func adjoin(_ earlier: CivilDay, _ later: CivilDay) -> Bool {
    later.days(since: earlier) == 1 || state.zone.day(after: earlier) >= later
  }
}
