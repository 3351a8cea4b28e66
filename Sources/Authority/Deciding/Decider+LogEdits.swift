internal import WatchTransfer

extension AccountState {
  /// What others of its day do of what `log` did, once it is gone from that day.
  func servicesOfWhatIsFree(without log: WorkoutLog) -> [ScheduleMatching.Service] {
    guard let id = log.serves, let freed = freed(id, by: log) else { return [] }
    let others = logs.logs(on: log.day).filter { $0.id != log.id }
    return ScheduleMatching.services(schedules: [freed], logs: others)
  }

  /// What `log` did, without it; nil when there is no such plan without it.
  private func freed(_ id: ScheduleID, by log: WorkoutLog) -> Schedule? {
    if var schedule = schedule(id) {
      schedule.servedBy = nil
      return schedule
    }
    guard var weekly = weeklies.find(id) else { return nil }
    weekly.free(log.day)
    return weekly.plan(on: log.day).map {
      Schedule(id: id, workout: $0.planned.workout, title: $0.planned.title, at: log.end)
    }
  }
}

extension Decider {
  /// Edits a log, field by field: a person's edits stay. A log whose end moves to another day
  /// counts there, and frees what it did.
  func editLog(_ id: LogID, _ change: LogChange) throws(Rejection) -> [Event] {
    try requireValid(change)
    guard let log = state.log(id) else {
      switch state.thing(id) {
      case .gone(.log), .gone(.session): throw .refused(.gone)
      case nil: return try wait(.log(id, change))
      // Its session is back, its finish is not yet.
      case .session where context.isReoffered: return try wait(.log(id, change))
      default: throw .refused(.notFound)
      }
    }
    if change == LogChange() { return [] }
    let edit = try winners(of: change, in: log)
    try requireWinner(!edit.fields.isEmpty)
    var edited = log.edited(edit, by: by.stamp)
    if edited.day != log.day {
      let count = state.logs.record(of: edited.day)?.logs.count ?? 0
      try requireRoom(count, AuthorityLimits.logsPerDayMax, of: "logs")
      edited.serves = nil
    }
    let noteBytes = state.logs.noteBytes - log.noteBytes + edited.noteBytes
    if edited.noteBytes > log.noteBytes {
      try requireRoom(noteBytes - 1, AuthorityLimits.noteBytesMax, of: "notes")
    }
    var events = [Event.consistency(.logEdited(id: id, from: log.day, edit, by: by))]
    if edited.day != log.day { events += servicesOfWhatIsFree(without: log) }
    let isMatchedAnew = edit.title != nil || edit.activityType != nil || edit.end != nil
    if edited.serves == nil, isMatchedAnew {
      let planned = schedules(on: edited.day, in: place(of: edited), around: edited.end)
      events += served(ScheduleMatching.services(schedules: planned, logs: [edited]))
    }
    return events
  }

  /// Deletes a log; it stays deleted, and another log of its day may do what it did.
  func deleteLog(_ id: LogID) throws(Rejection) -> [Event] {
    guard let log = state.log(id) else {
      switch state.thing(id) {
      case .gone(.log), .gone(.session): throw .refused(.gone)
      case .session where context.isReoffered:
        return removalOfPhoto(of: id) + [.sessionDiscarded(id: id.retagged(), by: by)]
      case nil where context.isReoffered:
        try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
        return removalOfPhoto(of: id) + [.consistency(.logDeleted(id: id, day: nil, by: by))]
      default: throw .refused(.notFound)
      }
    }
    // A session's log is the session: it goes with it.
    let deleted: Event =
      if case .session = state.thing(id) {
        .sessionDiscarded(id: id.retagged(), by: by)
      } else {
        .consistency(.logDeleted(id: id, day: log.day, by: by))
      }
    return removalOfPhoto(of: id) + [deleted] + servicesOfWhatIsFree(without: log)
  }

  /// What others of its day do of what `log` did, once it is gone from that day.
  func servicesOfWhatIsFree(without log: WorkoutLog) -> [Event] {
    served(state.servicesOfWhatIsFree(without: log))
  }

  /// The fields that no later edit has set, resolved in the log's zone.
  private func winners(of change: LogChange, in log: WorkoutLog) throws(Rejection) -> LogEdit {
    var edit = LogEdit(day: log.day)
    func wins(_ field: LogField) -> Bool { self.wins(over: log.stamp(of: field)) }
    if wins(.title) { edit.title = change.title }
    if wins(.activityType) { edit.activityType = change.activityType }
    if wins(.notes) { edit.notes = change.notes }
    if wins(.tags) { edit.tags = change.tags }
    if wins(.active) { edit.activeMilliseconds = change.activeMilliseconds }
    if wins(.energy) { edit.energyKilocalories = change.energyKilocalories }
    if wins(.distance) { edit.distanceMeters = change.distanceMeters }
    if wins(.averageHeartRate) { edit.averageHeartRate = change.averageHeartRate }
    if wins(.maximumHeartRate) { edit.maximumHeartRate = change.maximumHeartRate }
    let rules = place(of: log, at: log.start).rules
    if let start = change.start, wins(.start) {
      edit.start = resolved(start, on: rules.day(at: log.start), notBefore: nil, rules)
    }
    let start = edit.start ?? log.start
    if let end = change.end, wins(.end) {
      // Another start may lie in another season of the zone.
      let rules = place(of: log, at: start).rules
      edit.end = resolved(end, on: rules.day(at: start), notBefore: start, rules)
    }
    if edit.start == nil, edit.end == nil { return edit }
    let end = edit.end ?? log.end
    let span = end.milliseconds(since: start)
    guard ActionLimits.instants.contains(start) else { throw .refused(.invalid(field: "start")) }
    guard ActionLimits.instants.contains(end), span >= 0,
      span <= ActionLimits.workoutMillisecondsMax
    else { throw .refused(.invalid(field: "end")) }
    // A day that was satisfied stays so: only another end moves the log.
    if edit.end != nil { edit.day = place(of: log, at: end).day(at: end) }
    return edit
  }

  private func resolved(
    _ moment: LogChange.Moment, on day: CivilDay, notBefore start: Instant?, _ rules: ZoneRules
  ) -> Instant {
    switch moment {
    case .instant(let instant): return instant
    case .timeOfDay(let time):
      let first = rules.firstInstant(atOrAfter: day, millisecondsOfDay: time)
      guard let first else { return Instant(milliseconds: 0) }
      guard let start, first < start else { return first }
      // Wall times with the end before the start mean the next day (DESIGN section 6, rule 2).
      return rules.firstInstant(atOrAfter: day.advanced(days: 1), millisecondsOfDay: time) ?? first
    }
  }

  private func requireValid(_ change: LogChange) throws(Rejection) {
    if let title = change.title { try requireName(title, field: "title") }
    if let type = change.activityType { try requireName(type, field: "activity_type") }
    if let notes = change.notes, notes.utf8.count > ActionLimits.notesBytesMax {
      throw .refused(.invalid(field: "notes"))
    }
    if let tags = change.tags {
      guard tags.count <= ActionLimits.tagsMax,
        tags.allSatisfy({ (1...ActionLimits.tagBytesMax).contains($0.utf8.count) })
      else { throw .refused(.invalid(field: "tags")) }
    }
    for (field, moment) in [("start", change.start), ("end", change.end)] {
      switch moment {
      case .timeOfDay(let time) where !ActionLimits.timesOfDay.contains(time):
        throw .refused(.invalid(field: field))
      case .instant(let instant) where !ActionLimits.instants.contains(instant):
        throw .refused(.invalid(field: field))
      default: break
      }
    }
    let durations = 0...ActionLimits.workoutMillisecondsMax
    if let active = change.activeMilliseconds?.value, !durations.contains(active) {
      throw .refused(.invalid(field: "active"))
    }
    let figures = [
      ("energy_kcal", change.energyKilocalories), ("distance_m", change.distanceMeters),
      ("average_heart_rate", change.averageHeartRate),
      ("maximum_heart_rate", change.maximumHeartRate),
    ]
    for (field, figure) in figures {
      if let figure = figure?.value, !(figure >= 0 && figure <= ActionLimits.figureMax) {
        throw .refused(.invalid(field: field))
      }
    }
  }
}
