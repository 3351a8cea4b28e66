internal import Authority
internal import Guards
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Acts: exactly once, decided in order, answered when durable (DESIGN section 4).
extension Partition {
  /// An act as a device offers it.
  func offered(_ act: Act, by session: Session) {
    shared.counters.received.add(1)
    if !session.unmeasured.isEmpty {
      // Order is kept: what comes behind an act that waits, waits too.
      session.unmeasured.append(act)
      return
    }
    judge(act, of: session)
  }

  /// Asks the ledger, and answers or decides.
  func judge(_ act: Act, of session: Session, withoutSample: Bool = false) {
    let account = session.account
    account.usedAt = monotonic
    let hash = contentHash(act.body)
    // No copy of the record may live while it is changed below: it would be copied whole.
    guard
      let verdict = account.record?.ledger.verdict(
        on: act.incarnation, number: act.number, confirmed: act.confirmed, bodyHash: hash,
        from: session.device.id, at: now)
    else { return }
    switch verdict {
    case .repeated(let outcome):
      let receipt = Receipt(incarnation: act.incarnation, number: act.number, outcome: outcome)
      answer(.receipt(receipt), to: session)
    case .conflict(let outcome):
      session.ignored.insert(act.incarnation)
      shared.counters.conflicts.add(1)
      let stored = Receipt(incarnation: act.incarnation, number: act.number, outcome: outcome)
      answer(.frame(encoder.frame(.conflict(stored))), to: session)
    case .settled:
      let number = IncarnationNumber(incarnation: act.incarnation, number: act.number)
      shared.counters.settled.add(1)
      if account.settled.count < Account.settledMax, account.settled.insert(number).inserted {
        deliveryChanged(account)
      }
      answer(.frame(encoder.frame(.settled(number))), to: session)
    case .gap(let expected):
      hold(act, of: session, at: expected, .gap(expected: expected))
    case .busy:
      hold(act, of: session, at: act.number, .busy(retryAfterMilliseconds: 1_000))
    case .decide:
      decideNext(act, bodyHash: hash, of: session, withoutSample: withoutSample)
    }
  }

  /// The act is the next of its incarnation.
  private func decideNext(
    _ act: Act, bodyHash: UInt64, of session: Session, withoutSample: Bool
  ) {
    if session.ignored.contains(act.incarnation) { return }
    session.heldAt[act.incarnation] = nil
    if !shared.space.acceptsActs {
      shared.counters.reached(.freeSpaceReserveBytes)
      return hold(
        act, of: session, at: act.number, .storageUnavailable(retryAfterMilliseconds: 5_000))
    }
    let device = session.deviceState
    let isTaken = device.acts.take(
      at: monotonic, perSecond: limits.actsPerSecond, burst: limits.actsBurst)
    if !isTaken || shared.counters.waiting.value >= limits.commitQueueMax {
      shared.counters.reached(isTaken ? .commitQueueMax : .actsPerSecond)
      return hold(act, of: session, at: act.number, .busy(retryAfterMilliseconds: 250))
    }
    standAlone(session.account)
    let work = AccountWork(
      deciding: act.number, of: act.incarnation, bodyHash: bodyHash, account: session.account.id)
    let isPoison = shared.poison.refuses(work)
    let outer = isPoison ? working : begin(work)
    let body: Result<ActionBody, BodyError>
    do throws(BodyError) {
      // Poison is not even read.
      body = isPoison ? .failure(.unsupported) : .success(try decoder.decodeActionBody(act.body))
    } catch {
      body = .failure(error)
    }
    if case .success(let read) = body, !withoutSample, mustMeasure(read, act, session) {
      session.unmeasured.append(act)
      session.measureDeadline = monotonic + Int64(limits.measureMilliseconds)
      resume(outer)
      sample(session)
      return
    }
    let outcome = commit(
      body, incarnation: act.incarnation, number: act.number, confirmed: act.confirmed,
      first: isPoison ? .refused(.poison) : act.firstReceipt?.outcome, bodyHash: bodyHash,
      device: session.device, of: session.account)
    if case .refused(let reason) = outcome {
      shared.audit.count(.refused, reason.word, from: session.peer)
    }
    let receipt = Receipt(incarnation: act.incarnation, number: act.number, outcome: outcome)
    session.waiting += 1
    open.answers.append((session, .receipt(receipt)))
    open.acts += 1
    shared.counters.waiting.add(1)
    closeNamed(work, isPoison: isPoison)
    resume(outer)
    closeFullBatch()
  }

  /// What was found in a crash has a receipt: once that is durable, the crash is done with.
  func settle(_ work: AccountWork, _ isPoison: Bool) {
    if isPoison {
      shared.counters.alarm(
        "account \(work.account): action \(work.number) of outbox \(work.incarnation) is refused: "
          + "deciding it has crashed the server twice")
    }
    open.callbacks.append { $0.shared.poison.settled(work) }
  }

  /// Decides, takes the entry into the open batch, and says how it was decided. The caller names
  /// the act.
  func commit(
    _ body: Result<ActionBody, BodyError>, incarnation: IncarnationID, number: ActionNumber,
    confirmed: ActionNumber, first: Outcome?, bodyHash: UInt64, device: PairedDevice,
    of account: Account
  ) -> Outcome {
    separate(account)
    ensureCurrent(account)
    let act = IncarnationNumber(incarnation: incarnation, number: number)
    let decision = decision(on: body, first: first, act: act, device: device, of: account)
    let revision = account.record?.revision ?? 0
    let outcome: Outcome
    switch decision.outcome {
    case .applied: outcome = .applied(revision + 1)
    case .refused(let reason): outcome = .refused(reason)
    case .expired: outcome = .expired
    }
    let cause = JournalEntry.Cause.action(
      DecidedAction(
        device: device.id, deviceName: device.name, incarnation: incarnation, number: number,
        confirmed: confirmed, bodyHash: bodyHash, outcome: outcome))
    append(
      JournalEntry(
        account: account.id, revision: decision.outcome == .applied ? revision + 1 : revision,
        at: now, cause: cause, events: decision.events),
      to: account)
    shared.counters.decided(outcome)
    if case .applied = outcome {} else { deliveryChanged(account) }
    return outcome
  }

  private func decision(
    on body: Result<ActionBody, BodyError>, first: Outcome?, act: IncarnationNumber,
    device: PairedDevice, of account: Account
  ) -> Decision {
    // Offered again after a restore: refused stays refused, expired stays expired.
    switch first {
    case .refused(let reason): return Decision(events: [], outcome: .refused(reason))
    case .expired: return Decision(events: [], outcome: .expired)
    case .applied, nil: break
    }
    switch body {
    case .failure(let error):
      return Decision(events: [], outcome: .refused(error.refusal))
    case .success(let body):
      let context = context(of: body, first, act, device, account)
      let decision = account.record.map { decide($0.state, body.action, context) }
      invariant(decision != nil, "an act is decided while its account is in memory")
      return decision ?? Decision(events: [], outcome: .expired)
    }
  }

  private func context(
    of body: ActionBody, _ first: Outcome?, _ act: IncarnationNumber, _ device: PairedDevice,
    _ account: Account
  ) -> ActionContext {
    let occurred =
      account.devices[device.id]?.clock
      .ordered(body.occurred, now: now, monotonicNow: monotonic)
      ?? ClockEstimator().corrected(body.occurred, now: now, monotonicNow: monotonic)
    // An expiry is by the device's wall clock: what it lies ahead of the act is what counts.
    let expiresAt = body.expiresAt.map {
      occurred.instant.advanced(milliseconds: $0.milliseconds(since: body.occurred.wall))
    }
    return ActionContext(
      now: now, device: ActingDevice(id: device.id, name: device.name, kind: device.kind), act: act,
      occurred: occurred, zone: body.zone, expiresAt: expiresAt, isReoffered: first != nil,
      zones: shared.zones)
  }

  /// Whether the act is a wish about now whose device's clock is not known yet.
  private func mustMeasure(_ body: ActionBody, _ act: Act, _ session: Session) -> Bool {
    guard act.firstReceipt == nil, let boot = body.occurred.boot,
      let record = session.account.record
    else { return false }
    let clock = session.deviceState.clock
    // Another boot than the measured one cannot be measured any more.
    if clock.isMeasured(boot.id) || session.sampledAt > .min / 4 && session.ping == nil {
      return false
    }
    let occurred = clock.corrected(body.occurred, now: now, monotonicNow: monotonic)
    return isPerishable(
      record.state, body.action, by: session.device.id, at: occurred.instant)
  }

  /// Decides what waited for a sample of the clock, which has come or will not.
  func decideUnmeasured(of session: Session) {
    let waiting = session.unmeasured
    session.unmeasured = []
    session.measureDeadline = .max
    for act in waiting { judge(act, of: session, withoutSample: true) }
    unpauseIfRoom(session)
  }

  /// "Not now": consumes nothing. Acts above the expected one are dropped in silence until it
  /// arrives; the client resends from there, once.
  private func hold(
    _ act: Act, of session: Session, at expected: ActionNumber, _ reason: Hold.Reason
  ) {
    if let held = session.heldAt[act.incarnation], act.number > held { return }
    if session.ignored.contains(act.incarnation) { return }
    // A device has four outboxes at most; who names more is not one.
    if session.heldAt.count >= Self.heldIncarnationsMax,
      session.heldAt[act.incarnation] == nil
    {
      return goodbye(.protocolError, to: session)
    }
    session.heldAt[act.incarnation] = expected
    shared.counters.held.add(1)
    let hold = Hold(
      incarnation: act.incarnation, number: act.number,
      reason: reason.spread(by: session.device.id.low))
    answer(.frame(encoder.frame(.hold(hold))), to: session)
  }

  /// Incarnations that may be held at once on one connection.
  static var heldIncarnationsMax: Int { 8 }

  /// An answer leaves with the newest undurable batch that touches the account, or at once.
  func answer(_ answer: OpenBatch.Answer, to session: Session) {
    guard let newest = session.account.newestBatch else {
      return give(answer, to: session, waited: false)
    }
    session.waiting += 1
    if newest == open.id {
      open.answers.append((session, answer))
    } else if let index = committing.firstIndex(where: { $0.id == newest }) {
      committing[index].answers.append((session, answer))
    }
  }

  /// Takes an entry into the account's record and into the open batch.
  func append(_ entry: JournalEntry, to account: Account) {
    let outer = working
    if outer == nil { _ = begin(AccountWork(.turning, of: account.id)) }
    defer { if outer == nil { resume(nil) } }
    account.record?.apply(entry, epoch: shared.epoch)
    var facets = FacetSet()
    if !entry.events.isEmpty {
      facets = touchedFacets(by: entry.events)
      if !account.snapshots.isEmpty { forgetSnapshots(of: account, showing: facets) }
      if account.live != nil, facets.contains(.session) { liveMayHaveEnded(of: account) }
    }
    open.add(entry, of: account, facets: facets, cues: cues(of: entry.events, at: entry.at))
    account.newestBatch = open.id
  }

  private func forgetSnapshots(of account: Account, showing facets: FacetSet) {
    for kind in touchedWidgets(by: facets) {
      for view in account.snapshots.keys where view.kind == kind {
        account.snapshots[view] = nil
      }
    }
  }
}
