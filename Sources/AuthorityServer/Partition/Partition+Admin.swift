internal import Authority
internal import WatchTransfer
internal import WireFormat

/// What admin commands ask of a partition.
extension Partition {
  /// Brings an account up to date and calls `done` when everything decided of it is durable.
  func whenDurable(_ id: AccountID, _ done: @escaping @Sendable () -> Void) {
    readClocks()
    load(account(id)) { partition in
      let account = partition.account(id)
      partition.ensureCurrent(account)
      partition.onDurable(account) { _ in done() }
    }
    finishRound()
  }

  /// Decides imported workouts in order, as numbered acts of `device`'s own incarnation, and calls
  /// `done` with their outcomes when all are durable.
  func importBodies(
    _ bodies: [[UInt8]], by device: PairedDevice, _ done: @escaping @Sendable ([Outcome]) -> Void
  ) {
    readClocks()
    load(account(device.account)) { partition in
      let account = partition.account(device.account)
      let outcomes = bodies.map { partition.commitImported($0, by: device, of: account) }
      partition.onDurable(account) { _ in done(outcomes) }
    }
    finishRound()
  }

  private func commitImported(_ bytes: [UInt8], by device: PairedDevice, of account: Account)
    -> Outcome
  {
    let incarnation: IncarnationID = device.id.retagged()
    let body: Result<ActionBody, BodyError>
    do throws(BodyError) {
      body = .success(try decoder.decodeActionBody(bytes))
    } catch {
      body = .failure(error)
    }
    let number = account.record?.ledger.expected(of: incarnation) ?? 1
    let outcome = commit(
      body, incarnation: incarnation, number: number, confirmed: number - 1, first: nil,
      bodyHash: contentHash(bytes), device: device, of: account)
    closeFullBatch()
    return outcome
  }

  private func onDurable(_ account: Account, _ done: @escaping Work) {
    guard let newest = account.newestBatch else { return done(self) }
    if newest == open.id {
      open.callbacks.append(done)
    } else if let index = committing.firstIndex(where: { $0.id == newest }) {
      committing[index].callbacks.append(done)
    }
  }
}
