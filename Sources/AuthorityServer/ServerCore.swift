internal import Authority
package import Storage
package import Transport
package import WatchTransfer

/// A server without directory and listeners: lobby, partitions and committer over a journal, on any
/// machine. `AuthorityServer` puts it on the host; the fault simulator puts it on its own.
package final class ServerCore: Sendable {
  let shared: SharedServices
  let partitions: [Partition]
  let lobby: Lobby
  /// What admin commands talk to.
  package let admin: AdminService
  /// nil: the server has no files.
  let backups: BackupService?

  /// Folds what no checkpoint includes, and makes again what is missing. Nobody is let in before
  /// `open`.
  ///
  /// - Parameter onFailure: see `AuthorityServer.init`.
  package init(
    _ parts: ServerParts, journal: sending any Journal,
    onFailure: @escaping @Sendable (StorageError) -> Void
  ) throws {
    let counters = parts.counters
    for damage in parts.registry.damage { counters.alarm(damage) }
    let build = facetBuild(parts.zones)
    let poison = parts.poison
    let recovered = try Self.recover(journal, build: build, poison, counters: counters)
    let (lost, withheld) = try Self.findLost(
      parts.registry.accounts.filter { !poison.isSetAside($0.id) }, journal, build: build, poison,
      counters)
    for account in try journal.accounts() where parts.registry.account(account) == nil {
      if parts.registry.isErased(account) {
        // A restored journal may have it, or an erasure was cut short.
        try erase(account, from: journal)
        try journal.checkpointLog()
        counters.alarm("account \(account) was erased, and found in journal.db: erased again")
      } else {
        counters.alarm(
          "account \(account) is in journal.db and not in devices.db, which may be an older one")
      }
    }
    let committer = Committer(
      journal: journal, build: build, poison: poison,
      on: parts.machine.queue(label: Committer.queueLabel), counters: counters,
      onFailure: onFailure)
    let shared = SharedServices(
      parts, committer: committer,
      folded: FoldedRows(
        partitions: parts.partitions, recovered: recovered.newest, atMost: recovered.folded),
      withheld: parts.withheld ?? withheld)
    partitions = try (0..<parts.partitions).map { try Partition(index: $0, shared: shared) }
    lobby = try Lobby(shared: shared, partitions: partitions)
    backups = parts.dataPath.map { [partitions] in
      BackupService(shared: shared, partitions: partitions, dataPath: $0)
    }
    admin = AdminService(shared: shared, partitions: partitions, backups: backups)
    self.shared = shared
    for partition in partitions { partition.start() }
    // Accounts of the list that the journal lacks are made again now, with an alarm.
    for account in lost {
      partitions[Int(account.id.low % UInt64(partitions.count))].enter {
        $0.whenDurable(account.id) { _ in }
      }
    }
  }

  /// Begins to take connections.
  package func open() { lobby.start() }

  /// Takes an accepted socket; called on any queue.
  package func receive(_ socket: AcceptedSocket) {
    shared.outside(.receive(socket.peer)) { lobby.receive(socket) }
  }

  /// Turns everybody away: lets what is decided become durable, answers it, and checkpoints.
  package func stopServing() async {
    shared.tape?.finish()
    await withCheckedContinuation { done in lobby.stop { done.resume() } }
    for partition in partitions {
      await withCheckedContinuation { done in
        partition.enter { $0.stop { done.resume() } }
      }
    }
    // All at once: each may have peers that take nothing, and waits for them a moment.
    await withTaskGroup(of: Void.self) { group in
      for partition in partitions {
        group.addTask {
          await withCheckedContinuation { done in
            partition.enter { $0.linger { done.resume() } }
          }
        }
      }
    }
  }

  /// Says how far everything is folded, and closes the journal; for when nobody asks any more.
  package func closeJournal() async {
    await withCheckedContinuation { done in
      shared.committer.submit(
        .checkpoint([], foldedThrough: shared.folded.lowest) { _ in done.resume() })
    }
    await withCheckedContinuation { done in
      shared.committer.submit(.close { done.resume() })
    }
  }

  /// Folds what no checkpoint includes; the newest row, and the row up to which everything is
  /// included now, which is an earlier one while accounts are set aside.
  private static func recover(
    _ journal: any Journal, build: String, _ poison: PoisonGuard, counters: Counters
  ) throws -> (newest: Int64, folded: Int64) {
    do {
      let (checkpoints, summary) = try Recovery(journal: journal, build: build, poison: poison)
        .fold()
      if let unreadable = summary.unreadable { counters.alarm(unreadable) }
      try replace(summary.rebuilt, in: journal, counters)
      let newest = try journal.lastSequence
      for start in stride(from: 0, to: checkpoints.count, by: 256) {
        let slice = Array(checkpoints[start..<min(start + 256, checkpoints.count)])
        try journal.storeCheckpoints(slice, foldedThrough: nil)
      }
      let folded = summary.heldBack.map { $0 - 1 } ?? newest
      try journal.storeCheckpoints([], foldedThrough: folded)
      counters.recoveredRows.add(summary.rows)
      return (newest, folded)
    } catch let error as StoredFormError {
      throw ServerStartError.recovery("\(error)")
    }
  }

  /// The listed accounts that the journal does not have. One that it has rows of, but no checkpoint
  /// that can be found, is made again from them. One that it may have had rows of, which were
  /// dropped or cannot be read, is withheld: made anew it would be empty, and only a backup has it.
  private static func findLost(
    _ listed: [ListedAccount], _ journal: any Journal, build: String, _ poison: PoisonGuard,
    _ counters: Counters
  ) throws -> (lost: [ListedAccount], withheld: Set<AccountID>) {
    let missing = listed.filter { isMissing($0.id, in: journal) }
    if missing.isEmpty { return ([], []) }
    do {
      let found = try Recovery(journal: journal, build: build, poison: poison)
        .rebuild(Set(missing.map(\.id)))
      try replace(found.checkpoints, in: journal, counters)
      let rebuilt = Set(found.checkpoints.map(\.account))
      let absent = missing.filter { !rebuilt.contains($0.id) }
      let withheld = Set(
        absent.filter { found.cut.contains($0.id) || found.mayHaveDropped($0.created) }.map(\.id))
      tell(withheld, "its rows up to \(found.droppedThrough) were dropped", counters)
      return (absent.filter { !withheld.contains($0.id) }, withheld)
    } catch {
      if case .outcomeUnknown = error as? StorageError { throw error }
      // Whether they have rows cannot be told.
      let withheld = Set(missing.map(\.id))
      tell(withheld, "not every row can be read: \(error)", counters)
      return ([], withheld)
    }
  }

  /// Says which accounts are withheld; of many only the first, as alarms are bounded.
  private static func tell(_ withheld: Set<AccountID>, _ why: String, _ counters: Counters) {
    for account in withheld.sorted().prefix(toldMax) {
      counters.alarm(
        "account \(account) is listed, and withheld: it has no checkpoint, and \(why); restore a "
          + "backup that has it")
    }
    if withheld.count > toldMax {
      counters.alarm("\(withheld.count) accounts are withheld in all: \(why)")
    }
  }

  /// Withheld accounts that are named.
  private static var toldMax: Int { 16 }

  private static func replace(
    _ rebuilt: [AccountCheckpoint], in journal: any Journal, _ counters: Counters
  ) throws {
    if rebuilt.isEmpty { return }
    try journal.replaceDamaged(rebuilt)
    for checkpoint in rebuilt { counters.rebuilt(checkpoint.account) }
  }

  /// Whether the journal does not have the account; one that cannot be read is not missing.
  private static func isMissing(_ account: AccountID, in journal: any JournalReading) -> Bool {
    do throws(StorageError) {
      return try journal.loadAccount(account) == nil
    } catch {
      return false
    }
  }
}

/// What a server is made of, besides its journal.
package struct ServerParts: Sendable {
  var machine: any Machine
  var limits: ServerLimits
  var clock: AuthorityClock
  var zones: any ZoneRulesSource
  var registry: DeviceRegistry
  var counters: Counters
  var space: any SpaceGauge
  /// This start of the server.
  var epoch: EpochID
  var connectionsMax: Int
  var partitions: Int
  var audit: AuditLog
  /// Whom the server has crashed on, and where work is named.
  var poison: PoisonGuard
  var continuity: Continuity
  /// The data directory; nil: there is none.
  var dataPath: String?
  /// What records the run; nil: nothing.
  var tape: Tape?
  /// When it started; nil: now.
  var startedAt: Instant?
  /// Accounts that cannot be read; nil: as the journal says.
  var withheld: Set<AccountID>?

  /// All of them.
  package init(
    machine: any Machine, limits: ServerLimits, clock: AuthorityClock,
    zones: any ZoneRulesSource, registry: DeviceRegistry, counters: Counters = Counters(),
    space: any SpaceGauge, epoch: EpochID, connectionsMax: Int, partitions: Int,
    audit: AuditLog = AuditLog(), poison: PoisonGuard = PoisonGuard(),
    continuity: Continuity = Continuity(), dataPath: String? = nil
  ) {
    self.machine = machine
    self.limits = limits
    self.clock = clock
    self.zones = zones
    self.registry = registry
    self.counters = counters
    self.space = space
    self.epoch = epoch
    self.connectionsMax = connectionsMax
    self.partitions = partitions
    self.audit = audit
    self.poison = poison
    self.continuity = continuity
    self.dataPath = dataPath
  }
}
