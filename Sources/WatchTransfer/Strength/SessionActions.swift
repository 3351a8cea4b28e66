/// What a session is started with.
public enum SessionPlan: Hashable, Sendable {
  case routine(RoutineID)
  /// Such as `running`, or a health source's raw name.
  case activity(String)
}

/// A set that was done.
public struct PerformedSet: Hashable, Sendable {
  /// Made by the device; ticked again under the same id, it is the same set.
  public var id: SetID
  /// Place of its exercise in the session, from 0.
  public var position: Int
  public var reps: Int
  /// nil: no added weight. Negative: assistance.
  public var weight: Weight?
  public var isWarmUp: Bool

  /// A set.
  public init(id: SetID, position: Int, reps: Int, weight: Weight? = nil, isWarmUp: Bool = false) {
    self.id = id
    self.position = position
    self.reps = reps
    self.weight = weight
    self.isWarmUp = isWarmUp
  }
}

/// What a person does to a session as a whole.
public enum SessionControl: UInt8, CaseIterable, Sendable {
  case pause = 1
  case resume = 2
  case finish = 3
  /// As if it had never been.
  case discard = 4

  /// The word used on the command line.
  public var word: String {
    switch self {
    case .pause: "pause"
    case .resume: "resume"
    case .finish: "finish"
    case .discard: "discard"
    }
  }
}

/// One measured value.
public struct SamplePoint: Hashable, Sendable {
  /// By the clock that stamped the action.
  public var at: Instant
  /// Beats a minute, or kilocalories since the point before.
  public var value: Double

  /// A value at a moment.
  public init(at: Instant, value: Double) {
    self.at = at
    self.value = value
  }
}

/// A numbered block of what a device measured in a session; the same number again is the same
/// block.
public struct SampleBlock: Hashable, Sendable {
  /// Counted by the device, within the session.
  public var number: UInt32
  /// Beats a minute; 0 is no value.
  public var heartRate: [SamplePoint]
  /// Kilocalories, each since the point before.
  public var energy: [SamplePoint]

  /// A block.
  public init(number: UInt32, heartRate: [SamplePoint] = [], energy: [SamplePoint] = []) {
    self.number = number
    self.heartRate = heartRate
    self.energy = energy
  }
}
