internal import Authority
internal import Guards
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What a segment begins with, redacted where it stands: in the memory of a core that has read it
/// and runs nothing. What each part writes is then the redacted state, in the one form there is.
extension ServerCore {
  /// The first record of a segment, redacted. `kept` are the connections of each pool, by the
  /// number of its queue, with what clients had sent and nobody had taken.
  ///
  /// - Throws: see `Redactor.table`.
  func redactedState(
    _ head: CoreHead, entering replay: ReplayHead, by redactor: Redactor,
    kept: [Int: [OpenConnection]]
  ) throws(RedactionError) -> [UInt8] {
    var head = head
    head.crashes = redactor.crashes(head.crashes)
    shared.registry.lists.withLock { $0 = $0.redacted(by: redactor) }
    shared.addresses.withLock { $0.redact(by: redactor) }
    defer { replay.running = nil }
    let lobbyQueue = lobby.executor.queue as? ReplayQueue
    replay.running = lobbyQueue
    let lobbyKept = kept[lobbyQueue?.number ?? -1] ?? []
    let lobbyState = lobby.assumeIsolated { $0.redactedState(by: redactor, kept: lobbyKept) }
    var states: [[UInt8]] = []
    for partition in partitions {
      let queue = partition.executor.queue as? ReplayQueue
      replay.running = queue
      let partitionKept = kept[queue?.number ?? -1] ?? []
      // `assumeIsolated` rethrows without the error's type.
      let state = partition.assumeIsolated { partition in
        Result<[UInt8], RedactionError> { () throws(RedactionError) in
          try partition.redactedState(by: redactor, kept: partitionKept)
        }
      }
      states.append(try state.get())
    }
    return encodedState(head, lobby: lobbyState, partitions: states)
  }

  /// The states of the accounts in memory.
  func accountStates(entering replay: ReplayHead) -> [AccountState] {
    defer { replay.running = nil }
    return partitions.flatMap { partition in
      replay.running = partition.executor.queue as? ReplayQueue
      return partition.assumeIsolated { $0.accounts.values.compactMap { $0.record?.state } }
    }
  }

  /// The connections that each pool has, by the number of its queue.
  func openConnections(entering replay: ReplayHead) -> [Int: [OpenConnection]] {
    defer { replay.running = nil }
    var found: [Int: [OpenConnection]] = [:]
    if let queue = lobby.executor.queue as? ReplayQueue {
      replay.running = queue
      found[queue.number] = lobby.assumeIsolated { ($0.pool as? any ConnectionState)?.open ?? [] }
    }
    for partition in partitions {
      guard let queue = partition.executor.queue as? ReplayQueue else { continue }
      replay.running = queue
      found[queue.number] = partition.assumeIsolated {
        ($0.pool as? any ConnectionState)?.open ?? []
      }
    }
    return found
  }
}

extension Lobby {
  fileprivate func redactedState(by redactor: Redactor, kept: [OpenConnection]) -> [UInt8] {
    (pool as? ReplayedConnections)?.open = kept
    guests = guests.mapValues { guest in
      var guest = guest
      guest.address = guest.address.map { redactor.placeholders.peer($0) }
      return guest
    }
    return encodedState
  }
}

extension Partition {
  fileprivate func redactedState(
    by redactor: Redactor, kept: [OpenConnection]
  ) throws(RedactionError) -> [UInt8] {
    (pool as? ReplayedConnections)?.open = kept
    limitedPeers = limitedPeers.mapValues { redactor.placeholders.peer($0) }
    let sessions = sessions.compactMap(\.self)
    // Bodies first: ledgers know them by their hashes.
    for session in sessions { session.redact(by: redactor) }
    let originals = accounts.mapValues { $0.record?.state }
    for account in accounts.values.sorted(by: { $0.id < $1.id }) {
      try account.redact(by: redactor)
    }
    for session in sessions {
      let original = originals[session.account.id] ?? nil
      for (view, hash) in session.fetched {
        session.fetched[view] = redactor.fetched(
          hash, view, of: original, redacted: session.account.record?.state)
      }
    }
    return encodedState
  }
}

extension Session {
  fileprivate func redact(by redactor: Redactor) {
    device = redactor.device(device)
    unmeasured = unmeasured.map { act in
      var act = act
      act.body = redactor.body(act.body)
      if let first = act.firstReceipt {
        act.firstReceipt?.outcome = redactor.outcome(first.outcome)
      }
      return act
    }
  }
}

extension Account {
  fileprivate func redact(by redactor: Redactor) throws(RedactionError) {
    for device in devices.values { device.device = redactor.device(device.device) }
    guard let held = record else {
      // Facets go with what they are made of.
      if published.isEmpty, projected.isEmpty { return }
      throw .otherFacets(account: id, .today)
    }
    let state = held.state
    let redacted = redactor.record(
      AccountRecord(
        state: state, ledger: held.ledger, epochs: held.epochs, delivery: held.delivery))
    record = HeldRecord(redacted)
    published = try redactor.table(published, of: state, redacted: redacted.state, account: id)
    projected = try redactor.table(projected, of: state, redacted: redacted.state, account: id)
  }
}

extension DeviceRegistry.Lists {
  fileprivate func redacted(by redactor: Redactor) -> Self {
    var lists = Self()
    for account in accounts.values.sorted(by: { $0.id < $1.id }) {
      lists.add(redactor.account(account))
    }
    let hashes = Dictionary(
      holders.values.joined().map { ($0.device, $0.hash) }, uniquingKeysWith: { first, _ in first })
    for device in devices.values.sorted(by: { $0.id < $1.id }) {
      lists.add(
        redactor.device(device),
        hash: redactor.tokenHash(hashes[device.id] ?? TokenHash(stored: [])))
      if revoked.contains(device.id) { lists.revoke(redactor.device(device)) }
    }
    lists.erased = erased
    return lists
  }
}

extension AddressBook {
  fileprivate mutating func redact(by redactor: Redactor) {
    pages = Dictionary(
      pages.map { (redactor.placeholders.peer($0.key), $0.value) },
      uniquingKeysWith: { first, _ in first })
  }
}
