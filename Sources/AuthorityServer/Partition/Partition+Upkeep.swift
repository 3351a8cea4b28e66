internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer

/// What time asks for: deadlines, owed updates, turns before they are due, checkpoints, the end.
extension Partition {
  /// Every 250 ms.
  func ticked() {
    let before = tickedAt
    readClocks()
    tickedAt = monotonic
    // The process was stopped, or the machine slept: what arrived meanwhile is read before anybody
    // is called silent. By the ticks alone: a peer that speaks first must not hide it.
    if monotonic - before > min(Self.nappingMilliseconds, Int64(limits.idleMilliseconds) / 2) {
      turn()
      for case let session? in sessions { session.heardAt = monotonic }
    }
    pool.sweep()
    readThrottled()
    for session in owedInOrder { sendUpdate(to: session) }
    lookAtLive()
    if monotonic - sweptAt >= 1_000, sweep == nil {
      sweptAt = monotonic
      continuityMayHaveChanged()
      beginSweep()
    }
    finishRound()
    checkpoint()
  }

  /// In an order that another run of the same events has too.
  private var owedInOrder: [Session] {
    owed.isEmpty ? [] : owed.values.sorted { $0.connection.slot < $1.connection.slot }
  }

  /// A gap between ticks after which the process itself was away.
  private static var nappingMilliseconds: Int64 { 5_000 }

  /// The clock was set: what is owed by time is looked at now.
  func clockWasSet() {
    readClocks()
    let connected = accounts.values.filter { $0.record != nil && !$0.sessions.isEmpty }
    for account in connected.sorted(by: { $0.id < $1.id }) { ensureCurrent(account) }
    finishRound()
  }

  /// Stores changed accounts, a slice at a time, each as of a closed batch; and now and then says
  /// how far recovery may skip, even when nothing has changed.
  func checkpoint(all: Bool = false) {
    if checkpointing && !all { return }
    let age = all ? 0 : Int64(limits.checkpointSeconds) * 1_000
    var due = accounts.values.filter {
      $0.dirtySinceRow != nil && (all || monotonic - $0.dirtySince >= age)
    }
    if due.isEmpty, !all, monotonic - checkpointedAt < age { return }
    // A short log loses little to a flipped bit, and recovers fast: emptied when nothing is under
    // way.
    if due.isEmpty, open.isEmpty, committing.isEmpty { shared.committer.submit(.checkpointLog) }
    due.sort { ($0.dirtySinceRow ?? 0, $0.id) < ($1.dirtySinceRow ?? 0, $1.id) }
    let slice = all ? due : Array(due.prefix(limits.checkpointAccountsMax))
    // What is copied must be what closed batches made, and a busy account is always in the open
    // one.
    if slice.contains(where: { $0.newestBatch == open.id }) { closeBatch() }
    let rows = slice.map { ($0.id, $0.dirtySinceRow) }
    let checkpoints = slice.compactMap { account -> AccountCheckpoint? in
      guard let checkpoint = storedForm(of: account) else { return nil }
      account.dirtySinceRow = nil
      return checkpoint
    }
    checkpointing = true
    checkpointedAt = monotonic
    shared.committer.submit(
      .checkpoint(checkpoints, foldedThrough: shared.folded.lowest) { [weak self] newest in
        self?.enter { $0.checkpointed(rows, newest: newest) }
      })
  }

  /// The account as of the newest closed batch; nil: it is not in memory.
  func storedForm(of account: Account) -> AccountCheckpoint? {
    account.record.map { record in
      AccountCheckpoint(
        account: account.id, throughRow: 0, state: record.encodedState,
        ledger: record.encodedLedger, facets: account.projected.encoded(build: shared.build))
    }
  }

  /// A slice was stored behind the row `newest`; or, when that is nil, found no room.
  private func checkpointed(_ rows: [(AccountID, Int64?)], newest: Int64?) {
    checkpointing = false
    guard let newest else {
      for (id, row) in rows {
        guard let account = accounts[id], let row else { continue }
        account.dirtySinceRow = min(row, account.dirtySinceRow ?? row)
        account.dirtySince = monotonic
      }
      return
    }
    // All rows of this partition up to `newest` have been told here before; what still matters of
    // them is what makes an account dirty.
    let oldest = accounts.values.compactMap(\.dirtySinceRow).min()
    shared.folded.set(index, through: min(newest, (oldest ?? .max) - 1))
  }

  /// Decides nothing more, lets what is decided become durable, answers, and says goodbye.
  func stop(_ done: @escaping () -> Void) {
    readClocks()
    isStopping = true
    takeAllArrivals()
    onStopped = done
    for case let session? in sessions { pause(session) }
    if !open.isEmpty { closeBatch() }
    stopIfDone()
  }

  /// Ends once nothing is on its way to the disk.
  func stopIfDone() {
    guard isStopping, committing.isEmpty, open.isEmpty, let done = onStopped else { return }
    onStopped = nil
    for case let session? in sessions { goodbye(.shuttingDown, to: session, retryAfter: 1_000) }
    pool.flush()
    checkpoint(all: true)
    tick?.cancel()
    tick = nil
    done()
  }

  /// Says when every goodbye has left, or after a second.
  func linger(_ done: @escaping () -> Void) {
    let deadline = shared.clock.monotonic() + 1_500
    lingerTick = executor.queue.tick(every: .milliseconds(20)) { [weak self] in
      self?.assumeIsolated { partition in
        partition.pool.sweep()
        guard partition.pool.count == 0 || partition.shared.clock.monotonic() > deadline else {
          return
        }
        partition.lingerTick?.cancel()
        partition.lingerTick = nil
        partition.onLingered?()
        partition.onLingered = nil
      }
    }
    onLingered = done
  }
}
