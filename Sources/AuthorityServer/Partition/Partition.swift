internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// A share of the accounts with everything that belongs to them: their state, their connections and
/// the batch being decided, all on one queue (DESIGN section 9).
///
/// The way of an act: `turn` reads it, `receive` hands it on by kind, `act` judges and decides it,
/// `closeBatch` projects what it touched and hands it to the committer, `publish` sends updates and
/// receipts once it is durable.
actor Partition {
  /// Something to do on the partition's queue.
  typealias Work = @Sendable (isolated Partition) -> Void

  nonisolated let executor: SerialQueueExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let shared: SharedServices
  let limits: ServerLimits
  let index: Int
  let pool: any Connections
  let decoder = MessageDecoder()
  let encoder = MessageEncoder()

  var accounts: [AccountID: Account] = [:]
  /// By the slot of their connection.
  var sessions: [Session?] = []
  /// The addresses of connections for which the limits of addresses hold.
  var limitedPeers: [ConnectionID: PeerAddress] = [:]
  /// Connections without a session, whose last answers wait for their peer; and whose they are.
  var leaving: [ConnectionID: DeviceID] = [:]
  var open: OpenBatch
  /// Closed batches in order, handed to the committer and not durable yet.
  var committing: [OpenBatch] = []
  var nextBatch: UInt64 = 2
  /// What is named in the partition's slot.
  var working: AccountWork?

  /// The clocks as of this round of work.
  var now = Instant(milliseconds: 0)
  var monotonic: Int64 = 0
  var nextNonce: UInt64 = 1

  /// Greeted connections that are not taken in yet, in order.
  var arrivals: [Work] = []
  /// How many were taken in since the last turn.
  var arrivedInTurn = 0
  /// Sessions that are not read because they have too much in flight.
  var full: [Session] = []
  /// Sessions that are not read because their device has asked too often.
  var throttled: [Session] = []
  /// What `status` was last told of this partition's debts.
  var debtsTold = Debts()
  /// Sessions that are owed an update they could not be sent.
  var owed: [ObjectIdentifier: Session] = [:]
  /// Accounts with a pulse that will be over, or with sessions that are owed one.
  var liveAccounts: Set<AccountID> = []
  var tick: (any Tick)?
  var isStopping = false
  var onStopped: (() -> Void)?
  var lingerTick: (any Tick)?
  var onLingered: (() -> Void)?
  var sweptAt: Int64 = 0
  /// The round that is under way.
  var sweep: Sweep?
  /// When the last tick was; before the first, when the partition began.
  var tickedAt: Int64 = 0
  /// Reads of attachments that the committer has not answered.
  var readsOfBytes = 0
  var checkpointing = false
  var checkpointedAt: Int64 = 0
  /// What surfaces were last told of backups.
  var shownContinuity: Continuity.Status
  /// Reused for encoding what one connection is sent.
  var scratch: [UInt8] = []

  init(index: Int, shared: SharedServices) throws {
    self.index = index
    self.shared = shared
    limits = shared.limits
    executor = SerialQueueExecutor(
      on: shared.machine.queue(label: "wristwire.partition.\(index)"))
    var connectionLimits = ConnectionLimits()
    // Those that are being closed stay for a moment, and must not keep anybody out.
    connectionLimits.connectionsMax = shared.connectionsMax + 1_024
    connectionLimits.keptBytesMax = max(128 * 1_024, 2 * shared.limits.clientFrameBytesMax)
    connectionLimits.outputStall = .milliseconds(shared.limits.stalledMilliseconds)
    connectionLimits.inputStall = .milliseconds(shared.limits.frameMilliseconds)
    connectionLimits.budget = shared.budget
    pool = try shared.machine.connections(limits: connectionLimits)
    open = OpenBatch(id: 1)
    shownContinuity = shared.continuity.status(at: shared.clock.now())
  }

  /// Begins to serve.
  nonisolated func start() {
    enter { partition in
      // A server may be stopped before its first tick, too.
      partition.readClocks()
      partition.tickedAt = partition.monotonic
      partition.pool.activate(on: partition.executor.queue) { [weak partition] in
        partition?.assumeIsolated { $0.turn() }
      }
      partition.tick = partition.executor.queue.tick(every: .milliseconds(250)) {
        [weak partition] in
        partition?.assumeIsolated { $0.ticked() }
      }
    }
  }

  /// Runs work on the partition's queue, behind what is there.
  nonisolated func enter(_ work: @escaping Work) {
    executor.queue.async { self.assumeIsolated { work($0) } }
  }

  /// One round of the connections.
  func turn() {
    readClocks()
    arrivedInTurn = 0
    pool.turn { connection, event in
      switch event {
      case .received(let bytes): return receive(bytes, on: connection)
      case .endOfInput: endOfInput(connection)
      case .closed(let reason):
        if reason == .stalledOutput { shared.counters.reached(.stalledMilliseconds) }
        if reason == .stalledInput { shared.counters.reached(.frameMilliseconds) }
        if reason == .overBudget { shared.counters.reached(.bufferedBytesMax) }
        closed(connection, "\(Self.word(reason))")
      case .drained: drained(connection)
      case .connected: break
      }
      return 0
    }
    finishRound()
  }

  /// Closes the batch if the committer can take it, and writes what is owed.
  func finishRound() {
    if !open.isEmpty, committing.isEmpty { closeBatch() }
    flush()
  }

  /// Writes what is owed, and reads sessions again that have room now: output that the socket takes
  /// at once is not told by an event.
  func flush() {
    pool.flush()
    if full.isEmpty { return }
    let waiting = full
    full = []
    for session in waiting where session.isPaused {
      unpauseIfRoom(session)
      if session.isPaused, !session.isThrottled { full.append(session) }
    }
  }

  func readClocks() {
    now = shared.clock.now()
    monotonic = shared.clock.monotonic()
  }

  /// The session of a connection, or nil when it has none any more.
  func session(on connection: ConnectionID) -> Session? {
    let slot = Int(connection.slot)
    guard slot < sessions.count, let session = sessions[slot], session.connection == connection
    else { return nil }
    return session
  }

  private static func word(_ reason: CloseReason) -> String {
    switch reason {
    case .finished: "finished"
    case .endOfStream: "endOfStream"
    case .reset: "reset"
    case .stalledOutput: "stalled"
    case .stalledInput: "stalledInput"
    case .outputOverflow: "outputOverflow"
    case .overBudget: "overBudget"
    case .poolFull: "tooMany"
    case .secureFailed(let failure): failure.word
    case .connectFailed, .connectTimedOut, .failed: "failed"
    }
  }
}
