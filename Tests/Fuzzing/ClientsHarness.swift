internal import AuthorityLink
internal import Transport
internal import WatchClient
internal import WatchTransfer
internal import WireFormat

extension Harness {
  /// The machines of a client, told whatever a hostile server says.
  static let clients = Harness(
    "clients", "moves of a client and frames of a server, fed to link, outbox, surface and upload",
    bytesMax: 4_096, mutations: 10_000
  ) {
    let decoder = MessageDecoder(limits: .fromServer)
    let encoder = MessageEncoder()
    let address = try SocketAddress(parsing: "unix:/fuzzed")
    guard let photo = AttachmentHash(bytes: Array(1...32)) else { throw BrokenProperty("no hash") }
    return { bytes in
      let client = FuzzedClient(
        LinkConfiguration(address: address, token: [UInt8](repeating: 1, count: 32)),
        photo, decoder, encoder)
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

/// Link, outbox, surface and upload of one client, without sockets and files.
private final class FuzzedClient {
  private var link: LinkMachine
  private var outbox = OutboxMachine()
  private var surface = SurfaceMachine()
  private var upload: FuzzedUpload
  private var now = MonotonicInstant(nanoseconds: 1_000_000_000)
  private var drawn: UInt64 = 0
  private let decoder: MessageDecoder
  private let encoder: MessageEncoder

  init(
    _ configuration: LinkConfiguration, _ photo: AttachmentHash, _ decoder: MessageDecoder,
    _ encoder: MessageEncoder
  ) {
    link = LinkMachine(configuration, seed: 1)
    upload = FuzzedUpload(hash: photo)
    self.decoder = decoder
    self.encoder = encoder
    _ = outbox.opened(fresh: fresh())
    _ = link.start()
  }

  func move(_ feed: inout ByteFeed) throws(BrokenProperty) {
    let choice = feed.byte()
    if choice >= 0xF0 { return try moveUpload(choice, &feed) }
    switch choice % 8 {
    case 0: try take(link.connected(at: now))
    case 1: try take(link.disconnected(.greetingTimeout, at: now))
    case 2:
      now = now.advanced(milliseconds: Int64(1) << Int64(feed.byte() % 22))
      try take(link.tick(at: now))
    case 3: outbox.submitted(body: Array(feed.counted().prefix(64)))
    case 4: outbox.synced()
    case 5: surface.askForEverything()
    default: try hear(feed.counted())
    }
    try check()
  }

  private func moveUpload(_ choice: UInt8, _ feed: inout ByteFeed) throws(BrokenProperty) {
    if choice & 3 == 0 {
      return try send(
        .chunk(upload.begin(chunkBytesMax: Int(feed.byte()) - 128)), bytesMax: 128)
    }
    var state = ChunkState(hash: upload.hash, offset: Int64(feed.byte()))
    let refusal = feed.byte()
    state.refusal = refusal < 128 ? nil : ChunkRefusal(rawValue: refusal % 8)
    state.isComplete = refusal == 127
    try take(.chunkState(state))
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

  private func hear(_ payload: UnsafeRawBufferPointer) throws(BrokenProperty) {
    guard let message = try? decoder.decodeServerMessage(payload) else { return }
    let clock = DeviceClock(wall: Instant(milliseconds: now.nanoseconds / 1_000_000))
    try take(link.received(message, at: now, clock: clock))
  }

  private func take(_ steps: [LinkMachine.Step]) throws(BrokenProperty) {
    for case .report(let event) in steps {
      switch event {
      case .clockOffset(let milliseconds):
        surface.received(clockOffsetMilliseconds: milliseconds)
        _ = surface.state.correctedNow(DeviceClock(wall: Instant(milliseconds: 0)))
      case .welcomed(let welcome):
        surface.received(welcome)
        _ = outbox.received(welcome) { self.fresh() }
      case .message(let message): try take(message)
      case .disconnected, .ended:
        surface.disconnected()
        outbox.disconnected()
      }
    }
  }

  private func take(_ message: ServerMessage) throws(BrokenProperty) {
    switch message {
    case .update(let update):
      _ = surface.received(update) { try? decoder.decodeFacet($0) }
    case .receipt(let receipt): _ = outbox.received(receipt)
    case .conflict(let stored): _ = outbox.receivedConflict(stored) { self.fresh() }
    case .settled(let settled): _ = outbox.receivedSettled(settled)
    case .hold(let hold): _ = outbox.received(hold, at: now) { self.fresh() }
    case .snapshot(let snapshot): _ = try? decoder.decodeTimeline(snapshot.content)
    case .chunkState(let state):
      if let chunk = try upload.received(state, at: now) {
        try send(.chunk(chunk), bytesMax: FrameLimits.clientFrameBytesMax)
      }
    // Pages, and what a widget is told besides: `talks` has the whole libraries.
    case .welcome, .notModified, .reload, .page, .ping, .pong, .goodbye: break
    }
  }

  private func fresh() -> IncarnationID {
    drawn += 1
    return IncarnationID(high: 7, low: drawn)
  }
}

/// One photo after another of 20 bytes: each ends, whatever the server says of it.
private struct FuzzedUpload {
  /// Nobody compares it with the bytes here.
  let hash: AttachmentHash
  private static let bytes = Array(UInt8(0)..<20)
  /// Each of its bytes, once for every answer that brings nothing, for wrong bytes and for good.
  private static let answersMax = bytes.count * (UploadMachine.standstillsMax + 2)

  private var machine: UploadMachine
  private var chunkBytesMax = AttachmentLimits.chunkBytesMax
  /// Since it began or waited last.
  private var answers = 0

  init(hash: AttachmentHash) {
    self.hash = hash
    machine = UploadMachine(hash: hash, bytes: Self.bytes)
  }

  mutating func begin(chunkBytesMax: Int) -> Chunk {
    self.chunkBytesMax = chunkBytesMax
    answers = 0
    return machine.begin(chunkBytesMax: chunkBytesMax)
  }

  mutating func received(
    _ state: ChunkState, at now: MonotonicInstant
  ) throws(BrokenProperty) -> Chunk? {
    guard state.hash == hash else { return nil }
    answers += 1
    try require(answers <= Self.answersMax, "an upload goes on for ever")
    switch machine.received(state, at: now) {
    case .send(let chunk):
      let end = Int(chunk.offset) + chunk.bytes.count
      try require(
        chunk.offset >= 0 && end <= Self.bytes.count
          && chunk.bytes == Array(Self.bytes[Int(chunk.offset)..<end]),
        "a chunk that is not of the photo's bytes")
      try require(
        (1...max(1, chunkBytesMax)).contains(chunk.bytes.count), "a chunk of no or too many bytes")
      return chunk
    case .wait:
      let wait = machine.pausedUntil.map { now.milliseconds(to: $0) }
      try require(
        wait.map { OutboxLimits.holdMilliseconds.contains($0) } ?? false,
        "an upload that waits has no end of its wait")
      answers = 0
    case .done, .refused, .failed:
      machine = UploadMachine(hash: hash, bytes: Self.bytes)
      chunkBytesMax = AttachmentLimits.chunkBytesMax
      answers = 0
    }
    return nil
  }
}
