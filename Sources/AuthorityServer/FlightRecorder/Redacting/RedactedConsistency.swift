internal import Authority
internal import WatchTransfer

extension Redactor {
  /// Weekly schedules, weights and waiting edits, without what their person wrote.
  func redactConsistency(of state: inout AccountState) {
    var weeklies = WeeklyBook()
    for known in state.weeklies.all { weeklies.insert(weekly(known)) }
    state.weeklies = weeklies
    var weights = WeightBook()
    for known in state.weights.all {
      let entry = WeightEntry(
        id: known.entry.id, weight: known.entry.weight, day: known.entry.day, at: known.entry.at,
        zoneID: known.entry.zoneID.map { zone($0) })
      weights.insert(WeightBook.Record(entry: entry, revision: known.revision))
    }
    state.weights = weights
    var attachments = AttachmentBook()
    for known in state.attachments.all {
      attachments.add(
        Attachment(
          hash: attachment(known.hash), totalBytes: known.totalBytes,
          storedBytes: known.storedBytes, isComplete: known.isComplete,
          touchedAt: known.touchedAt))
    }
    for photo in state.attachments.photos {
      attachments.attach(
        PhotoOfLog(log: log(photo.log), hash: attachment(photo.hash), stamp: photo.stamp))
    }
    state.attachments = attachments
    state.waiting = state.waiting.map {
      WaitingEdit(change: change($0.change), by: $0.by)
    }
  }

  private func weekly(_ known: WeeklySchedule) -> WeeklySchedule {
    let edits = known.edits.map { stamped in
      var stamped = stamped
      stamped.edit.planned = stamped.edit.planned.map { planned($0) }
      return stamped
    }
    var weekly = WeeklySchedule(id: known.id, edits: edits)
    for served in known.served {
      weekly.add(
        WeeklySchedule.Served(
          day: served.day, log: log(served.log), timeOfDay: served.timeOfDay,
          planned: planned(served.planned)))
    }
    return weekly
  }

  private func planned(_ known: PlannedWorkout) -> PlannedWorkout {
    PlannedWorkout(workout: known.workout, title: title(known.title))
  }

  private func change(_ known: WaitingEdit.Change) -> WaitingEdit.Change {
    switch known {
    case .schedule(let id, var change):
      if case .title(let title) = change.workout { change.workout = .title(self.title(title)) }
      return .schedule(id, change)
    case .log(let id, var change):
      change.title = change.title.map { title($0) }
      change.activityType = change.activityType.map { title($0) }
      change.notes = change.notes.map { placeholders.text($0) }
      change.tags = change.tags.map { $0.map { placeholders.text($0) } }
      return .log(log(id), change)
    }
  }
}
