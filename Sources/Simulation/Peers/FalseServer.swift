internal import Transport
internal import WatchTransfer
internal import WireFormat

/// A server that says what it is told to, and judges what client libraries say to it. Once it is
/// honest it answers everybody as it should.
final class FalseServer {
  /// One connection, and what was said on it.
  private final class Wire {
    let endpoint: Endpoint
    var inbox: [UInt8] = []
    var hasGreeted = false
    /// The most that a Welcome on it has allowed; 0: there was none.
    var frameBytesMax = 0
    /// Chunks that may still come, by the photo: one for each state that was said.
    var chunksDue: [AttachmentHash: Int] = [:]
    /// Views that were fetched on it.
    var fetches = 0
    /// Bytes were said that nobody has counted.
    var isGarbled = false

    init(_ endpoint: Endpoint) { self.endpoint = endpoint }
  }

  let machine: SimulatedMachine
  /// The first promise that a client broke.
  private(set) var violation: String?
  var isHonest = false
  /// Whether it says of every view that is fetched that nothing has changed.
  var saysNotModified = false
  /// Uploads that the clients' programs asked for, by the photo.
  var uploadsBegun: [AttachmentHash: Int] = [:]
  /// Fetches that the clients' programs asked for.
  var fetchesBegun = 0
  private var kept: [AttachmentHash: Int64] = [:]
  private var wires: [Wire] = []
  /// Of the newest question or fetch.
  private(set) var lastQuery: UInt64 = 0
  private(set) var lastView: WidgetView?
  private let encoder = MessageEncoder()
  private let decoder = MessageDecoder()
  private let clientDecoder = MessageDecoder(limits: .fromServer)

  /// A server on `machine`.
  init(_ machine: SimulatedMachine) {
    self.machine = machine
    machine.network.listen(machine) { [weak self] socket in
      guard let self, let endpoint = self.machine.network.endpoint(socket.descriptor) else {
        return
      }
      wires.append(Wire(endpoint))
    }
  }

  /// Says a message on every connection.
  func say(_ message: ServerMessage) {
    let frame = encoder.frame(message)
    for wire in wires { say(frame, message, on: wire) }
  }

  /// Says bytes, whatever they are.
  func say(bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    let message = bytes.dropFirst(FrameLimits.prefixBytes).withUnsafeBytes { payload in
      try? clientDecoder.decodeServerMessage(payload)
    }
    for wire in wires {
      wire.isGarbled = true
      say(bytes, message, on: wire)
    }
  }

  private func say(_ frame: [UInt8], _ message: ServerMessage?, on wire: Wire) {
    switch message {
    case .welcome(let welcome):
      wire.frameBytesMax = max(wire.frameBytesMax, Int(welcome.frameBytesMax))
    case .chunkState(let state): wire.chunksDue[state.hash, default: 0] += 1
    default: break
    }
    machine.network.transmit(frame, from: wire.endpoint)
  }

  /// Ends every connection.
  func cut(byReset: Bool) {
    for wire in wires { machine.network.close(wire.endpoint, byReset: byReset) }
    wires = []
  }

  /// Hears what has come.
  func listen() {
    for wire in wires {
      if !wire.endpoint.inbox.isEmpty {
        wire.inbox += wire.endpoint.inbox
        wire.endpoint.inbox = []
        if let other = wire.endpoint.peer { other.pool?.gotRoom(other) }
      }
      hearFrames(of: wire)
    }
    wires.removeAll { $0.endpoint.isReset || $0.endpoint.hasFinished }
  }

  private func hearFrames(of wire: Wire) {
    while violation == nil {
      let scan = wire.inbox.withUnsafeBytes {
        scanFrame($0, payloadBytesMax: FrameLimits.clientFrameBytesMax)
      }
      switch scan {
      case .incomplete: return
      case .failed(let error): return broken("a client's bytes are no frames: \(error)")
      case .frame(let length):
        let payload = Array(wire.inbox[4..<4 + length])
        wire.inbox.removeFirst(4 + length)
        let message = payload.withUnsafeBytes { try? decoder.decodeClientMessage($0) }
        guard let message else { return broken("a client says what a server does not read") }
        hear(message, bytes: length, on: wire)
      }
    }
  }

  private func hear(_ message: ClientMessage, bytes: Int, on wire: Wire) {
    switch message {
    case .hello:
      if wire.hasGreeted { broken("a client greets twice") }
      if bytes > FrameLimits.greetingFrameBytesMax { broken("a greeting is too long") }
      wire.hasGreeted = true
      if isHonest { say(.welcome(Self.welcome()), on: wire) }
    case .ping(let ping):
      let clock = Instant(milliseconds: machine.wallMilliseconds())
      if isHonest { say(.pong(Pong(nonce: ping.nonce, serverClock: clock)), on: wire) }
    case .chunk(let chunk):
      hear(chunk, bytes: bytes, on: wire)
    case .query(let query):
      lastQuery = query.id
      let page = Page(id: query.id, revision: 1, answer: .refused(.unsupported))
      if isHonest { say(.page(page), on: wire) }
    case .fetch(let fetch):
      lastView = fetch.view
      wire.fetches += 1
      // Once, and once more without a hash.
      if wire.fetches > 2 * fetchesBegun { broken("a widget that fetches without end") }
      let answer = NotModified(view: fetch.view, revision: 1)
      if saysNotModified { say(.notModified(answer), on: wire) }
    case .act, .resume, .pong, .goodbye, .pulse:
      break
    }
    if !wire.hasGreeted { broken("a client does not greet first") }
  }

  private func hear(_ chunk: Chunk, bytes: Int, on wire: Wire) {
    guard let photo = SimulatedPhotos.bytes(of: chunk.hash), chunk.totalBytes == photo.count else {
      return broken("a chunk of no photo")
    }
    let end = chunk.offset + Int64(chunk.bytes.count)
    guard chunk.offset >= 0, end <= photo.count,
      Array(photo[Int(chunk.offset)..<Int(end)]) == chunk.bytes
    else { return broken("a chunk that is not of the photo's bytes") }
    // A frame that takes no byte of a photo takes one all the same.
    let isCounted = !wire.isGarbled
    if isCounted, bytes > max(wire.frameBytesMax, 256) { broken("a chunk is too long for a frame") }
    let due = wire.chunksDue[chunk.hash, default: 0] + uploadsBegun[chunk.hash, default: 0] + 1
    if isCounted, due <= 0 { broken("more chunks than answers") }
    wire.chunksDue[chunk.hash, default: 0] -= 1
    guard isHonest else { return }
    let known = kept[chunk.hash] ?? 0
    if chunk.offset == known { kept[chunk.hash] = end }
    let offset = kept[chunk.hash] ?? 0
    let isComplete = offset == photo.count
    say(
      .chunkState(ChunkState(hash: chunk.hash, offset: offset, isComplete: isComplete)), on: wire)
  }

  private func say(_ message: ServerMessage, on wire: Wire) {
    say(encoder.frame(message), message, on: wire)
  }

  /// Notes that a promise was broken; the first counts.
  func broken(_ what: String) {
    if violation == nil { violation = what }
  }

  /// A Welcome to a client of account `number`.
  static func welcome(
    account number: UInt64 = 1, frameBytesMax: UInt32 = 65_536, inFlightMax: UInt32 = 64
  ) -> Welcome {
    Welcome(
      account: AccountID(high: 1, low: number), device: DeviceID(high: 1, low: 1), kind: .watch,
      epoch: EpochID(high: 1, low: 1), revision: 1, facetSet: DeviceKind.watch.facetSet,
      expected: [], serverClock: Instant(milliseconds: SimulatedMachine.epochMilliseconds),
      leaseMilliseconds: 30_000, frameBytesMax: frameBytesMax, inFlightMax: inFlightMax,
      reofferMax: 100)
  }
}
