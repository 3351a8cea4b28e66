internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Widgets: snapshots encoded once, and what they owe a reload for.
extension Partition {
  /// Answers a fetch.
  func fetch(_ fetch: Fetch, by session: Session) {
    let account = session.account
    account.usedAt = monotonic
    ensureCurrent(account)
    shared.counters.fetched.add(1)
    guard let snapshot = snapshot(fetch.view, of: account) else { return }
    session.fetched[fetch.view] = snapshot.hash
    let frame = fetch.knownHash == snapshot.hash ? snapshot.notModified : snapshot.frame
    if account.newestBatch == nil {
      pool.send(session.connection, frame)
    } else {
      answer(.frame(frame), to: session)
    }
  }

  /// The snapshot of the present state, from the cache or made now.
  private func snapshot(_ view: WidgetView, of account: Account) -> CachedSnapshot? {
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

  /// A reload is owed while what a widget would show differs from what it last fetched; compared
  /// with that, not with what was last told, so that a lost reload is made good by the next change.
  func oweReloads(of account: Account, _ facets: FacetSet) {
    let kinds = touchedWidgets(by: facets)
    if kinds.isEmpty { return }
    for session in account.sessions where !session.fetched.isEmpty {
      var changed: Set<WidgetKind> = []
      for (view, hash) in session.fetched where kinds.contains(view.kind) {
        if let present = snapshot(view, of: account), present.hash != hash {
          changed.insert(view.kind)
        }
      }
      if !changed.isEmpty {
        let inOrder = changed.sorted { $0.rawValue < $1.rawValue }
        // What is compared may be ahead of the disk; the fetch it causes waits for the commit.
        send(.reload(inOrder), to: session)
      }
    }
  }
}
