internal import CLinux
public import Dispatch
internal import Glibc
internal import Guards

/// The connections of one queue: bytes in, bytes out, and how each ends.
///
/// Not Sendable: the owner, usually an actor over a ``SerialQueueExecutor``, makes every call on
/// its queue. Client sockets are never registered with libdispatch, where a peer's reset can crash
/// the process (swift-corelibs-libdispatch issue 949): a private epoll descriptor holds them all,
/// and one Dispatch read source watches that descriptor.
///
/// The story of a request: the source calls `onReady`; the owner calls ``turn(waiting:_:)``, which
/// reads each ready connection once and offers what came; the owner answers by
/// ``send(_:_:)-(_,[UInt8])``; what was sent is written when the event, or at the latest the turn,
/// is over.
///
/// Events are delivered by `turn` only, never from within another call. Work that waits for no
/// socket (input to be offered again, an ended connection) schedules the next turn by itself.
public final class ConnectionPool {
  /// What it may hold.
  let limits: ConnectionLimits
  /// Which sockets are ready.
  let readiness: ReadinessSet
  /// Memory for input that is kept and output that waits.
  let chunks = ChunkPool()
  /// The connections; slots from `slotsUsed` on have never been touched.
  let slots: UnsafeMutablePointer<ConnectionSlot>
  /// Slots touched so far.
  var slotsUsed = 0
  /// The TLS of those slots that have it; no longer than the last of them needs.
  var sessions: ContiguousArray<TLSSession?> = []
  /// Those of them without a connection, last used first.
  var slotsFree: ContiguousArray<UInt32> = []
  /// One buffer for all reads: what is consumed at once is never copied. Kept input up to
  /// `keptBytesCopiedMax` is put in front of what was read.
  let scratch: UnsafeMutableRawPointer
  /// Readiness events that were collected and not handled yet.
  var events = 0..<0
  /// Connections with work that waits for no socket.
  var ready: ContiguousArray<ConnectionID> = []
  /// Connections sent to since the last flush.
  var owed: ContiguousArray<ConnectionID> = []
  /// Connections that are over, and whose owner does not know yet.
  var ended: ContiguousArray<(id: ConnectionID, reason: CloseReason)> = []
  /// Connections that time may end.
  var watched: ContiguousArray<ConnectionID> = []
  /// What the owner is being offered at this moment, and to whom it belongs.
  var offered: (id: ConnectionID, bytes: UnsafeRawBufferPointer)?
  /// The monotonic clock, read once in each turn, flush and sweep; nanoseconds.
  var now: Int64
  /// Whether `body` may be running: work found now is done in this turn.
  var isInTurn = false
  /// Whether a turn comes by itself.
  var isTurnScheduled = false
  /// What the budget was last told.
  var budgetTold = 0
  private var overflowGeneration: UInt32 = 0
  private var source: (any DispatchSourceRead)?
  private var queue: DispatchQueue?
  private var onReady: (@Sendable () -> Void)?

  /// An empty pool. Throws when no descriptor is left for it.
  public init(limits: ConnectionLimits = ConnectionLimits()) throws(SystemError) {
    invariant(limits.connectionsMax > 0, "a pool holds at least one connection")
    invariant(limits.connectionsMax < Int(UInt32.max), "slots are numbered by 32 bits")
    invariant(
      limits.keptBytesMax > TransportLimits.keptBytesCopiedMax,
      "more may be kept than is copied in front of a read")
    self.limits = limits
    readiness = try ReadinessSet()
    slots = .allocate(capacity: limits.connectionsMax)
    scratch = .allocate(
      byteCount: TransportLimits.keptBytesCopiedMax + TransportLimits.readBytesPerTurnMax,
      alignment: 16)
    now = MonotonicInstant.now().nanoseconds
    if !limits.givesFirst { limits.budget?.poolsChanged(by: 1) }
  }

  deinit {
    closeAll()
    limits.budget?.changed(by: -budgetTold)
    if !limits.givesFirst { limits.budget?.poolsChanged(by: -1) }
    slots.deallocate()
    scratch.deallocate()
    readiness.deallocate()
    let descriptor = readiness.descriptor
    if let source { source.cancel() } else { _ = Glibc.close(descriptor) }
  }

  /// Starts the one source: `onReady` runs on `queue` whenever connections may be ready, and must
  /// call ``turn(waiting:_:)``, otherwise it is called again at once. Once per pool. The pool does
  /// not keep its owner alive if `onReady` does not.
  public func activate(on queue: DispatchQueue, onReady: @escaping @Sendable () -> Void) {
    invariant(source == nil, "a pool is activated once")
    let source = DispatchSource.makeReadSource(fileDescriptor: readiness.descriptor, queue: queue)
    source.setEventHandler(handler: onReady)
    // Dispatch must have let go of a descriptor before it is closed, dispatch_source_create(3).
    let descriptor = readiness.descriptor
    source.setCancelHandler { _ = Glibc.close(descriptor) }
    self.source = source
    self.queue = queue
    self.onReady = onReady
    source.activate()
    if isTurnScheduled { queue.async(execute: onReady) }
  }

  /// The connections there are, ended ones included until their owner knows.
  public var count: Int {
    slotsUsed - slotsFree.count
  }

  /// Takes charge of a socket. `unread` is what a previous owner read and did not consume; it is
  /// offered first. Reading is on.
  ///
  /// If the pool is full or the kernel refuses, the socket is closed and the id reports `closed` in
  /// the next turn.
  public func adopt(_ socket: AcceptedSocket, unread: [UInt8] = []) -> ConnectionID {
    guard let (id, slot) = place(socket) else {
      socket.close()
      return refusedID()
    }
    if !unread.isEmpty {
      unread.withUnsafeBytes { slot.pointee.input.append($0, capacityMin: 0, from: chunks) }
      slot.pointee.inputKept = now
      watch(slot)
      slot.pointee.flags.insert(.offering)
      markReady(slot, id)
    }
    register(slot, id)
    return id
  }

  /// Begins a connect; the outcome is `connected` or `closed(.connectFailed)` in a later turn.
  /// Output may be sent at once, it waits. Throws when no socket can be made.
  ///
  /// With TLS, `connected` comes after the handshake, when the server is known to be the right one;
  /// nothing of the output leaves before. Otherwise `closed(.secureFailed)` says why.
  public func connect(
    to address: SocketAddress, securedBy client: TLSClient?
  ) throws(SystemError) -> ConnectionID {
    let descriptor = try checked(clinux_socket(address.family), "socket")
    var target = address.systemAddress
    let outcome = ErrorNumber(rawValue: -clinux_connect(descriptor, &target))
    var socket = AcceptedSocket(descriptor: descriptor, peer: peer(at: address, descriptor))
    if let client {
      socket.session = client.session(on: descriptor, to: address)
      guard socket.session != nil else {
        socket.close()
        throw SystemError(.noMemory, call: "connect")
      }
    }
    guard let (id, slot) = place(socket) else {
      socket.close()
      return refusedID()
    }
    if address.unixPath == nil { _ = clinux_set_no_delay(descriptor) }
    switch outcome {
    case ErrorNumber(rawValue: 0):
      slot.pointee.flags.insert(.connectedUntold)
      markReady(slot, id)
      register(slot, id)
    case .inProgress:
      slot.pointee.flags.insert(.connecting)
      slot.pointee.outputMoved = now
      watch(slot)
      register(slot, id)
    default:
      end(slot, id, .connectFailed(SystemError(outcome, call: "connect")))
    }
    return id
  }

  /// Ends it now: unsent output is dropped, and no event follows.
  public func close(_ id: ConnectionID) {
    if let slot = slot(of: id) {
      retire(slot, id)
    } else if id.slot == refusedSlot {
      ended.removeAll { $0.id == id }
    }
  }

  /// Ends all now, without events; the pool stays usable.
  public func closeAll() {
    for index in 0..<slotsUsed where slots[index].flags.contains(.live) {
      retire(slots + index, id(at: index))
    }
    ended.removeAll()
  }

  /// Hands the socket over to another pool: it leaves this one open, with what was read and not
  /// consumed; no event follows.
  ///
  /// Within the connection's own `received`, `consumed` says how many of the offered bytes are used
  /// up; what the closure returns does not matter then. Nil, and the connection stays, when it is
  /// stale, over, still connecting, or owes output that the socket does not take now.
  public func release(
    _ id: ConnectionID, consumed: Int = 0
  ) -> (socket: AcceptedSocket, unread: [UInt8])? {
    guard let slot = slot(of: id),
      slot.pointee.flags.isDisjoint(with: [.connecting, .securing, .closing, .ended])
    else { return nil }
    if !slot.pointee.output.isEmpty { writeOutput(slot, id) }
    guard slot.pointee.output.isEmpty, !slot.pointee.flags.contains(.ended) else { return nil }
    let kept: UnsafeRawBufferPointer
    if let offered, offered.id == id {
      kept = offered.bytes
    } else {
      kept = slot.pointee.input.bytes
    }
    invariant(consumed >= 0 && consumed <= kept.count, "no more is consumed than was offered")
    let unread = [UInt8](kept[consumed...])
    var socket = AcceptedSocket(descriptor: slot.pointee.descriptor, peer: slot.pointee.peer)
    socket.session = session(of: slot)
    retire(slot, id, closing: false)
    return (socket, unread)
  }

  /// Sees to it that a turn comes soon.
  func scheduleTurn() {
    guard !isInTurn, !isTurnScheduled else { return }
    isTurnScheduled = true
    if let queue, let onReady { queue.async(execute: onReady) }
  }

  /// An id for a connection that found no place; its end is reported like any other.
  private func refusedID() -> ConnectionID {
    let id = ConnectionID(slot: refusedSlot, generation: overflowGeneration)
    overflowGeneration &+= 1
    ended.append((id, .poolFull))
    scheduleTurn()
    return id
  }

  private var refusedSlot: UInt32 {
    UInt32(limits.connectionsMax)
  }

  private func peer(at address: SocketAddress, _ descriptor: Int32) -> PeerAddress {
    switch address.place {
    case .internet(let ip, _): return .internet(ip)
    case .unix:
      var user = UInt32.max
      _ = clinux_peer_user(descriptor, &user)
      return .unix(user: user)
    }
  }
}
