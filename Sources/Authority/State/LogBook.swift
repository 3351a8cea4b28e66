package import WatchTransfer

/// One day's logs.
package struct DayRecord: Sendable, Equatable {
  package let day: CivilDay
  /// In order of (end, id).
  package private(set) var logs: [WorkoutLog] = []
  /// How many of them satisfy the day.
  package private(set) var countingLogs = 0

  /// A day without logs.
  init(day: CivilDay) {
    self.day = day
  }

  /// Adds a log.
  mutating func insert(_ log: WorkoutLog) {
    let index = logs.partitionIndex {
      $0.end == log.end ? $0.id < log.id : $0.end < log.end
    }
    logs.insert(log, at: index)
    if log.counts { countingLogs += 1 }
  }

  /// Takes a log out.
  mutating func remove(_ id: LogID) -> WorkoutLog? {
    guard let index = logs.firstIndex(where: { $0.id == id }) else { return nil }
    let log = logs.remove(at: index)
    if log.counts { countingLogs -= 1 }
    return log
  }

  /// Changes a log's title.
  mutating func setTitle(_ id: LogID, to title: String) {
    if let index = logs.firstIndex(where: { $0.id == id }) { logs[index].title = title }
  }

  /// No edit is later than `moment`.
  fileprivate mutating func bringBack(to moment: Instant) {
    for index in logs.indices where !logs[index].edits.isEmpty {
      for edit in logs[index].edits.indices {
        logs[index].edits[edit].stamp.bringBack(to: moment)
      }
    }
  }

  /// Notes which schedule a log did, or that it did none.
  mutating func setServes(_ id: LogID, schedule: ScheduleID?) {
    if let index = logs.firstIndex(where: { $0.id == id }) { logs[index].serves = schedule }
  }
}

/// A mark of a workout whose definition has not arrived.
package struct PendingMark: Sendable, Equatable {
  package let workout: WorkoutID
  package let log: LogID
  package let day: CivilDay
}

/// All logs, by day: the newest are at the end, so that adding one does not cost more with years of
/// history.
package struct LogBook: Sendable, Equatable {
  /// In order of day; none is empty.
  package private(set) var days: [DayRecord] = []
  /// Marks that wait for a title, in order of (workout, log).
  package private(set) var pending: [PendingMark] = []
  /// How many logs there are.
  package private(set) var count = 0
  /// The days that a log satisfies.
  package private(set) var satisfied = DayRuns()
  /// Bytes of all notes and tags.
  private(set) var noteBytes = 0

  /// No logs.
  package init() {}

  /// The record of `day`.
  func record(of day: CivilDay) -> DayRecord? {
    index(of: day).map { days[$0] }
  }

  /// Where `day` is in `days`.
  func index(of day: CivilDay) -> Int? {
    let position = days.partitionIndex { $0.day < day }
    return position < days.count && days[position].day == day ? position : nil
  }

  /// The days with logs from `first` through `last`.
  func days(from first: CivilDay, through last: CivilDay) -> ArraySlice<DayRecord> {
    let start = days.partitionIndex { $0.day < first }
    let end = days.partitionIndex { $0.day <= last }
    return days[start..<max(start, end)]
  }

  /// The logs of `day`, in order of (end, id).
  func logs(on day: CivilDay) -> [WorkoutLog] { record(of: day)?.logs ?? [] }

  /// A log by its id and day.
  func find(_ id: LogID, on day: CivilDay) -> WorkoutLog? {
    logs(on: day).first { $0.id == id }
  }

  /// The mark of a title on a day; of one that has no title yet, by its workout.
  func mark(on day: CivilDay, title: String, workout: WorkoutID?) -> WorkoutLog? {
    logs(on: day).first { log in
      guard log.origin == .marked else { return false }
      if title.isEmpty || log.title.isEmpty { return workout != nil && log.workout == workout }
      return sameBytes(log.title, title)
    }
  }

  /// Adds a log whose id is new.
  package mutating func insert(_ log: WorkoutLog) {
    let position = days.partitionIndex { $0.day < log.day }
    if position == days.count || days[position].day != log.day {
      days.insert(DayRecord(day: log.day), at: position)
    }
    days[position].insert(log)
    count += 1
    noteBytes += log.noteBytes
    if log.counts, days[position].countingLogs == 1 { satisfied.insert(log.day) }
    if log.origin == .marked, log.title.isEmpty, let workout = log.workout {
      let position = pending.partitionIndex {
        $0.workout == workout ? $0.log < log.id : $0.workout < workout
      }
      pending.insert(PendingMark(workout: workout, log: log.id, day: log.day), at: position)
    }
  }

  /// Takes a log out.
  mutating func remove(_ id: LogID, on day: CivilDay) -> WorkoutLog? {
    guard let position = index(of: day), let log = days[position].remove(id) else { return nil }
    if log.counts, days[position].countingLogs == 0 { satisfied.remove(day) }
    noteBytes -= log.noteBytes
    if days[position].logs.isEmpty { days.remove(at: position) }
    if log.title.isEmpty { pending.removeAll { $0.log == id } }
    count -= 1
    return log
  }

  /// Notes which schedule a log did, or that it did none.
  mutating func setServes(_ id: LogID, on day: CivilDay, schedule: ScheduleID?) {
    if let position = index(of: day) { days[position].setServes(id, schedule: schedule) }
  }

  /// Puts to a log what a person wrote about it, as it was stored.
  package mutating func annotate(
    _ id: LogID, on day: CivilDay, notes: String, tags: [String], edits: [LogFieldEdit]
  ) {
    guard var log = remove(id, on: day) else { return }
    log.notes = notes
    log.tags = tags
    log.edits = edits
    insert(log)
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in days.indices { days[index].bringBack(to: moment) }
  }

  /// Gives the marks that waited for `workout` its title. One whose title was marked on its day by
  /// another mark is the same mark, and goes; those are returned. One that somebody has written
  /// about, or that `isKept`, stays: nothing of a person's goes unasked.
  mutating func title(
    pendingMarksOf workout: WorkoutID, _ title: String, unless isKept: (LogID) -> Bool
  ) -> [WorkoutLog] {
    var merged: [WorkoutLog] = []
    for waiting in pending where waiting.workout == workout {
      let sameDay = logs(on: waiting.day)
      let isTwice = sameDay.contains {
        $0.origin == .marked && $0.id != waiting.log && sameBytes($0.title, title)
      }
      let isBare = sameDay.contains {
        $0.id == waiting.log && $0.notes.isEmpty && $0.tags.isEmpty && $0.edits.isEmpty
      }
      if isTwice, isBare, !isKept(waiting.log) {
        if let log = remove(waiting.log, on: waiting.day) { merged.append(log) }
      } else if let position = index(of: waiting.day) {
        days[position].setTitle(waiting.log, to: title)
      }
    }
    pending.removeAll { $0.workout == workout }
    return merged
  }
}
