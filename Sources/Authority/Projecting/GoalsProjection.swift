internal import WatchTransfer

/// The goals that the authority can measure, by name.
package let measurableGoals: [(name: String, countsMinutes: Bool, isWeekly: Bool)] = [
  ("workouts-per-week", false, true), ("minutes-per-week", true, true),
  ("workouts-per-day", false, false), ("minutes-per-day", true, false),
]

/// The person's goals, with progress for the names the authority can measure.
struct GoalsProjection {
  let state: AccountState

  /// The facet, in order of the names' bytes.
  var facet: GoalsFacet {
    let days = state.daysAhead
    return GoalsFacet(
      goals: state.goals.records.compactMap { record in
        guard let target = record.value else { return nil }
        let progress = Measure(name: record.name).map {
          self.progress($0, target: target, days: days)
        }
        return GoalsFacet.Goal(name: record.name, target: target, progress: progress ?? [])
      })
  }

  /// What a measurable goal counts, over which span.
  private struct Measure {
    let countsMinutes: Bool
    let isWeekly: Bool

    init?(name: String) {
      guard let match = measurableGoals.first(where: { sameBytes($0.name, name) }) else {
        return nil
      }
      countsMinutes = match.countsMinutes
      isWeekly = match.isWeekly
    }
  }

  private func progress(
    _ measure: Measure, target: Double, days: [DayAhead]
  ) -> [GoalsFacet.Progress] {
    var entries: [GoalsFacet.Progress] = []
    for ahead in days {
      let value = Double(amount(measure, on: ahead.day))
      if let last = entries.last, last.value == value { continue }
      let unit = measure.countsMinutes ? "minutes" : "workouts"
      entries.append(
        GoalsFacet.Progress(
          from: ahead.from, value: value, text: "\(figure(value)) of \(figure(target)) \(unit)"))
    }
    return entries
  }

  /// Workouts, or whole minutes, of a day or of its calendar week.
  private func amount(_ measure: Measure, on day: CivilDay) -> Int64 {
    var first = day
    var last = day
    if measure.isWeekly {
      let into = (day.weekday - state.settings.firstWeekday.value + 14) % 7
      first = day.advanced(days: Int32(-into))
      last = first.advanced(days: 6)
    }
    let days = state.logs.days
    var workouts: Int64 = 0
    var milliseconds: Int64 = 0
    var index = days.partitionIndex { $0.day < first }
    while index < days.count, days[index].day <= last {
      for log in days[index].logs where log.counts {
        workouts &+= 1
        milliseconds &+= log.shownMilliseconds
      }
      index += 1
    }
    return measure.countsMinutes ? milliseconds / 60_000 : workouts
  }
}

/// A figure without needless decimals, at most one: `150`, `2.5`. By conversion of a guarded value,
/// because `rounded()` needs the C library, which this target does without.
func figure(_ value: Double) -> String {
  guard value.magnitude < 1e15 else { return "\(value)" }
  let tenths = Int64(value.magnitude * 10 + 0.5)
  let sign = value < 0 && tenths > 0 ? "-" : ""
  let whole = "\(sign)\(tenths / 10)"
  return tenths % 10 == 0 ? whole : "\(whole).\(tenths % 10)"
}
