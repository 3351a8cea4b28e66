internal import Guards
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Where connections are until they have greeted: a readable Hello with a good token, within 5 s.
/// Then the socket is handed over to the partition of its account.
actor Lobby {
  nonisolated let executor: SerialQueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let shared: SharedServices
  private let partitions: [Partition]
  let pool: any Connections
  private let decoder = MessageDecoder()
  private let encoder = MessageEncoder()
  var guests: [ConnectionID: Guest] = [:]
  /// The addresses of guests whose codes are being redeemed, also of those who have gone meanwhile.
  var redeeming: [ConnectionID: PeerAddress] = [:]
  var arrivals: UInt64 = 0
  private var tick: (any Tick)?
  var isStopping = false

  /// A connection that has not greeted yet.
  struct Guest {
    let arrivedAt: Int64
    /// Counts the arrivals: many may come within a millisecond.
    let number: UInt64
    let peer: PeerAddress
    /// The address it counts for, where limits hold for it.
    var address: PeerAddress?
    /// Its greeting, while its code is being redeemed.
    var hello: Hello?
  }

  init(shared: SharedServices, partitions: [Partition]) throws {
    self.shared = shared
    self.partitions = partitions
    var limits = ConnectionLimits()
    limits.connectionsMax = shared.limits.greetingConnectionsMax + 1_024
    limits.keptBytesMax = max(8_192, 4 + shared.limits.clientFrameBytesMax)
    // The deadline of a greeting is the lobby's own and comes with a goodbye; this one is behind
    // it.
    limits.inputStall = .milliseconds(2 * shared.limits.greetingMilliseconds)
    // Who has not greeted gives way to those who have.
    limits.budget = shared.budget
    limits.givesFirst = true
    executor = SerialQueueExecutor(on: shared.machine.queue(label: "wristwire.lobby"))
    pool = try shared.machine.connections(limits: limits)
  }

  /// Begins to receive.
  nonisolated func start() {
    enter { lobby in
      lobby.pool.activate(on: lobby.executor.queue) { [weak lobby] in
        lobby?.assumeIsolated { $0.turn() }
      }
      lobby.tick = lobby.executor.queue.tick(every: .milliseconds(250)) { [weak lobby] in
        lobby?.assumeIsolated { $0.sweep() }
      }
    }
  }

  /// Turns everybody away, and says when that is done.
  nonisolated func stop(_ done: @escaping @Sendable () -> Void) {
    enter { lobby in
      lobby.isStopping = true
      for guest in lobby.guests.keys.sorted(by: { $0.slot < $1.slot }) {
        lobby.turnAway(guest, .shuttingDown, retryAfter: lobby.spread(1_000, to: guest))
      }
      lobby.pool.flush()
      lobby.tick?.cancel()
      lobby.tick = nil
      done()
    }
  }

  /// Receives an accepted socket; called on any queue.
  nonisolated func receive(_ socket: AcceptedSocket) {
    enter { $0.take(socket) }
  }

  nonisolated func enter(_ work: @escaping @Sendable (isolated Lobby) -> Void) {
    executor.queue.async { self.assumeIsolated { work($0) } }
  }

  private func take(_ socket: AcceptedSocket) {
    let connection = pool.adopt(socket)
    guests[connection] = Guest(
      arrivedAt: shared.clock.monotonic(), number: arrivals, peer: socket.peer)
    arrivals += 1
    shared.counters.greeting.add(1)
    if isStopping {
      return turnAway(connection, .shuttingDown, retryAfter: spread(1_000, to: connection))
    }
    let total = shared.counters.connections.value + guests.count
    if total > shared.connectionsMax { return turnAway(connection, .connectionsMax) }
    if let address = limitedAddress(socket.peer) {
      guests[connection]?.address = address
      if let limit = limitReached(by: address) { return turnAway(connection, limit) }
    }
    if guests.count > shared.limits.greetingConnectionsMax,
      let oldest = guests.min(by: { $0.value.number < $1.value.number })
    {
      turnAway(oldest.key, .greetingConnectionsMax)
      // Of a crowd nobody lingers: its ends would take the places of those who come.
      pool.close(oldest.key)
    }
    pool.flush()
  }

  private func limitReached(by address: PeerAddress) -> ReachedLimit? {
    if mayConnect(address) { return nil }
    let max = shared.limits.connectionsPerAddressMax
    let isCrowded = shared.addresses.withLock {
      $0.hasTooManyConnections(address, connectionsMax: max)
    }
    return isCrowded ? .connectionsPerAddressMax : .wrongTokensPerAddressMax
  }

  private func mayConnect(_ address: PeerAddress) -> Bool {
    shared.addresses.withLock {
      $0.mayConnect(
        address, connectionsMax: shared.limits.connectionsPerAddressMax,
        wrongTokensMax: shared.limits.wrongTokensPerAddressMax, now: shared.clock.monotonic())
    }
  }

  private func mayGreet(_ address: PeerAddress) -> Bool {
    shared.addresses.withLock {
      $0.mayGreet(
        address, wrongTokensMax: shared.limits.wrongTokensPerAddressMax,
        now: shared.clock.monotonic())
    }
  }

  /// The address whose limits hold for this peer, of IPv6 its /64; nil for loopback and Unix
  /// sockets.
  private func limitedAddress(_ peer: PeerAddress) -> PeerAddress? {
    peer.isLocal && shared.limits.addressLimitsOnLoopback == 0 ? nil : peer.network
  }

  private func turn() {
    pool.turn { connection, event in
      switch event {
      case .received(let bytes): return greet(bytes, on: connection)
      case .endOfInput:
        // A network may end a stream anywhere: a Goodbye would tell the client not to come back.
        leave(connection, "endOfStream")
        pool.closeAfterSending(connection)
      case .closed(.overBudget):
        shared.counters.reached(.bufferedBytesMax)
        leave(connection, "overBudget")
      case .closed(.secureFailed(let failure)): leave(connection, failure.word)
      case .closed: leave(connection, "leftLobby")
      case .connected, .drained: break
      }
      return 0
    }
  }

  private func greet(_ bytes: UnsafeRawBufferPointer, on connection: ConnectionID) -> Int {
    guard let guest = guests[connection] else { return bytes.count }
    switch scanFrame(bytes, payloadBytesMax: shared.limits.greetingFrameBytesMax) {
    case .incomplete:
      return 0
    case .failed(let error):
      turnAway(connection, error.goodbye)
      return bytes.count
    case .frame(let length):
      let payload = UnsafeRawBufferPointer(rebasing: bytes[4..<4 + length])
      return greet(payload, of: connection, from: guest) ? 4 + length : bytes.count
    }
  }

  /// Whether what comes behind the greeting is of any interest.
  private func greet(
    _ payload: UnsafeRawBufferPointer, of connection: ConnectionID, from guest: Guest
  ) -> Bool {
    let message: ClientMessage
    do throws(WireError) {
      message = try decoder.decodeClientMessage(payload)
    } catch {
      turnAway(connection, error.goodbye)
      return false
    }
    guard case .hello(let hello) = message else {
      turnAway(connection, .unauthenticated)
      return false
    }
    guard hello.version == protocolVersion else {
      turnAway(connection, .unsupportedVersion)
      return false
    }
    // Checked here, too: whoever has many connections already, or sends many greetings at once,
    // must not get more tries than one who comes again for each.
    if let address = guest.address, !mayGreet(address) {
      turnAway(connection, .wrongTokensPerAddressMax)
      return false
    }
    let token = Token(bytes: hello.token)
    switch token.map(shared.registry.authenticate) ?? .unknown {
    case .device(let device):
      handOver(connection, consumed: 4 + payload.count, device: device, hello: hello)
      return true
    case .revoked:
      return turnAwayWrongToken(of: connection, from: guest, .revoked)
    case .unknown:
      guard let code = hello.code, let token else {
        return turnAwayWrongToken(of: connection, from: guest, .unauthenticated)
      }
      return redeem(code, token, hello, of: connection, from: guest)
    }
  }

  private func turnAwayWrongToken(
    of connection: ConnectionID, from guest: Guest, _ reason: Goodbye.Reason
  ) -> Bool {
    countWrongToken(of: guest)
    turnAway(connection, reason)
    return false
  }

  private func countWrongToken(of guest: Guest) {
    guard let address = guest.address else { return }
    shared.addresses.withLock {
      $0.wrongToken(from: address, now: shared.clock.monotonic())
    }
  }

  /// Has a code redeemed, which may wait for the disk; nothing is read meanwhile.
  private func redeem(
    _ code: PairingCode, _ token: Token, _ hello: Hello, of connection: ConnectionID,
    from guest: Guest
  ) -> Bool {
    if token.isWeak {
      turnAway(connection, .malformed)
      return false
    }
    pool.setReading(connection, false)
    guests[connection]?.hello = hello
    // Counted before it is looked at: of many that come at once each counts for the next. A code
    // beside it does not make another token of a wrong one.
    countWrongToken(of: guest)
    redeeming[connection] = guest.address
    shared.pairing.redeem(
      code, token: token, deviceName: hello.deviceName, from: guest.peer
    ) { [weak self] outcome in
      guard let self else { return }
      shared.outside(.redeemed(connection, outcome)) { self.redeemed(outcome, on: connection) }
    }
    return true
  }

  /// What came of a guest's code; called on any queue.
  nonisolated func redeemed(_ outcome: PairingDesk.Outcome, on connection: ConnectionID) {
    enter { lobby in
      lobby.go(on: connection, with: outcome)
      lobby.pool.flush()
    }
  }

  private func go(on connection: ConnectionID, with outcome: PairingDesk.Outcome) {
    let address = redeeming.removeValue(forKey: connection)
    switch outcome {
    case .refused, .delayed, .revoked: break
    case .device, .noRoom, .failed:
      if let address { shared.addresses.withLock { $0.rightToken(from: address) } }
    }
    // The guest may have gone: its device is paired all the same, and greets again.
    guard let guest = guests[connection], let hello = guest.hello else { return }
    switch outcome {
    case .device(let device): handOver(connection, consumed: 0, device: device, hello: hello)
    case .revoked: turnAway(connection, .revoked)
    case .refused: turnAway(connection, .codeRefused)
    case .delayed(let wait): turnAway(connection, .tooMany, retryAfter: UInt32(clamping: wait))
    case .noRoom: turnAway(connection, .tooMany, retryAfter: spread(60_000, to: connection))
    case .failed: turnAway(connection, .internalError, retryAfter: spread(60_000, to: connection))
    }
  }

  private func handOver(
    _ connection: ConnectionID, consumed: Int, device: PairedDevice, hello: Hello
  ) {
    guard let (socket, unread) = pool.release(connection, consumed: consumed) else {
      return leave(connection, "reset")
    }
    // Its address goes along: the connection counts until it ends.
    let guest = guests.removeValue(forKey: connection)
    // Among the connections from here on: nowhere on its way it counts as gone.
    shared.counters.connections.add(1)
    if guest != nil { shared.counters.greeting.subtract(1) }
    let address = guest.flatMap(\.address)
    let partition = partitions[Int(device.account.low % UInt64(partitions.count))]
    partition.arrive {
      $0.admit(socket, from: address, unread: unread, device: device, hello: hello)
    }
  }

  private func turnAway(_ connection: ConnectionID, _ limit: ReachedLimit) {
    shared.counters.reached(limit)
    turnAway(connection, .tooMany, retryAfter: spread(5_000, to: connection))
  }

  /// What one of many who are told to come back is told.
  private func spread(_ milliseconds: UInt32, to connection: ConnectionID) -> UInt32 {
    spreadWait(milliseconds, by: guests[connection]?.number ?? 0)
  }

  private func turnAway(
    _ connection: ConnectionID, _ reason: Goodbye.Reason, retryAfter: UInt32 = 0
  ) {
    if reason == .frameTooLarge { shared.counters.reached(.greetingFrameBytesMax) }
    if let peer = guests[connection]?.peer { shared.noteGoodbye(reason, to: peer) }
    let goodbye = Goodbye(
      reason, retryAfterMilliseconds: retryAfter, comeBack: reason.comesBack,
      versions: reason == .unsupportedVersion ? protocolVersion...protocolVersion : nil)
    pool.send(connection, encoder.frame(ServerMessage.goodbye(goodbye)))
    leave(connection, reason.word)
    pool.closeAfterSending(connection)
  }

  private func leave(_ connection: ConnectionID, _ reason: String) {
    guard let guest = guests.removeValue(forKey: connection) else { return }
    shared.counters.greeting.subtract(1)
    if let address = guest.address {
      shared.addresses.withLock { $0.left(address) }
    }
    shared.counters.closed(reason)
  }

  private func sweep() {
    let deadline = shared.clock.monotonic() - Int64(shared.limits.greetingMilliseconds)
    let late = guests.filter { $0.value.arrivedAt < deadline }.keys
    for connection in late.sorted(by: { $0.slot < $1.slot }) {
      shared.counters.reached(.greetingMilliseconds)
      if pool.isSecuring(connection) {
        // Nothing can be said before the handshake is done.
        pool.close(connection)
        leave(connection, TLSFailure.stalled.word)
      } else {
        turnAway(connection, .idle)
      }
    }
    pool.sweep()
    pool.flush()
    shared.addresses.withLock { $0.forget(before: shared.clock.monotonic() - 60_000) }
  }
}
