public import WatchTransfer

/// A device of a test: a token, an outbox, and what it was shown; it connects to its fixture's
/// server, however often that starts again. Every update and receipt is judged as it comes.
public final class TestDevice {
  public var fixture: ServerFixture {
    didSet {
      oldValue.devices.removeAll { $0.device === self }
      fixture.devices.append(Weak(self))
    }
  }
  public let token: [UInt8]
  public let kind: DeviceKind
  public var outbox = TestOutbox()
  /// Greets with it, and with its token as the secret.
  public var code: PairingCode?
  /// What it calls itself.
  public var deviceName: String?
  /// Outboxes that Hello names; nil: `outbox`.
  public var greeted: [IncarnationState]?
  public var clock: TestClock?
  /// Whether Hello tells the clock.
  public var greetsWithClock = true
  public var state = SurfaceState()
  public private(set) var client: WireClient?
  public private(set) var welcome: Welcome?
  /// When the Welcome came, by the machine's monotonic clock.
  public private(set) var welcomedAt: Int64 = 0
  /// Everything that came on the present connection, in order.
  public private(set) var log: [ServerMessage] = []
  /// Whether pings are answered.
  public var answersPings = true
  /// Whether it connects over the Unix socket, whose buffers are small.
  public var usesUnixSocket = false
  private var nextNonce: UInt64 = 1 << 32

  public init(_ fixture: ServerFixture, token: [UInt8], kind: DeviceKind) {
    self.fixture = fixture
    self.token = token
    self.kind = kind
    fixture.devices.append(Weak(self))
  }

  /// The updates among them that are not of readings alone.
  public var updates: [Update] {
    log.compactMap { message in
      if case .update(let update) = message, !update.isOfReadingsAlone { update } else { nil }
    }
  }

  /// What a device says first.
  public func hello(cursor: Cursor? = nil, minimumInterval: UInt32 = 0) -> Hello {
    Hello(
      token: token, incarnations: greeted ?? [outbox.state], cursor: cursor,
      minimumIntervalMilliseconds: minimumInterval, clock: greetsWithClock ? clock?.reading() : nil,
      code: code, deviceName: deviceName)
  }

  /// Connects with the cursor it has, and waits for the first update.
  @discardableResult
  public func connect(minimumInterval: UInt32 = 0) throws -> Update {
    try connect(cursor: state.cursor(facetSet: kind.facetSet), minimumInterval: minimumInterval)
  }

  /// Connects with a cursor of the test's choice, and waits for the first update.
  @discardableResult
  public func connect(cursor: Cursor?, minimumInterval: UInt32 = 0) throws -> Update {
    try begin(cursor: cursor, minimumInterval: minimumInterval)
    _ = try waitForWelcome()
    // A live value may come along with the first one.
    return try wait { if case .update(let update) = $0 { update } else { nil } }
  }

  /// Connects and greets, and waits for nothing.
  public func begin(cursor: Cursor? = nil, minimumInterval: UInt32 = 0) throws {
    log = []
    welcome = nil
    state.isJoining = true
    state.rewind(to: cursor?.revision ?? 0)
    client =
      usesUnixSocket ? try WireClient(unixPath: fixture.unixPath) : try fixture.client()
    try send(.hello(hello(cursor: cursor, minimumInterval: minimumInterval)))
  }

  /// Forgets what came, and the bodies of what has its receipt, so that a long test stays small.
  public func forgetLog() {
    log = []
    outbox.forgetConfirmed()
  }

  /// Ends the connection.
  public func disconnect() { client = nil }

  public func waitForWelcome() throws -> Welcome {
    try wait { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  }

  /// The next update that is not of readings alone.
  @discardableResult
  public func nextUpdate() throws -> Update {
    try wait { message in
      guard case .update(let update) = message, !update.isOfReadingsAlone else { return nil }
      return update
    }
  }

  public func send(_ message: ClientMessage) throws {
    guard let client else { throw WireClient.Failure.closed }
    try client.send(message)
  }

  /// Asks for everything after a cursor again, or for all.
  public func resume(after cursor: Cursor?) throws {
    state.ask(after: cursor?.revision ?? 0)
    try send(.resume(cursor))
  }

  /// The next message, judged and taken down; pings are answered.
  public func next() throws -> ServerMessage {
    guard let client else { throw WireClient.Failure.closed }
    let message = try client.next()
    log.append(message)
    switch message {
    case .welcome(let welcome):
      self.welcome = welcome
      welcomedAt = TestClock.machineMilliseconds()
    case .update(let update):
      guard welcome != nil else { throw WireClient.Failure.unexpected("update before Welcome") }
      try state.take(update)
    case .receipt(let receipt):
      if case .applied(let revision) = receipt.outcome, revision > state.revision {
        throw WireClient.Failure.unexpected("receipt before its update")
      }
    case .ping(let ping):
      if answersPings { try send(.pong(Pong(nonce: ping.nonce, clock: clock?.reading()))) }
    default: break
    }
    return message
  }

  /// Takes messages in until `pick` takes one; a goodbye ends it.
  public func wait<Value>(_ pick: (ServerMessage) -> Value?) throws -> Value {
    while true {
      let message = try next()
      if let value = pick(message) { return value }
      if case .goodbye(let goodbye) = message {
        throw WireClient.Failure.unexpected("goodbye \(goodbye.reason.word)")
      }
    }
  }

  /// Takes in everything that was sent before now; returns it.
  @discardableResult
  public func sync() throws -> [ServerMessage] {
    let start = log.count
    nextNonce += 1
    let nonce = nextNonce
    try send(.ping(Ping(nonce: nonce)))
    _ = try wait { if case .pong(let pong) = $0, pong.nonce == nonce { true } else { nil } }
    state.synced()
    return Array(log[start..<(log.count - 1)])
  }

  /// Takes messages in until the surface is at a revision.
  public func catchUp(to revision: Revision) throws {
    while state.revision < revision { _ = try next() }
  }

  public func goodbye() throws -> Goodbye {
    while true {
      if case .goodbye(let goodbye) = try next() { return goodbye }
    }
  }
}

/// A device that may be gone.
struct Weak {
  weak var device: TestDevice?

  init(_ device: TestDevice) { self.device = device }
}

extension Update {
  /// Whether it says nothing but readings.
  var isOfReadingsAlone: Bool { !readings.isEmpty && facets.isEmpty && from == to }
}
