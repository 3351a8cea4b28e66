internal import Authority
internal import AuthorityServer
internal import WatchTransfer
internal import WidgetClient
internal import WireFormat

/// What widgets fetch: durable, the same as a fresh look at it, and in the end the newest.
extension Checker {
  /// A fetch came to something.
  func fetched(_ result: Result<FetchedSnapshot, WidgetError>, by widget: SimulatedWidget) {
    guard case .success(let snapshot) = result, !snapshot.isFromCache else {
      if case .failure(.refused(let goodbye)) = result, goodbye.reason != .replaced {
        broken("\(widget.name) was turned away: \(goodbye.reason.word)")
      }
      return
    }
    let account = widget.paired.account
    let known = [store.history] + store.formerHistories
    if !known.contains(where: { $0.records[account]?.revision ?? 0 >= snapshot.revision }) {
      return broken("\(widget.name) was shown \(snapshot.revision), which is not durable")
    }
    guard let record = store.history.records[account], record.revision == snapshot.revision,
      !serverTurnedBack || unfetched.contains(widget.name)
    else { return }
    projections += 1
    let fresh = contentHash(encoder.encode(timeline(record.state, snapshot.view)))
    if snapshot.hash != fresh {
      broken("\(widget.name) shows another \(snapshot.view.kind) than \(record.revision) has")
    }
    unfetched.remove(widget.name)
  }

  /// From now on this widget must get the newest there is.
  func expectsFresh(from widget: SimulatedWidget) { unfetched.insert(widget.name) }

  /// Whether all widgets that must have got the newest.
  var isFresh: Bool { unfetched.isEmpty }

  /// What is wrong when a widget gets nothing new at the end.
  var missingFetch: String? {
    unfetched.sorted().first.map { "\($0) is not sent what it shows" }
  }
}
