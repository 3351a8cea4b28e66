internal import WatchTransfer

extension WorkoutSession {
  /// Takes what an event says of this session; other events change nothing. `decide` uses it, too,
  /// to see what a fact makes of a session's log.
  mutating func take(_ event: Event) {
    switch event {
    case .sessionStarted(_, let start, let by):
      guard isStub else { return }
      self.start = start
      closedAt = nil
      insert(SessionEntry(move: .start, stamp: by.stamp))
    case .sessionMoved(_, let move, let day, let zoneID, let by):
      insert(SessionEntry(move: move, stamp: by.stamp, day: day, zoneID: zoneID))
    case .setCompleted(_, let set, let by):
      change(set.id, at: by.at) { $0.complete(set, by: by.stamp) }
      sortSets()
    case .setEdited(_, let id, let reps, let weight, let by):
      change(id, at: by.at) { set in
        if let reps { set.reps.edit(reps, by: by.stamp) }
        if let weight { set.weight.edit(weight, by: by.stamp) }
      }
    case .setUncompleted(_, let id, let by):
      change(id, at: by.at) { $0.isDone.edit(false, by: by.stamp) }
    case .setAdjusted(_, let position, let reps, let weight, let by):
      adjust(position, reps: reps, weight: weight, by: by)
    case .exerciseSelected(_, let position, let by):
      selected.edit(position, by: by.stamp)
      noteFact(at: by.at)
    case .restSet(_, let seconds, let by):
      rest.edit(seconds, by: by.stamp)
      noteFact(at: by.at)
    case .sessionExerciseAdded(_, let exercise, let by):
      added.insert(
        AddedExercise(exercise, stamp: by.stamp),
        at: added.partitionIndex { !(by.stamp < $0.stamp) })
      noteFact(at: by.at)
    case .samplesRecorded(_, let block, let by):
      record(block, by: by)
    case .summaryDismissed:
      isDismissed = true
    default:
      break
    }
  }

  /// Changes a set, which is made if there is none.
  private mutating func change(
    _ id: SetID, at moment: Instant, _ change: (inout SessionSet) -> Void
  ) {
    if let index = sets.firstIndex(where: { $0.id == id }) {
      change(&sets[index])
    } else {
      var set = SessionSet(id, at: moment)
      change(&set)
      sets.append(set)
      sortSets()
    }
    noteFact(at: moment)
  }

  private mutating func adjust(_ position: Int, reps: Int?, weight: Weight?, by: Occurrence) {
    let index = drafts.partitionIndex { $0.position < position }
    if index == drafts.count || drafts[index].position != position {
      drafts.insert(SetDraft(position: position), at: index)
    }
    if let reps { drafts[index].reps.edit(reps, by: by.stamp) }
    if let weight { drafts[index].weight.edit(weight, by: by.stamp) }
    noteFact(at: by.at)
  }

  private mutating func record(_ block: SampleBlock, by: Occurrence) {
    guard sealed == nil else { return }
    let index = blocks.partitionIndex {
      $0.device == by.device ? $0.block.number < block.number : $0.device < by.device
    }
    if index < blocks.count, blocks[index].device == by.device,
      blocks[index].block.number == block.number
    {
      return
    }
    blocks.insert(RecordedBlock(device: by.device, block: block), at: index)
    noteFact(at: by.at)
  }
}
