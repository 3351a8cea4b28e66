internal import WatchTransfer

/// What the logs of one day add up to.
struct DayTotal: Equatable {
  /// Logs that count.
  var workouts = 0
  var milliseconds: Int64 = 0

  /// Whole minutes.
  var minutes: Int { Int(milliseconds / 60_000) }
}

extension AccountState {
  /// What was done on each of `count` days from `first` on, oldest first. Costs what there is in
  /// those days, however long the history.
  func dayTotals(from first: CivilDay, count: Int) -> [DayTotal] {
    var totals = Array(repeating: DayTotal(), count: count)
    let days = logs.days
    var index = days.partitionIndex { $0.day < first }
    while index < days.count {
      let offset = Int(days[index].day.days(since: first))
      guard offset < count else { break }
      for log in days[index].logs where log.counts {
        totals[offset].workouts += 1
        totals[offset].milliseconds &+= log.shownMilliseconds
      }
      index += 1
    }
    return totals
  }

  /// The first day of the calendar week that holds `day`, by the person's first weekday.
  func firstDayOfWeek(of day: CivilDay) -> CivilDay {
    day.weekStart(firstWeekday: settings.firstWeekday.value)
  }
}
