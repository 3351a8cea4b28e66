internal import WatchTransfer

/// The goal that the weight log is measured by, in kilograms.
package let weightGoal = "weight"

/// The goals that the authority can measure by the log, by name.
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
        if sameBytes(record.name, weightGoal) {
          return GoalsFacet.Goal(
            name: record.name, target: target, progress: weightProgress(target: target))
        }
        let progress = Measure(name: record.name).map {
          self.progress($0, target: target, days: days)
        }
        return GoalsFacet.Goal(name: record.name, target: target, progress: progress ?? [])
      }, weight: WeightProjection(state: state).latest)
  }

  /// The latest weight in kilograms, as the target is; none before there is one.
  private func weightProgress(target: Double) -> [GoalsFacet.Progress] {
    guard let latest = state.weights.latest else { return [] }
    let weights = WeightProjection(state: state)
    return [
      GoalsFacet.Progress(
        from: state.asOf, value: latest.weight.kilograms,
        text: "\(weights.text(latest.weight)), goal \(weights.text(kilograms: target))")
    ]
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
    var window = LogWindow(first: day, last: day)
    if measure.isWeekly {
      window = LogWindow.week(of: day, firstWeekday: state.settings.firstWeekday.value)
    }
    let totals = state.totals(of: window, today: day)
    return measure.countsMinutes ? totals.milliseconds / 60_000 : Int64(totals.workouts)
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

/// A value without decimals, rounded; at least 0.
func wholeFigure(_ value: Double) -> String {
  value < 1e15 ? String(Int64(value + 0.5)) : "\(value)"
}
