internal import Authority
internal import Transport
internal import WatchTransfer

/// Samples of devices' clocks, leases and readings.
extension Partition {
  /// Begins a round trip that measures the device's clock.
  func sample(_ session: Session) {
    if session.ping != nil { return }
    let nonce = nextNonce
    nextNonce += 1
    session.ping = (nonce, shared.clock.monotonic())
    send(.ping(Ping(nonce: nonce)), to: session)
  }

  /// The device's answer.
  func measured(_ pong: Pong, of session: Session) {
    guard let ping = session.ping, ping.nonce == pong.nonce else { return }
    session.ping = nil
    session.sampledAt = monotonic
    if let boot = pong.clock?.boot {
      session.deviceState.clock.measured(
        boot, sent: ping.sentAt, received: shared.clock.monotonic())
    }
    if !session.unmeasured.isEmpty { decideUnmeasured(of: session) }
  }

  /// A device's sign of life, with the server's clock in return.
  func answer(_ ping: Ping, of session: Session) {
    send(.pong(Pong(nonce: ping.nonce, serverClock: now)), to: session)
    if let shown = ping.shownRevision, shown > session.shown {
      session.shown = shown
      shared.counters.shown.add(1)
    }
    let device = session.deviceState
    if let pending = ping.pending, pending != device.pending {
      device.pending = pending
      presenceMayHaveChanged(session.account)
    }
    if monotonic - session.sampledAt > Self.sampleMilliseconds { sample(session) }
  }

  /// How old a clock sample gets before the next is taken.
  static var sampleMilliseconds: Int64 { 60_000 }

  /// Who is present, or has how much pending, may have changed; only what has is told.
  func presenceMayHaveChanged(_ account: Account) {
    var hasChanged = false
    for device in account.devices.values {
      let isPresent = isPresent(device)
      if device.isShownPresent == isPresent, device.shownPending == device.pending { continue }
      device.isShownPresent = isPresent
      device.shownPending = device.pending
      hasChanged = true
    }
    if hasChanged { owe(.presence, to: account) }
  }

  /// What did not take effect has changed.
  func deliveryChanged(_ account: Account) {
    owe(.delivery, to: account)
  }

  /// The state of the off-machine copy has changed, or time has made it overdue.
  func continuityMayHaveChanged() {
    let status = shared.continuity.status(at: now)
    if status == shownContinuity { return }
    shownContinuity = status
    for account in accounts.values { owe(.continuity, to: account) }
  }

  func owe(_ reading: ReadingKind, to account: Account) {
    for session in account.sessions where session.device.kind.readings.contains(reading) {
      session.dirtyReadings.insert(reading)
    }
  }

  func oweAllReadings(to session: Session) {
    session.dirtyReadings.formUnion(session.device.kind.readings.filter { $0 != .live })
    var readings: [ReadingKind: Reading] = [:]
    sendReadings(to: session, &readings)
  }

  /// Readings leave at most once a second, with no facets: they have no revision. What they tell
  /// may be ahead of the disk, so they wait for it as answers do. `made` keeps what was made for
  /// another session of the account at this moment. `live` has a way of its own: `sendLive`.
  func sendReadings(to session: Session, _ made: inout [ReadingKind: Reading]) {
    guard session.isWelcomed, !session.dirtyReadings.isEmpty, !session.hasReadingsWaiting,
      monotonic - session.readingsSentAt >= 1_000, !pool.isBacklogged(session.connection)
    else { return }
    var readings: [Reading] = []
    for kind in session.device.kind.readings
    where kind != .live && session.dirtyReadings.contains(kind) {
      guard let reading = made[kind] ?? reading(kind, of: session.account) else { continue }
      made[kind] = reading
      readings.append(reading)
    }
    session.dirtyReadings.subtract(readings.map(\.kind))
    if readings.isEmpty { return }
    session.hasReadingsWaiting = true
    answer(.readings(readings), to: session)
  }

  private func reading(_ kind: ReadingKind, of account: Account) -> Reading? {
    switch kind {
    case .presence:
      // Those too that nobody has seen since this start: absent is worth knowing.
      let devices = shared.registry.devices(of: account.id)
      return .presence(
        devices.prefix(Self.presenceDevicesMax).map { device in
          let state = account.devices[device.id]
          return DevicePresence(
            device: device.id, name: device.name, kind: device.kind,
            isPresent: state.map(isPresent) ?? false, pending: state?.pending ?? 0)
        })
    case .delivery:
      guard var delivery = account.record?.delivery else { return nil }
      delivery.quarantined += UInt64(account.settled.count)
      return .delivery(delivery)
    case .continuity:
      let status = shared.continuity.status(of: account.id, at: now)
      return account.record.map {
        .continuity($0.state.continuity(status.state, copiedAt: status.copiedAt))
      }
    case .live:
      return nil
    }
  }

  /// Devices that the presence reading names; it stays under 8 KiB.
  static var presenceDevicesMax: Int { 32 }

  /// A device is present while it is connected or its lease runs.
  private func isPresent(_ device: DeviceState) -> Bool {
    monotonic - device.heardAt <= Int64(limits.leaseMilliseconds)
  }

}
