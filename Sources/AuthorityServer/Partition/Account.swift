internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer

/// One account as its partition keeps it. The shell stays while the account has connections; what
/// it knows leaves memory when nobody uses it.
final class Account {
  let id: AccountID

  /// Everything that is true, the open batch included; nil: not in memory.
  var record: HeldRecord?
  /// The newest turn as of when the account left memory.
  var turnedBeforeLeaving: Instant?
  /// The newest facets, of the newest closed batch.
  var projected = FacetTable()
  /// The facets of the newest durable batch: what surfaces are sent.
  var published = FacetTable()
  /// The revision of the newest durable batch.
  var publishedRevision: Revision = 0
  /// The newest epoch in which the account changed, as of the newest durable batch.
  var publishedEpoch: EpochID?

  /// The newest batch that touches the account and is not durable yet.
  var newestBatch: UInt64?
  /// The journal row since which the account differs from its checkpoint.
  var dirtySinceRow: Int64?
  /// When it became so, by the monotonic clock.
  var dirtySince: Int64 = 0
  /// Actions answered `settled` in this start: their outboxes quarantine them.
  var settled: Set<IncarnationNumber> = []
  /// Of those, how many are told apart; more count no further.
  static let settledMax = 1_024
  /// When it was last used, by the monotonic clock.
  var usedAt: Int64 = 0

  var sessions: [Session] = []
  var devices: [DeviceID: DeviceState] = [:]
  /// The newest pulse of the running session; nil: none, or it is over.
  var live: LivePulse?
  /// The batch that ended the session of the newest pulse: nobody is told before it is durable.
  var liveEndedIn: UInt64 = 0
  /// Encoded snapshots of the present state.
  var snapshots: [WidgetView: CachedSnapshot] = [:]
  /// Update frames of the published state, shared by connections of one set at one revision.
  var updateFrames: [UpdateKey: [UInt8]] = [:]
  /// Whether the journal never had it, so that it is made when it is found to have nothing of it.
  var mayBeMade = false
  /// What waits for the account to be loaded; nil: it is not being loaded.
  var onLoaded: [Partition.Work]?

  init(id: AccountID) {
    self.id = id
  }

  /// Whether nothing is lost when it leaves memory.
  var isClean: Bool { newestBatch == nil && dirtySinceRow == nil && onLoaded == nil }

  /// Up to when it was turned last.
  var newestTurn: Instant? { record?.state.newestTurn ?? turnedBeforeLeaving }

  /// Lets go of what can be read again.
  func evict() {
    turnedBeforeLeaving = newestTurn
    record = nil
    projected = FacetTable()
    published = FacetTable()
    snapshots = [:]
    updateFrames = [:]
  }

  /// What is known of a device, made on first use.
  func state(of device: PairedDevice) -> DeviceState {
    if let state = devices[device.id] { return state }
    let state = DeviceState(device: device)
    devices[device.id] = state
    return state
  }
}

/// Which connections may share an update frame.
struct UpdateKey: Hashable {
  let facetSet: UInt32
  let from: Revision
}

/// A snapshot, encoded once.
struct CachedSnapshot {
  let hash: UInt64
  /// With its frame header.
  let frame: [UInt8]
  /// The answer to a widget that has it already.
  let notModified: [UInt8]
}

/// What a partition knows of a device beyond one connection.
final class DeviceState {
  /// Replaced in a redacted record alone.
  var device: PairedDevice
  var clock = ClockEstimator()
  var session: Session?
  /// Actions without a receipt, as it last said.
  var pending: UInt64 = 0
  /// When it was last heard, by the monotonic clock.
  var heardAt: Int64 = .min / 2
  var acts = TokenBucket()
  var fetches = TokenBucket()
  var queries = TokenBucket()
  var chunks = TokenBucket()
  var resumes = TokenBucket()
  /// Of pings and pongs.
  var pings = TokenBucket()
  var pulses = TokenBucket()
  /// How often a connection of the device may replace an older one.
  var replacements = TokenBucket()
  /// Whether surfaces were told that it is present.
  var isShownPresent = false
  /// What surfaces were told that it has without a receipt.
  var shownPending: UInt64 = 0

  init(device: PairedDevice) {
    self.device = device
  }
}

/// How much of a rate is left; times by the monotonic clock, in milliseconds.
struct TokenBucket {
  /// In thousandths, so that what comes back each millisecond is a whole number. nil: full.
  var level: Int?
  var filledAt: Int64 = 0

  /// Takes one if there is one: `perSecond` come back each second, up to `burst`.
  mutating func take(at now: Int64, perSecond: Int, burst: Int) -> Bool {
    let elapsed = min(max(now - filledAt, 0), 3_600_000)
    let full = burst * 1_000
    let present = min(full, (level ?? full) + Int(elapsed) * perSecond)
    filledAt = max(filledAt, now)
    level = present >= 1_000 ? present - 1_000 : present
    return present >= 1_000
  }
}
