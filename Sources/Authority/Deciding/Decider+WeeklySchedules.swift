internal import WatchTransfer

extension Decider {
  /// Plans a workout for so many days a week, from its own moment on. A log that fits does the
  /// occurrence of its day.
  func scheduleWeekly(
    _ id: ScheduleID, _ reference: WorkoutReference, on weekdays: Weekdays, timeOfDay: Int64,
    from firstDay: CivilDay
  ) throws(Rejection) -> [Event] {
    try requireTimeOfDay(timeOfDay)
    try requireDay(firstDay, field: "first_day")
    let planned = try planned(reference)
    try requireFree(id, for: .schedule)
    try requireRoom(state.weeklies.liveCount, AuthorityLimits.weekliesMax, of: "schedules")
    try requireRoom(state.weeklies.all.count, AuthorityLimits.weekliesKeptMax, of: "schedules")
    try requireWeekdayRoom(weekdays, except: id)
    var edit = editHere
    edit.planned = PlannedWorkout(workout: planned.workout, title: planned.title)
    edit.weekdays = weekdays
    edit.timeOfDay = timeOfDay
    edit.firstDay = firstDay
    let made = WeeklySchedule(id: id, edits: [.init(edit: edit, stamp: by.stamp)])
    return withWaitingEdits(
      [.consistency(.weeklyScheduled(id: id, edit, by: by))] + services(of: made, from: edit.day),
      of: id.retagged())
  }

  /// Edits a schedule, of one moment or weekly, from its own moment on: past occurrences are facts.
  func editSchedule(_ id: ScheduleID, _ change: ScheduleChange) throws(Rejection) -> [Event] {
    if let timeOfDay = change.timeOfDay { try requireTimeOfDay(timeOfDay) }
    if let at = change.at, !ActionLimits.instants.contains(at) {
      throw .refused(.invalid(field: "at_ms"))
    }
    switch state.thing(id) {
    case .weekly:
      guard let weekly = state.weeklies.find(id) else { throw .refused(.notFound) }
      return try edit(weekly, change)
    case .schedule:
      guard let schedule = state.schedule(id) else { throw .refused(.notFound) }
      return try edit(schedule, change)
    case .gone(.schedule): throw .refused(.gone)
    case nil: return try wait(.schedule(id, change))
    default: throw .refused(.notFound)
    }
  }

  /// Ends a weekly schedule: what was planned before stays.
  func end(_ weekly: WeeklySchedule) -> Event {
    var edit = editHere
    edit.isEnd = true
    return .consistency(.weeklyEdited(id: weekly.id, edit, by: by))
  }

  /// Ends of the weekly schedules of a workout.
  func endsOfWeeklies(of workout: WorkoutID) -> [Event] {
    state.weeklies.all
      .filter { !$0.isEnded && $0.current?.planned.workout == workout }
      .map(end)
  }

  private func edit(
    _ weekly: WeeklySchedule, _ change: ScheduleChange
  ) throws(Rejection) -> [Event] {
    if change.at != nil { throw .refused(.invalid(field: "at_ms")) }
    if change == ScheduleChange() { return [] }
    func newest(_ isSet: (WeeklyEdit) -> Bool) -> FieldStamp? {
      weekly.edits.last { isSet($0.edit) }?.stamp
    }
    var edit = editHere
    if let reference = change.workout, wins(over: newest { $0.planned != nil }) {
      let planned = try planned(reference)
      edit.planned = PlannedWorkout(workout: planned.workout, title: planned.title)
    }
    if wins(over: newest { $0.weekdays != nil }) { edit.weekdays = change.weekdays }
    if wins(over: newest { $0.timeOfDay != nil }) { edit.timeOfDay = change.timeOfDay }
    try requireWinner(edit != editHere)
    try requireRoom(weekly.edits.count, AuthorityLimits.weeklyEditsMax, of: "edits")
    if let weekdays = edit.weekdays { try requireWeekdayRoom(weekdays, except: weekly.id) }
    var edited = weekly
    edited.insert(.init(edit: edit, stamp: by.stamp))
    return [.consistency(.weeklyEdited(id: weekly.id, edit, by: by))]
      + services(of: edited, from: edit.day)
  }

  private func edit(_ schedule: Schedule, _ change: ScheduleChange) throws(Rejection) -> [Event] {
    if change.weekdays != nil { throw .refused(.invalid(field: "weekdays")) }
    if change.timeOfDay != nil { throw .refused(.invalid(field: "time_of_day_ms")) }
    if change == ScheduleChange() { return [] }
    // What has passed, or was done, is a fact.
    if schedule.servedBy != nil || schedule.at <= by.at { throw .refused(.ended) }
    var edited = schedule
    var newPlan: PlannedWorkout?
    if let reference = change.workout, wins(over: schedule.plannedStamp) {
      let planned = try planned(reference)
      newPlan = PlannedWorkout(workout: planned.workout, title: planned.title)
      edited.workout = planned.workout
      edited.title = planned.title
    }
    let newMoment = wins(over: schedule.atStamp) ? change.at : nil
    try requireWinner(newPlan != nil || newMoment != nil)
    if let newMoment { edited = edited.moved(to: newMoment) }
    let place = place(ofAccountAt: edited.at)
    let day = place.day(at: edited.at)
    if newMoment != nil {
      let sameDay = schedules(on: day, in: place, around: edited.at).filter { $0.id != schedule.id }
      try requireRoom(sameDay.count, AuthorityLimits.schedulesPerDayMax, of: "schedules")
    }
    let services = ScheduleMatching.services(
      schedules: [edited], logs: state.logs.logs(on: day))
    return [
      .consistency(.scheduleEdited(id: schedule.id, planned: newPlan, at: newMoment, by: by)),
      .consistency(.scheduleDated(id: schedule.id, day: day)),
    ] + served(services)
  }

  /// An edit made now, where the account is.
  private var editHere: WeeklyEdit {
    let place = place(ofAccountAt: by.at)
    let day = place.day(at: by.at)
    return WeeklyEdit(day: day, passed: place.passed(of: day, at: by.at))
  }

  /// What logs from `first` on do of the schedule: of 200 days, so that a decision stays under 256
  /// events.
  private func services(of weekly: WeeklySchedule, from first: CivilDay) -> [Event] {
    let days = state.logs.days
    var events: [Event] = []
    var index = days.partitionIndex { $0.day < first }
    while index < days.count, events.count < 200 {
      let record = days[index]
      index += 1
      guard let plan = weekly.plan(on: record.day), plan.servedBy == nil else { continue }
      let schedule = Schedule(
        id: weekly.id, workout: plan.planned.workout, title: plan.planned.title, at: by.at)
      events += served(ScheduleMatching.services(schedules: [schedule], logs: record.logs))
    }
    return events
  }

  private func requireWeekdayRoom(
    _ weekdays: Weekdays, except id: ScheduleID
  ) throws(Rejection) {
    for weekday in 1...7 where weekdays.contains(weekday) {
      let count = state.weeklies.all.count {
        $0.id != id && !$0.isEnded && $0.current?.weekdays.contains(weekday) ?? false
      }
      try requireRoom(count, AuthorityLimits.weekliesPerDayMax, of: "schedules")
    }
  }

  private func requireTimeOfDay(_ timeOfDay: Int64) throws(Rejection) {
    guard ActionLimits.timesOfDay.contains(timeOfDay) else {
      throw .refused(.invalid(field: "time_of_day_ms"))
    }
  }

  /// Refuses a civil day that no action may name.
  func requireDay(_ day: CivilDay, field: String) throws(Rejection) {
    guard ActionLimits.days.contains(day) else { throw .refused(.invalid(field: field)) }
  }
}

extension LocalPlace {
  /// The last wall time of `day`, in milliseconds, that had been by `instant`; -1: none. A time
  /// that happens twice has been once it was there first, one that does not exist as soon as the
  /// first instant after it.
  func passed(of day: CivilDay, at instant: Instant) -> Int64 {
    var low: Int64 = 0
    var high: Int64 = 86_400_000
    while low < high {
      let middle = (low + high) / 2
      let first = rules.firstInstant(atOrAfter: day, millisecondsOfDay: middle)
      if first.map({ $0 <= instant }) ?? false { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}
