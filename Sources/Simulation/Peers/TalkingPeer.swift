internal import AuthorityServer
internal import WatchTransfer
internal import WireFormat

/// One device that says anything at all, and believes nothing that it hears.
final class TalkingPeer {
  let machine: SimulatedMachine
  let device: DeviceID
  let account: AccountID
  let kind: DeviceKind
  let token: [UInt8]
  private(set) var endpoint: Endpoint?
  /// Since the newest connection: whether the server welcomed it.
  private(set) var isWelcome = false
  /// Answers to acts and fetches, for numbering the next and naming what is known.
  var nextNumber: ActionNumber = 1
  private(set) var lastNonce: UInt64 = 0
  private(set) var knownHash: UInt64?
  private(set) var cursor: Cursor?
  /// How far its uploads are, as it last heard.
  private(set) var uploaded: [AttachmentHash: Int64] = [:]
  /// Whether what it hears is taken from the socket.
  var isReading = true
  private let decoder = MessageDecoder(limits: .fromServer)
  private let judge: PeerJudge
  private var inbox: [UInt8] = []
  /// What it said on this connection and was not taken for a frame yet; nil: what follows is none.
  private var said: [UInt8]? = []
  private let saidDecoder = MessageDecoder()
  /// Told each message, once it was judged.
  var onHeard: (ServerMessage) -> Void = { _ in }
  private var surface = HeardSurface()

  init(_ member: Int, in world: World, _ network: Network, _ judge: PeerJudge) {
    let (device, token) = PeerCast.members[member]
    machine = SimulatedMachine(device.name, in: world, network)
    account = device.account
    kind = device.kind
    self.device = device.id
    self.token = token
    self.judge = judge
  }

  /// The outbox it numbers by; another after `renew`.
  private(set) var incarnation = IncarnationID(high: 0x1111, low: 1)

  /// Begins another outbox.
  func renew() {
    incarnation = IncarnationID(high: 0x1111, low: incarnation.low % 12 + 1)
    nextNumber = 1
  }

  /// Connects, if it is not.
  func connect() {
    if endpoint != nil { return }
    endpoint = machine.network.connect(from: machine)
    inbox = []
    said = []
    isWelcome = false
    isReading = true
    surface = HeardSurface()
  }

  /// Ends its connection; the server hears of it or not.
  func cut(byReset: Bool) {
    guard let endpoint else { return }
    machine.network.close(endpoint, byReset: byReset)
    self.endpoint = nil
  }

  /// Says no more, and goes on listening.
  func finish() {
    if let endpoint { machine.network.finish(endpoint) }
  }

  /// Says bytes.
  func say(_ bytes: [UInt8]) {
    guard let endpoint, !bytes.isEmpty else { return }
    judge.said(bytes, by: account)
    notePulses(bytes)
    machine.network.transmit(bytes, from: endpoint)
  }

  /// Tells the judge of every pulse that the server may read, however it came about.
  private func notePulses(_ bytes: [UInt8]) {
    said?.append(contentsOf: bytes)
    while let frames = said, !frames.isEmpty {
      let scan = frames.withUnsafeBytes {
        scanFrame($0, payloadBytesMax: FrameLimits.clientFrameBytesMax)
      }
      switch scan {
      case .incomplete: return
      case .failed: said = nil
      case .frame(let length):
        let payload = Array(frames[4..<4 + length])
        said?.removeFirst(4 + length)
        let message = payload.withUnsafeBytes { try? saidDecoder.decodeClientMessage($0) }
        if case .pulse(let pulse)? = message { judge.pulsed(pulse, by: device) }
      }
    }
  }

  /// Hears what has come.
  func listen() {
    guard isReading, let endpoint else { return }
    if !endpoint.inbox.isEmpty {
      inbox += endpoint.inbox
      endpoint.inbox = []
      if let other = endpoint.peer { other.pool?.gotRoom(other) }
    }
    hearFrames()
    if endpoint.isReset || endpoint.isRefused || endpoint.hasFinished { self.endpoint = nil }
  }

  private func hearFrames() {
    while true {
      let scan = inbox.withUnsafeBytes {
        scanFrame($0, payloadBytesMax: FrameLimits.serverFrameBytesMax)
      }
      switch scan {
      case .incomplete: return
      case .failed(let error): return judge.broken("the server's bytes are no frames: \(error)")
      case .frame(let length):
        let payload = Array(inbox[4..<4 + length])
        inbox.removeFirst(4 + length)
        hear(payload)
      }
    }
  }

  private func hear(_ payload: [UInt8]) {
    judge.heard(payload, by: account)
    let message = payload.withUnsafeBytes { bytes in
      Result { () throws(WireError) in try decoder.decodeServerMessage(bytes) }
    }
    switch message {
    case .success(let message):
      take(message)
      onHeard(message)
    case .failure(let error):
      judge.broken("the server says what a client does not read: \(error)")
    }
  }

  private func take(_ message: ServerMessage) {
    switch message {
    case .welcome(let welcome):
      if welcome.account != account { judge.broken("welcomed to another account") }
      isWelcome = true
    case .receipt(let receipt), .conflict(let receipt):
      judge.heard(receipt, of: account)
      if case .receipt = message, case .applied(let revision) = receipt.outcome,
        !kind.facets.isEmpty, surface.isWhole, surface.revision < revision
      {
        judge.broken("a receipt came before its update")
      }
    case .update(let update):
      if let problem = surface.take(update) { judge.broken(problem) }
      cursor = Cursor(epoch: update.epoch, revision: update.to, facetSet: kind.facetSet)
      judge.heard(update, showing: surface, to: kind, of: account)
      for facet in update.facets {
        decodes { () throws(WireError) in _ = try decoder.decodeFacet(facet) }
      }
      for case .live(let live?) in update.readings {
        judge.heard(live, besides: surface.session(decoder))
      }
    case .snapshot(let snapshot):
      knownHash = snapshot.hash
      decodes { () throws(WireError) in _ = try decoder.decodeTimeline(snapshot.content) }
    case .page(let page): judge.heard(page, of: account)
    case .chunkState(let state):
      uploaded[state.hash] = state.offset
      judge.heard(state, of: account)
    case .ping(let ping): lastNonce = ping.nonce
    case .reload: judge.heardReload(by: device)
    case .settled, .hold, .notModified, .pong, .goodbye: break
    }
  }

  private func decodes(_ work: () throws(WireError) -> Void) {
    do throws(WireError) {
      try work()
    } catch {
      judge.broken("the server sends contents that a client does not read: \(error)")
    }
  }
}

/// What a connection has shown so far.
struct HeardSurface {
  private(set) var revision: Revision = 0
  private(set) var facets: [FacetKind: [UInt8]] = [:]
  /// Everything since an update from 0 was heard.
  private(set) var isWhole = false

  /// Takes an update; says what is wrong with its place.
  mutating func take(_ update: Update) -> String? {
    if update.from == 0 {
      facets = [:]
      isWhole = true
    } else if update.from > revision {
      // It asked for what comes after a cursor of its own invention.
      isWhole = false
    }
    for facet in update.facets {
      if facet.revision > update.to { return "a facet is newer than its update" }
      facets[facet.kind] = facet.content
    }
    revision = update.to
    return nil
  }

  /// The session it shows, when that is known: the facet's value, or that there is none.
  func session(_ decoder: MessageDecoder) -> SessionFacet?? {
    guard isWhole, let content = facets[.session],
      case .session(let session)? = try? decoder.decodeFacet(
        EncodedFacet(kind: .session, revision: 1, content: content))
    else { return nil }
    return .some(session)
  }
}
