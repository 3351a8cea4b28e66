public import WatchTransfer

/// A workout planned for a moment.
public struct Schedule: Sendable, Equatable {
  public let id: ScheduleID
  /// nil: planned by a title alone.
  public var workout: WorkoutID?
  /// The workout's title; follows edits until the planned moment. Empty: not known yet.
  public var title: String
  public let at: Instant
  /// The log that did it; a schedule is served once.
  public var servedBy: LogID?

  /// A plan that nothing has served.
  public init(id: ScheduleID, workout: WorkoutID?, title: String, at: Instant) {
    self.id = id
    self.workout = workout
    self.title = title
    self.at = at
  }
}

/// All schedules, in order of time, then id.
package struct ScheduleBook: Sendable, Equatable {
  /// In order of (at, id).
  package private(set) var all: [Schedule] = []

  /// No schedules.
  package init() {}

  /// Adds one whose id is new.
  package mutating func insert(_ schedule: Schedule) {
    all.insert(schedule, at: position(of: schedule.id, at: schedule.at))
  }

  /// The schedule `id` at `at`.
  func find(_ id: ScheduleID, at: Instant) -> Schedule? {
    index(of: id, at: at).map { all[$0] }
  }

  /// Takes a schedule out.
  mutating func remove(_ id: ScheduleID, at: Instant) -> Schedule? {
    index(of: id, at: at).map { all.remove(at: $0) }
  }

  /// Notes who served a schedule, or that nobody does.
  mutating func setServed(_ id: ScheduleID, at: Instant, by log: LogID?) {
    if let index = index(of: id, at: at) { all[index].servedBy = log }
  }

  /// Those from `start` up to and not including `end`.
  func between(_ start: Instant, _ end: Instant) -> ArraySlice<Schedule> {
    let first = all.partitionIndex { $0.at < start }
    let last = all.partitionIndex { $0.at < end }
    return all[first..<max(first, last)]
  }

  /// Gives `title` to what is planned of `workout` from `start` on, and to what has none.
  mutating func retitle(_ workout: WorkoutID, to title: String, from start: Instant) {
    for index in all.indices where all[index].workout == workout {
      if all[index].title.isEmpty || all[index].at >= start { all[index].title = title }
    }
  }

  /// Takes out what is planned of `workout` from `start` on and not done yet.
  mutating func removeUnserved(of workout: WorkoutID, from start: Instant) -> [Schedule] {
    let removed = all.filter { $0.workout == workout && $0.at >= start && $0.servedBy == nil }
    if !removed.isEmpty {
      all.removeAll { $0.workout == workout && $0.at >= start && $0.servedBy == nil }
    }
    return removed
  }

  private func index(of id: ScheduleID, at: Instant) -> Int? {
    let position = position(of: id, at: at)
    return position < all.count && all[position].id == id ? position : nil
  }

  private func position(of id: ScheduleID, at: Instant) -> Int {
    all.partitionIndex { $0.at == at ? $0.id < id : $0.at < at }
  }
}
