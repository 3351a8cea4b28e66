internal import Authority
internal import Guards
internal import Storage
internal import Transport
internal import WatchTransfer

/// A connection as a pool keeps it.
struct OpenConnection: Equatable {
  let id: ConnectionID
  let stream: UInt64
  /// Offered and not consumed.
  var kept: [UInt8]
}

/// Connections that can say, and be told, which there are.
protocol ConnectionState: AnyObject {
  /// In order of their slots.
  var open: [OpenConnection] { get }
}

/// What a segment says of the server it was recorded on; the state of its parts follows in the
/// form that each part reads itself.
struct CoreHead {
  /// The program and its version.
  var program: String
  /// What facets are made by: see `facetBuild`.
  var build: String
  var zoneDataVersion: String
  var epoch: EpochID
  var startedAt: Instant
  var clockOffset: Int64?
  var partitions: Int
  var connectionsMax: Int
  /// Lines of a limits file.
  var limits: String
  /// The journal's newest row.
  var row: Int64
  /// Whom the server had crashed on.
  var crashes: CrashRecord
  /// Accounts that cannot be read.
  var withheld: Set<AccountID>
  /// What it knew of its backups.
  var backups: Continuity

  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.text(program)
    writer.text(build)
    writer.text(zoneDataVersion)
    writer.identifier(epoch)
    writer.instant(startedAt)
    writer.optional(clockOffset) { $0.signed($1) }
    writer.unsigned(UInt64(partitions))
    writer.unsigned(UInt64(connectionsMax))
    writer.text(limits)
    writer.signed(row)
    writer.blob(crashes.encoded)
    writer.list(withheld.sorted()) { $0.identifier($1) }
    writer.blob(backups.recorded)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    program = try reader.text()
    build = try reader.text()
    zoneDataVersion = try reader.text()
    epoch = try reader.identifier()
    startedAt = try reader.instant()
    clockOffset = try reader.optional { (reader) throws(StoredFormError) in try reader.signed() }
    partitions = try reader.whole()
    guard 1...64 ~= partitions else { throw .outOfRange(of: "partitions") }
    connectionsMax = try reader.whole()
    guard 1..<1 << 24 ~= connectionsMax else { throw .outOfRange(of: "connections") }
    limits = try reader.text()
    row = try reader.signed()
    guard row >= 0, row < .max / 2 else { throw .outOfRange(of: "row") }
    guard let crashes = CrashRecord(encoded: try reader.blob()) else {
      throw .outOfRange(of: "crashes")
    }
    self.crashes = crashes
    withheld = Set(
      try reader.list { (reader) throws(StoredFormError) -> AccountID in try reader.identifier() })
    guard let backups = Continuity(recorded: try reader.blob()) else {
      throw .outOfRange(of: "backups")
    }
    self.backups = backups
  }

  /// What runs.
  init(of shared: SharedServices, partitions: Int, row: Int64) {
    program = shared.tape?.program ?? ""
    build = shared.build
    zoneDataVersion = shared.zones.version
    epoch = shared.epoch
    startedAt = shared.startedAt
    clockOffset = shared.clock.offset
    self.partitions = partitions
    connectionsMax = shared.connectionsMax
    limits = shared.limits.lines.map { "\($0.name) = \($0.value)" }.joined(separator: "\n")
    self.row = row
    crashes = shared.poison.atStart
    withheld = shared.withheld
    backups = shared.continuity
  }
}

extension ServerCore {
  /// Begins to record, where a tape is there.
  func startTape() {
    guard let tape = shared.tape else { return }
    shared.registry.tape.withLock { $0 = tape }
    shared.continuity.tape.withLock { $0 = tape }
    tape.start(
      Tape.Source(
        isQuiet: { [weak self] in self?.isQuiet ?? false },
        state: { [weak self] in self?.encodedState(row: tape.newestRow) ?? [] }
      ))
  }

  /// Whether nothing is under way. Called by the tape while no queue's work runs.
  private var isQuiet: Bool {
    partitions.allSatisfy { partition in partition.assumeIsolated { $0.isQuiet } }
      && lobby.assumeIsolated { $0.isQuiet }
  }

  /// Everything that is in memory, as of a quiet moment.
  private func encodedState(row: Int64) -> [UInt8] {
    encodedState(
      CoreHead(of: shared, partitions: partitions.count, row: row),
      lobby: lobby.assumeIsolated { $0.encodedState },
      partitions: partitions.map { partition in partition.assumeIsolated { $0.encodedState } })
  }

  /// The first record of a segment, of its parts.
  func encodedState(_ head: CoreHead, lobby: [UInt8], partitions: [[UInt8]]) -> [UInt8] {
    var writer = ByteWriter()
    head.encode(into: &writer)
    shared.registry.lists.withLock { $0.encode(into: &writer) }
    shared.addresses.withLock { $0.encode(into: &writer) }
    writer.blob(lobby)
    for partition in partitions { writer.blob(partition) }
    return writer.bytes
  }

  /// Puts the state of addresses, lobby and partitions in place; see `ServerReplay`.
  func restore(from reader: inout ByteReader, entering head: ReplayHead) throws(StoredFormError) {
    let book = try AddressBook(from: &reader)
    shared.addresses.withLock { $0 = book }
    var states = [try reader.blob()]
    for _ in partitions { states.append(try reader.blob()) }
    try reader.expectEnd()
    head.running = lobby.executor.queue as? ReplayQueue
    defer { head.running = nil }
    try lobby.restoring(states[0])
    for (partition, state) in zip(partitions, states.dropFirst()) {
      head.running = partition.executor.queue as? ReplayQueue
      try partition.restoring(state)
    }
  }

  /// Does what a command did.
  func perform(_ command: OutsideCommand) {
    switch command {
    case .receive(let peer): lobby.receive(AcceptedSocket(descriptor: -1, peer: peer))
    case .backups(let bytes): shared.continuity.take(recorded: bytes)
    case .redeemed(let connection, let outcome): lobby.redeemed(outcome, on: connection)
    case .registry(let change): shared.registry.apply(change)
    case .setClock(let offset): shared.clock.offset = offset
    case .clockWasSet(let index):
      if partitions.indices.contains(index) { partitions[index].enter { $0.clockWasSet() } }
    case .whenDurable(let account):
      partition(of: account).enter { $0.whenDurable(account) { _ in } }
    case .mend(let account):
      partition(of: account).enter { $0.mend(account) {} }
    case .importBodies(let device, let bodies):
      partition(of: device.account).enter { $0.importBodies(bodies, by: device) { _ in } }
    case .cut(let device):
      partition(of: device.account).enter { $0.revoked(device) }
    case .erase(let account):
      partition(of: account).enter { $0.erase(account) { _ in } }
    case .export(let account):
      partition(of: account).enter { $0.export(account) { _ in } }
    case .setZone(let account, let zone):
      partition(of: account).enter { $0.setZone(of: account, to: zone) { _ in } }
    }
  }

  private func partition(of account: AccountID) -> Partition {
    partitions[Int(account.low % UInt64(partitions.count))]
  }
}

extension SharedServices {
  /// Sets a test's clock; false when the clock is the machine's.
  func setClock(_ instant: Instant) -> Bool {
    guard clock.offset != nil else { return false }
    outside(.setClock(offset: clock.offset ?? 0)) { _ = clock.set(instant) }
    return true
  }
}

extension DeviceRegistry {
  /// Does what a command changes, and takes it down where a run is recorded.
  func apply(_ change: RegistryChange) {
    guard let tape = tape.withLock({ $0 }) else { return take(change) }
    tape.outside(.registry(change)) { take(change) }
  }

  private func take(_ change: RegistryChange) {
    lists.withLock { lists in
      switch change {
      case .account(let account): lists.add(account)
      case .device(let device, let hash): lists.add(device, hash: hash)
      case .revoked(let device): if let device = lists.devices[device] { lists.revoke(device) }
      case .erased(let account): lists.erase(account)
      }
    }
  }
}

extension DeviceRegistry.Lists {
  /// Appends them, in order of ids.
  func encode(into writer: inout ByteWriter) {
    let byDevice = Dictionary(
      holders.values.joined().map { ($0.device, $0.hash) }, uniquingKeysWith: { first, _ in first })
    writer.list(accounts.values.sorted { $0.id < $1.id }) { $0.listed($1) }
    writer.list(devices.values.sorted { $0.id < $1.id }) { writer, device in
      writer.device(device)
      writer.blob(byDevice[device.id]?.bytes ?? [])
      writer.flag(revoked.contains(device.id))
    }
    writer.list(erased.sorted()) { $0.identifier($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    for account in try reader.list({ (reader) throws(StoredFormError) in try reader.listed() }) {
      add(account)
    }
    for _ in 0..<(try reader.count()) {
      let device = try reader.device()
      add(device, hash: TokenHash(stored: try reader.blob()))
      if try reader.flag() { revoke(device) }
    }
    erased = Set(
      try reader.list { (reader) throws(StoredFormError) -> AccountID in try reader.identifier() })
  }
}

extension AddressBook {
  /// Appends its pages, in order of their addresses' text.
  func encode(into writer: inout ByteWriter) {
    writer.list(pages.sorted { "\($0.key)" < "\($1.key)" }) { writer, page in
      writer.peer(page.key)
      writer.signed(Int64(page.value.connections))
      writer.count(page.value.wrongTokens)
      writer.signed(page.value.since)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      let peer = try reader.peer()
      pages[peer] = Page(
        connections: Int(try reader.signed()), wrongTokens: try reader.whole(),
        since: try reader.signed())
    }
  }
}
