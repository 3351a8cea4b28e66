internal import WatchTransfer

/// What `deleteLog` would take away now.
func logDeletionPreview(_ state: AccountState, of id: LogID) -> Page.Answer {
  guard let log = state.log(id) else {
    switch state.thing(id) {
    case .gone(.log), .gone(.session): return .refused(.gone)
    default: return .refused(.notFound)
    }
  }
  let entry = HistoryPages(state: state)
    .entry(log, HistoryKey(day: log.day, end: log.end, log: id))
  var goes = ["\(entry.title), \(entry.text)"]
  if case .session = state.thing(id), let session = state.sessions[id.retagged()] {
    let sets = session.sets.count { $0.counts }
    if sets > 0 { goes.append("Its \(counted(sets, "set"))") }
  }
  if !log.notes.isEmpty { goes.append("Its notes") }
  if !log.tags.isEmpty { goes.append("Its \(counted(log.tags.count, "tag"))") }
  var stays: [String] = []
  if let photo = state.attachments.photo(of: id) {
    goes.append("Its photo")
    let others = state.attachments.uses(of: photo.hash) - 1
    if others > 0 { stays.append("The same photo of \(counted(others, "other log"))") }
  }
  if log.serves != nil {
    let next = state.servicesOfWhatIsFree(without: log).first.flatMap { state.log($0.log) }
    stays.append(
      "The planned time it did, "
        + (next.map { "done by \(shownTitle(of: $0)) then" } ?? "not done any more"))
  }
  if let source = log.sourceName { stays.append("The workout at its source, \(source)") }
  return .deletion(DeletionPreview(goes: goes, stays: stays))
}
