/// What a device measures in the session it records, shown now or never: fire and forget, with no
/// number and no receipt. It says all that is known at its moment; what it leaves out is shown no
/// more.
public struct Pulse: Hashable, Sendable {
  public var session: SessionID
  /// The device's clocks when it was measured.
  public var measured: DeviceClock
  /// Beats a minute; 0 says that there is none.
  public var heartRate: Double?
  /// Since the session's start.
  public var energyKilocalories: Double?
  /// Since the session's start.
  public var distanceMeters: Double?
  /// When to expect the next one.
  public var cadenceMilliseconds: UInt32

  /// What a pulse may say of the next one.
  public static let cadences: ClosedRange<UInt32> = 1_000...30_000
  /// What one means that says nothing of the next.
  public static let cadenceDefault: UInt32 = 5_000

  /// A pulse.
  public init(
    session: SessionID, measured: DeviceClock, heartRate: Double? = nil,
    energyKilocalories: Double? = nil, distanceMeters: Double? = nil,
    cadenceMilliseconds: UInt32 = Pulse.cadenceDefault
  ) {
    self.session = session
    self.measured = measured
    self.heartRate = heartRate
    self.energyKilocalories = energyKilocalories
    self.distanceMeters = distanceMeters
    self.cadenceMilliseconds = cadenceMilliseconds
  }

  /// Whether there is a value, be it that there is none: every pulse has one.
  public var saysSomething: Bool {
    heartRate != nil || energyKilocalories != nil || distanceMeters != nil
  }
}

/// The newest pulse of the running session, with how long it is good.
public struct LiveReading: Hashable, Sendable {
  public var session: SessionID
  /// The device that measured it.
  public var recorder: DeviceID
  /// When it was measured, corrected.
  public var observedAt: Instant
  /// How often to expect another.
  public var cadenceMilliseconds: Int64
  /// From when it is stale; nil: it was already when it was sent.
  public var staleAt: Instant?
  /// From when it says nothing any more.
  public var expiresAt: Instant
  /// Beats a minute.
  public var heartRate: Double?
  /// Since the session's start.
  public var energyKilocalories: Double?
  /// Since the session's start.
  public var distanceMeters: Double?
  /// Ready to show: `142 bpm, 210 kcal`.
  public var text: String
  /// Spoken label.
  public var spoken: String

  /// A reading with its words; what is measured follows.
  public init(
    session: SessionID, recorder: DeviceID, observedAt: Instant, cadenceMilliseconds: Int64,
    staleAt: Instant?, expiresAt: Instant, text: String, spoken: String
  ) {
    self.session = session
    self.recorder = recorder
    self.observedAt = observedAt
    self.cadenceMilliseconds = cadenceMilliseconds
    self.staleAt = staleAt
    self.expiresAt = expiresAt
    self.text = text
    self.spoken = spoken
  }

  /// Whether it is old at a moment: shown, and marked as such.
  public func isStale(at now: Instant) -> Bool { staleAt.map { $0 <= now } ?? true }

  /// Whether it says nothing any more at a moment.
  public func isExpired(at now: Instant) -> Bool { expiresAt <= now }
}
