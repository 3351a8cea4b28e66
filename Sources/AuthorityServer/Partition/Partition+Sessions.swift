internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Sessions: from the lobby to a Welcome.
extension Partition {
  /// Takes a greeted connection over from the lobby.
  /// `address` is the peer's, where limits hold for it.
  func admit(
    _ socket: AcceptedSocket, from address: PeerAddress?, unread: [UInt8], device: PairedDevice,
    hello: Hello
  ) {
    readClocks()
    let account = account(device.account)
    let connection = pool.adopt(socket, unread: unread)
    let session = Session(
      connection: connection, peer: socket.peer, device: device, account: account,
      minimumInterval: Int64(
        max(hello.minimumIntervalMilliseconds, device.kind.minimumIntervalMilliseconds)),
      heardAt: monotonic)
    place(session)
    if let address { limitedPeers[connection] = address }
    if isStopping { return goodbye(.shuttingDown, to: session, retryAfter: 1_000) }
    if shared.poison.isSetAside(account.id) { return turnAway(session) }
    // The token may have been revoked on the way from the lobby.
    if shared.registry.isRevoked(device.id) { return goodbye(.revoked, to: session) }
    if session.deviceState.session != nil,
      !session.deviceState.replacements.take(
        at: monotonic, perSecond: limits.replacementsPerSecond, burst: limits.replacementsBurst)
    {
      // Two copies of one device fight: the newcomer waits.
      shared.counters.reached(.replacementsPerSecond)
      return goodbye(.tooMany, to: session, retryAfter: 5_000)
    }
    // Refused before it replaces a connection that works, where that is known by now: of a cursor
    // it is while the account is in memory.
    let mayStay =
      if let cursor = hello.cursor {
        !isBehind(cursor, of: session) || couldHaveUpdate(session)
      } else {
        mayHaveUpdate(session)
      }
    if !mayStay { return refuseUpdate(to: session) }
    replaceOlder(session)
    if account.sessions.count > limits.connectionsPerAccountMax {
      shared.counters.reached(.connectionsPerAccountMax)
      return goodbye(.tooMany, to: session, retryAfter: 5_000)
    }
    noteOutboxes(hello, of: session)
    // Nothing of it is read until its account is there.
    pause(session)
    load(account) { partition in
      guard let session = partition.session(on: connection) else { return }
      partition.welcome(session, hello)
      partition.unpause(session)
    }
    finishRound()
  }

  private func place(_ session: Session) {
    let slot = Int(session.connection.slot)
    if slot >= sessions.count {
      sessions.append(contentsOf: Array(repeating: nil, count: slot + 1 - sessions.count))
    }
    sessions[slot] = session
    session.account.sessions.append(session)
  }

  /// The newest connection of a device wins.
  private func replaceOlder(_ session: Session) {
    let device = session.deviceState
    if let older = device.session { goodbye(.replaced, to: older, retryAfter: 60_000) }
    device.session = session
    heard(session)
  }

  private func noteOutboxes(_ hello: Hello, of session: Session) {
    let pending = hello.incarnations.reduce(UInt64(0)) { $0 &+ ($1.next - 1 - $1.confirmed) }
    session.deviceState.pending = pending
    if let boot = hello.clock?.boot {
      session.deviceState.clock.greeted(boot, received: shared.clock.monotonic())
    }
    presenceMayHaveChanged(session.account)
  }

  private func welcome(_ session: Session, _ hello: Hello) {
    let account = session.account
    let kind = session.device.kind
    ensureCurrent(account)
    if let cursor = hello.cursor, isBehind(cursor, of: session), !mayHaveUpdate(session) {
      return refuseUpdate(to: session)
    }
    for outbox in hello.incarnations { noteMissing(below: outbox, of: session) }
    let basis = basis(after: hello.cursor, of: session)
    guard let record = account.record, let epoch = record.epochs.newest else {
      return goodbye(.internalError, to: session, retryAfter: 60_000)
    }
    let backedUp = shared.continuity.backedUp(
      hello.incarnations.map(\.incarnation), of: account.id, record)
    if backedUp.isBroken {
      shared.counters.alarm(
        "account \(account.id): restored from an older copy than its devices were told of")
    }
    let welcome = Welcome(
      account: account.id, device: session.device.id, kind: kind, epoch: epoch,
      revision: record.revision, facetSet: kind.facetSet,
      expected: hello.incarnations.map {
        IncarnationNumber(
          incarnation: $0.incarnation,
          number: min(record.ledger.expected(of: $0.incarnation), ActionLimits.numberEnd - 1))
      },
      backedUp: backedUp.numbers, serverClock: now,
      leaseMilliseconds: UInt32(limits.leaseMilliseconds),
      frameBytesMax: UInt32(limits.clientFrameBytesMax),
      inFlightMax: UInt32(limits.inFlightMax),
      reofferMax: UInt32(
        shared.continuity.isConfigured ? limits.reofferWithBackupMax : limits.reofferMax))
    answer(.welcome(encoder.frame(.welcome(welcome)), from: basis.revision), to: session)
  }

  /// Whether the device may be sent what its greeting asks for. A greeting that is answered by more
  /// than an empty update costs what a resume does, and counts as one: to come back again and again
  /// must not be the way around that limit.
  private func mayHaveUpdate(_ session: Session) -> Bool {
    session.device.kind.facets.isEmpty
      || session.deviceState.resumes.take(
        at: monotonic, perSecond: limits.resumesPerSecond, burst: limits.resumesBurst)
  }

  /// Whether a client with this cursor is sent more than an empty update; false while the account
  /// is not in memory.
  private func isBehind(_ cursor: Cursor, of session: Session) -> Bool {
    guard let record = session.account.record else { return false }
    let basis = record.epochs.basis(
      of: cursor, at: record.revision, facetSet: session.device.kind.facetSet)
    return basis.revision < record.revision
  }

  /// Whether `mayHaveUpdate` would say so now.
  private func couldHaveUpdate(_ session: Session) -> Bool {
    var resumes = session.deviceState.resumes
    return session.device.kind.facets.isEmpty
      || resumes.take(
        at: monotonic, perSecond: limits.resumesPerSecond, burst: limits.resumesBurst)
  }

  private func refuseUpdate(to session: Session) {
    shared.counters.reached(.resumesPerSecond)
    goodbye(.tooMany, to: session, retryAfter: 1_000)
  }

  /// From where a session is sent updates. A cursor that is not valid gets the whole state, and a
  /// turn first if the account has not changed in this start, so that no revision goes back within
  /// an epoch.
  private func basis(after cursor: Cursor?, of session: Session) -> UpdateBasis {
    let account = session.account
    guard let record = account.record else { return .whole }
    let basis = record.epochs.basis(
      of: cursor, at: record.revision, facetSet: session.device.kind.facetSet)
    guard let cursor, basis == .whole else { return basis }
    if cursor.revision > 0, record.epochs.lists(cursor.epoch),
      cursor.facetSet == session.device.kind.facetSet
    {
      shared.counters.alarm("account \(account.id): a device has seen more than is here")
    }
    if !record.epochs.lists(shared.epoch) { appendTurn(to: account, touching: nil) }
    return basis
  }

  /// Numbers that the outbox no longer keeps and that were never decided here are lost on both
  /// sides after a restore: durably `refused(missing)`, with an alarm.
  private func noteMissing(below outbox: IncarnationState, of session: Session) {
    let account = session.account
    if let expected = account.record?.ledger.expected(of: outbox.incarnation),
      outbox.confirmed >= expected
    {
      shared.counters.alarm(
        "account \(account.id): a device has receipts that are not here; restored from a backup?")
    }
    guard session.device.kind.may(.offer), shared.space.acceptsActs,
      let revision = account.record?.revision,
      let expected = account.record?.ledger.expected(of: outbox.incarnation),
      expected < outbox.oldest,
      // As many as by acts: what a Hello claims must not grow the ledger without bound.
      account.record?.ledger.admits(outbox.incarnation, of: session.device.id, at: now) == true,
      session.deviceState.acts.take(
        at: monotonic, perSecond: limits.actsPerSecond, burst: limits.actsBurst)
    else { return }
    separate(account)
    append(
      JournalEntry(
        account: account.id, revision: revision, at: now,
        cause: .missing(
          outbox.incarnation, through: outbox.oldest - 1, device: session.device.id,
          deviceName: session.device.name),
        events: []),
      to: account)
    shared.counters.missing.add(1)
    // Without the numbers: what a device makes up must not push other alarms out.
    shared.counters.alarm(
      "account \(account.id): actions of device \(session.device.id) are lost; see its delivery")
    deliveryChanged(account)
  }

  /// Everything after a cursor again, or the whole state.
  func resume(after cursor: Cursor?, by session: Session) {
    ensureCurrent(session.account)
    answer(.resume(from: basis(after: cursor, of: session).revision), to: session)
  }

  /// Cuts every connection of a revoked device. What it was still owed does not leave any more: a
  /// connection that waits for its peer is reset without a word, and told when it comes back. So is
  /// one that has ended and only waits for its last answers to leave.
  func revoked(_ device: PairedDevice) {
    readClocks()
    cut([device.id], of: device.account)
    guard let account = accounts[device.account] else { return }
    account.devices[device.id] = nil
    owe(.presence, to: account)
    pool.flush()
  }

  /// Cuts the connections of devices of one account.
  func cut(_ devices: Set<DeviceID>, of account: AccountID) {
    let flushing = leaving.filter { devices.contains($0.value) }.keys
    for connection in flushing.sorted(by: { $0.slot < $1.slot }) {
      leaving[connection] = nil
      pool.reset(connection)
    }
    for session in accounts[account]?.sessions ?? [] where devices.contains(session.device.id) {
      if pool.unsentBytes(session.connection) == 0 {
        goodbye(.revoked, to: session)
      } else {
        shared.noteGoodbye(.revoked, to: session.peer)
        pool.reset(session.connection)
        end(session, Goodbye.Reason.revoked.word)
      }
    }
  }
}
