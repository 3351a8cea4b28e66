internal import Authority
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// Bringing accounts into memory, and time moving on.
extension Partition {
  /// The account's shell, made on first use.
  func account(_ id: AccountID) -> Account {
    if let account = accounts[id] { return account }
    let account = Account(id: id)
    accounts[id] = account
    return account
  }

  /// Reads the account from the journal, and then calls `body`; at once when it is in memory. An
  /// account that cannot be read has no record then.
  func load(_ account: Account, _ body: @escaping Work) {
    account.usedAt = monotonic
    // An account that is set aside stays out, as one that cannot be read; so does an erased one.
    let staysOut =
      shared.poison.isSetAside(account.id) || shared.registry.isErased(account.id)
    if account.record != nil || staysOut { return body(self) }
    if account.onLoaded != nil {
      account.onLoaded?.append(body)
      return
    }
    account.onLoaded = [body]
    let id = account.id
    shared.committer.submit(
      .load(id) { [weak self] found in
        self?.enter { $0.loaded(id, found) }
      })
  }

  private func loaded(_ id: AccountID, _ found: Result<AccountCheckpoint?, StorageError>) {
    readClocks()
    // It may have been erased meanwhile, with all who waited for it.
    guard let account = accounts[id], account.onLoaded != nil else { return }
    let waiting = account.onLoaded ?? []
    account.onLoaded = nil
    let mayBeMade = account.mayBeMade
    account.mayBeMade = false
    do {
      if let checkpoint = try found.get() {
        try restore(account, from: checkpoint)
      } else if mayBeMade, !shared.withheld.contains(id) {
        create(account)
      } else {
        // It was there: empty it would be another account.
        throw StorageError.corruptCheckpoint(account: id)
      }
    } catch {
      let newest = shared.continuity.newestName.map { "; the newest is \($0)" } ?? ""
      shared.counters.alarm("account \(id) cannot be read: \(error)\(newest)")
      for session in account.sessions { goodbye(.internalError, to: session, retryAfter: 60_000) }
    }
    for body in waiting { body(self) }
    finishRound()
  }

  private func restore(_ account: Account, from checkpoint: AccountCheckpoint)
    throws(StoredFormError)
  {
    let outer = begin(AccountWork(.folding, of: account.id))
    defer { resume(outer) }
    let record = HeldRecord(
      try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger))
    account.record = record
    account.publishedRevision = record.revision
    account.publishedEpoch = record.epochs.newest
    if let facets = try FacetTable.decoded(checkpoint.facets, build: shared.build) {
      account.projected = facets
    } else {
      // Of another build: projected anew, and since nobody knows what the old ones showed, all of
      // them count as changed by a turn made now.
      appendTurn(to: account, touching: .all)
    }
    account.published = account.projected
  }

  /// An account of the list that the journal does not have: it is made, in the zone it is listed
  /// with.
  private func create(_ account: Account) {
    account.record = HeldRecord(AccountRecord())
    guard let listed = shared.registry.account(account.id) else { return }
    if listed.created < shared.startedAt {
      shared.counters.alarm("account \(account.id) was listed but not in the journal: made again")
    }
    appendTurn(to: account, touching: .all)
  }

  /// Makes a turn if one is due, so that what is answered is right for 7 days.
  func ensureCurrent(_ account: Account) {
    guard let record = account.record else { return }
    let outer = begin(AccountWork(.turning, of: account.id))
    defer { resume(outer) }
    if record.isTurnDue(at: now, zoneDataVersion: shared.zones.version) {
      appendTurn(to: account, touching: nil)
    }
  }

  /// Takes down that time has moved on. `touching`: facets beyond those the turn's events touch.
  func appendTurn(to account: Account, touching more: FacetSet?) {
    guard let record = account.record else { return }
    separate(account)
    let outer = begin(AccountWork(.turning, of: account.id))
    defer { resume(outer) }
    let revision = record.revision
    let events: [Event]
    if revision == 0 {
      guard let listed = shared.registry.account(account.id),
        let zone = zone(named: listed.zoneID)
      else { return }
      events = creationEvents(zone: zone, at: now, zoneDataVersion: shared.zones.version)
    } else {
      events = turnEvents(record.state, now: now, zones: shared.zones)
    }
    append(
      JournalEntry(
        account: account.id, revision: revision + 1, at: now, cause: .turn, events: events),
      to: account)
    if let more { open.touched[account.id]?.facets.formUnion(more) }
    account.snapshots = [:]
  }

  /// Takes down events of the authority's own, unless there are none.
  func appendOwn(_ events: [Event], to account: Account) {
    guard !events.isEmpty, !isStopping, let record = account.record else { return }
    separate(account)
    append(
      JournalEntry(
        account: account.id, revision: record.revision + 1, at: now, cause: .turn, events: events),
      to: account)
  }

  private func zone(named id: String) -> ZoneRules? {
    let start = now.advanced(milliseconds: -Self.zonePastMilliseconds)
    let end = now.advanced(milliseconds: horizonMilliseconds)
    return shared.zones.rules(for: id, from: start, to: end)
      ?? shared.zones.rules(for: "UTC", from: start, to: end)
  }

  /// How far back an account's zone is known at its creation.
  private static var zonePastMilliseconds: Int64 { 400 * 86_400_000 }
}
