internal import WatchTransfer

extension Decider {
  /// Keeps an edit of something that has not come back after a restore; refused unless it is
  /// offered again.
  func wait(_ change: WaitingEdit.Change) throws(Rejection) -> [Event] {
    guard context.isReoffered else { throw .refused(.notFound) }
    // There is no room for as many once more: nobody has shown that these things ever were.
    guard state.waiting.count < AuthorityLimits.waitingMax else {
      throw .refused(.limit(of: "edits"))
    }
    return [.consistency(.editWaits(WaitingEdit(change: change, by: by)))]
  }

  /// What makes a thing, followed by the edits that waited for it, each as of its own moment.
  func withWaitingEdits(_ making: [Event], of id: ThingID) -> [Event] {
    let edits = state.waiting.filter { $0.thing == id }
    if edits.isEmpty { return making }
    var events = making
    var ahead = state
    ahead.apply(making, revision: state.revision)
    for edit in edits {
      var context = context
      context.device = ActingDevice(id: edit.by.device, name: "", kind: context.device.kind)
      context.occurred = CorrectedTime(
        instant: edit.by.at, raw: edit.by.raw, isFlagged: edit.by.isFlagged)
      context.isReoffered = true
      let decider = Decider(state: ahead, context: context)
      guard let more = try? decider.events(of: edit.action), events.count + more.count <= 250
      else { continue }
      events += more
      ahead.apply(more, revision: state.revision)
    }
    return events
  }
}
