internal import CLinux
public import Dispatch
internal import Glibc
internal import Guards

/// Accepts connections at one address and hands them on.
///
/// Only the listening descriptor is watched by Dispatch; accepted sockets belong into a
/// ``ConnectionPool``. Out of descriptors it does not spin: a descriptor held in reserve is given
/// up for a moment to accept and close what waits, so that peers learn it at once, and then nothing
/// is accepted for 100 ms, twice as long each time in a row, up to 1 s.
public final class Listener: Sendable {
  private struct State {
    var counts = ListenerCounts()
    var reserve: Int32
    var starvedInARow = 0
    var isPaused = false
    var isClosed = false
  }

  /// What one call of accept came to.
  private enum Outcome {
    case accepted(AcceptedSocket)
    case refusedUser
    case goneAlready
    case nothingWaits
    case starved(SystemError)
  }

  private let socket: ListeningSocket
  private let queue: DispatchQueue
  private let limits: ListenerLimits
  private let onAccept: @Sendable (AcceptedSocket) -> Void
  private let onStarved: @Sendable (Starvation) -> Void
  private let state: Lock<State>
  // Suspending, resuming and cancelling a Dispatch source are safe from any thread
  // (dispatch_source_cancel(3), dispatch_suspend(3)), and their balance is kept under `state`. The
  // protocol only lacks the conformance.
  private nonisolated(unsafe) let source: any DispatchSourceRead

  /// Listens at once; `onAccept` and `onStarved` are called on `queue`.
  ///
  /// A Unix socket takes connections of this process's user and of root only (SO_PEERCRED). Throws
  /// when the address cannot be listened at.
  public init(
    address: SocketAddress, queue: DispatchQueue, limits: ListenerLimits = ListenerLimits(),
    onAccept: @escaping @Sendable (AcceptedSocket) -> Void,
    onStarved: @escaping @Sendable (Starvation) -> Void
  ) throws(ListenError) {
    // The pause is timed when descriptors have run out.
    StandingTimer.ensure()
    let socket = try ListeningSocket(at: address)
    self.socket = socket
    self.queue = queue
    self.limits = limits
    self.onAccept = onAccept
    self.onStarved = onStarved
    state = Lock(State(reserve: Self.openReserve()))
    source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.acceptWaiting() }
    source.setCancelHandler { _ = Glibc.close(socket.descriptor) }
    source.activate()
  }

  deinit {
    close()
  }

  /// Where it listens; if port 0 was asked for, with the port the kernel chose.
  public var boundAddress: SocketAddress {
    socket.address
  }

  /// What it has done so far.
  public var counts: ListenerCounts {
    state.withLock { $0.counts }
  }

  /// Stops listening and removes the socket file it made; connections accepted before stay. Does
  /// nothing the second time. An accept that runs at this moment still reports.
  public func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      socket.removeFile()
      if state.reserve >= 0 { _ = Glibc.close(state.reserve) }
      state.reserve = -1
      source.cancel()
      // A suspended source would never run its cancel handler, and releasing it traps.
      if state.isPaused { source.resume() }
      state.isPaused = false
    }
  }

  private func acceptWaiting() {
    for _ in 0..<TransportLimits.acceptsPerTurnMax {
      let outcome = acceptOne()
      count(outcome)
      switch outcome {
      case .accepted(let socket): onAccept(socket)
      case .refusedUser, .goneAlready: continue
      case .nothingWaits: return
      case .starved(let error): return pause(after: error)
      }
    }
  }

  private func acceptOne() -> Outcome {
    var peer = clinux_peer()
    let result = clinux_accept(socket.descriptor, &peer)
    guard result >= 0 else { return Self.outcome(of: ErrorNumber(rawValue: -result)) }
    let accepted = AcceptedSocket(descriptor: result, peer: PeerAddress(peer))
    if case .unix(let user) = accepted.peer {
      guard user == geteuid() || user == 0 else {
        accepted.close()
        return .refusedUser
      }
    } else {
      // Fails only when the peer is gone, which the first read will tell.
      _ = clinux_set_no_delay(result)
    }
    return .accepted(accepted)
  }

  private static func outcome(of number: ErrorNumber) -> Outcome {
    switch number {
    case .wouldBlock:
      .nothingWaits
    case .tooManyFiles, .tooManyFilesInSystem, .noBufferSpace, .noMemory:
      .starved(SystemError(number, call: "accept4"))
    case .connectionAborted, .protocolError, .notPermitted,
      // Errors already pending on the new connection, to be treated like EAGAIN: accept(2).
      ErrorNumber(rawValue: ENETDOWN), ErrorNumber(rawValue: ENOPROTOOPT),
      ErrorNumber(rawValue: EHOSTDOWN), ErrorNumber(rawValue: ENONET),
      ErrorNumber(rawValue: EHOSTUNREACH), ErrorNumber(rawValue: EOPNOTSUPP),
      ErrorNumber(rawValue: ENETUNREACH), ErrorNumber(rawValue: ETIMEDOUT):
      .goneAlready
    default:
      // Unknown: treated as lasting, so that it cannot make the queue spin.
      .starved(SystemError(number, call: "accept4"))
    }
  }

  private func count(_ outcome: Outcome) {
    state.withLock { state in
      state.counts.attempts += 1
      switch outcome {
      case .accepted:
        state.counts.accepted += 1
        state.starvedInARow = 0
      case .refusedUser: state.counts.refusedUser += 1
      case .goneAlready: state.counts.aborted += 1
      case .nothingWaits, .starved: break
      }
    }
  }

  private func pause(after error: SystemError) {
    let starvation = state.withLock { state -> Starvation? in
      guard !state.isClosed else { return nil }
      let refused = refuseWaiting(&state)
      state.counts.refusedStarved += refused
      state.counts.pauses += 1
      state.starvedInARow += 1
      source.suspend()
      state.isPaused = true
      // Ten doublings reach any sensible longest pause, and cannot overflow.
      let factor = 1 << min(10, state.starvedInARow - 1)
      return Starvation(
        error: error, refused: refused, inARow: state.starvedInARow,
        pause: min(limits.pauseLongest, limits.pauseFirst * factor))
    }
    guard let starvation else { return }
    let nanoseconds = Int(starvation.pause.wholeNanoseconds)
    queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in self?.resume() }
    onStarved(starvation)
  }

  private func resume() {
    state.withLock { state in
      guard state.isPaused else { return }
      state.isPaused = false
      source.resume()
    }
  }

  /// Gives the reserve up to accept and close a bounded number of those who wait; returns how many.
  private func refuseWaiting(_ state: inout State) -> Int {
    guard state.reserve >= 0 else {
      state.reserve = Self.openReserve()
      return 0
    }
    _ = Glibc.close(state.reserve)
    defer { state.reserve = Self.openReserve() }
    for refused in 0..<TransportLimits.acceptsPerTurnMax {
      var peer = clinux_peer()
      state.counts.attempts += 1
      let descriptor = clinux_accept(socket.descriptor, &peer)
      guard descriptor >= 0 else { return refused }
      _ = Glibc.close(descriptor)
    }
    return TransportLimits.acceptsPerTurnMax
  }

  private static func openReserve() -> Int32 {
    open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}
