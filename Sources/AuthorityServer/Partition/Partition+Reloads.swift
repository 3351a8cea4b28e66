internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Reloads: owed while what a widget would show differs from what it last fetched, told within the
/// budget of a day, and told again to a widget that does not fetch (DESIGN section 7).
extension Partition {
  /// Facets of the account changed. What a widget shows is compared with what it fetched, not with
  /// what was last told: a lost reload is made good.
  func oweReloads(of account: Account, _ facets: FacetSet, isBigMoment: Bool) {
    let kinds = touchedWidgets(by: facets)
    if kinds.isEmpty { return }
    for session in account.sessions where !session.fetched.isEmpty {
      for kind in kinds where isBehind(session, in: kind) {
        session.reloads[
          kind, default: OwedReload(at: monotonic, isBigMoment: isBigMoment)
        ].change(at: monotonic, isBigMoment: isBigMoment, pause: reloadPause)
      }
      // What is compared may be ahead of the disk; the fetch it causes waits for the commit.
      tellReloads(to: session)
    }
  }

  /// A widget fetched a view of this kind: perhaps all it was owed.
  func settleReload(of kind: WidgetKind, by session: Session) {
    if session.reloads[kind] != nil, !isBehind(session, in: kind) { session.reloads[kind] = nil }
  }

  /// Tells what is due, once the account is in memory.
  func tellDueReloads(to session: Session) {
    guard session.reloads.values.contains(where: { $0.dueAt <= monotonic }) else { return }
    let connection = session.connection
    load(session.account) { partition in
      if let session = partition.session(on: connection) { partition.tellReloads(to: session) }
    }
  }

  /// Whether a view of this kind would show something else than what was fetched.
  private func isBehind(_ session: Session, in kind: WidgetKind) -> Bool {
    var isBehind = false
    // All are looked at, and so made if need be, whichever comes first: another run of the same
    // events makes the same snapshots at the same revisions.
    for (view, hash) in session.fetched where view.kind == kind {
      if let present = snapshot(view, of: session.account), present.hash != hash {
        isBehind = true
      }
    }
    return isBehind
  }

  private var reloadPause: Int64 { Int64(limits.reloadPauseMilliseconds) }

  /// The spending is durable before the widget hears of it, so that no crash gives it back.
  private func tellReloads(to session: Session) {
    guard let record = session.account.record, session.isWelcomed, !isStopping else { return }
    let kinds = session.reloads.keys.sorted { $0.rawValue < $1.rawValue }
    var due: [WidgetKind] = []
    for kind in kinds where session.reloads[kind].map({ $0.dueAt <= monotonic }) == true {
      if isBehind(session, in: kind) { due.append(kind) } else { session.reloads[kind] = nil }
    }
    if due.isEmpty { return }
    let isBigMoment = due.contains { session.reloads[$0]?.isBigMoment == true }
    guard
      let event = record.state.reload(
        of: session.device.id, at: now, isBigMoment: isBigMoment, perDay: limits.reloadsPerDay)
    else {
      shared.counters.reached(.reloadsPerDay)
      for kind in due { session.reloads[kind]?.postpone(at: monotonic, pause: reloadPause) }
      return
    }
    for kind in due { session.reloads[kind]?.tell(at: monotonic, pause: reloadPause) }
    appendOwn([event], to: session.account)
    answer(.reload(due), to: session)
  }
}

extension Cue.Kind {
  /// What the last fifth of a day's reloads is kept for.
  var isBigMoment: Bool {
    switch self {
    case .goal, .workoutDone: true
    case .setDone: false
    }
  }
}
