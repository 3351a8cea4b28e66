public import AuthorityLink
public import Transport
public import WatchTransfer
internal import WireFormat

/// What a live activity tells the program around it.
public enum ActivityEvent: Sendable {
  case connected(Welcome)
  /// What there is to show: it changed, was confirmed, or is not confirmed any more.
  case shown(SurfaceState)
  /// The connection is gone; the client comes back by itself.
  case disconnected(LinkFailure)
  /// The server does not want this device; see `LinkEvent.ended`.
  case ended(Goodbye)
}

/// A live-activity surface: hears what the authority shows of a running session and match, at most
/// every 5 s, and asks for nothing. It has no outbox, and keeps nothing beyond its process: an
/// activity ends with its session.
///
/// Nothing is left of it after `stop`: no task, no descriptor.
public actor ActivityClient {
  /// The queue that everything runs on.
  public nonisolated let executor: SerialQueueExecutor
  private let configuration: LinkConfiguration
  private let clock: any DeviceClockSource
  private let decoder = MessageDecoder(limits: .fromServer)
  private var surface = SurfaceMachine()
  private var link: AuthorityLink?
  private var wasStopped = false
  private nonisolated let broadcast = Broadcast<ActivityEvent>()

  /// An activity that was never shown anything.
  public init(link: LinkConfiguration, clock: any DeviceClockSource = SystemDeviceClock()) {
    configuration = link
    executor = SerialQueueExecutor(on: link.machine.queue(label: "wristwire.activity"))
    self.clock = clock
  }

  /// The client's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// What the surface shows now.
  public var state: SurfaceState { surface.state }

  /// Begins to connect, and stays connected until `stop`.
  public func start() {
    guard !wasStopped, link == nil else { return }
    let link = AuthorityLink(
      configuration, clock: clock, executor: executor,
      owner: LinkOwner(
        greeting: { [weak self, token = configuration.token] in
          self?.assumeIsolated { $0.greeting() } ?? Hello(token: token)
        },
        vitals: { [weak self] in self?.assumeIsolated { $0.vitals() } ?? LinkOwner.Vitals() },
        handle: { [weak self] event in self?.assumeIsolated { $0.handle(event) } }))
    self.link = link
    link.assumeIsolated { $0.start() }
  }

  /// Ends the connection and all streams. A stopped client stays stopped.
  public func stop() async {
    close()
  }

  /// Everything that happens from now on.
  public func events() -> AsyncStream<ActivityEvent> {
    broadcast.stream(buffering: .unbounded)
  }

  private func close() {
    wasStopped = true
    link?.assumeIsolated { $0.stop() }
    link = nil
    surface.disconnected()
    broadcast.finish()
  }

  private func greeting() -> Hello {
    Hello(
      token: configuration.token, cursor: surface.state.cursor,
      minimumIntervalMilliseconds: DeviceKind.activity.minimumIntervalMilliseconds,
      clock: clock.now(), code: configuration.credential.code,
      deviceName: configuration.deviceName)
  }

  private func vitals() -> LinkOwner.Vitals {
    LinkOwner.Vitals(shownRevision: surface.state.revision > 0 ? surface.state.revision : nil)
  }

  private func handle(_ event: LinkEvent) {
    switch event {
    case .welcomed(let welcome):
      // Another account's token: what was shown is none of its business.
      if let known = surface.state.account, known != welcome.account { surface = SurfaceMachine() }
      surface.received(welcome)
      broadcast.send(.connected(welcome))
    case .message(.update(let update)): received(update)
    case .message: break
    case .clockOffset(let milliseconds):
      surface.received(clockOffsetMilliseconds: milliseconds)
      tell()
    case .disconnected(let failure, _):
      surface.disconnected()
      broadcast.send(.disconnected(failure))
      tell()
    case .ended(let goodbye):
      surface.disconnected()
      broadcast.send(.ended(goodbye))
    }
  }

  private func received(_ update: Update) {
    switch surface.received(update, decode: { try? decoder.decodeFacet($0) }) {
    case .applied: tell()
    case .resume(let cursor): link?.assumeIsolated { $0.send(.resume(cursor)) }
    case .ignored: break
    }
  }

  /// Before the first update there is nothing to show.
  private func tell() {
    if surface.state.revision > 0 { broadcast.send(.shown(surface.state)) }
  }
}
