internal import WatchTransfer

/// What the logs of one day add up to.
struct DayTotal: Equatable {
  /// Logs that count.
  var workouts = 0
  var milliseconds: Int64 = 0

  /// Whole minutes.
  var minutes: Int { Int(milliseconds / 60_000) }

  /// Adds what was done on one day.
  mutating func add(_ record: DayRecord) {
    for log in record.logs where log.counts {
      workouts += 1
      milliseconds &+= log.shownMilliseconds
    }
  }
}

extension Sequence where Element == DayTotal {
  /// Whole minutes of all of them together, as goals count them.
  var minutes: Int { Int(reduce(0) { $0 &+ $1.milliseconds } / 60_000) }
}

extension AccountState {
  /// What was done on each of `count` days from `first` on, oldest first. Costs what there is in
  /// those days, however long the history.
  func dayTotals(from first: CivilDay, count: Int) -> [DayTotal] {
    var totals = Array(repeating: DayTotal(), count: count)
    for record in logs.days(from: first, through: first.advanced(days: Int32(count) - 1)) {
      totals[Int(record.day.days(since: first))].add(record)
    }
    return totals
  }

  /// The first day of the calendar week that holds `day`, by the person's first weekday.
  func firstDayOfWeek(of day: CivilDay) -> CivilDay {
    day.weekStart(firstWeekday: settings.firstWeekday.value)
  }
}
