internal import WatchTransfer

extension AccountState {
  /// Schedules that change, weights, edited logs, and what was decided about streaks.
  mutating func apply(_ event: ConsistencyEvent) {
    switch event {
    case .weeklyScheduled, .weeklyEdited, .scheduleEdited, .scheduleDated:
      applyToSchedules(event)
    case .weightLogged(let entry, _):
      guard thing(entry.id) == nil else { return }
      weights.insert(WeightBook.Record(entry: entry, revision: revision))
      things[entry.id.retagged()] = .weight(day: entry.day)
    case .weightDeleted(let id, _):
      switch thing(id) {
      case .weight(let day): weights.remove(id, on: day)
      case nil: break
      default: return
      }
      things[id.retagged()] = .gone(.weight)
    case .logEdited(let id, let day, let edit, let by):
      editLog(id, on: day, edit, by: by.stamp)
    case .logDeleted(let id, _, _):
      switch thing(id) {
      case .log(let day): if let removed = logs.remove(id, on: day) { free(removed) }
      case nil: break
      default: return
      }
      things[id.retagged()] = .gone(.log)
      endWaiting(for: id.retagged())
    case .freezeGranted(let freeze, _):
      guard thing(freeze.id) == nil else { return }
      streaks.insert(freeze)
      things[freeze.id.retagged()] = .freeze
    case .streakPaused(let pause, let by):
      switch thing(pause.id) {
      case nil, .pause: break
      default: return
      }
      streaks.insert(pause, pressed: by.stamp)
      things[pause.id.retagged()] = .pause
    case .streakResumed(let day, let by):
      streaks.resume(from: day, by: by.stamp)
    case .editWaits(let edit):
      waiting.append(edit)
    }
  }

  private mutating func applyToSchedules(_ event: ConsistencyEvent) {
    switch event {
    case .weeklyScheduled(let id, let edit, let by):
      guard thing(id) == nil else { return }
      weeklies.insert(WeeklySchedule(id: id, edits: [.init(edit: edit, stamp: by.stamp)]))
      things[id.retagged()] = .weekly
      endWaiting(for: id.retagged())
    case .weeklyEdited(let id, let edit, let by):
      guard case .weekly = thing(id) else { return }
      weeklies.change(id) { $0.insert(.init(edit: edit, stamp: by.stamp)) }
      if edit.isEnd {
        things[id.retagged()] = .gone(.schedule)
        weeklies.forgetIfEmpty(id)
      }
    case .scheduleEdited(let id, let planned, let moment, let by):
      guard case .schedule(let at) = thing(id), var schedule = schedules.remove(id, at: at) else {
        return
      }
      if let planned {
        schedule.workout = planned.workout
        schedule.title = planned.title
        schedule.plannedStamp = by.stamp
      }
      if let moment {
        schedule = schedule.moved(to: moment)
        schedule.atStamp = by.stamp
      }
      schedules.insert(schedule)
      things[id.retagged()] = .schedule(at: schedule.at)
    case .scheduleDated(let id, let day):
      if case .schedule(let at) = thing(id) { schedules.setDay(id, at: at, to: day) }
    default:
      break
    }
  }

  private mutating func editLog(
    _ id: LogID, on day: CivilDay, _ edit: LogEdit, by stamp: FieldStamp
  ) {
    guard logDay(of: id) == day, var log = logs.remove(id, on: day) else { return }
    if edit.day != day {
      free(log)
      log.serves = nil
    }
    logs.insert(log.edited(edit, by: stamp))
    if case .session = thing(id) {
      things[id.retagged()] = .session(day: edit.day)
    } else {
      things[id.retagged()] = .log(day: edit.day)
    }
  }

  /// Nobody serves what a log did any more.
  mutating func free(_ log: WorkoutLog) {
    guard let id = log.serves else { return }
    if case .schedule(let at) = thing(id) {
      schedules.setServed(id, at: at, by: nil)
    } else {
      weeklies.change(id) { weekly in
        if weekly.plan(on: log.day)?.servedBy == log.id { weekly.free(log.day) }
      }
      weeklies.forgetIfEmpty(id)
    }
  }

  /// What waited for `id` has been put in with it, or has nothing to wait for.
  mutating func endWaiting(for id: ThingID) {
    if !waiting.isEmpty { waiting.removeAll { $0.thing == id } }
  }

  /// The clock went back to `moment`: no edit of schedules, logs and streaks is later than that.
  mutating func bringConsistencyBack(to moment: Instant) {
    schedules.bringBack(to: moment)
    weeklies.changeAll { $0.bringBack(to: moment) }
    logs.bringBack(to: moment)
    streaks.bringBack(to: moment)
  }
}
