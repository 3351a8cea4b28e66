internal import WatchTransfer

/// The calendar week on a widget: which days were done, and for how long.
struct WeekWidget: WidgetContent {
  let family: WidgetFamily
  /// One for each day ahead; empty: nothing was ever done.
  private let weeks: [Week]

  /// The week as of one day.
  private struct Week: Timed {
    let from: Instant
    /// How many days of the week have gone, today left out.
    let daysGone: Int
    let totals: [DayTotal]
    /// Monday first: `M`, `T` …
    let weekdays: [Int]

    var done: Int { totals.count { $0.workouts > 0 } }
    var minutes: Int { totals.minutes }
  }

  /// The weeks of an account's days ahead.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    guard state.logs.count > 0 else {
      weeks = []
      return
    }
    weeks = state.daysAhead.map { ahead in
      let first = state.firstDayOfWeek(of: ahead.day)
      return Week(
        from: ahead.from, daysGone: Int(ahead.day.days(since: first)),
        totals: state.dayTotals(from: first, count: 7),
        weekdays: (0..<7).map { first.advanced(days: $0).weekday })
    }
  }

  /// Only midnights change it.
  var moments: [Instant] { [] }

  /// The week at a moment. "This week" holds until the midnight that replaces it.
  func frame(at moment: Instant) -> WidgetFrame {
    guard let week = weeks.current(at: moment) else { return placeholder }
    let days = counted(week.done, "day")
    let minutes = counted(week.minutes, "minute")
    var frame = WidgetFrame(
      lines: [], spoken: spoken(week, days: days, minutes: minutes), symbol: "week")
    switch family {
    case .circular, .corner: frame.lines = ["\(week.done)/7"]
    case .inline: frame.lines = ["\(days) this week, \(week.minutes) min"]
    case .small, .medium, .large, .rectangular:
      frame.lines = ["\(days) this week", marks(of: week), minutes]
    }
    frame.number = week.done
    frame.progressPermille = week.done * 1_000 / 7
    return frame
  }

  /// `M✓ T· W✓ T○ F  S  S`: done, missed, today still open, and what is to come.
  private func marks(of week: Week) -> String {
    let isNarrow = family.lineCharactersMax < 20
    return week.totals.enumerated().map { index, total in
      let mark =
        total.workouts > 0 ? "✓" : index < week.daysGone ? "·" : index == week.daysGone ? "○" : "-"
      return isNarrow ? mark : "\(Self.letters[week.weekdays[index] - 1])\(mark)"
    }.joined(separator: isNarrow ? "" : " ")
  }

  private func spoken(_ week: Week, days: String, minutes: String) -> String {
    let names = week.totals.indices.filter { week.totals[$0].workouts > 0 }
      .map { Self.names[week.weekdays[$0] - 1] }
    let list = names.isEmpty ? "" : ": \(names.joined(separator: ", "))"
    return "\(days) of 7 done this week\(list). \(minutes)."
  }

  private static let letters = ["M", "T", "W", "T", "F", "S", "S"]
  private static let names = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]

  private var placeholder: WidgetFrame {
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .inline: ["No workouts yet"]
      case .small, .medium, .large, .rectangular: ["No workouts yet", "Plan or mark one"]
      }
    return WidgetFrame(lines: lines, spoken: "No workouts yet.", symbol: "week")
  }
}
