/// The closed set of readings: what surfaces see that is not derived from the journal.
public enum ReadingKind: UInt8, CaseIterable, Sendable {
  case presence = 1
  case delivery = 2
  case continuity = 3
  case live = 4

  /// The name used in JSON.
  public var word: String {
    switch self {
    case .presence: "presence"
    case .delivery: "delivery"
    case .continuity: "continuity"
    case .live: "live"
    }
  }
}

/// One reading's value; no revision, no replay.
public enum Reading: Hashable, Sendable {
  case presence([DevicePresence])
  case delivery(DeliveryReading)
  case continuity(ContinuityReading)
  /// nil: nothing is measured.
  case live(LiveReading?)

  /// Which reading it is.
  public var kind: ReadingKind {
    switch self {
    case .presence: .presence
    case .delivery: .delivery
    case .continuity: .continuity
    case .live: .live
    }
  }
}

/// Whether a device is there.
public struct DevicePresence: Hashable, Sendable {
  public var device: DeviceID
  public var name: String
  public var kind: DeviceKind
  public var isPresent: Bool
  /// Actions without a receipt, as it last said.
  public var pending: UInt64

  /// A device's presence.
  public init(device: DeviceID, name: String, kind: DeviceKind, isPresent: Bool, pending: UInt64) {
    self.device = device
    self.name = name
    self.kind = kind
    self.isPresent = isPresent
    self.pending = pending
  }
}

/// What did not take effect, and why.
public struct DeliveryReading: Hashable, Sendable {
  /// One action that did not take effect.
  public struct Entry: Hashable, Sendable {
    public var deviceName: String
    public var number: ActionNumber
    /// `refused`, `expired` or `missing`.
    public var outcome: String
    public var reason: String
    public var at: Instant

    /// An entry.
    public init(
      deviceName: String, number: ActionNumber, outcome: String, reason: String, at: Instant
    ) {
      self.deviceName = deviceName
      self.number = number
      self.outcome = outcome
      self.reason = reason
      self.at = at
    }
  }

  public var refused: UInt64
  public var expired: UInt64
  public var quarantined: UInt64
  /// The newest, newest last; at most 16.
  public var newest: [Entry]

  /// Counts and the newest entries.
  public init(
    refused: UInt64 = 0, expired: UInt64 = 0, quarantined: UInt64 = 0, newest: [Entry] = []
  ) {
    self.refused = refused
    self.expired = expired
    self.quarantined = quarantined
    self.newest = newest
  }
}
