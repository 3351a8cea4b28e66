internal import WatchTransfer

extension AccountState {
  /// Schedules and logs.
  mutating func applyToLogs(_ event: Event) {
    switch event {
    case .workoutScheduled(let schedule, _):
      guard thing(schedule.id) == nil else { return }
      schedules.insert(schedule)
      things[schedule.id.retagged()] = .schedule(at: schedule.at)
      endWaiting(for: schedule.id.retagged())
    case .workoutUnscheduled(let id, _):
      guard case .schedule(let at) = thing(id), let removed = schedules.remove(id, at: at) else {
        // Taken back before it came back.
        if thing(id) == nil { things[id.retagged()] = .gone(.schedule) }
        endWaiting(for: id.retagged())
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
      endWaiting(for: log.id.retagged())
      if let schedule = log.serves { serve(schedule, by: log.id) }
    case .workoutUnmarked(let id, let day, _):
      guard let removed = logs.remove(id, on: day) else { return }
      things[id.retagged()] = .gone(.log)
      free(removed)
    default:
      break
    }
  }

  /// Ties a schedule and a log, both still free, to each other.
  mutating func serve(_ id: ScheduleID, by log: LogID) {
    guard let day = logDay(of: log), let known = logs.find(log, on: day), known.serves == nil
    else { return }
    if case .schedule(let at) = thing(id) {
      guard schedules.find(id, at: at)?.servedBy == nil else { return }
      schedules.setServed(id, at: at, by: log)
    } else {
      // An ended weekly schedule still has its past occurrences.
      guard let plan = weeklies.find(id)?.plan(on: day), plan.servedBy == nil else { return }
      weeklies.change(id) { $0.serve(on: day, by: log) }
    }
    logs.setServes(log, on: day, schedule: id)
  }
}
