public import AuthorityLink
public import Transport
public import WatchTransfer
internal import WireFormat

/// A widget: fetches precomputed timelines, keeps the last one of each view, hears when to fetch
/// again.
///
/// It connects when it is first asked for something. Nothing is left of it after `stop`: no task,
/// no descriptor.
public actor WidgetClient {
  /// The queue that everything runs on.
  public nonisolated let executor: SerialQueueExecutor
  let configuration: LinkConfiguration
  let clock: any DeviceClockSource
  let fetchMilliseconds: Int64
  let decoder = MessageDecoder(limits: .fromServer)
  var shelf: SnapshotShelf
  var link: AuthorityLink?
  var alarm: (any Alarm)?
  /// Whose snapshots the server sends; nil: no server has said, in this run.
  var account: AccountID?
  /// The server's clock minus the device's, in milliseconds; 0 until a server has said.
  public internal(set) var clockOffsetMilliseconds: Int64 = 0
  /// Why the server does not want this device.
  var refusal: Goodbye?
  var requests: [UInt64: Request] = [:]
  var lastRequest: UInt64 = 0
  /// What was asked on this connection and is not answered, and whether it named a hash.
  var asked: [WidgetView: Bool] = [:]
  /// What was fetched in this run.
  var shownKinds: Set<WidgetKind> = []
  var wasStopped = false
  nonisolated let reloadBroadcast = Broadcast<[WidgetKind]>()

  /// A fetch that waits for its answer.
  struct Request {
    var view: WidgetView
    var deadline: MonotonicInstant
    var done: @Sendable (Result<FetchedSnapshot, WidgetError>) -> Void
  }

  /// A widget; with a directory, the last snapshots outlive the process. `fetchMilliseconds` is how
  /// long a fetch waits for the authority.
  public init(
    link: LinkConfiguration, cacheDirectory: String?,
    fetchMilliseconds: Int64 = WidgetLimits.fetchMilliseconds,
    clock: any DeviceClockSource = SystemDeviceClock()
  ) {
    configuration = link
    executor = SerialQueueExecutor(on: link.machine.queue(label: "wristwire.widget"))
    self.clock = clock
    self.fetchMilliseconds = fetchMilliseconds
    shelf = SnapshotShelf(directory: cacheDirectory, token: link.token)
  }

  /// The client's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What `view` shows. The server is told the hash of what is kept, and sends nothing when that is
  /// still right; while it cannot be reached the kept snapshot is the answer.
  ///
  /// Throws `unreachable` when nothing is kept either, and `refused` when the server does not want
  /// this device.
  public func fetch(_ view: WidgetView) async throws(WidgetError) -> FetchedSnapshot {
    guard !wasStopped else { throw .stopped }
    let id = nextRequest()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(view, id) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      executor.queue.async { [weak self] in
        self?.assumeIsolated { $0.finish(id, .failure(.cancelled)) }
      }
    }
    return try result.get()
  }

  /// The same for owners without tasks: `done` is told on the client's queue.
  package func fetch(
    _ view: WidgetView,
    then done: @escaping @Sendable (Result<FetchedSnapshot, WidgetError>) -> Void
  ) {
    guard !wasStopped else { return done(.failure(.stopped)) }
    begin(view, nextRequest(), done)
  }

  private func nextRequest() -> UInt64 {
    connect()
    lastRequest += 1
    return lastRequest
  }

  private func begin(
    _ view: WidgetView, _ id: UInt64,
    _ done: @escaping @Sendable (Result<FetchedSnapshot, WidgetError>) -> Void
  ) {
    let deadline = configuration.machine.now().advanced(milliseconds: fetchMilliseconds)
    begin(Request(view: view, deadline: deadline, done: done), id)
  }

  /// Which kinds changed visibly, as the server tells it; connects if the client has not. After a
  /// connection that was lost they are all that were fetched: what changed meanwhile nobody told.
  public func reloads() -> AsyncStream<[WidgetKind]> {
    if !wasStopped { connect() }
    return reloadBroadcast.stream(buffering: .unbounded)
  }

  /// Ends the connection and all streams; what still waits is answered `stopped`. A stopped client
  /// stays stopped.
  public func stop() async {
    close()
  }

  private func close() {
    wasStopped = true
    link?.assumeIsolated { $0.stop() }
    link = nil
    alarm?.cancel()
    alarm = nil
    for id in requests.keys { finish(id, .failure(.stopped)) }
    reloadBroadcast.finish()
  }

  private func connect() {
    guard link == nil else { return }
    alarm = executor.queue.alarm { [weak self] in self?.assumeIsolated { $0.tick() } }
    let link = AuthorityLink(
      configuration, clock: clock, executor: executor,
      owner: LinkOwner(
        greeting: { [configuration, clock] in
          Hello(
            token: configuration.token, clock: clock.now(), code: configuration.credential.code,
            deviceName: configuration.deviceName)
        },
        handle: { [weak self] event in self?.assumeIsolated { $0.handle(event) } }))
    self.link = link
    link.assumeIsolated { $0.start() }
  }
}
