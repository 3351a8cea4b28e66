internal import WatchTransfer

extension Decider {
  /// Marks a workout done on the local day it occurred. A title that is marked already on that day
  /// stays one log: the second mark is applied, changes nothing, and its log id stays free.
  func markWorkout(_ id: LogID, _ reference: WorkoutReference) throws(Rejection) -> [Event] {
    let marked = try marked(reference)
    let place = place(ofActAt: by.at)
    let day = place.day(at: by.at)
    let known = state.logs.mark(on: day, title: marked.title, workout: marked.workout)
    if known?.id != id { try requireFree(id, for: .log) }
    if known != nil { return [] }
    try requireLogRoom(on: day)
    var log = WorkoutLog(
      id: id, origin: .marked, workout: marked.workout, title: marked.title, start: by.at,
      end: by.at, day: day)
    log.zoneID = place.rules.id
    log.serves = ScheduleMatching.schedule(
      for: log, among: schedules(on: day, in: place, around: by.at))
    return withWaitingEdits([.workoutMarked(log, by: by)], of: id.retagged())
  }

  /// Takes that day's mark of a workout back. Logs by hand and imports stay; one of them may now do
  /// the schedule that the mark did.
  func unmarkWorkout(_ reference: WorkoutReference) throws(Rejection) -> [Event] {
    let place = place(ofActAt: by.at)
    let day = place.day(at: by.at)
    guard let mark = mark(of: reference, on: day) else {
      if case .id(let id) = reference, case .gone(.workout) = state.thing(id) {
        throw .refused(.gone)
      }
      throw .refused(.notFound)
    }
    return removalOfPhoto(of: mark.id) + [.workoutUnmarked(log: mark.id, day: day, by: by)]
      + servicesOfWhatIsFree(without: mark)
  }

  /// Logs a workout that was typed in or brought from a health source.
  func logWorkout(_ workout: LoggedWorkout) throws(Rejection) -> [Event] {
    try requireValid(workout)
    if workout.sourceName != nil, case .log = state.thing(workout.log) {
      throw .refused(.known)
    }
    try requireFree(workout.log, for: .log)
    let place = place(of: workout)
    let day = place.day(at: workout.end)
    try requireLogRoom(on: day)
    var log = WorkoutLog(
      id: workout.log, origin: workout.sourceName == nil ? .byHand : .imported, workout: nil,
      title: workout.title ?? "", start: workout.start, end: workout.end, day: day)
    log.activityType = workout.activityType
    log.zoneID = workout.zoneID
    log.activeMilliseconds = workout.activeMilliseconds
    log.energyKilocalories = workout.energyKilocalories
    log.distanceMeters = workout.distanceMeters
    log.averageHeartRate = workout.averageHeartRate
    log.maximumHeartRate = workout.maximumHeartRate
    log.sourceName = workout.sourceName
    log.externalUUID = workout.externalUUID
    log.serves = ScheduleMatching.schedule(
      for: log, among: schedules(on: day, in: place, around: workout.end))
    return withWaitingEdits([.workoutLogged(log, by: by)], of: workout.log.retagged())
  }

  private func requireLogRoom(on day: CivilDay) throws(Rejection) {
    try requireRoom(state.logs.count, AuthorityLimits.logsMax, of: "logs")
    let sameDay = state.logs.record(of: day)?.logs.count ?? 0
    try requireRoom(sameDay, AuthorityLimits.logsPerDayMax, of: "logs")
  }

  private func requireValid(_ workout: LoggedWorkout) throws(Rejection) {
    try requireName(workout.activityType, field: "activity_type")
    if let title = workout.title { try requireName(title, field: "title") }
    guard ActionLimits.instants.contains(workout.start) else {
      throw .refused(.invalid(field: "start_ms"))
    }
    let span = workout.end.milliseconds(since: workout.start)
    guard ActionLimits.instants.contains(workout.end), span >= 0,
      span <= ActionLimits.workoutMillisecondsMax
    else { throw .refused(.invalid(field: "end_ms")) }
    // Durations do not follow from start and end: real exports state some beyond the span, and some
    // for a workout that ends when it starts.
    let durations = 0...ActionLimits.workoutMillisecondsMax
    if let active = workout.activeMilliseconds, !durations.contains(active) {
      throw .refused(.invalid(field: "active_ms"))
    }
    let figures = [
      ("energy_kcal", workout.energyKilocalories), ("distance_m", workout.distanceMeters),
      ("average_heart_rate", workout.averageHeartRate),
      ("maximum_heart_rate", workout.maximumHeartRate),
    ]
    for (field, figure) in figures {
      if let figure, !(figure >= 0 && figure <= ActionLimits.figureMax) {
        throw .refused(.invalid(field: field))
      }
    }
  }

  /// What a mark refers to. Any title will do; a workout that has not arrived is marked all the
  /// same, because a mark is a fact, and gets its title when it does.
  private func marked(
    _ reference: WorkoutReference
  ) throws(Rejection) -> (workout: WorkoutID?, title: String) {
    switch reference {
    case .title(let title):
      try requireName(title, field: "title")
      return (nil, title)
    case .id(let id):
      if let workout = state.workout(id) { return (id, workout.title) }
      switch state.thing(id) {
      case nil: return (id, "")
      case .gone(.workout): throw .refused(.gone)
      default: throw .refused(.notFound)
      }
    }
  }

  private func mark(of reference: WorkoutReference, on day: CivilDay) -> WorkoutLog? {
    switch reference {
    case .title(let title):
      return state.logs.mark(on: day, title: title, workout: nil)
    case .id(let id):
      let marks = state.logs.logs(on: day).filter { $0.origin == .marked }
      if let mark = marks.first(where: { $0.workout == id }) { return mark }
      guard let workout = state.workout(id) else { return nil }
      return state.logs.mark(on: day, title: workout.title, workout: id)
    }
  }
}
