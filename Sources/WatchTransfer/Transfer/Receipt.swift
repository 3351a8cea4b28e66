/// Number of an action within its incarnation: 1, 2, 3 …, below 2^53.
public typealias ActionNumber = UInt64

/// Per account, +1 for each applied action or turn; creating the account is revision 1.
public typealias Revision = UInt64

/// The final word on an action.
public enum Outcome: Hashable, Sendable {
  /// At this revision of the account.
  case applied(Revision)
  case refused(RefusalReason)
  case expired

  /// The word used in JSON.
  public var word: String {
    switch self {
    case .applied: "applied"
    case .refused: "refused"
    case .expired: "expired"
    }
  }
}

/// Why an action was refused. A refusal consumes the action's number.
public enum RefusalReason: Hashable, Sendable {
  case invalid(field: String)
  case forbidden
  case unsupported
  /// The id belongs to another thing.
  case taken
  case notFound
  /// What it speaks of was deleted.
  case gone
  case limit(of: String)
  /// A later control or edit has won.
  case superseded
  /// Another referee pressed for the same team just before.
  case coincides
  /// The match is over.
  case ended
  /// This import is there already.
  case known
  /// Lost on both sides: below the outbox's oldest after a restore.
  case missing
  /// Deciding it has crashed the server twice: a defect of the server, not of
  /// what was asked.
  case poison
  /// Another session runs.
  case running
  /// The keymap has nothing for this press.
  case unmapped
  /// The attachment it names has not arrived whole.
  case incomplete

  /// The word used in JSON.
  public var word: String {
    switch self {
    case .invalid: "invalid"
    case .forbidden: "forbidden"
    case .unsupported: "unsupported"
    case .taken: "taken"
    case .notFound: "notFound"
    case .gone: "gone"
    case .limit: "limit"
    case .superseded: "superseded"
    case .coincides: "coincides"
    case .ended: "ended"
    case .known: "known"
    case .missing: "missing"
    case .poison: "poison"
    case .running: "running"
    case .unmapped: "unmapped"
    case .incomplete: "incomplete"
    }
  }

  /// The field that is invalid, or what the limit is of.
  public var detail: String? {
    switch self {
    case .invalid(let field): field
    case .limit(let what): what
    default: nil
    }
  }
}

/// The answer to one numbered action; asked again, the same receipt.
public struct Receipt: Hashable, Sendable {
  public var incarnation: IncarnationID
  public var number: ActionNumber
  public var outcome: Outcome

  /// `outcome` of the action `number` of `incarnation`.
  public init(incarnation: IncarnationID, number: ActionNumber, outcome: Outcome) {
    self.incarnation = incarnation
    self.number = number
    self.outcome = outcome
  }
}

/// "Not now": consumes nothing, and is no receipt.
public struct Hold: Hashable, Sendable {
  /// Why not now.
  public enum Reason: Hashable, Sendable {
    /// The number the server decides next.
    case gap(expected: ActionNumber)
    case busy(retryAfterMilliseconds: UInt32)
    case storageUnavailable(retryAfterMilliseconds: UInt32)
  }

  public var incarnation: IncarnationID
  public var number: ActionNumber
  public var reason: Reason

  /// Holds the action `number` of `incarnation`.
  public init(incarnation: IncarnationID, number: ActionNumber, reason: Reason) {
    self.incarnation = incarnation
    self.number = number
    self.reason = reason
  }
}
