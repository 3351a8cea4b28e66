internal import AuthorityLink
internal import Transport
internal import WatchClient
internal import WatchTransfer
internal import WireFormat

extension Harness {
  /// The machines of a client, told whatever a hostile server says.
  static let clients = Harness(
    "clients", "moves of a client and frames of a server, fed to link, outbox and surface",
    bytesMax: 4_096, mutations: 10_000
  ) {
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    let address = try SocketAddress(parsing: "unix:/fuzzed")
    return { bytes in
      let client = FuzzedClient(
        LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32)),
        decoder, encoder)
      var feed = ByteFeed(bytes)
      var moves = 0
      while !feed.isAtEnd, moves < 300 {
        try client.move(&feed)
        moves += 1
      }
      try client.end()
    }
  }
}

/// Link, outbox and surface of one client, without sockets and files.
private final class FuzzedClient {
  private var link: LinkMachine
  private var outbox = OutboxMachine()
  private var surface = SurfaceMachine()
  private var now = MonotonicInstant(nanoseconds: 1_000_000_000)
  private var drawn: UInt64 = 0
  private let decoder: MessageDecoder
  private let encoder: MessageEncoder

  init(_ configuration: LinkConfiguration, _ decoder: MessageDecoder, _ encoder: MessageEncoder) {
    link = LinkMachine(configuration, seed: 1)
    self.decoder = decoder
    self.encoder = encoder
    _ = outbox.opened(fresh: fresh())
    take(link.start())
  }

  func move(_ feed: inout ByteFeed) throws(BrokenProperty) {
    switch feed.byte() % 8 {
    case 0: take(link.connected(at: now))
    case 1: take(link.disconnected(.greetingTimeout, at: now))
    case 2:
      now = now.advanced(milliseconds: Int64(1) << Int64(feed.byte() % 22))
      take(link.tick(at: now))
    case 3: outbox.submitted(body: Array(feed.counted().prefix(64)))
    case 4: outbox.synced()
    case 5: surface.askForEverything()
    default: hear(feed.counted())
    }
    try check()
  }

  /// Everything a client may say is something a server reads.
  func check() throws(BrokenProperty) {
    try require(outbox.greeting.allSatisfy(\.isSound), "a greeting with numbers out of order")
    try send(
      .hello(
        Hello(
          token: [UInt8](repeating: 1, count: 32), incarnations: outbox.greeting,
          cursor: surface.state.cursor)), bytesMax: FrameLimits.greetingFrameBytesMax)
    for act in outbox.acts(at: now) {
      try send(.act(act), bytesMax: FrameLimits.clientFrameBytesMax)
    }
  }

  /// Written anew and opened, the outbox waits for the same.
  func end() throws(BrokenProperty) {
    var again = OutboxMachine()
    for record in outbox.records { again.restore(record) }
    try require(again.waitingCount == outbox.waitingCount, "written anew, other actions wait")
  }

  private func send(_ message: ClientMessage, bytesMax: Int) throws(BrokenProperty) {
    let payload = encoder.frame(message).dropFirst(FrameLimits.prefixBytes)
    try require(payload.count <= bytesMax, "a client's frame is too long")
    let read = payload.withUnsafeBytes { buffer in
      Result { () throws(WireError) in try decoder.decodeClientMessage(buffer) }
    }
    try require(read == .success(message), "a server reads other than a client says")
  }

  private func hear(_ payload: UnsafeRawBufferPointer) {
    guard let message = try? decoder.decodeServerMessage(payload) else { return }
    let clock = DeviceClock(wall: Instant(milliseconds: now.nanoseconds / 1_000_000))
    take(link.received(message, at: now, clock: clock))
  }

  private func take(_ steps: [LinkMachine.Step]) {
    for case .report(let event) in steps {
      switch event {
      case .clockOffset(let milliseconds):
        surface.received(clockOffsetMilliseconds: milliseconds)
        _ = surface.state.correctedNow(DeviceClock(wall: Instant(milliseconds: 0)))
      case .welcomed(let welcome):
        surface.received(welcome)
        _ = outbox.received(welcome) { self.fresh() }
      case .message(let message): take(message)
      case .disconnected, .ended:
        surface.disconnected()
        outbox.disconnected()
      }
    }
  }

  private func take(_ message: ServerMessage) {
    switch message {
    case .update(let update):
      _ = surface.received(update) { try? decoder.decodeFacet($0) }
    case .receipt(let receipt): _ = outbox.received(receipt)
    case .conflict(let stored): _ = outbox.receivedConflict(stored) { self.fresh() }
    case .settled(let settled): _ = outbox.receivedSettled(settled)
    case .hold(let hold): _ = outbox.received(hold, at: now) { self.fresh() }
    case .snapshot(let snapshot): _ = try? decoder.decodeTimeline(snapshot.content)
    case .welcome, .notModified, .reload, .page, .chunkState, .ping, .pong, .goodbye: break
    }
  }

  private func fresh() -> IncarnationID {
    drawn += 1
    return IncarnationID(high: 7, low: drawn)
  }
}
