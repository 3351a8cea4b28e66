internal import WatchTransfer

/// The civil days on which something is planned, weekly or once, for many questions in a row.
struct PlannedDays {
  /// The weekdays that hold until the next piece.
  private struct Piece {
    let from: CivilDay
    let weekdays: UInt8
  }

  /// In order of their first days.
  private let pieces: [Piece]
  /// Days of single schedules, and of what was done of weekly ones before they were edited; in
  /// order.
  private let single: [CivilDay]
  private let pinned: [CivilDay]

  init(state: AccountState) {
    pieces = Self.pieces(of: state.weeklies)
    single = state.schedules.days
    pinned = state.weeklies.all.flatMap(\.pinned).sorted()
  }

  /// Whether something is planned for a day.
  func contains(_ day: CivilDay) -> Bool {
    if isWeekly(day) { return true }
    return [single, pinned].contains { days in
      let position = days.partitionIndex { $0 < day }
      return position < days.count && days[position] == day
    }
  }

  /// The first of them from `day` through `last`.
  func first(from day: CivilDay, through last: CivilDay) -> CivilDay? {
    var found: CivilDay?
    for days in [single, pinned] {
      let position = days.partitionIndex { $0 < day }
      if position < days.count { found = min(found ?? days[position], days[position]) }
    }
    var index = max(0, pieces.partitionIndex { $0.from <= day } - 1)
    while index < pieces.count, pieces[index].from <= last {
      let next = index + 1 < pieces.count ? pieces[index + 1].from : nil
      var candidate = max(day, pieces[index].from)
      // Within a week each weekday has been.
      let end = min(candidate.advanced(days: 7), next ?? candidate.advanced(days: 7))
      while candidate < end, !isWeekly(candidate) { candidate = candidate.advanced(days: 1) }
      if candidate < end {
        found = min(found ?? candidate, candidate)
        break
      }
      index += 1
    }
    return found.flatMap { $0 <= last ? $0 : nil }
  }

  /// The last of them from `first` through `day`.
  func last(from first: CivilDay, through day: CivilDay) -> CivilDay? {
    var found: CivilDay?
    for days in [single, pinned] {
      let after = days.partitionIndex { $0 <= day }
      if after > 0 { found = max(found ?? days[after - 1], days[after - 1]) }
    }
    var index = pieces.partitionIndex { $0.from <= day } - 1
    var end = day
    while index >= 0, end >= first {
      var candidate = end
      let start = max(pieces[index].from, end.advanced(days: -6))
      while candidate >= start, !isWeekly(candidate) { candidate = candidate.advanced(days: -1) }
      if candidate >= start {
        found = max(found ?? candidate, candidate)
        break
      }
      end = pieces[index].from.advanced(days: -1)
      index -= 1
    }
    return found.flatMap { $0 >= first ? $0 : nil }
  }

  /// How many of the days from `first` through `last` are among them.
  func count(from first: CivilDay, through last: CivilDay) -> Int {
    var count = 0
    var index = max(0, pieces.partitionIndex { $0.from <= first } - 1)
    while index < pieces.count, pieces[index].from <= last {
      let next = index + 1 < pieces.count ? pieces[index + 1].from.advanced(days: -1) : last
      count += Self.count(
        of: pieces[index].weekdays, from: max(first, pieces[index].from), through: min(last, next))
      index += 1
    }
    // Those that no weekday has; a day that stands twice counts once.
    var before: CivilDay?
    for day in extra(from: first, through: last) {
      if day != before, !isWeekly(day) { count += 1 }
      before = day
    }
    return count
  }

  private func extra(from first: CivilDay, through last: CivilDay) -> [CivilDay] {
    let slices = [single, pinned].map { days in
      days[days.partitionIndex { $0 < first }..<days.partitionIndex { $0 <= last }]
    }
    return slices[1].isEmpty ? Array(slices[0]) : slices.joined().sorted()
  }

  private func isWeekly(_ day: CivilDay) -> Bool {
    let after = pieces.partitionIndex { $0.from <= day }
    return after > 0 && pieces[after - 1].weekdays >> UInt8(day.weekday - 1) & 1 == 1
  }

  private static func count(
    of weekdays: UInt8, from first: CivilDay, through last: CivilDay
  ) -> Int {
    if weekdays == 0 || first > last { return 0 }
    let days = last.days(since: first) + 1
    var count = days / 7 * weekdays.nonzeroBitCount
    for offset in 0..<(days % 7) {
      let weekday = first.advanced(days: Int32(offset)).weekday
      if weekdays >> UInt8(weekday - 1) & 1 == 1 { count += 1 }
    }
    return count
  }

  private static func pieces(of weeklies: WeeklyBook) -> [Piece] {
    var changes: [(day: CivilDay, weekdays: UInt8, step: Int)] = []
    for weekly in weeklies.all {
      for version in weekly.versions {
        changes.append((version.from, version.weekdays.bits, 1))
        if let until = version.until { changes.append((until, version.weekdays.bits, -1)) }
      }
    }
    changes.sort { $0.day < $1.day }
    var pieces: [Piece] = []
    var counts = [Int](repeating: 0, count: 7)
    for change in changes {
      var weekdays: UInt8 = 0
      for bit in 0..<7 {
        if change.weekdays >> UInt8(bit) & 1 == 1 { counts[bit] += change.step }
        if counts[bit] > 0 { weekdays |= 1 << UInt8(bit) }
      }
      if pieces.last?.from == change.day { pieces.removeLast() }
      pieces.append(Piece(from: change.day, weekdays: weekdays))
    }
    return pieces
  }
}
