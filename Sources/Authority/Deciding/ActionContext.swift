public import WatchTransfer

/// The device that acts.
public struct ActingDevice: Sendable, Equatable {
  public var id: DeviceID
  /// As it is called now.
  public var name: String
  public var kind: DeviceKind

  /// A device.
  public init(id: DeviceID, name: String, kind: DeviceKind) {
    self.id = id
    self.name = name
    self.kind = kind
  }
}

/// When the person acted, by the authority's clock and by the device's.
public struct CorrectedTime: Sendable, Equatable {
  /// Corrected, never after now.
  public var instant: Instant
  /// By the device's wall clock.
  public var raw: Instant
  /// Corrected through the wall clock alone, or clamped.
  public var isFlagged: Bool

  /// A corrected time.
  public init(instant: Instant, raw: Instant, isFlagged: Bool) {
    self.instant = instant
    self.raw = raw
    self.isFlagged = isFlagged
  }
}

/// What `decide` may know besides state and action; everything that changes is a value here.
public struct ActionContext: Sendable {
  public var now: Instant
  public var device: ActingDevice
  /// Which act it is: ids that a press makes are derived from it; nil: no device's.
  public var act: IncarnationNumber?
  public var occurred: CorrectedTime
  /// Where the device was.
  public var zone: ZoneStamp?
  /// Corrected to the authority's clock; only perishable actions expire.
  public var expiresAt: Instant?
  /// The first receipt was `applied`: it is applied again, whatever other devices did first
  /// (DESIGN section 4, After a restore).
  public var isReoffered: Bool
  public var zones: any ZoneRulesSource

  /// The circumstances of one action.
  public init(
    now: Instant, device: ActingDevice, act: IncarnationNumber? = nil, occurred: CorrectedTime,
    zone: ZoneStamp?, expiresAt: Instant?, isReoffered: Bool, zones: any ZoneRulesSource
  ) {
    self.now = now
    self.device = device
    self.act = act
    self.occurred = occurred
    self.zone = zone
    self.expiresAt = expiresAt
    self.isReoffered = isReoffered
    self.zones = zones
  }

  /// What events keep of it.
  var occurrence: Occurrence {
    Occurrence(
      at: min(occurred.instant, now), raw: occurred.raw, isFlagged: occurred.isFlagged,
      device: device.id)
  }
}
