internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Pulses, and the reading `live` that the newest one is: shown as fast as each surface allows, in
/// memory alone, and over when no more come (DESIGN sections 2 and 7).
extension Partition {
  /// A live value of a session. Nobody but the recorder of the session that runs is heard; what is
  /// dropped is counted.
  func take(_ pulse: Pulse, from session: Session) {
    let account = session.account
    account.usedAt = monotonic
    shared.counters.pulses.add(1)
    if !hear(pulse, from: session) { shared.counters.pulsesDropped.add(1) }
  }

  private func hear(_ pulse: Pulse, from session: Session) -> Bool {
    let account = session.account
    let device = session.device.id
    let outer = begin(AccountWork(.projecting, of: account.id))
    defer { resume(outer) }
    guard let state = account.record?.state, state.isRecorded(pulse.session, by: device) else {
      return false
    }
    let observedAt = session.deviceState.clock.corrected(
      pulse.measured, now: now, monotonicNow: monotonic
    ).instant
    let known = account.live.flatMap {
      $0.session == pulse.session && $0.recorder == device ? $0 : nil
    }
    let measuredAt = monotonic - now.milliseconds(since: observedAt)
    if let known, measuredAt < known.measuredAt { return false }
    let deadline = measuredAt + LiveSpan.expiry(Int64(pulse.cadenceMilliseconds))
    if deadline <= monotonic { return false }
    account.live = LivePulse(
      session: pulse.session, recorder: device, measuredAt: measuredAt, deadline: deadline,
      reading: state.live(pulse, by: device, observedAt: observedAt),
      // Of a session that is known to run already, nothing new must become durable.
      batch: known?.batch ?? account.newestBatch ?? 0)
    oweLive(of: account)
    for surface in account.sessions { sendLive(to: surface) }
    return true
  }

  /// An entry may have ended the session that is measured, or given it to another device.
  func liveMayHaveEnded(of account: Account) {
    guard let live = account.live, let state = account.record?.state,
      !state.isRecorded(live.session, by: live.recorder)
    else { return }
    account.live = nil
    account.liveEndedIn = open.id
    oweLive(of: account)
  }

  private func oweLive(of account: Account) {
    for session in account.sessions where session.isWelcomed { oweLive(to: session) }
    liveAccounts.insert(account.id)
  }

  /// Owes the newest pulse, or that there is none where the session was told of one.
  func oweLive(to session: Session) {
    guard session.device.kind.readings.contains(.live),
      session.account.live != nil || session.showsLive
    else { return }
    session.dirtyReadings.insert(.live)
    liveAccounts.insert(session.account.id)
  }

  /// Sends the newest pulse if it is owed and the surface takes it now. What is owed of the session
  /// that is measured goes first, or along.
  func sendLive(to session: Session) {
    guard session.dirtyReadings.contains(.live), session.isWelcomed else { return }
    sendUpdate(to: session)
    guard owed[ObjectIdentifier(session)] == nil, monotonic >= session.nextUpdateAt,
      !pool.isBacklogged(session.connection), let epoch = session.account.publishedEpoch
    else { return }
    let readings = takeLive(of: session)
    if readings.isEmpty { return }
    send(
      .update(Update(epoch: epoch, from: session.sent, to: session.sent, readings: readings)),
      to: session)
    session.nextUpdateAt = monotonic + session.minimumInterval
  }

  /// The reading that is owed, to go with what leaves now; none while what it speaks of is not
  /// durable, or when nothing would change.
  func takeLive(of session: Session) -> [Reading] {
    guard session.dirtyReadings.contains(.live) else { return [] }
    let live = session.account.live
    let oldestUndurable = committing.first?.id ?? open.id
    if live?.batch ?? session.account.liveEndedIn >= oldestUndurable { return [] }
    session.dirtyReadings.remove(.live)
    let reading = live?.reading(at: now, monotonic: monotonic)
    if reading == nil, !session.showsLive { return [] }
    session.showsLive = reading != nil
    return [.live(reading)]
  }

  /// Pulses that are over say nothing any more, and who could not be told is told; with each tick,
  /// in an order that another run of the same events has too.
  func lookAtLive() {
    if liveAccounts.isEmpty { return }
    for id in liveAccounts.sorted() {
      guard let account = accounts[id] else {
        liveAccounts.remove(id)
        continue
      }
      if let live = account.live, live.isOver(at: now, monotonic: monotonic) {
        account.live = nil
        oweLive(of: account)
      }
      for session in account.sessions { sendLive(to: session) }
      let isOwing = account.sessions.contains { $0.dirtyReadings.contains(.live) }
      if account.live == nil, !isOwing { liveAccounts.remove(id) }
    }
  }
}
