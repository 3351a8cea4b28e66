internal import AuthorityLink
internal import Transport
internal import WatchTransfer

/// An outbox with its file: every action is durable before anyone hears of its number, and before
/// it is sent.
struct Outbox {
  /// What is queued, and what the server knows of it.
  private(set) var machine: OutboxMachine
  private var file: OutboxFile
  /// A failed fsync leaves the disk unknown; only a new start reads what is there.
  private(set) var isBroken = false
  private var rewrittenLength: Int
  private var hasUnsynced = false

  /// Opens the outbox at `path`, or begins one. `fresh` names the first incarnation.
  init(path: String, fresh: IncarnationID) throws(OutboxError) {
    guard let (file, content) = try OutboxFile.open(path) else { throw .foreignFile(path: path) }
    var machine = OutboxMachine()
    for record in content.records { machine.restore(record) }
    let records = machine.opened(fresh: fresh)
    self.file = file
    self.machine = machine
    rewrittenLength = file.length
    do throws(FileError) {
      if content.isDamaged {
        try file.rewrite(machine.records)
      } else if !records.isEmpty {
        try file.append(records)
        try file.sync()
      }
    } catch {
      throw OutboxError(error)
    }
  }

  /// Reads the outbox at `path` without opening it for writing; nil when there is none.
  static func peek(path: String) -> OutboxMachine? {
    guard let bytes = try? DurableFile.read(path), let content = OutboxLog.read(bytes) else {
      return nil
    }
    var machine = OutboxMachine()
    for record in content.records { machine.restore(record) }
    return machine
  }

  /// Takes actions that came together, with one fsync for all; their numbers, in order.
  mutating func submit(
    _ bodies: [[UInt8]], fresh: () -> IncarnationID
  ) throws(OutboxError) -> [IncarnationNumber] {
    guard !isBroken else { throw .broken }
    if machine.isExhausted { try append([machine.start(fresh())]) }
    guard let first = machine.upcoming else { throw .broken }
    let ids = bodies.indices.map { offset in
      IncarnationNumber(
        incarnation: first.incarnation, number: first.number + ActionNumber(offset))
    }
    try append(zip(ids, bodies).map { .submitted($0, body: $1) })
    try sync()
    for body in bodies { machine.submitted(body: body) }
    return ids
  }

  /// The person lets go of a quarantined action; durable when it returns.
  mutating func discard(_ id: IncarnationNumber) throws(OutboxError) {
    _ = try quarantined(id)
    try append([.dismissed(id)])
    try sync()
    _ = machine.dismiss(id)
  }

  /// The person offers a quarantined action again, with the same bytes under a new number; durable
  /// when it returns. The ids in it are the same, so that what it made before is not made twice.
  mutating func release(
    _ id: IncarnationNumber, fresh: () -> IncarnationID
  ) throws(OutboxError) -> IncarnationNumber {
    guard let body = try quarantined(id).body else { throw .damagedAction(id.number) }
    if machine.isExhausted { try append([machine.start(fresh())]) }
    guard let new = machine.upcoming else { throw .broken }
    // In this order: a kill in between leaves it quarantined as well, never lost.
    try append([.submitted(new, body: body), .dismissed(id)])
    try sync()
    machine.submitted(body: body)
    _ = machine.dismiss(id)
    return new
  }

  private func quarantined(_ id: IncarnationNumber) throws(OutboxError) -> OutboxEntry {
    guard !isBroken else { throw .broken }
    guard let entry = machine[id], case .quarantined = entry.state else {
      throw .notQuarantined(id.number)
    }
    return entry
  }

  /// The device is in `zone` now; `body` tells of it, nil when there is nothing to compare with
  /// yet. Durable when it returns.
  mutating func move(
    to zone: [UInt8], telling body: [UInt8]?, fresh: () -> IncarnationID
  ) throws(OutboxError) {
    // Told first: a kill in between has it told twice, never forgotten.
    if let body { _ = try submit([body], fresh: fresh) }
    guard !isBroken else { throw .broken }
    try append([.zone(zone)])
    try sync()
    machine.zone = zone
  }

  /// Lets the machine take something, keeps what that changed, and returns what is to be told.
  mutating func take(
    _ step: (inout OutboxMachine) -> OutboxMachine.Reaction
  ) throws(OutboxError) -> [OutboxMachine.Notice] {
    let reaction = step(&machine)
    guard !isBroken else { throw .broken }
    if reaction.mustRewrite {
      try rewrite()
    } else if !reaction.records.isEmpty {
      try append(reaction.records)
    }
    return reaction.notices
  }

  /// Whose actions they are; durable when it returns.
  mutating func stamp(_ account: AccountID) throws(OutboxError) {
    try append([.account(account)])
    try sync()
    machine.account = account
  }

  /// Takes over another outbox of the same account; durable when it returns.
  mutating func absorb(_ other: OutboxMachine) throws(OutboxError) {
    machine.absorb(other)
    try rewrite()
  }

  /// What there is to send now.
  mutating func acts(at now: MonotonicInstant) -> [Act] {
    isBroken ? [] : machine.acts(at: now)
  }

  /// The connection is gone.
  mutating func disconnected() {
    machine.disconnected()
  }

  /// Makes receipts durable, so that the server may forget them; rewrites a file that has outgrown
  /// its content.
  mutating func tidy() throws(OutboxError) {
    guard !isBroken else { return }
    if file.length > max(OutboxLimits.rewriteBytesMin, 2 * rewrittenLength) {
      machine.trim()
      try rewrite()
    } else if hasUnsynced {
      try sync()
    }
  }

  private mutating func append(_ records: [OutboxRecord]) throws(OutboxError) {
    do throws(FileError) {
      try file.append(records)
      hasUnsynced = true
    } catch {
      throw OutboxError(error)
    }
  }

  private mutating func sync() throws(OutboxError) {
    do throws(FileError) {
      try file.sync()
    } catch {
      isBroken = true
      throw .broken
    }
    hasUnsynced = false
    machine.synced()
  }

  private mutating func rewrite() throws(OutboxError) {
    do throws(FileError) {
      try file.rewrite(machine.records)
    } catch {
      // The old file is whole, but numbers have changed: only a new start makes them one again.
      isBroken = true
      throw .broken
    }
    rewrittenLength = file.length
    hasUnsynced = false
    machine.synced()
  }
}
