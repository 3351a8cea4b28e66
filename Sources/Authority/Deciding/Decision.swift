public import WatchTransfer

/// How an action ends.
public enum DecidedOutcome: Sendable, Equatable {
  case applied
  case refused(RefusalReason)
  /// A wish about now that came too late.
  case expired
}

/// What follows from an action: at most 256 events; none unless it is applied. An applied action
/// may have none: marking twice changes nothing the second time.
public struct Decision: Sendable, Equatable {
  public var events: [Event]
  public var outcome: DecidedOutcome

  /// A decision.
  public init(events: [Event], outcome: DecidedOutcome) {
    self.events = events
    self.outcome = outcome
  }
}

/// Why an action has no effect.
enum Rejection: Error {
  case refused(RefusalReason)
  case expired

  /// The outcome of an action offered again whose first receipt was `applied`: what the rejection
  /// says is due to what other devices did since, or is done already, so nothing is left to do.
  /// Only what is wrong with the action itself stays.
  var holdsWhenReoffered: Bool {
    switch self {
    case .expired: false
    case .refused(let reason):
      switch reason {
      case .invalid, .forbidden, .unsupported, .missing, .poison: true
      case .taken, .notFound, .gone, .limit, .superseded, .coincides, .ended, .known, .running,
        .unmapped, .incomplete:
        false
      }
    }
  }
}
