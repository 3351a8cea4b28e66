internal import AuthorityLink
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// From the link to outbox and surface, and back.
extension WatchClient {
  /// What happens rarely enough to be put off: the cache, and the fsync of receipts.
  private static let housekeepingMilliseconds: Int64 = 1_000

  /// The first frame of a connection.
  func greeting() -> Hello {
    zoneMayHaveChanged()
    // What the server is told to be final must be on disk.
    tidyOutbox()
    return Hello(
      token: configuration.link.token, incarnations: outbox?.machine.greeting ?? [],
      cursor: surface.state.cursor,
      minimumIntervalMilliseconds: configuration.minimumIntervalMilliseconds,
      clock: configuration.clock.now(), code: configuration.link.credential.code,
      deviceName: configuration.link.deviceName)
  }

  /// For a ping.
  func vitals() -> LinkOwner.Vitals {
    LinkOwner.Vitals(
      shownRevision: surface.state.revision > 0 ? surface.state.revision : nil,
      pending: outbox?.machine.waitingCount)
  }

  /// Something happened on the link.
  func handle(_ event: LinkEvent) {
    switch event {
    case .welcomed(let welcome):
      welcomed(welcome)
    case .message(let message):
      received(message)
    case .clockOffset(let milliseconds):
      surface.received(clockOffsetMilliseconds: milliseconds)
      stateBroadcast.send(surface.state)
    case .disconnected(let failure, _):
      disconnected()
      announce(.disconnected(failure))
    case .ended(let goodbye):
      // Where another connection has taken over, the link comes back by itself.
      if goodbye.reason != .replaced { refusal = goodbye }
      disconnected()
      if let refusal { failUploads(.ended(refusal)) }
      announce(.ended(goodbye))
    }
    putOff()
  }

  /// Lets the outbox take something, and tells what came of it.
  func take(_ step: (inout OutboxMachine) -> OutboxMachine.Reaction) {
    do throws(OutboxError) {
      for notice in try outbox?.take(step) ?? [] { tell(notice) }
    } catch {
      report(error)
    }
    sendActs()
  }

  /// Sends what may go now.
  func sendActs() {
    if let unsynced = outbox?.machine.unsynced, unsynced >= OutboxLimits.unsyncedMax {
      tidyOutbox()
    }
    for act in outbox?.acts(at: configuration.link.machine.now()) ?? [] {
      send(.act(act))
      let id = IncarnationNumber(incarnation: act.incarnation, number: act.number)
      // What a restored server gets back has its receipt already.
      if outbox?.machine.isWaiting(id) ?? false { announce(.stage(id, .received)) }
    }
    putOff()
  }

  /// What was due by time.
  func tick() {
    if let due = housekeepingDue, configuration.link.machine.now() >= due { housekeep() }
    wakeUploads()
    sendActs()
  }

  /// Makes the cache and the receipts durable.
  func housekeep() {
    housekeepingDue = nil
    tidyOutbox()
    guard isCacheDue else { return }
    isCacheDue = false
    do throws(FileError) {
      try cache.store(surface.state)
    } catch {
      // The old cache is as good as it was, and the next change tries again.
      isCacheDue = true
    }
  }

  /// Tells that the outbox cannot go on, or could not this time.
  func report(_ error: OutboxError) {
    announce(.failed(error))
    guard error == .broken else { return }
    // Numbers that may not be on disk must not be sent; a closed connection sends nothing.
    link?.assumeIsolated { $0.stop() }
    disconnected()
    failUploads(.broken)
  }

  private func received(_ message: ServerMessage) {
    switch message {
    case .receipt(let receipt):
      take { $0.received(receipt) }
    case .conflict(let stored):
      take { $0.receivedConflict(stored, fresh: fresh) }
    case .settled(let settled):
      take { $0.receivedSettled(settled) }
    case .hold(let hold):
      take { $0.received(hold, at: configuration.link.machine.now(), fresh: fresh) }
    case .update(let update):
      received(update)
    case .page(let page):
      answered(page)
    case .chunkState(let state):
      received(state)
    case .welcome, .snapshot, .notModified, .reload, .ping, .pong, .goodbye:
      // The link's, or a widget's.
      break
    }
  }

  private func received(_ update: Update) {
    switch surface.received(update, decode: { try? decoder.decodeFacet($0) }) {
    case .applied(let change):
      isCacheDue = true
      stateBroadcast.send(surface.state)
      announce(.update(change))
      noteShown()
      for cue in change.cues { cueBroadcast.send(cue) }
    case .resume(let cursor):
      send(.resume(cursor))
    case .ignored:
      break
    }
  }

  private func welcomed(_ welcome: Welcome) {
    do throws(OutboxError) {
      guard try settleAccount(welcome.account) else {
        // The greeting spoke of another account's outbox and cursor.
        link?.assumeIsolated { $0.restart() }
        return
      }
    } catch {
      return report(error)
    }
    welcomedKind = welcome.kind
    // What another room told of the device's zone is known now.
    zoneMayHaveChanged()
    surface.received(welcome)
    mayAsk = true
    refusal = nil
    stateBroadcast.send(surface.state)
    // Before anybody hears of the connection, and uploads something over it.
    resumeUploads(frameBytesMax: welcome.frameBytesMax)
    announce(.connected(welcome))
    take { $0.received(welcome, fresh: fresh) }
  }

  /// The connection is gone.
  func disconnected() {
    outbox?.disconnected()
    failQuestions(unanswered)
    pauseUploads()
    surface.disconnected()
    stateBroadcast.send(surface.state)
    putOff()
  }

  private func tidyOutbox() {
    do throws(OutboxError) {
      try outbox?.tidy()
    } catch {
      report(error)
    }
  }

  private func tell(_ notice: OutboxMachine.Notice) {
    switch notice {
    case .receipt(let receipt):
      announce(.receipt(receipt))
      noteStage(of: receipt)
    case .quarantined(let id, let reason):
      announce(.quarantined(id, reason))
      announce(.stage(id, .quarantined(reason)))
    case .moved(let old, let new, let count):
      announce(.movedToNewIncarnation(old: old, new: new, count: count))
    }
  }

  /// Sets the alarm for what is due next: the end of a hold, an upload that waits, or the
  /// housekeeping.
  private func putOff() {
    let hasDebt = isCacheDue || outbox?.machine.unsynced ?? 0 > 0
    if hasDebt, housekeepingDue == nil {
      housekeepingDue = configuration.link.machine.now()
        .advanced(milliseconds: Self.housekeepingMilliseconds)
    }
    alarm?.set(
      [housekeepingDue, outbox?.machine.deadline, uploadDeadline].compactMap { $0 }.min())
  }
}
