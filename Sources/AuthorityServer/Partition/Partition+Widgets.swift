internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Widgets: snapshots encoded once.
extension Partition {
  /// Answers a fetch.
  func fetch(_ fetch: Fetch, by session: Session) {
    let account = session.account
    account.usedAt = monotonic
    ensureCurrent(account)
    shared.counters.fetched.add(1)
    guard let snapshot = snapshot(fetch.view, of: account) else { return }
    session.fetched[fetch.view] = snapshot.hash
    settleReload(of: fetch.view.kind, by: session)
    let frame = fetch.knownHash == snapshot.hash ? snapshot.notModified : snapshot.frame
    if account.newestBatch == nil {
      pool.send(session.connection, frame)
    } else {
      answer(.frame(frame), to: session)
    }
  }

  /// The snapshot of the present state, from the cache or made now.
  func snapshot(_ view: WidgetView, of account: Account) -> CachedSnapshot? {
    if let snapshot = account.snapshots[view] { return snapshot }
    guard let record = account.record else { return nil }
    let outer = begin(AccountWork(.projecting, of: account.id))
    defer { resume(outer) }
    let content = encoder.encode(timeline(record.state, view))
    let hash = contentHash(content)
    let snapshot = CachedSnapshot(
      hash: hash,
      frame: encoder.frame(
        .snapshot(
          Snapshot(view: view, revision: record.revision, hash: hash, content: content))),
      notModified: encoder.frame(
        .notModified(NotModified(view: view, revision: record.revision))))
    account.snapshots[view] = snapshot
    return snapshot
  }
}
