public import AuthorityLink
public import Transport
public import WatchTransfer
internal import WireFormat

/// A watch: asks by durable actions, shows the last state. It owns no rule and nothing of its own
/// but the outbox and that state.
///
/// Everything runs on one queue of its own. Nothing else is left of it after `stop`: no task, no
/// descriptor, no lock.
public actor WatchClient {
  /// The queue that everything runs on.
  public nonisolated let executor: SerialQueueExecutor
  let configuration: WatchConfiguration
  let encoder = MessageEncoder()
  let decoder = MessageDecoder(limits: .fromServer)
  var directory: ClientDirectory?
  var outbox: Outbox?
  var cache: SurfaceCache
  var surface: SurfaceMachine
  var isCacheDue = false
  var link: AuthorityLink?
  var alarm: (any Alarm)?
  var housekeepingDue: MonotonicInstant?
  var submissions: [Submission] = []
  /// Applied actions that no update has shown yet.
  var unshown: [(id: IncarnationNumber, revision: Revision)] = []
  /// Whether the server has welcomed the present connection.
  var mayAsk = false
  /// Questions without an answer, by the ids of their queries.
  var questions: [UInt64: (Result<Page, QueryError>) -> Void] = [:]
  var nextQuery: UInt64 = 1
  /// Photos on their way, by their hashes.
  var uploads: [AttachmentHash: Upload] = [:]
  var lastTicket: UInt64 = 0
  /// Bytes of a photo that a frame may take.
  var chunkBytesMax = AttachmentLimits.chunkBytesMax
  /// What the device was paired as, as the newest welcome said.
  var welcomedKind: DeviceKind?
  /// Why the server does not want this device; nil: it has not said so since `start`.
  var refusal: Goodbye?
  var wasStopped = false
  nonisolated let stateBroadcast = Broadcast<SurfaceState>()
  nonisolated let cueBroadcast = Broadcast<Cue>()
  nonisolated let eventBroadcast = Broadcast<WatchEvent>()
  /// Hears every event as it happens, on the client's queue; for owners without tasks.
  private var observer: ((WatchEvent) -> Void)?

  /// Opens and locks the outbox, and loads the last state, marked stale. Nothing is sent before
  /// `start`.
  ///
  /// Throws `locked` when another process has the directory, `foreignFile` when there is something
  /// else in it, `storage` when it cannot be read or written.
  public init(_ configuration: WatchConfiguration) throws(OutboxError) {
    self.configuration = configuration
    executor = SerialQueueExecutor(on: configuration.link.machine.queue(label: "wristwire.watch"))
    let directory = try ClientDirectory(
      configuration.directory, token: configuration.link.token, lock: configuration.lock)
    let outbox = try Outbox(
      path: directory.outbox, fresh: Identifier(from: configuration.link.machine))
    let cache = SurfaceCache(path: directory.surface)
    self.directory = directory
    self.outbox = outbox
    self.cache = cache
    let kept = cache.load { [decoder] in try? decoder.decodeFacet($0) }
    // A token that was never welcomed, or whose cache is another account's, shows an empty state.
    let isOwn = kept?.account != nil && kept?.account == outbox.machine.account
    surface = SurfaceMachine(isOwn ? kept ?? .empty : .empty)
  }

  /// The client's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Begins to connect, and stays connected until `stop`.
  public func start() {
    guard !wasStopped, link == nil else { return }
    refusal = nil
    alarm = executor.queue.alarm { [weak self] in self?.assumeIsolated { $0.tick() } }
    let link = AuthorityLink(
      configuration.link, clock: configuration.clock, executor: executor,
      owner: LinkOwner(
        greeting: { [weak self, token = configuration.link.token] in
          self?.assumeIsolated { $0.greeting() } ?? Hello(token: token)
        },
        vitals: { [weak self] in self?.assumeIsolated { $0.vitals() } ?? LinkOwner.Vitals() },
        handle: { [weak self] event in self?.assumeIsolated { $0.handle(event) } }))
    self.link = link
    link.assumeIsolated { $0.start() }
  }

  /// Closes the connection until `start` is called again, as in flight mode: actions queue, and the
  /// last state stays, marked stale.
  public func disconnect() {
    guard let link else { return }
    link.assumeIsolated { $0.stop() }
    self.link = nil
    alarm?.cancel()
    alarm = nil
    disconnected()
    housekeep()
  }

  /// Closes the connection, makes everything durable, ends all streams and releases the directory.
  /// A stopped client stays stopped.
  public func stop() async {
    close()
  }

  private func close() {
    guard !wasStopped else { return }
    commitSubmissions()
    wasStopped = true
    link?.assumeIsolated { $0.stop() }
    link = nil
    failQuestions(.stopped)
    failUploads(.stopped)
    surface.disconnected()
    housekeep()
    alarm?.cancel()
    alarm = nil
    outbox = nil
    directory = nil
    stateBroadcast.finish()
    cueBroadcast.finish()
    eventBroadcast.finish()
  }

  /// What the surface shows now.
  public var state: SurfaceState { surface.state }

  /// Whether nothing waits for a receipt; quarantined actions do not wait.
  public var isSettledAll: Bool {
    submissions.isEmpty && outbox?.machine.isSettled ?? true
  }

  /// Whole states, the present one first: one that is skipped by a slow consumer loses nothing.
  public func states() -> AsyncStream<SurfaceState> {
    stateBroadcast.stream(buffering: .bufferingNewest(1), first: surface.state)
  }

  /// Moments worth a haptic, as they happen; none from before.
  public func cues() -> AsyncStream<Cue> {
    cueBroadcast.stream(buffering: .bufferingNewest(16))
  }

  /// Everything that happens from now on; every receipt once.
  public func events() -> AsyncStream<WatchEvent> {
    eventBroadcast.stream(buffering: .unbounded)
  }

  func announce(_ event: WatchEvent) {
    observer?(event)
    eventBroadcast.send(event)
  }

  /// Sets who hears every event as it happens.
  package func observe(_ observer: @escaping (WatchEvent) -> Void) { self.observer = observer }

  /// Asks the server for the whole state again, whether or not something changed.
  public func resumeEverything() {
    surface.askForEverything()
    send(.resume(nil))
  }

  /// Sends what must not wait in the outbox, if the device is connected.
  func send(_ message: ClientMessage) {
    link?.assumeIsolated { $0.send(message) }
  }

  /// A fresh id, for layers above.
  package func freshID<Tag>() -> Identifier<Tag> { fresh() }

  /// A fresh id.
  func fresh<Tag>() -> Identifier<Tag> { Identifier(from: configuration.link.machine) }
}
