public import WatchTransfer

/// Why an action waits for the person instead of for the server.
public enum QuarantineReason: UInt8, CaseIterable, Sendable {
  /// It was decided, but the server no longer keeps how, and neither does this outbox.
  case outcomeUnknown = 1
  /// Its bytes were damaged on this device's disk.
  case damaged = 2

  /// The word used in JSON and in texts.
  public var word: String {
    switch self {
    case .outcomeUnknown: "outcomeUnknown"
    case .damaged: "damaged"
    }
  }
}

/// One numbered action as the outbox keeps it.
public struct OutboxEntry: Hashable, Sendable {
  /// How far it is.
  public enum State: Hashable, Sendable {
    /// It has no receipt yet.
    case waiting
    case receipted(Outcome)
    /// The person decides.
    case quarantined(QuarantineReason)
    /// The person has discarded it, or released it under another number.
    case dismissed
    /// It has another number in a newer incarnation.
    case moved
  }

  /// The encoded action, sent as it is for ever; nil when it was damaged or has moved.
  public var body: [UInt8]?
  public var state: State

  /// An action in a state.
  public init(body: [UInt8]?, state: State = .waiting) {
    self.body = body
    self.state = state
  }

  /// Whether its receipt is still to come.
  public var isWaiting: Bool { state == .waiting }

  /// Whether neither the server nor the person still has a word to say.
  public var isFinal: Bool {
    switch state {
    case .waiting, .quarantined: false
    case .receipted, .dismissed, .moved: true
    }
  }
}
