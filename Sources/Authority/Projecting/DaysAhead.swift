internal import WatchTransfer

/// A civil day in the account's zone, from the moment it holds.
struct DayAhead: Equatable {
  let day: CivilDay
  /// Its first instant; for the first day the newest turn.
  let from: Instant
  /// The first instant of the next day that happens.
  let end: Instant
}

extension AccountState {
  /// The day of the newest turn and every day that begins up to the horizon.
  var daysAhead: [DayAhead] {
    let rules = zone.rules
    var days: [DayAhead] = []
    var day = rules.day(at: asOf)
    var from = asOf
    // 9 days at most; the bound only guards against rules that make no sense.
    while days.count < 16 {
      var next = day.advanced(days: 1)
      var start = rules.start(of: next)
      // A zone skips one day at a time; two in a row have never been.
      for _ in 0..<2 where start == nil {
        next = next.advanced(days: 1)
        start = rules.start(of: next)
      }
      let end = max(start ?? from, from)
      days.append(DayAhead(day: day, from: from, end: end))
      guard start != nil, end <= horizon else { break }
      day = next
      from = end
    }
    return days
  }

  /// `18:05` in the account's zone.
  func clockText(_ instant: Instant) -> String {
    let time = zone.rules.timeOfDay(at: instant)
    return "\(twoDigits(time.hour)):\(twoDigits(time.minute))"
  }
}

private func twoDigits(_ value: Int) -> String {
  value < 10 ? "0\(value)" : String(value)
}
