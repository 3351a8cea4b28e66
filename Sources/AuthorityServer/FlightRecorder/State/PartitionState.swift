internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Who is at the far end is of interest to the audit log alone, which a replay has none of.
private let nobody = PeerAddress.unix(user: 0)

/// What a partition keeps in memory, written at a moment when nothing of it is under way, and read
/// for a replay.
extension Partition {
  /// Whether nothing waits for the committer, and nothing is on its way to being answered.
  var isQuiet: Bool {
    arrivals.isEmpty && open.isEmpty && committing.isEmpty && !checkpointing && !isStopping
      && sweep == nil && readsOfBytes == 0
      && sessions.allSatisfy { $0?.isQuiet ?? true }
      && accounts.values.allSatisfy { $0.onLoaded == nil && $0.newestBatch == nil }
  }

  /// All of it. What is encoded once for many is forgotten, here as there: it is made again.
  var encodedState: [UInt8] {
    var writer = ByteWriter()
    writer.instant(now)
    writer.signed(monotonic)
    writer.unsigned(nextBatch)
    writer.unsigned(nextNonce)
    writer.count(arrivedInTurn)
    writer.signed(sweptAt)
    writer.signed(tickedAt)
    writer.signed(checkpointedAt)
    writer.byte(shownContinuity.state.rawValue)
    writer.optional(shownContinuity.copiedAt) { $0.instant($1) }
    writer.connections(of: pool)
    writer.list(accounts.values.sorted { $0.id < $1.id }) { writer, account in
      account.snapshots = [:]
      account.updateFrames = [:]
      account.encode(into: &writer)
    }
    writer.list(sessions.compactMap(\.self)) { $1.encode(into: &$0, encoder) }
    for account in accounts.values.sorted(by: { $0.id < $1.id }) {
      writer.list(account.sessions) { $0.unsigned(UInt64($1.connection.slot)) }
    }
    // Of those that have ended nobody is read again.
    for list in [full, throttled] {
      let present = list.filter { session(on: $0.connection) === $0 }
      writer.list(present) { $0.unsigned(UInt64($1.connection.slot)) }
    }
    let owing = owed.values.map(\.connection.slot).sorted()
    writer.list(owing) { $0.unsigned(UInt64($1)) }
    writer.list(limitedPeers.sorted { $0.key.slot < $1.key.slot }) { writer, peer in
      writer.connection(peer.key)
      writer.peer(peer.value)
    }
    writer.list(leaving.sorted { $0.key.slot < $1.key.slot }) { writer, owner in
      writer.connection(owner.key)
      writer.identifier(owner.value)
    }
    return writer.bytes
  }

  /// `restore`, by who is on the queue.
  nonisolated func restoring(_ bytes: [UInt8]) throws(StoredFormError) {
    // `assumeIsolated` rethrows without the error's type.
    let result = assumeIsolated { partition in
      Result<Void, StoredFormError> { () throws(StoredFormError) in try partition.restore(bytes) }
    }
    try result.get()
  }

  /// Reads what `encodedState` wrote, into a partition that has just begun.
  private func restore(_ bytes: [UInt8]) throws(StoredFormError) {
    var reader = ByteReader(bytes)
    now = try reader.instant()
    monotonic = try reader.signed()
    nextBatch = try reader.unsigned()
    open = OpenBatch(id: nextBatch &- 1)
    nextNonce = try reader.unsigned()
    arrivedInTurn = try reader.whole()
    sweptAt = try reader.signed()
    tickedAt = try reader.signed()
    checkpointedAt = try reader.signed()
    shownContinuity = Continuity.Status(
      state: try reader.choice(of: "continuity"),
      copiedAt: try reader.optional { (reader) throws(StoredFormError) in try reader.instant() })
    try reader.connections(into: pool)
    var inOrder: [Account] = []
    for _ in 0..<(try reader.count()) {
      let account = try Account(from: &reader)
      accounts[account.id] = account
      inOrder.append(account)
    }
    for _ in 0..<(try reader.count()) { try takeSession(&reader) }
    for account in inOrder { account.sessions = try takeSlots(&reader) }
    let owing = sessions.compactMap(\.self).filter { $0.dirtyReadings.contains(.live) }
    liveAccounts = Set(
      inOrder.filter { $0.live != nil }.map(\.id) + owing.map(\.account.id))
    full = try takeSlots(&reader)
    throttled = try takeSlots(&reader)
    for session in try takeSlots(&reader) { owed[ObjectIdentifier(session)] = session }
    for _ in 0..<(try reader.count()) {
      let connection = try reader.connection()
      limitedPeers[connection] = try reader.peer()
    }
    for _ in 0..<(try reader.count()) {
      let connection = try reader.connection()
      leaving[connection] = try reader.identifier()
    }
    try reader.expectEnd()
  }

  private func takeSession(_ reader: inout ByteReader) throws(StoredFormError) {
    let connection = try reader.connection()
    let device = try reader.device()
    guard let account = accounts[device.account], let state = account.devices[device.id] else {
      throw .outOfRange(of: "session")
    }
    let session = Session(
      connection: connection, peer: nobody, device: device, account: account,
      minimumInterval: try reader.signed(), heardAt: try reader.signed())
    try session.restore(&reader, decoder)
    if try reader.flag() { state.session = session }
    let slot = Int(connection.slot)
    if slot >= sessions.count {
      sessions.append(contentsOf: Array(repeating: nil, count: slot + 1 - sessions.count))
    }
    sessions[slot] = session
    shared.counters.connections.add(1)
  }

  private func takeSlots(_ reader: inout ByteReader) throws(StoredFormError) -> [Session] {
    var found: [Session] = []
    for _ in 0..<(try reader.count()) {
      let slot = try reader.whole()
      guard slot < sessions.count, let session = sessions[slot] else {
        throw .outOfRange(of: "slot")
      }
      found.append(session)
    }
    return found
  }
}

extension Lobby {
  /// Whether nobody waits for what comes of a code.
  var isQuiet: Bool {
    !isStopping && redeeming.isEmpty && guests.values.allSatisfy { $0.hello == nil }
  }

  /// Who is there.
  var encodedState: [UInt8] {
    var writer = ByteWriter()
    writer.unsigned(arrivals)
    writer.connections(of: pool)
    writer.list(guests.sorted { $0.key.slot < $1.key.slot }) { writer, guest in
      writer.connection(guest.key)
      writer.signed(guest.value.arrivedAt)
      writer.unsigned(guest.value.number)
      writer.optional(guest.value.address) { $0.peer($1) }
    }
    return writer.bytes
  }

  /// `restore`, by who is on the queue.
  nonisolated func restoring(_ bytes: [UInt8]) throws(StoredFormError) {
    let result = assumeIsolated { lobby in
      Result<Void, StoredFormError> { () throws(StoredFormError) in try lobby.restore(bytes) }
    }
    try result.get()
  }

  /// Reads what `encodedState` wrote, into a lobby that has just begun.
  private func restore(_ bytes: [UInt8]) throws(StoredFormError) {
    var reader = ByteReader(bytes)
    arrivals = try reader.unsigned()
    try reader.connections(into: pool)
    for _ in 0..<(try reader.count()) {
      let connection = try reader.connection()
      guests[connection] = Guest(
        arrivedAt: try reader.signed(), number: try reader.unsigned(), peer: nobody,
        address: try reader.optional { (reader) throws(StoredFormError) in try reader.peer() })
    }
    try reader.expectEnd()
  }
}

extension ByteWriter {
  /// The connections that a pool has.
  mutating func connections(of pool: any Connections) {
    list((pool as? any ConnectionState)?.open ?? []) { writer, connection in
      writer.connection(connection.id)
      writer.unsigned(connection.stream)
      writer.blob(connection.kept)
    }
  }
}

extension ByteReader {
  /// What `connections` wrote, put into a replayed pool.
  mutating func connections(into pool: any Connections) throws(StoredFormError) {
    for _ in 0..<(try count()) {
      let connection = OpenConnection(
        id: try connection(), stream: try unsigned(), kept: try blob())
      (pool as? ReplayedConnections)?.place(connection)
    }
  }
}
