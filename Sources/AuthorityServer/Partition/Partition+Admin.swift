internal import Authority
internal import WatchTransfer
internal import WireFormat

/// What admin commands ask of a partition.
extension Partition {
  /// Brings an account up to date and calls `done` when everything decided of it is durable.
  func whenDurable(_ id: AccountID, _ done: @escaping @Sendable () -> Void) {
    readClocks()
    let account = account(id)
    load(account) { [unowned self] in
      ensureCurrent(account)
      onDurable(account, done)
    }
    finishRound()
  }

  /// Decides imported workouts in order, as numbered acts of `device`'s own incarnation, and calls
  /// `done` with their outcomes when all are durable.
  func importBodies(
    _ bodies: [[UInt8]], by device: PairedDevice, _ done: @escaping @Sendable ([Outcome]) -> Void
  ) {
    readClocks()
    let account = account(device.account)
    load(account) { [unowned self] in
      let incarnation: IncarnationID = device.id.retagged()
      var outcomes: [Outcome] = []
      for bytes in bodies {
        let body: Result<ActionBody, BodyError>
        do throws(BodyError) {
          body = .success(try decoder.decodeActionBody(bytes))
        } catch {
          body = .failure(error)
        }
        let number = account.record?.ledger.expected(of: incarnation) ?? 1
        outcomes.append(
          commit(
            body, incarnation: incarnation, number: number, confirmed: number - 1, first: nil,
            bodyHash: contentHash(bytes), device: device, of: account))
        closeFullBatch()
      }
      let decided = outcomes
      onDurable(account) { done(decided) }
    }
    finishRound()
  }

  private func onDurable(_ account: Account, _ done: @escaping () -> Void) {
    guard let newest = account.newestBatch else { return done() }
    if newest == open.id {
      open.callbacks.append(done)
    } else if let index = committing.firstIndex(where: { $0.id == newest }) {
      committing[index].callbacks.append(done)
    }
  }
}
