internal import Authority
internal import Storage
internal import WatchTransfer

/// What admin commands do to a whole account.
extension Partition {
  /// Cuts an erased account's connections, forgets what is known of it, and has it taken out of the
  /// journal behind everything that was decided of it. The list of accounts has it erased already,
  /// so nobody comes back to it.
  func erase(_ id: AccountID, _ done: @escaping @Sendable (StorageError?) -> Void) {
    readClocks()
    if let account = accounts[id] {
      let devices = Set(account.sessions.map(\.device.id)).union(account.devices.keys)
      cut(devices, of: id)
      if account.newestBatch == open.id { closeBatch() }
      for session in account.sessions { owed[ObjectIdentifier(session)] = nil }
      let waiting = account.onLoaded ?? []
      account.onLoaded = nil
      account.evict()
      accounts[id] = nil
      for body in waiting { body(self) }
    }
    shared.committer.submit(.erase(AccountErasure(account: id, done: done)))
    finishRound()
  }

  /// Calls `done` with everything that is known of an account, once it is durable; nil: it cannot
  /// be read.
  func export(_ id: AccountID, _ done: @escaping @Sendable (AccountState?) -> Void) {
    readClocks()
    load(account(id)) { partition in
      let account = partition.account(id)
      guard let state = account.record?.state else { return done(nil) }
      partition.onDurable(account) { _ in done(state) }
    }
    finishRound()
  }

  /// Moves an account to another zone as of now, by a turn, and calls `done` when that is durable;
  /// with what keeps it from moving.
  func setZone(
    of id: AccountID, to zone: String, _ done: @escaping @Sendable (String?) -> Void
  ) {
    readClocks()
    load(account(id)) { partition in
      let account = partition.account(id)
      guard let record = account.record, partition.shared.space.acceptsActs else {
        return done("no free space, or the account cannot be read")
      }
      partition.ensureCurrent(account)
      let context = ActionContext(
        now: partition.now,
        device: ActingDevice(id: id.retagged(), name: "wristwire", kind: .phone),
        occurred: CorrectedTime(instant: partition.now, raw: partition.now, isFlagged: false),
        zone: nil, expiresAt: nil, isReoffered: false, zones: partition.shared.zones)
      let decision = decide(record.state, .setZone(id: zone), context)
      guard case .applied = decision.outcome else {
        return done("a device has just set another zone; try again")
      }
      partition.append(
        JournalEntry(
          account: id, revision: record.revision + 1, at: partition.now, cause: .turn,
          events: decision.events),
        to: account)
      partition.onDurable(account) { _ in done(nil) }
    }
    finishRound()
  }
}
