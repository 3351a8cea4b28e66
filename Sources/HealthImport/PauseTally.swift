/// The pauses of one workout, added up from its pause and resume events.
struct PauseTally {
  private var marks: [(at: Int64, pauses: Bool)] = []

  /// Events noted so far.
  var count: Int { marks.count }

  /// Notes a pause or a resume, in any order.
  mutating func note(at milliseconds: Int64, pauses: Bool) {
    marks.append((at: milliseconds, pauses: pauses))
  }

  /// Paused milliseconds within the span.
  ///
  /// A pause while paused and a resume while running say nothing new (exports repeat whole blocks).
  /// A pause that is never resumed ends with the workout.
  func pausedMilliseconds(from start: Int64, to end: Int64) -> Int64 {
    var total: Int64 = 0
    var pausedSince: Int64?
    // Swift's sort is stable, so events of one second keep the order of the file.
    for mark in marks.sorted(by: { $0.at < $1.at }) {
      let moment = min(max(mark.at, start), end)
      if mark.pauses {
        pausedSince = pausedSince ?? moment
      } else if let since = pausedSince {
        total += moment - since
        pausedSince = nil
      }
    }
    if let since = pausedSince { total += end - since }
    return total
  }
}
