public import WatchTransfer

/// A workout planned for a moment.
public struct Schedule: Sendable, Equatable {
  public let id: ScheduleID
  /// nil: planned by a title alone.
  public var workout: WorkoutID?
  /// The workout's title; follows edits until the planned moment. Empty: not known yet.
  public var title: String
  public private(set) var at: Instant
  /// The log that did it; a schedule is served once.
  public var servedBy: LogID?
  /// The civil day it is planned for; nil: planned by a release that did not note it.
  package var day: CivilDay?
  /// When what it plans was last edited; nil: never.
  package var plannedStamp: FieldStamp?
  /// When its moment was last edited; nil: never.
  package var atStamp: FieldStamp?

  /// A plan that nothing has served.
  public init(id: ScheduleID, workout: WorkoutID?, title: String, at: Instant) {
    self.id = id
    self.workout = workout
    self.title = title
    self.at = at
  }

  /// The same plan at another moment, on a day that is not known yet.
  func moved(to moment: Instant) -> Schedule {
    var moved = self
    moved.at = moment
    moved.day = nil
    return moved
  }
}

/// All schedules, in order of time, then id.
package struct ScheduleBook: Sendable, Equatable {
  /// In order of (at, id).
  package private(set) var all: [Schedule] = []
  /// The known days of all of them, in order.
  private(set) var days: [CivilDay] = []

  /// No schedules.
  package init() {}

  /// Adds one whose id is new.
  package mutating func insert(_ schedule: Schedule) {
    all.insert(schedule, at: position(of: schedule.id, at: schedule.at))
    if let day = schedule.day { days.insert(day, at: days.partitionIndex { $0 < day }) }
  }

  /// The schedule `id` at `at`.
  func find(_ id: ScheduleID, at: Instant) -> Schedule? {
    index(of: id, at: at).map { all[$0] }
  }

  /// Takes a schedule out.
  mutating func remove(_ id: ScheduleID, at: Instant) -> Schedule? {
    guard let index = index(of: id, at: at) else { return nil }
    let schedule = all.remove(at: index)
    forget(schedule.day)
    return schedule
  }

  /// Notes the civil day of a schedule.
  package mutating func setDay(_ id: ScheduleID, at: Instant, to day: CivilDay) {
    guard let index = index(of: id, at: at), all[index].day != day else { return }
    forget(all[index].day)
    all[index].day = day
    days.insert(day, at: days.partitionIndex { $0 < day })
  }

  /// Whether something is planned for a civil day.
  func isPlanned(_ day: CivilDay) -> Bool {
    let position = days.partitionIndex { $0 < day }
    return position < days.count && days[position] == day
  }

  /// Resolves the days of what is planned from `start` on anew, where they are known.
  mutating func resolveDays(from start: Instant, before end: Instant?, by rules: ZoneRules) {
    let first = all.partitionIndex { $0.at < start }
    let last = end.map { end in all.partitionIndex { $0.at < end } } ?? all.count
    for index in first..<max(first, last) where all[index].day != nil {
      setDay(all[index].id, at: all[index].at, to: rules.day(at: all[index].at))
    }
  }

  /// Notes when a schedule was edited.
  package mutating func setStamps(
    _ id: ScheduleID, at: Instant, planned: FieldStamp?, moment: FieldStamp?
  ) {
    guard let index = index(of: id, at: at) else { return }
    all[index].plannedStamp = planned
    all[index].atStamp = moment
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in all.indices {
      all[index].plannedStamp?.bringBack(to: moment)
      all[index].atStamp?.bringBack(to: moment)
    }
  }

  private mutating func forget(_ day: CivilDay?) {
    guard let day else { return }
    let position = days.partitionIndex { $0 < day }
    if position < days.count, days[position] == day { days.remove(at: position) }
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
      for schedule in removed { forget(schedule.day) }
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
