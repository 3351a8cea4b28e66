/// An outbox as its device keeps it: oldest <= confirmed + 1 <= next < 2^53.
public struct IncarnationState: Hashable, Sendable {
  public var incarnation: IncarnationID
  /// Every number up to it has its receipt.
  public var confirmed: ActionNumber
  /// Smallest number still kept; `confirmed + 1` if none is.
  public var oldest: ActionNumber
  /// The number the next action will get.
  public var next: ActionNumber

  /// The state of one outbox.
  public init(
    incarnation: IncarnationID, confirmed: ActionNumber, oldest: ActionNumber, next: ActionNumber
  ) {
    self.incarnation = incarnation
    self.confirmed = confirmed
    self.oldest = oldest
    self.next = next
  }

  /// Whether the three numbers can be an outbox's.
  public var isSound: Bool {
    next < ActionLimits.numberEnd && confirmed < next && oldest >= 1 && oldest <= confirmed + 1
  }
}

/// A number of an incarnation.
public struct IncarnationNumber: Hashable, Sendable {
  public var incarnation: IncarnationID
  public var number: ActionNumber

  /// `number` of `incarnation`.
  public init(incarnation: IncarnationID, number: ActionNumber) {
    self.incarnation = incarnation
    self.number = number
  }
}

/// Where a surface stands: everything up to `revision` of `epoch` was shown.
public struct Cursor: Hashable, Sendable {
  public var epoch: EpochID
  public var revision: Revision
  public var facetSet: UInt32

  /// A cursor.
  public init(epoch: EpochID, revision: Revision, facetSet: UInt32) {
    self.epoch = epoch
    self.revision = revision
    self.facetSet = facetSet
  }
}

/// A client's first frame.
public struct Hello: Hashable, Sendable {
  public var version: UInt32
  /// 32 bytes; with a code, the device's own secret that is to become its token.
  public var token: [UInt8]
  /// At most 4.
  public var incarnations: [IncarnationState]
  public var cursor: Cursor?
  /// Between updates; 0: as they come.
  public var minimumIntervalMilliseconds: UInt32
  public var clock: DeviceClock?
  /// To be redeemed, unless the token is known already.
  public var code: PairingCode?
  /// What the device calls itself; used when a code is redeemed that names none.
  public var deviceName: String?

  /// A greeting of the current version.
  public init(
    token: [UInt8], incarnations: [IncarnationState] = [], cursor: Cursor? = nil,
    minimumIntervalMilliseconds: UInt32 = 0, clock: DeviceClock? = nil, code: PairingCode? = nil,
    deviceName: String? = nil
  ) {
    version = protocolVersion
    self.token = token
    self.incarnations = incarnations
    self.cursor = cursor
    self.minimumIntervalMilliseconds = minimumIntervalMilliseconds
    self.clock = clock
    self.code = code
    self.deviceName = deviceName
  }
}

/// The server's answer to a greeting.
public struct Welcome: Hashable, Sendable {
  public var version: UInt32
  public var account: AccountID
  public var device: DeviceID
  public var kind: DeviceKind
  /// The newest epoch in which the account changed.
  public var epoch: EpochID
  public var revision: Revision
  public var facetSet: UInt32
  /// The number that the server decides next, of each incarnation the client named.
  public var expected: [IncarnationNumber]
  /// What a verified off-machine copy holds.
  public var backedUp: [IncarnationNumber]
  public var serverClock: Instant
  public var leaseMilliseconds: UInt32
  public var frameBytesMax: UInt32
  public var inFlightMax: UInt32
  /// How many receipted actions are worth keeping, to be offered again after a restore.
  public var reofferMax: UInt32

  /// All of it.
  public init(
    version: UInt32 = protocolVersion, account: AccountID, device: DeviceID, kind: DeviceKind,
    epoch: EpochID, revision: Revision, facetSet: UInt32, expected: [IncarnationNumber],
    backedUp: [IncarnationNumber] = [], serverClock: Instant, leaseMilliseconds: UInt32,
    frameBytesMax: UInt32, inFlightMax: UInt32, reofferMax: UInt32
  ) {
    self.version = version
    self.account = account
    self.device = device
    self.kind = kind
    self.epoch = epoch
    self.revision = revision
    self.facetSet = facetSet
    self.expected = expected
    self.backedUp = backedUp
    self.serverClock = serverClock
    self.leaseMilliseconds = leaseMilliseconds
    self.frameBytesMax = frameBytesMax
    self.inFlightMax = inFlightMax
    self.reofferMax = reofferMax
  }
}

/// The envelope of one action.
public struct Act: Hashable, Sendable {
  public var incarnation: IncarnationID
  public var number: ActionNumber
  /// Every number up to it has its receipt on the client.
  public var confirmed: ActionNumber
  /// Present when a receipted action is offered again, after a restore.
  public var firstReceipt: Receipt?
  /// An encoded `ActionBody`.
  public var body: [UInt8]

  /// An envelope.
  public init(
    incarnation: IncarnationID, number: ActionNumber, confirmed: ActionNumber,
    firstReceipt: Receipt? = nil, body: [UInt8]
  ) {
    self.incarnation = incarnation
    self.number = number
    self.confirmed = confirmed
    self.firstReceipt = firstReceipt
    self.body = body
  }
}
