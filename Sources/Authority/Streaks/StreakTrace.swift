public import WatchTransfer

/// What each day from `first` through `last` was for a streak under `policy`, whatever the person's
/// own is, as of the day `today`: which log satisfied it, or why it was not satisfied. At most as
/// many days as are asked for; the cost of a page does not grow with what lies before it, but for
/// the freezes.
public func streakTrace(
  _ state: AccountState, policy: StreakPolicy, from first: CivilDay, through last: CivilDay,
  today: CivilDay
) -> [StreakTraceDay] {
  guard first <= last else { return [] }
  let calendar = StreakCalendar(state: state, policy: policy)
  var walk = StreakWalk(calendar: calendar, for: today)
  // A freeze is spent at the next satisfied unit, which may be today's.
  walk.advance(to: calendar.unit(holding: today).first)
  var tally = walk.tally
  let present = calendar.unit(holding: today)
  if calendar.status(of: present) == .satisfied {
    tally.take(
      calendar.stretch(from: present, before: present.last.advanced(days: 1)), in: calendar)
  }
  let protected = tally.everSpent + tally.gap
  var days: [StreakTraceDay] = []
  for number in first.number...last.number {
    let day = CivilDay(number: number)
    let status = status(of: day, calendar, today: today, protected: protected)
    days.append(StreakTraceDay(day: day, status: status, text: text(of: day, status, state)))
  }
  return days
}

private func status(
  of day: CivilDay, _ calendar: StreakCalendar, today: CivilDay, protected: [StreakUnit]
) -> StreakDayStatus {
  let state = calendar.state
  if state.zone.isSkipped(day) { return .skipped }
  if state.streaks.pausedDays.contains(day) { return .paused }
  let unit = calendar.unit(holding: day)
  let status = calendar.status(of: unit)
  if let log = state.logs.logs(on: day).first(where: \.counts),
    calendar.policy.daysAWeek != nil || status == .satisfied
  {
    return .satisfied(by: log.id)
  }
  let index = protected.partitionIndex { $0.first < unit.first }
  if index < protected.count, protected[index] == unit { return .protected }
  if status != .missed { return status == .satisfied && day >= today ? .open : .idle }
  return unit.last < today ? .missed : .open
}

/// `15 Jun 2026: done, Row`.
private func text(of day: CivilDay, _ status: StreakDayStatus, _ state: AccountState) -> String {
  let word =
    switch status {
    case .satisfied(let id): "done" + (state.log(id).map { ", \(shownTitle(of: $0))" } ?? "")
    case .protected: "covered by a freeze"
    case .paused: "paused"
    case .missed: "missed"
    case .skipped: "never happened here"
    case .idle: "does not count"
    case .open: "still open"
    }
  return "\(dayText(day)): \(word)"
}
