internal import WatchTransfer

/// What a question about days asks for as of `now`: the days of its span as a policy counts them,
/// and what was done on them.
func streakTrace(
  _ state: AccountState, _ question: StreakTraceQuestion, now: Instant
) -> StreakTrace {
  let today = state.today(at: now)
  let window = window(of: question.span, today: today)
  let policy = question.policy ?? state.settings.streakPolicy.value
  return StreakTrace(
    policy: policy,
    days: streakTrace(
      state, policy: policy, from: window.first, through: window.last, today: today),
    totals: SpanTotals(state.totals(of: window, today: today), of: window))
}

private func window(of span: DaySpan, today: CivilDay) -> LogWindow {
  func bounded(_ days: Int) -> Int {
    min(max(days, QueryLimits.traceDays.lowerBound), QueryLimits.traceDays.upperBound)
  }
  func bounded(_ day: CivilDay) -> CivilDay {
    min(max(day, ActionLimits.days.lowerBound), ActionLimits.days.upperBound)
  }
  switch span {
  case .from(let first, let days):
    let first = bounded(first)
    return LogWindow(first: first, last: first.advanced(days: Int32(bounded(days)) - 1))
  case .last(let days): return .last(days: bounded(days), today: today)
  case .month(let day): return .month(of: bounded(day))
  }
}

extension SpanTotals {
  /// Sums with their text.
  fileprivate init(_ totals: LogTotals, of window: LogWindow) {
    let minutes = totals.milliseconds / 60_000
    let days = window.last.days(since: window.first) + 1
    var text = "\(counted(totals.workouts, "workout")) on \(totals.activeDays) of "
    text += "\(counted(days, "day")), \(minutes) min"
    if minutes > 0, let average = totals.averageMilliseconds {
      text += ", \(figure(average / 60_000)) min a day"
    }
    self.init(
      workouts: totals.workouts, activeDays: totals.activeDays, milliseconds: totals.milliseconds,
      days: totals.days, averageMilliseconds: totals.averageMilliseconds,
      averageWorkouts: totals.averageWorkouts, text: text)
  }
}
