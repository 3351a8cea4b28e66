public import WatchTransfer

/// What a schedule plans: a defined workout, or a title alone.
public struct PlannedWorkout: Sendable, Equatable {
  /// nil: planned by a title alone.
  public var workout: WorkoutID?
  /// Empty: not known yet.
  public var title: String

  /// A workout with its title.
  public init(workout: WorkoutID?, title: String) {
    self.workout = workout
    self.title = title
  }
}

/// One edit of a weekly schedule, its making included, with the place in civil time from which it
/// holds: resolved when it was decided, so that a move to another zone alters nothing.
public struct WeeklyEdit: Sendable, Equatable {
  /// nil stays as it is.
  public var planned: PlannedWorkout?
  public var weekdays: Weekdays?
  public var timeOfDay: Int64?
  /// No occurrence before it; only the making has one.
  public var firstDay: CivilDay?
  /// No occurrences from here on.
  public var isEnd = false
  /// The civil day on which it was made.
  public let day: CivilDay
  /// The last wall time of that day that had passed, in milliseconds; -1: none.
  public let passed: Int64

  /// An edit that changes nothing yet.
  public init(day: CivilDay, passed: Int64) {
    self.day = day
    self.passed = passed
  }
}

/// A schedule of so many days a week. An edit holds from its own moment: an occurrence whose time
/// has passed by then, or that was done, is a fact (DESIGN section 6, rule 4).
package struct WeeklySchedule: Sendable, Equatable {
  /// An edit with when and by whom it was made.
  package struct StampedEdit: Sendable, Equatable {
    package var edit: WeeklyEdit
    package var stamp: FieldStamp

    /// An edit made at `stamp`.
    package init(edit: WeeklyEdit, stamp: FieldStamp) {
      self.edit = edit
      self.stamp = stamp
    }
  }

  /// What holds on the days from `from` up to and not including `until`.
  struct Version: Sendable, Equatable {
    var planned: PlannedWorkout
    var weekdays: Weekdays
    var timeOfDay: Int64
    let from: CivilDay
    /// nil: for good.
    var until: CivilDay?

    func holds(on day: CivilDay) -> Bool { from <= day && until.map { day < $0 } ?? true }
  }

  /// An occurrence that a log did; it stays whatever is edited later.
  package struct Served: Sendable, Equatable {
    package let day: CivilDay
    package let log: LogID
    package let timeOfDay: Int64
    package let planned: PlannedWorkout

    /// What `log` did on `day`.
    package init(day: CivilDay, log: LogID, timeOfDay: Int64, planned: PlannedWorkout) {
      self.day = day
      self.log = log
      self.timeOfDay = timeOfDay
      self.planned = planned
    }
  }

  /// What is planned on a civil day.
  struct DayPlan: Equatable {
    let planned: PlannedWorkout
    let timeOfDay: Int64
    let servedBy: LogID?
  }

  package let id: ScheduleID
  /// In order of their moments; the first is the making.
  package private(set) var edits: [StampedEdit] = []
  /// In order of day; made of `edits`.
  private(set) var versions: [Version] = []
  /// In order of day.
  package private(set) var served: [Served] = []
  /// Days of done occurrences that no version has any more, in order; made of both.
  private(set) var pinned: [CivilDay] = []

  /// A schedule with its edits, the making first.
  package init(id: ScheduleID, edits: [StampedEdit]) {
    self.id = id
    self.edits = edits
    rebuild()
  }

  /// Whether there are no occurrences from some day on.
  var isEnded: Bool { edits.contains { $0.edit.isEnd } }

  /// What holds last.
  var current: Version? { versions.last }

  /// What is planned on `day`, if anything.
  func plan(on day: CivilDay) -> DayPlan? {
    let position = served.partitionIndex { $0.day < day }
    if position < served.count, served[position].day == day {
      let done = served[position]
      return DayPlan(planned: done.planned, timeOfDay: done.timeOfDay, servedBy: done.log)
    }
    return version(planning: day).map {
      DayPlan(planned: $0.planned, timeOfDay: $0.timeOfDay, servedBy: nil)
    }
  }

  private func version(planning day: CivilDay) -> Version? {
    let version = versions.last { $0.holds(on: day) }
    return version.flatMap { $0.weekdays.contains(day.weekday) ? $0 : nil }
  }

  /// Puts an edit in at its moment; of two of one device at one instant the one that arrives later
  /// is the later.
  mutating func insert(_ edit: StampedEdit) {
    var position = edits.count
    while position > 1, !edits[position - 1].stamp.yields(to: edit.stamp) { position -= 1 }
    edits.insert(edit, at: position)
    rebuild()
  }

  /// Notes what did the occurrence of a day.
  mutating func serve(on day: CivilDay, by log: LogID) {
    guard let plan = plan(on: day), plan.servedBy == nil else { return }
    add(Served(day: day, log: log, timeOfDay: plan.timeOfDay, planned: plan.planned))
  }

  /// Takes in a done occurrence as it was stored.
  package mutating func add(_ occurrence: Served) {
    served.insert(occurrence, at: served.partitionIndex { $0.day < occurrence.day })
    if version(planning: occurrence.day) == nil {
      pinned.insert(occurrence.day, at: pinned.partitionIndex { $0 < occurrence.day })
    }
  }

  /// Nothing did the occurrence of a day after all.
  mutating func free(_ day: CivilDay) {
    served.removeAll { $0.day == day }
    pinned.removeAll { $0 == day }
  }

  /// Gives what is planned of `workout` its title; what was done keeps the one it was done under.
  mutating func retitle(_ workout: WorkoutID, to title: String) {
    for index in edits.indices where edits[index].edit.planned?.workout == workout {
      edits[index].edit.planned?.title = title
    }
    for index in versions.indices where versions[index].planned.workout == workout {
      versions[index].planned.title = title
    }
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in edits.indices { edits[index].stamp.bringBack(to: moment) }
  }

  private mutating func rebuild() {
    rebuildVersions()
    pinned = served.map(\.day).filter { version(planning: $0) == nil }
  }

  private mutating func rebuildVersions() {
    versions = []
    var firstDay: CivilDay?
    for stamped in edits {
      let edit = stamped.edit
      guard var version = versions.last else {
        if firstDay != nil { return }
        firstDay = edit.firstDay ?? edit.day
        append(edit, after: nil, keepsDay: false, firstDay: firstDay)
        continue
      }
      let keepsDay =
        version.holds(on: edit.day) && version.weekdays.contains(edit.day.weekday)
        && version.timeOfDay <= edit.passed
      let end = keepsDay ? edit.day.advanced(days: 1) : edit.day
      version.until = end
      if version.from < end {
        versions[versions.count - 1] = version
      } else {
        versions.removeLast()
      }
      if edit.isEnd { return }
      append(edit, after: version, keepsDay: keepsDay, firstDay: firstDay)
    }
  }

  private mutating func append(
    _ edit: WeeklyEdit, after version: Version?, keepsDay: Bool, firstDay: CivilDay?
  ) {
    guard let planned = edit.planned ?? version?.planned,
      let weekdays = edit.weekdays ?? version?.weekdays,
      let timeOfDay = edit.timeOfDay ?? version?.timeOfDay
    else { return }
    let isOver = keepsDay || timeOfDay <= edit.passed
    let from = isOver ? edit.day.advanced(days: 1) : edit.day
    versions.append(
      Version(
        planned: planned, weekdays: weekdays, timeOfDay: timeOfDay,
        from: max(from, firstDay ?? from)))
  }
}

/// All weekly schedules, ended ones included: days on which something was planned stay such days.
package struct WeeklyBook: Sendable, Equatable {
  /// In order of id.
  package private(set) var all: [WeeklySchedule] = []

  /// No schedules.
  package init() {}

  /// How many still have occurrences to come.
  var liveCount: Int { all.count { !$0.isEnded } }

  /// A schedule by its id.
  func find(_ id: ScheduleID) -> WeeklySchedule? { index(of: id).map { all[$0] } }

  /// Adds one whose id is new.
  package mutating func insert(_ schedule: WeeklySchedule) {
    all.insert(schedule, at: all.partitionIndex { $0.id < schedule.id })
  }

  /// Changes a schedule.
  mutating func change(_ id: ScheduleID, _ change: (inout WeeklySchedule) -> Void) {
    if let index = index(of: id) { change(&all[index]) }
  }

  /// Changes every schedule.
  mutating func changeAll(_ change: (inout WeeklySchedule) -> Void) {
    for index in all.indices { change(&all[index]) }
  }

  /// Forgets a schedule that never had an occurrence.
  mutating func forgetIfEmpty(_ id: ScheduleID) {
    if let index = index(of: id), all[index].isEnded, all[index].versions.isEmpty,
      all[index].served.isEmpty
    {
      all.remove(at: index)
    }
  }

  /// What is planned on a civil day where `rules` hold, as schedules of that day; none on a day
  /// that never happened. A wall time that does not exist is the first instant after it, one that
  /// happens twice is the first.
  func schedules(on day: CivilDay, in rules: ZoneRules) -> [Schedule] {
    if all.isEmpty || rules.start(of: day) == nil { return [] }
    return all.compactMap { weekly in
      guard let plan = weekly.plan(on: day),
        let at = rules.firstInstant(atOrAfter: day, millisecondsOfDay: plan.timeOfDay)
      else { return nil }
      var schedule = Schedule(
        id: weekly.id, workout: plan.planned.workout, title: plan.planned.title, at: at)
      schedule.servedBy = plan.servedBy
      return schedule
    }
  }

  private func index(of id: ScheduleID) -> Int? {
    let position = all.partitionIndex { $0.id < id }
    return position < all.count && all[position].id == id ? position : nil
  }
}
