internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer

/// The round that looks once a second at every account and its sessions, a few between two turns:
/// those who ask do not wait until thousands who are silent have been looked at.
struct Sweep {
  /// Whose turn is still to come.
  var left: ArraySlice<AccountID>
  /// What was found to be owed so far.
  var debts: Debts
  /// Accounts in memory that nobody has used for a while.
  var idle: [Account] = []
  var connectionsOfOneAccount = 0
}

extension Partition {
  /// Accounts and sessions that are looked at before the others have their turn.
  private static var sweptPerTurnMax: Int { 32 }

  /// Begins a round, in an order that another run of the same events has too.
  func beginSweep() {
    sweep = Sweep(left: accounts.keys.sorted()[...], debts: Debts(updates: owed.count))
    sweepShare()
  }

  /// Looks at a share; the rest stands behind whatever waits for the queue meanwhile.
  private func sweepShare() {
    guard var round = sweep else { return }
    sweep = nil
    if isStopping { return }
    var seen = 0
    while seen < Self.sweptPerTurnMax, let id = round.left.popFirst() {
      guard let account = accounts[id] else { continue }
      seen += 1 + account.sessions.count
      look(at: account, in: &round)
    }
    if round.left.isEmpty { return endSweep(round) }
    sweep = round
    enter { partition in
      partition.readClocks()
      partition.sweepShare()
      partition.finishRound()
    }
  }

  private func look(at account: Account, in round: inout Sweep) {
    round.connectionsOfOneAccount = max(round.connectionsOfOneAccount, account.sessions.count)
    presenceMayHaveChanged(account)
    var readings: [ReadingKind: Reading] = [:]
    for session in account.sessions { look(at: session, in: &round, &readings) }
    if account.sessions.isEmpty {
      if account.record == nil, account.isClean, account.live == nil {
        accounts[account.id] = nil
      }
    } else if isTurnNear(account) {
      turnSoon(account)
    }
    let isOwing = account.sessions.contains { owed[ObjectIdentifier($0)] != nil }
    if account.record != nil, account.isClean, !isOwing,
      monotonic - account.usedAt > Int64(limits.usedMilliseconds)
    {
      round.idle.append(account)
    }
  }

  private func look(
    at session: Session, in round: inout Sweep, _ readings: inout [ReadingKind: Reading]
  ) {
    round.debts.unsentBytes += pool.unsentBytes(session.connection)
    if monotonic - session.heardAt > Int64(limits.idleMilliseconds) {
      shared.counters.reached(.idleMilliseconds)
      return goodbye(.idle, to: session)
    }
    if monotonic >= session.measureDeadline { decideUnmeasured(of: session) }
    // A sample that was not answered is not waited for for ever.
    if let ping = session.ping, monotonic - ping.sentAt > Int64(limits.measureMilliseconds) {
      session.ping = nil
      session.sampledAt = monotonic
    }
    if !session.reloads.isEmpty { tellDueReloads(to: session) }
    if !session.dirtyReadings.isEmpty { sendReadings(to: session, &readings) }
  }

  private func endSweep(_ round: Sweep) {
    shared.counters.owedUpdates.add(round.debts.updates - debtsTold.updates)
    shared.counters.unsentBytes.add(round.debts.unsentBytes - debtsTold.unsentBytes)
    debtsTold = round.debts
    // Some were touched since they were looked at.
    var idle = round.idle.filter { $0.record != nil && $0.isClean }
    shared.counters.note(
      PartitionUse(
        connectionsOfOneAccount: round.connectionsOfOneAccount, unusedAccounts: idle.count),
      of: index)
    guard idle.count > limits.idleAccountsMax, !checkpointing else { return }
    idle.sort { ($0.usedAt, $0.id) < ($1.usedAt, $1.id) }
    for account in idle.prefix(idle.count - limits.idleAccountsMax)
    where monotonic - account.usedAt > Int64(limits.usedMilliseconds) { account.evict() }
  }

  /// Connected accounts are turned before their deadline, one day after their newest turn, spread
  /// over two hours; also those that have left memory.
  private func isTurnNear(_ account: Account) -> Bool {
    guard let turned = account.newestTurn else { return false }
    let outer = begin(AccountWork(.turning, of: account.id))
    defer { resume(outer) }
    let isDue = account.record?.isTurnDue(at: now, zoneDataVersion: shared.zones.version)
    if isDue == true || turned > now.advanced(milliseconds: 60_000) { return true }
    let spread = Int64(account.id.low % 7_200_000)
    return now.milliseconds(since: turned) > 86_400_000 - spread
  }

  private func turnSoon(_ account: Account) {
    let id = account.id
    load(account) { partition in
      guard let account = partition.accounts[id], partition.isTurnNear(account) else { return }
      partition.appendTurn(to: account, touching: nil)
    }
  }
}
