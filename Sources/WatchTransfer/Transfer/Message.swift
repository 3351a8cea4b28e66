/// What a client sends.
public enum ClientMessage: Hashable, Sendable {
  case hello(Hello)
  case act(Act)
  /// Everything after the cursor again; nil: the whole state.
  case resume(Cursor?)
  case fetch(Fetch)
  case query(Query)
  case chunk(Chunk)
  case ping(Ping)
  case pong(Pong)
  case goodbye(Goodbye)
  case pulse(Pulse)
}

/// What the server sends.
public enum ServerMessage: Hashable, Sendable {
  case welcome(Welcome)
  case receipt(Receipt)
  /// The number was decided with other bytes; the stored receipt.
  case conflict(Receipt)
  /// The number was decided, and its receipt is no longer kept.
  case settled(IncarnationNumber)
  case hold(Hold)
  case update(Update)
  case snapshot(Snapshot)
  case notModified(NotModified)
  case reload([WidgetKind])
  case page(Page)
  case chunkState(ChunkState)
  case ping(Ping)
  case pong(Pong)
  case goodbye(Goodbye)
}

/// A sign of life, and a sample of the sender's clock.
public struct Ping: Hashable, Sendable {
  public var nonce: UInt64
  /// Of a device.
  public var clock: DeviceClock?
  /// What the surface has shown.
  public var shownRevision: Revision?
  /// Actions without a receipt.
  public var pending: UInt64?

  /// A ping.
  public init(
    nonce: UInt64, clock: DeviceClock? = nil, shownRevision: Revision? = nil, pending: UInt64? = nil
  ) {
    self.nonce = nonce
    self.clock = clock
    self.shownRevision = shownRevision
    self.pending = pending
  }
}

/// The answer to a ping, with the answerer's clock.
public struct Pong: Hashable, Sendable {
  public var nonce: UInt64
  /// Of a device.
  public var clock: DeviceClock?
  /// Of the server.
  public var serverClock: Instant?

  /// A pong.
  public init(nonce: UInt64, clock: DeviceClock? = nil, serverClock: Instant? = nil) {
    self.nonce = nonce
    self.clock = clock
    self.serverClock = serverClock
  }
}

/// Every facet that changed after `from`.
public struct Update: Hashable, Sendable {
  public var epoch: EpochID
  /// 0: the whole state, which replaces what the client had.
  public var from: Revision
  public var to: Revision
  public var facets: [EncodedFacet]
  public var readings: [Reading]
  public var cues: [Cue]

  /// An update.
  public init(
    epoch: EpochID, from: Revision, to: Revision, facets: [EncodedFacet] = [],
    readings: [Reading] = [], cues: [Cue] = []
  ) {
    self.epoch = epoch
    self.from = from
    self.to = to
    self.facets = facets
    self.readings = readings
    self.cues = cues
  }
}

/// A facet as it travels and is stored: encoded once, when it changes.
public struct EncodedFacet: Hashable, Sendable {
  public var kind: FacetKind
  /// The revision that last changed its bytes.
  public var revision: Revision
  public var content: [UInt8]

  /// A facet's bytes.
  public init(kind: FacetKind, revision: Revision, content: [UInt8]) {
    self.kind = kind
    self.revision = revision
    self.content = content
  }
}

/// A moment worth a haptic, shown live or never.
public struct Cue: Hashable, Sendable {
  /// What happened.
  public enum Kind: UInt8, CaseIterable, Sendable {
    case goal = 1
    case workoutDone = 2
    case setDone = 3
  }

  public var kind: Kind
  public var at: Instant

  /// A cue.
  public init(kind: Kind, at: Instant) {
    self.kind = kind
    self.at = at
  }
}

/// What a widget asks for.
public struct Fetch: Hashable, Sendable {
  public var view: WidgetView
  /// Hash of the snapshot the widget has.
  public var knownHash: UInt64?

  /// A request.
  public init(view: WidgetView, knownHash: UInt64? = nil) {
    self.view = view
    self.knownHash = knownHash
  }
}

/// A widget's timeline as it travels.
public struct Snapshot: Hashable, Sendable {
  public var view: WidgetView
  public var revision: Revision
  /// Of the content.
  public var hash: UInt64
  /// An encoded `WidgetTimeline`.
  public var content: [UInt8]

  /// A snapshot.
  public init(view: WidgetView, revision: Revision, hash: UInt64, content: [UInt8]) {
    self.view = view
    self.revision = revision
    self.hash = hash
    self.content = content
  }
}

/// The widget has it already.
public struct NotModified: Hashable, Sendable {
  public var view: WidgetView
  public var revision: Revision

  /// An answer.
  public init(view: WidgetView, revision: Revision) {
    self.view = view
    self.revision = revision
  }
}
