internal import WatchTransfer

extension Decider {
  /// Plans a workout. A log of that day with its title that did nothing yet does it.
  func scheduleWorkout(
    _ id: ScheduleID, _ reference: WorkoutReference, at: Instant
  ) throws(Rejection) -> [Event] {
    guard ActionLimits.instants.contains(at) else { throw .refused(.invalid(field: "at_ms")) }
    let planned = try planned(reference)
    try requireFree(id, for: .schedule)
    try requireRoom(state.schedules.all.count, AuthorityLimits.schedulesMax, of: "schedules")
    let place = place(ofAccountAt: at)
    let day = place.day(at: at)
    let sameDay = schedules(on: day, in: place, around: at)
    try requireRoom(sameDay.count, AuthorityLimits.schedulesPerDayMax, of: "schedules")
    var schedule = Schedule(id: id, workout: planned.workout, title: planned.title, at: at)
    schedule.servedBy = nil
    let services = ScheduleMatching.services(
      schedules: [schedule], logs: state.logs.logs(on: day))
    let dated = Event.consistency(.scheduleDated(id: id, day: day))
    return withWaitingEdits(
      [.workoutScheduled(schedule, by: by), dated] + served(services), of: id.retagged())
  }

  /// Takes a plan back; of a weekly one what is still to come. The log that did it may do another
  /// of its day. Once its day is over a plan is a fact (DESIGN section 6, rule 4).
  func unscheduleWorkout(_ id: ScheduleID) throws(Rejection) -> [Event] {
    guard let schedule = state.schedule(id) else {
      switch state.thing(id) {
      case .weekly:
        guard let weekly = state.weeklies.find(id) else { throw .refused(.notFound) }
        return [end(weekly)]
      case .gone(.schedule): throw .refused(.gone)
      // It must not come back after it was taken back.
      case nil where context.isReoffered:
        try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
        return [.workoutUnscheduled(id: id, by: by)]
      default: throw .refused(.notFound)
      }
    }
    let day = schedule.day ?? place(ofAccountAt: schedule.at).day(at: schedule.at)
    let today = place(ofAccountAt: by.at).day(at: by.at)
    if day < today, !context.isReoffered { throw .refused(.ended) }
    var events: [Event] = [.workoutUnscheduled(id: id, by: by)]
    if let served = schedule.servedBy, var log = state.log(served) {
      log.serves = nil
      let place = place(of: log)
      let rest = schedules(on: log.day, in: place, around: log.end).filter { $0.id != id }
      events += self.served(ScheduleMatching.services(schedules: rest, logs: [log]))
    }
    return events
  }

  /// The schedules of a local day; `instant` is a moment of it.
  func schedules(on day: CivilDay, in place: LocalPlace, around instant: Instant) -> [Schedule] {
    let span: Int64 = 2 * 86_400_000
    return state.schedules
      .between(
        instant.advanced(milliseconds: -span), instant.advanced(milliseconds: span)
      )
      .filter { place.day(at: $0.at) == day }
      + state.weeklies.schedules(on: day, in: place.rules)
  }

  /// Events that tie schedules to logs.
  func served(_ services: [ScheduleMatching.Service]) -> [Event] {
    services.map { .scheduleServed(id: $0.schedule, log: $0.log) }
  }

  /// What a plan refers to: a defined workout. Offered again, also one that has not come back.
  func planned(
    _ reference: WorkoutReference
  ) throws(Rejection) -> (workout: WorkoutID?, title: String) {
    switch reference {
    case .id(let id):
      return (id, try existing(id)?.title ?? "")
    case .title(let title):
      try requireName(title, field: "title")
      if let workout = state.workout(titled: title) { return (workout.id, workout.title) }
      guard context.isReoffered else { throw .refused(.notFound) }
      return (nil, title)
    }
  }
}
