internal import Authority
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// What admin commands ask of a partition.
extension Partition {
  /// Makes an account that the journal never had, and calls `done` when everything decided of it is
  /// durable; with false when it cannot be read.
  func whenDurable(_ id: AccountID, _ done: @escaping @Sendable (Bool) -> Void) {
    readClocks()
    account(id).mayBeMade = true
    load(account(id)) { partition in
      let account = partition.account(id)
      guard account.record != nil else { return done(false) }
      partition.ensureCurrent(account)
      partition.onDurable(account) { _ in done(true) }
    }
    finishRound()
  }

  /// Stores an account anew whose checkpoint is damaged: as it is in memory, or else by reading it,
  /// which makes it again from its rows if they are all there. `done` is called whatever comes of
  /// it.
  func mend(_ id: AccountID, _ done: @escaping @Sendable () -> Void) {
    readClocks()
    let account = account(id)
    guard !isStopping, account.record != nil else {
      if isStopping { return done() }
      load(account) { _ in done() }
      return finishRound()
    }
    // What is copied must be what closed batches made.
    if account.newestBatch == open.id { closeBatch() }
    guard let checkpoint = storedForm(of: account) else { return done() }
    shared.committer.submit(
      .checkpoint([checkpoint], foldedThrough: shared.folded.lowest) { _ in done() })
    finishRound()
  }

  /// Decides imported workouts in order, as numbered acts of `device`'s own incarnation, and calls
  /// `done` with their outcomes when all are durable; with nil when the account cannot be read, or
  /// there is no room for them.
  func importBodies(
    _ bodies: [[UInt8]], by device: PairedDevice, _ done: @escaping @Sendable ([Outcome]?) -> Void
  ) {
    readClocks()
    load(account(device.account)) { partition in
      let account = partition.account(device.account)
      guard account.record != nil, partition.shared.space.acceptsActs else { return done(nil) }
      let outcomes = bodies.map { partition.commitImported($0, by: device, of: account) }
      partition.onDurable(account) { _ in done(outcomes) }
    }
    finishRound()
  }

  private func commitImported(_ bytes: [UInt8], by device: PairedDevice, of account: Account)
    -> Outcome
  {
    let incarnation: IncarnationID = device.id.retagged()
    let number = account.record?.ledger.expected(of: incarnation) ?? 1
    standAlone(account)
    let work = AccountWork(
      deciding: number, of: incarnation, bodyHash: contentHash(bytes), account: account.id)
    let isPoison = shared.poison.refuses(work)
    let outer = isPoison ? working : begin(work)
    let body: Result<ActionBody, BodyError>
    do throws(BodyError) {
      body = isPoison ? .failure(.unsupported) : .success(try decoder.decodeActionBody(bytes))
    } catch {
      body = .failure(error)
    }
    let outcome = commit(
      body, incarnation: incarnation, number: number, confirmed: number - 1,
      first: isPoison ? .refused(.poison) : nil, bodyHash: work.bodyHash, device: device,
      of: account)
    closeNamed(work, isPoison: isPoison)
    resume(outer)
    closeFullBatch()
    return outcome
  }

  /// Calls `done` once everything decided of the account is durable.
  func onDurable(_ account: Account, _ done: @escaping Work) {
    guard let newest = account.newestBatch else { return done(self) }
    if newest == open.id {
      open.callbacks.append(done)
    } else if let index = committing.firstIndex(where: { $0.id == newest }) {
      committing[index].callbacks.append(done)
    }
  }
}
