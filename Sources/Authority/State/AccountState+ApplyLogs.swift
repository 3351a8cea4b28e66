internal import WatchTransfer

extension AccountState {
  /// Schedules and logs.
  mutating func applyToLogs(_ event: Event) {
    switch event {
    case .workoutScheduled(let schedule, _):
      guard thing(schedule.id) == nil else { return }
      schedules.insert(schedule)
      things[schedule.id.retagged()] = .schedule(at: schedule.at)
    case .workoutUnscheduled(let id, _):
      guard case .schedule(let at) = thing(id), let removed = schedules.remove(id, at: at) else {
        return
      }
      things[id.retagged()] = .gone(.schedule)
      if let served = removed.servedBy, let day = logDay(of: served) {
        logs.setServes(served, on: day, schedule: nil)
      }
    case .scheduleServed(let id, let log):
      serve(id, by: log)
    case .workoutMarked(let log, _), .workoutLogged(let log, _):
      guard thing(log.id) == nil else { return }
      var unlinked = log
      unlinked.serves = nil
      logs.insert(unlinked)
      things[log.id.retagged()] = .log(day: log.day)
      if let schedule = log.serves { serve(schedule, by: log.id) }
    case .workoutUnmarked(let id, let day, _):
      guard let removed = logs.remove(id, on: day) else { return }
      things[id.retagged()] = .gone(.log)
      free(removed.serves)
    default:
      break
    }
  }

  /// Ties a schedule and a log, both still free, to each other.
  mutating func serve(_ id: ScheduleID, by log: LogID) {
    guard case .schedule(let at) = thing(id), schedules.find(id, at: at)?.servedBy == nil,
      let day = logDay(of: log), let known = logs.find(log, on: day), known.serves == nil
    else { return }
    schedules.setServed(id, at: at, by: log)
    logs.setServes(log, on: day, schedule: id)
  }
}
