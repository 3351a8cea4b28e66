internal import WatchTransfer

/// Minutes a day over the last 30 days on a widget, as ready points. Their vertical scale is fixed
/// over 365 days, so that it does not jump from day to day (DESIGN section 6).
struct TrendWidget: WidgetContent {
  let family: WidgetFamily
  /// One for each day ahead; empty: nothing was ever done.
  private let trends: [Trend]
  /// What the top of the scale stands for, in minutes; nil: nothing was ever done.
  let domainMaximum: Int?

  /// The last days as of one day.
  private struct Trend: Timed {
    let from: Instant
    /// Oldest first, today last.
    let days: [DayTotal]
  }

  /// Days that are shown, today included.
  static let daysShown = 30
  /// Days whose highest value fixes the scale, today included.
  static let domainDays = 365

  /// The days of an account.
  init(state: AccountState, family: WidgetFamily) {
    self.family = family
    guard state.logs.count > 0, let today = state.daysAhead.first?.day,
      let last = state.daysAhead.last?.day
    else {
      trends = []
      domainMaximum = nil
      return
    }
    let start = today.advanced(days: Int32(1 - Self.domainDays))
    // What is dated ahead is shown on its day, too.
    let ahead = Int(last.days(since: today))
    let totals = state.dayTotals(from: start, count: Self.domainDays + ahead)
    domainMaximum = Self.roundedUp(totals.map(\.minutes).max() ?? 0)
    trends = state.daysAhead.map { day in
      let end = Int(day.day.days(since: start)) + 1
      return Trend(from: day.from, days: Array(totals[max(0, end - Self.daysShown)..<end]))
    }
  }

  /// Only midnights change it.
  var moments: [Instant] { [] }

  /// The last 30 days at a moment; a midnight's entry replaces it.
  func frame(at moment: Instant) -> WidgetFrame {
    guard let domainMaximum, let trend = trends.current(at: moment) else { return placeholder }
    let total = trend.days.minutes
    // An average to date divides by all the days, today included (DESIGN section 6, rule 5).
    let average = (total + Self.daysShown / 2) / Self.daysShown
    var frame = WidgetFrame(
      lines: [],
      spoken: "\(total) minutes in the last \(Self.daysShown) days, \(average) a day.",
      symbol: "trend")
    switch family {
    case .circular, .corner: frame.lines = ["\(average)"]
    case .inline: frame.lines = ["\(total) min in \(Self.daysShown) days"]
    case .small, .medium, .large, .rectangular:
      frame.lines = ["Last \(Self.daysShown) days", "\(total) minutes", "\(average) a day"]
    }
    frame.number = total
    frame.points = trend.days.map { $0.minutes * 1_000 / domainMaximum }
    return frame
  }

  /// The next value that a person would write at an axis.
  private static func roundedUp(_ minutes: Int) -> Int {
    steps.first { $0 >= minutes } ?? (minutes + 1_439) / 1_440 * 1_440
  }

  private static let steps = [10, 20, 30, 45, 60, 90, 120, 180, 240, 360, 480, 720, 1_440]

  private var placeholder: WidgetFrame {
    let lines: [String] =
      switch family {
      case .circular, .corner: ["None"]
      case .inline: ["No workouts yet"]
      case .small, .medium, .large, .rectangular: ["No workouts yet", "Log one to start"]
      }
    return WidgetFrame(lines: lines, spoken: "No workouts yet.", symbol: "trend")
  }
}
