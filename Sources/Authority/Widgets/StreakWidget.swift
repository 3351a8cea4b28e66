internal import WatchTransfer

/// The streak on a widget.
struct StreakWidget: WidgetContent {
  let family: WidgetFamily
  /// nil: nothing was ever done.
  private let facet: StreakFacet?

  /// The streak of an account.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    facet = state.logs.count == 0 ? nil : StreakProjection(state: state).facet
  }

  /// Moments at risk; a streak is lost at a midnight.
  var moments: [Instant] { facet?.entries.compactMap(\.atRiskAt) ?? [] }

  /// The streak at a moment.
  func frame(at moment: Instant) -> WidgetFrame {
    guard let entry = facet?.entries.current(at: moment) else { return placeholder }
    let isAtRisk = entry.atRiskAt.map { $0 <= moment } ?? false
    let streak = entry.days == 0 ? "No streak" : "\(entry.days)-\(unit) streak"
    let today =
      entry.isPaused
      ? "Paused" : entry.todayDone ? "Done today" : isAtRisk ? "At risk today" : "To do today"
    var frame = WidgetFrame(
      lines: [], spoken: "\(spoken(entry.days)). \(today).",
      symbol: isAtRisk ? "flame.warning" : "flame")
    switch family {
    case .circular, .corner: frame.lines = [String(entry.days)]
    case .inline: frame.lines = ["\(streak), \(lowercasedFirst(today))"]
    case .small, .medium, .large, .rectangular:
      frame.lines = [streak, today]
      if isAtRisk { frame.lines.append("Ends at midnight") }
    }
    frame.number = entry.days
    frame.progressPermille = entry.todayDone ? 1_000 : 0
    return frame
  }

  private var placeholder: WidgetFrame {
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .inline: ["No workouts yet"]
      case .small, .medium, .large, .rectangular: ["No workouts yet", "Mark one to start"]
      }
    return WidgetFrame(lines: lines, spoken: "No workouts yet.", symbol: "flame")
  }

  private func spoken(_ days: Int) -> String {
    days == 0 ? "No streak" : "Streak of \(counted(days, unit))"
  }

  /// What is counted.
  private var unit: String { facet?.policy.daysAWeek == nil ? "day" : "week" }
}

/// ASCII text with a small first letter.
private func lowercasedFirst(_ text: String) -> String {
  text.prefix(1).lowercased() + text.dropFirst()
}
