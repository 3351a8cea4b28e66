package import WatchTransfer

/// A span of civil days over which logs are counted (DESIGN section 6, rule 5).
package struct LogWindow: Sendable, Equatable {
  package let first: CivilDay
  package let last: CivilDay

  /// The days from `first` through `last`.
  package init(first: CivilDay, last: CivilDay) {
    self.first = first
    self.last = max(first, last)
  }

  /// Today and the `days` - 1 before it; today is the clock's, not the newest log's.
  package static func last(days: Int, today: CivilDay) -> LogWindow {
    LogWindow(first: today.advanced(days: -Int32(clamping: max(1, days) - 1)), last: today)
  }

  /// The calendar week of a day.
  package static func week(of day: CivilDay, firstWeekday: Int) -> LogWindow {
    let first = day.weekStart(firstWeekday: firstWeekday)
    return LogWindow(first: first, last: first.advanced(days: 6))
  }

  /// The calendar month of a day.
  package static func month(of day: CivilDay) -> LogWindow {
    let date = day.date
    let first = day.advanced(days: 1 - Int32(date.day))
    let isDecember = date.month == 12
    let next = CivilDay(
      year: date.year + (isDecember ? 1 : 0), month: isDecember ? 1 : date.month + 1, day: 1)
    return LogWindow(first: first, last: (next ?? first.advanced(days: 31)).advanced(days: -1))
  }
}

/// What was done within a window.
package struct LogTotals: Sendable, Equatable {
  /// Logs that count.
  package var workouts = 0
  /// Different days with one.
  package var activeDays = 0
  /// Shown durations.
  package var milliseconds: Int64 = 0
  /// Days of the window that happened so far, today included.
  package var days = 0

  /// Nothing done.
  package init() {}

  /// Milliseconds a day, over the days so far; nil before the window begins.
  package var averageMilliseconds: Double? {
    days == 0 ? nil : Double(milliseconds) / Double(days)
  }

  /// Workouts a day, over the days so far; nil before the window begins.
  package var averageWorkouts: Double? { days == 0 ? nil : Double(workouts) / Double(days) }
}

extension AccountState {
  /// What was done within a window, as of a day.
  package func totals(of window: LogWindow, today: CivilDay) -> LogTotals {
    var totals = LogTotals()
    var done = DayTotal()
    for record in logs.days(from: window.first, through: window.last) {
      if record.countingLogs > 0 { totals.activeDays += 1 }
      done.add(record)
    }
    totals.workouts = done.workouts
    totals.milliseconds = done.milliseconds
    let end = min(window.last, today)
    guard window.first <= end else { return totals }
    // A day that never happened is no day to divide by.
    let after = zone.skippedDays.partitionIndex { $0 < window.first }
    let skipped = zone.skippedDays[after...].prefix { $0 <= end }.count
    totals.days = end.days(since: window.first) + 1 - skipped
    return totals
  }
}
