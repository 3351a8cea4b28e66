public import Transport
public import WatchTransfer
internal import WireFormat

/// A link that stays: connects, greets, keeps alive, and comes back after a loss. It carries the
/// owner's messages and has no rule of its own.
///
/// An owner that is an actor over the same executor enters by `assumeIsolated`, without a hop.
public actor AuthorityLink {
  /// The queue that everything runs on.
  public nonisolated let executor: SerialQueueExecutor
  private let configuration: LinkConfiguration
  private let clock: any DeviceClockSource
  private let owner: LinkOwner
  private let encoder = MessageEncoder()
  private let decoder = MessageDecoder(limits: .fromServer)
  private var machine: LinkMachine
  private var pool: (any Connections)?
  private var connection: ConnectionID?
  private var alarm: (any Alarm)?
  /// What is sent within a turn of the pool is written at its end.
  private var isInTurn = false

  /// A link that waits for `start`.
  public init(
    _ configuration: LinkConfiguration, clock: any DeviceClockSource = SystemDeviceClock(),
    executor: SerialQueueExecutor, owner: LinkOwner
  ) {
    self.configuration = configuration
    self.clock = clock
    self.executor = executor
    self.owner = owner
    machine = LinkMachine(configuration, seed: configuration.machine.random())
  }

  /// The link's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Whether the authority has welcomed the device on the present connection.
  public var isOpen: Bool { machine.isOpen }

  /// Begins to connect, and stays connected until `stop`.
  public func start() {
    if alarm == nil {
      alarm = executor.queue.alarm { [weak self] in self?.assumeIsolated { $0.tick() } }
    }
    perform(machine.start())
    wake()
  }

  /// Ends the connection and all attempts; no descriptor stays open. It may be started again.
  public func stop() {
    pool?.flush()
    perform(machine.stop())
    alarm?.cancel()
    alarm = nil
    // Not released here: the call may come from within a turn of the pool itself. The pool closes
    // its descriptor when the turn is over.
    pool = nil
  }

  /// Gives the connection up and greets anew: for an owner whose greeting has changed.
  public func restart() {
    perform(machine.restart(at: configuration.machine.now()))
    wake()
  }

  /// Sends a message if the device is welcome on the present connection, and drops it otherwise:
  /// what must arrive is in an outbox.
  public func send(_ message: ClientMessage) {
    guard machine.isOpen else { return }
    write(message)
  }

  private func write(_ message: ClientMessage) {
    guard let pool, let connection else { return }
    pool.send(connection, encoder.frame(message))
    if !isInTurn { pool.flush() }
  }

  private func tick() {
    pool?.sweep()
    perform(machine.tick(at: configuration.machine.now()))
    wake()
  }

  /// Sets the next deadline: the machine's, and a sweep of the pool while there is a connection.
  private func wake() {
    guard let alarm else { return }
    let sweep = connection == nil ? nil : configuration.machine.now().advanced(milliseconds: 1_000)
    let deadlines = [machine.deadline, sweep].compactMap { $0 }
    alarm.set(deadlines.min())
  }

  private func turn() {
    guard let pool else { return }
    isInTurn = true
    pool.turn { id, event in
      guard id == connection else {
        if case .received(let bytes) = event { return bytes.count }
        return 0
      }
      return handle(event, of: id)
    }
    isInTurn = false
    wake()
  }

  private func handle(_ event: ConnectionEvent, of id: ConnectionID) -> Int {
    switch event {
    case .connected:
      perform(machine.connected(at: configuration.machine.now()))
    case .received(let bytes):
      return received(bytes, of: id)
    case .endOfInput:
      drop()
      perform(machine.disconnected(.closed, at: configuration.machine.now()))
    case .drained:
      break
    case .closed(let reason):
      connection = nil
      perform(machine.disconnected(Self.failure(of: reason), at: configuration.machine.now()))
    }
    return 0
  }

  /// Hands on each whole frame; what it consumed is what it returns.
  private func received(_ bytes: UnsafeRawBufferPointer, of id: ConnectionID) -> Int {
    var consumed = 0
    while connection == id {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      switch scanFrame(rest, payloadBytesMax: LinkLimits.frameBytesMax) {
      case .incomplete:
        return consumed
      case .failed:
        drop()
        perform(machine.disconnected(.malformed, at: configuration.machine.now()))
      case .frame(let length):
        let start = FrameLimits.prefixBytes
        receivedFrame(UnsafeRawBufferPointer(rebasing: rest[start..<(start + length)]))
        consumed += start + length
      }
    }
    return bytes.count
  }

  private func receivedFrame(_ payload: UnsafeRawBufferPointer) {
    do throws(WireError) {
      let message = try decoder.decodeServerMessage(payload)
      perform(machine.received(message, at: configuration.machine.now(), clock: clock.now()))
    } catch .emptyMessage {
      // A message of a newer server: skipped, as unknown fields are.
    } catch {
      drop()
      perform(machine.disconnected(.malformed, at: configuration.machine.now()))
    }
  }

  private func perform(_ steps: [LinkMachine.Step]) {
    for step in steps {
      switch step {
      case .connect: connect()
      case .greet: write(.hello(owner.greeting()))
      case .send(let message): write(message)
      case .ping(let nonce):
        let vitals = owner.vitals()
        write(
          .ping(
            Ping(
              nonce: nonce, clock: clock.now(), shownRevision: vitals.shownRevision,
              pending: vitals.pending)))
      case .close: drop()
      case .report(let event): owner.handle(event)
      }
    }
  }

  private func connect() {
    do throws(SystemError) {
      connection = try openPool().connect(
        to: configuration.address, securedBy: configuration.tls)
    } catch {
      // No descriptor is left: later, like any other failure.
      perform(machine.disconnected(.unreachable, at: configuration.machine.now()))
    }
  }

  private func openPool() throws(SystemError) -> any Connections {
    if let pool { return pool }
    var limits = ConnectionLimits()
    limits.connectionsMax = 4
    limits.keptBytesMax = LinkLimits.frameBytesMax + 65_536
    limits.unsentBytesMax = LinkLimits.unsentBytesMax
    let pool = try configuration.machine.connections(limits: limits)
    pool.activate(on: executor.queue) { [weak self] in self?.assumeIsolated { $0.turn() } }
    self.pool = pool
    return pool
  }

  private func drop() {
    guard let connection else { return }
    self.connection = nil
    pool?.close(connection)
  }

  private static func failure(of reason: CloseReason) -> LinkFailure {
    switch reason {
    case .connectFailed, .connectTimedOut, .poolFull: .unreachable
    case .finished, .endOfStream, .reset, .stalledOutput, .stalledInput, .outputOverflow,
      .overBudget, .failed:
      .closed
    case .secureFailed(let failure): Self.failure(of: failure)
    }
  }

  private static func failure(of failure: TLSFailure) -> LinkFailure {
    switch failure {
    case .pinMismatch(let presented): .pinMismatch(presented: presented)
    case .untrusted(let reason): .untrusted(reason: reason)
    case .stalled: .unreachable
    case .abandoned, .truncated: .closed
    case .notSpoken, .oldVersion, .handshake, .refused, .damaged: .notSecured(failure)
    }
  }
}
