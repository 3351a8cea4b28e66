internal import Guards
public import Transport

/// A proxy that passes bytes on between clients and a server, and does to them what its faults say.
///
/// One serial queue owns everything: the sockets of both sides are in one private epoll descriptor,
/// which one Dispatch source watches. Bytes are bytes: it knows no frames, and works for TLS too.
public actor FaultProxy {
  nonisolated let executor: SerialQueueExecutor
  /// The queue of its sockets.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let queue: DispatchWorkQueue
  let pool: ConnectionPool
  private var configuration: ProxyConfiguration
  private var listener: Listener?
  private var tick: (any Tick)?
  private var alarm: (any Alarm)?
  private var alarmAt: MonotonicInstant?
  /// Every link under both of its ends.
  var links: [ConnectionID: Link] = [:]
  /// Links in which something waits for its time.
  private var holding: [ObjectIdentifier: Link] = [:]
  private(set) var isPaused = false
  private var accepted: UInt64 = 0
  var counts = ProxyStatistics()

  /// A proxy that does not listen yet. Throws when no descriptor is left.
  public init(_ configuration: ProxyConfiguration) throws(SystemError) {
    self.configuration = configuration
    queue = DispatchWorkQueue(label: "wristwire.proxy")
    executor = SerialQueueExecutor(on: queue)
    var limits = ConnectionLimits()
    limits.outputStall = ProxyLimits.outputStall
    pool = try ConnectionPool(limits: limits)
  }

  /// Begins to take clients; where it listens, with the port that was picked.
  public func listen() throws(ListenError) -> SocketAddress {
    invariant(listener == nil, "a proxy listens once")
    let listener = try Listener(address: configuration.listen, queue: queue.queue) {
      [weak self] socket in
      guard let self else { return socket.close() }
      assumeIsolated { $0.take(socket) }
    } onStarved: { _ in
      // It pauses by itself; clients wait or are turned away, which is a fault like others.
    }
    self.listener = listener
    pool.activate(on: queue.queue) { [weak self] in self?.assumeIsolated { $0.turn() } }
    tick = queue.tick(every: ProxyLimits.sweep) { [weak self] in
      self?.assumeIsolated { $0.pool.sweep(now: .now()) }
    }
    alarm = queue.alarm { [weak self] in self?.assumeIsolated { $0.passWaiting() } }
    return listener.boundAddress
  }

  /// What it has done so far.
  public var statistics: ProxyStatistics {
    var result = counts
    result.open = links.count { $0.key == $0.value.client }
    return result
  }

  /// Other faults for the clients that come from now on, of which the first are `connections`; they
  /// are counted from the start again.
  public func use(up: Faults, down: Faults, connections: UInt64? = nil) {
    configuration.up = up
    configuration.down = down
    configuration.faultyConnections = connections
    accepted = 0
  }

  /// Does something to every connection there is.
  public func perform(_ command: ProxyCommand) {
    let present = links.filter { $0.key == $0.value.client }.map(\.value)
    switch command {
    case .cut: for link in present { end(link, .up, .cut) }
    case .reset: for link in present { end(link, .up, .reset) }
    case .stall: for link in present where !link.isStalled { end(link, .up, .stall) }
    case .pause, .resume:
      isPaused = command == .pause
      for link in present { settleBoth(link) }
    }
    pool.flush()
  }

  /// Ends every connection and takes no more.
  public func stop() {
    listener?.close()
    tick?.cancel()
    alarm?.cancel()
    pool.closeAll()
    links = [:]
    holding = [:]
  }

  /// Remembers that something waits in the link, and has the alarm come when its time is there.
  func awaitTime(of link: Link, due: MonotonicInstant) {
    holding[ObjectIdentifier(link)] = link
    guard alarmAt.map({ due < $0 }) ?? true else { return }
    alarmAt = due
    alarm?.set(due)
  }

  private func take(_ socket: AcceptedSocket) {
    let number = accepted
    accepted += 1
    counts.connections += 1
    let client = pool.adopt(socket)
    do throws(SystemError) {
      let server = try pool.connect(to: configuration.server)
      let link = Link(
        client: client, server: server, up: passage(.up, of: number),
        down: passage(.down, of: number)
      )
      links[client] = link
      links[server] = link
    } catch {
      counts.unreachable += 1
      pool.close(client)
    }
  }

  private func passage(_ direction: FaultDirection, of number: UInt64) -> Passage {
    let faults = configuration.faults(direction, of: number)
    let seed = configuration.seed
    let stream = FaultStream(faults, seed: seed, connection: number, direction: direction)
    // Delays draw apart from the rest: how the stream is cut into blocks is the network's doing.
    return Passage(stream, delay: faults.delay, seed: seed &+ number)
  }

  private func turn() {
    pool.turn(waiting: .zero) { id, event in
      guard let link = links[id] else { return 0 }
      return handle(event, of: id, in: link)
    }
  }

  private func passWaiting() {
    alarmAt = nil
    let waiting = holding.values
    holding = [:]
    for link in waiting where !link.isEnding { settleBoth(link) }
    pool.flush()
  }
}

/// What a proxy can be told while it runs.
public enum ProxyCommand: String, CaseIterable, Hashable, Sendable {
  /// Every connection ends in order (FIN), on both sides.
  case cut
  /// Every connection ends in a reset.
  case reset
  /// Nothing passes any more on the connections there are, and nobody is told.
  case stall
  /// Nothing is read or passed on until `resume`; nothing is lost.
  case pause
  case resume
}
