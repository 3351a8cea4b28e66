internal import Guards
internal import Transport

/// A pool of simulated wires that keeps the promises of `ConnectionPool`.
final class SimulatedConnections: Connections {
  private struct Slot {
    var endpoint: Endpoint?
    var generation: UInt32 = 0
    /// Read and not consumed.
    var kept: [UInt8] = []
    var keptSince: Int64?
    /// Owed and not sent.
    var out: [UInt8] = []
    var outMoved: Int64 = 0
    var isReading = true
    var offersAgain = false
    var isTold = false
    var isConnecting = false
    var endIsTold = false
    var closingSince: Int64?
    var wasBacklogged = false
  }

  private let limits: ConnectionLimits
  private unowned let machine: SimulatedMachine
  private var slots: [Slot] = []
  private var ready: [ConnectionID] = []
  private var ended: [(ConnectionID, CloseReason)] = []
  private var queue: (any WorkQueue)?
  private var onReady: (@Sendable () -> Void)?
  private var isInTurn = false
  private var isTurnScheduled = false

  init(limits: ConnectionLimits, on machine: SimulatedMachine) {
    self.limits = limits
    self.machine = machine
  }

  var count: Int { slots.count { $0.endpoint != nil } }

  func activate(on queue: any WorkQueue, onReady: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.onReady = onReady
    if isTurnScheduled { queue.async(onReady) }
  }

  func turn(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    isInTurn = true
    isTurnScheduled = false
    let serving = ready
    ready = []
    for id in serving { serve(id, body) }
    repeat {
      flush()
      let telling = ended
      ended = []
      for (id, reason) in telling where slots[Int(id.slot)].generation == id.generation {
        retire(id, byReset: true)
        _ = body(id, .closed(reason))
      }
    } while !ended.isEmpty
    isInTurn = false
    if !ready.isEmpty { scheduleTurn() }
  }

  func adopt(_ socket: AcceptedSocket, unread: [UInt8]) -> ConnectionID {
    guard let endpoint = machine.network.endpoint(socket.descriptor) else {
      return adopt(Endpoint(descriptor: -1, of: machine), isConnecting: false, unread, isGone: true)
    }
    return adopt(endpoint, isConnecting: false, unread, isGone: false)
  }

  func connect(to address: SocketAddress) throws(SystemError) -> ConnectionID {
    adopt(machine.network.connect(from: machine), isConnecting: true, [], isGone: false)
  }

  func close(_ id: ConnectionID) {
    if isLive(id) { retire(id, byReset: machine.world.chance(oneIn: 2)) }
  }

  func closeAll() {
    for index in slots.indices where slots[index].endpoint != nil { close(self.id(index)) }
    ended = []
  }

  func closeAfterSending(_ id: ConnectionID) {
    guard isLive(id), slots[Int(id.slot)].closingSince == nil else { return }
    slots[Int(id.slot)].closingSince = machine.world.now
    flush(id)
    markReady(id)
  }

  func release(
    _ id: ConnectionID, consumed: Int
  ) -> (socket: AcceptedSocket, unread: [UInt8])? {
    guard isLive(id) else { return nil }
    let index = Int(id.slot)
    flush(id)
    guard let endpoint = slots[index].endpoint, slots[index].out.isEmpty, !endpoint.isReset,
      slots[index].closingSince == nil
    else { return nil }
    let unread = Array(slots[index].kept[consumed...])
    endpoint.pool = nil
    free(index)
    return (AcceptedSocket(descriptor: endpoint.descriptor, peer: .unix(user: 0)), unread)
  }

  func send(_ id: ConnectionID, _ bytes: UnsafeRawBufferPointer) { send(id, Array(bytes)) }

  func send(_ id: ConnectionID, _ bytes: [UInt8]) {
    guard isLive(id), slots[Int(id.slot)].closingSince == nil else { return }
    slots[Int(id.slot)].out += bytes
  }

  func flush() {
    for index in slots.indices where !slots[index].out.isEmpty { flush(id(index)) }
  }

  func setReading(_ id: ConnectionID, _ on: Bool) {
    guard isLive(id) else { return }
    let index = Int(id.slot)
    if on, !slots[index].isReading { slots[index].offersAgain = true }
    slots[index].isReading = on
    if on { markReady(id) }
  }

  func offerAgain(_ id: ConnectionID) {
    guard isLive(id) else { return }
    slots[Int(id.slot)].offersAgain = true
    markReady(id)
  }

  func unsentBytes(_ id: ConnectionID) -> Int { isLive(id) ? slots[Int(id.slot)].out.count : 0 }

  func isBacklogged(_ id: ConnectionID) -> Bool { unsentBytes(id) > 0 }

  func sweep() {
    let now = machine.world.now
    for index in slots.indices {
      guard let endpoint = slots[index].endpoint else { continue }
      let outMoved = slots[index].outMoved
      if let since = slots[index].closingSince, now - since > Span.second {
        end(id(index), .finished)
      } else if slots[index].isConnecting, !endpoint.isConnected, now - outMoved > 5 * Span.second {
        end(id(index), .connectTimedOut)
      } else if let since = slots[index].keptSince, now - since > limits.inputStall.nanoseconds {
        end(id(index), .stalledInput)
      } else if !slots[index].out.isEmpty, now - outMoved > limits.outputStall.nanoseconds {
        end(id(index), .stalledOutput)
      }
    }
  }

  /// Something arrived at one of the wires.
  func becameReady(_ endpoint: Endpoint) {
    guard let index = slots.firstIndex(where: { $0.endpoint === endpoint }) else { return }
    markReady(id(index))
  }

  /// The peer has read: there is room again.
  func gotRoom(_ endpoint: Endpoint) { becameReady(endpoint) }

  // Steps.

  private func serve(_ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int) {
    guard isLive(id), let endpoint = slots[Int(id.slot)].endpoint else { return }
    let index = Int(id.slot)
    if endpoint.isReset { return end(id, .reset) }
    if endpoint.isRefused {
      let error = SystemError(.connectionRefused, call: "connect")
      return end(id, .connectFailed(error))
    }
    if slots[index].isConnecting {
      guard endpoint.isConnected else { return }
      slots[index].isConnecting = false
      _ = body(id, .connected)
      guard isLive(id) else { return }
    }
    flush(id)
    if slots[index].closingSince != nil {
      // Nothing is read any more; the end of the peer's side is awaited.
      endpoint.inbox = []
      if endpoint.hasFinished, slots[index].out.isEmpty { end(id, .finished) }
      return
    }
    if slots[index].wasBacklogged, slots[index].out.isEmpty {
      slots[index].wasBacklogged = false
      _ = body(id, .drained)
      guard isLive(id) else { return }
    }
    offer(id, endpoint, body)
    guard isLive(id), slots[index].isReading, !slots[index].endIsTold, endpoint.hasFinished,
      endpoint.inbox.isEmpty, !slots[index].offersAgain, slots[index].closingSince == nil
    else { return }
    slots[index].endIsTold = true
    _ = body(id, .endOfInput)
  }

  private func offer(
    _ id: ConnectionID, _ endpoint: Endpoint, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    let index = Int(id.slot)
    guard slots[index].isReading else { return }
    let room = limits.keptBytesMax - slots[index].kept.count
    let count = min(room, endpoint.inbox.count)
    guard count > 0 || slots[index].offersAgain && !slots[index].kept.isEmpty else { return }
    slots[index].offersAgain = false
    if count > 0 {
      slots[index].kept += endpoint.inbox.prefix(count)
      endpoint.inbox.removeFirst(count)
      if let peer = endpoint.peer { peer.pool?.gotRoom(peer) }
      if !endpoint.inbox.isEmpty { markReady(id) }
    }
    // The copy stays while the owner works on it; `release` looks at the original.
    let offered = slots[index].kept
    let consumed = offered.withUnsafeBytes { body(id, .received($0)) }
    guard isLive(id) else { return }
    slots[index].kept.removeFirst(consumed)
    if slots[index].kept.isEmpty {
      slots[index].keptSince = nil
    } else if consumed > 0 || slots[index].keptSince == nil {
      slots[index].keptSince = machine.world.now
    }
  }

  private func flush(_ id: ConnectionID) {
    let index = Int(id.slot)
    guard isLive(id), let endpoint = slots[index].endpoint, endpoint.isConnected else { return }
    if !slots[index].out.isEmpty {
      // A wire that nobody listens at takes what its buffers hold.
      let room = endpoint.peer?.room ?? 0
      let count = min(room, slots[index].out.count)
      if count > 0 {
        machine.network.transmit(Array(slots[index].out.prefix(count)), from: endpoint)
        slots[index].out.removeFirst(count)
        slots[index].outMoved = machine.world.now
      }
      if slots[index].out.count > limits.unsentBytesMax { return end(id, .outputOverflow) }
      if !slots[index].out.isEmpty { slots[index].wasBacklogged = true }
    }
    if slots[index].closingSince != nil, slots[index].out.isEmpty, !slots[index].isTold {
      slots[index].isTold = true
      machine.network.finish(endpoint)
    }
  }

  private func adopt(
    _ endpoint: Endpoint, isConnecting: Bool, _ unread: [UInt8], isGone: Bool
  ) -> ConnectionID {
    let index = slots.firstIndex { $0.endpoint == nil } ?? slots.count
    if index == slots.count { slots.append(Slot()) }
    var slot = Slot(endpoint: endpoint, generation: slots[index].generation)
    slot.kept = unread
    slot.keptSince = unread.isEmpty ? nil : machine.world.now
    slot.offersAgain = !unread.isEmpty
    slot.isConnecting = isConnecting
    slot.outMoved = machine.world.now
    slots[index] = slot
    endpoint.pool = self
    if isGone { endpoint.isReset = true }
    markReady(id(index))
    return id(index)
  }

  private func id(_ index: Int) -> ConnectionID {
    ConnectionID(slot: UInt32(index), generation: slots[index].generation)
  }

  private func isLive(_ id: ConnectionID) -> Bool {
    let index = Int(id.slot)
    return index < slots.count && slots[index].generation == id.generation
      && slots[index].endpoint != nil && !ended.contains { $0.0 == id }
  }

  private func end(_ id: ConnectionID, _ reason: CloseReason) {
    ended.append((id, reason))
    scheduleTurn()
  }

  private func retire(_ id: ConnectionID, byReset: Bool) {
    let index = Int(id.slot)
    if let endpoint = slots[index].endpoint {
      endpoint.pool = nil
      machine.network.close(endpoint, byReset: byReset)
    }
    free(index)
  }

  private func free(_ index: Int) {
    slots[index] = Slot(generation: slots[index].generation + 1)
  }

  private func markReady(_ id: ConnectionID) {
    if !ready.contains(id) { ready.append(id) }
    scheduleTurn()
  }

  private func scheduleTurn() {
    guard !isInTurn, !isTurnScheduled else { return }
    isTurnScheduled = true
    if let queue, let onReady { queue.async(onReady) }
  }
}
