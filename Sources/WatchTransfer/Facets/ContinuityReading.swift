/// The state of the off-machine copy.
public enum ContinuityState: UInt8, CaseIterable, Sendable {
  /// No backup is scheduled, and none was made.
  case notConfigured = 1
  /// The newest verified copy is as young as it should be.
  case fresh = 2
  /// There is none, or the next one should have been made by now.
  case overdue = 3
  /// The last try failed, as the target refuses it or has no room.
  case restricted = 4
  /// The last try failed for another reason, or could not take this account in.
  case failing = 5

  /// The name used in JSON.
  public var word: String {
    switch self {
    case .notConfigured: "notConfigured"
    case .fresh: "fresh"
    case .overdue: "overdue"
    case .restricted: "restricted"
    case .failing: "failing"
    }
  }
}

/// How well an account is kept beyond its server's machine.
public struct ContinuityReading: Hashable, Sendable {
  public var state: ContinuityState
  /// Up to when the newest verified copy of the account holds everything; nil: there is none.
  public var copiedAt: Instant?
  /// Ready to show, in the account's zone.
  public var text: String

  /// A state with its text.
  public init(state: ContinuityState, copiedAt: Instant?, text: String) {
    self.state = state
    self.copiedAt = copiedAt
    self.text = text
  }
}
