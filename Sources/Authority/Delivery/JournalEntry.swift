public import WatchTransfer

/// One fact of one account, as the journal stores it.
public struct JournalEntry: Equatable, Sendable {
  /// What made the authority decide.
  public enum Cause: Equatable, Sendable {
    /// A numbered act.
    case action(DecidedAction)
    /// The authority's own: time moved on, the account was made, a widget was told to fetch,
    /// bytes of a photo came.
    case turn
    /// Numbers of an outbox that are lost on both sides, up to and including `through`.
    case missing(IncarnationID, through: ActionNumber, device: DeviceID, deviceName: String)
  }

  public var account: AccountID
  /// The account's revision after this entry; unchanged by a refusal.
  public var revision: Revision
  /// When it was decided.
  public var at: Instant
  public var cause: Cause
  public var events: [Event]

  /// An entry.
  public init(
    account: AccountID, revision: Revision, at: Instant, cause: Cause, events: [Event]
  ) {
    self.account = account
    self.revision = revision
    self.at = at
    self.cause = cause
    self.events = events
  }
}

/// How a numbered act was decided: what the ledger keeps of it.
public struct DecidedAction: Hashable, Sendable {
  public var device: DeviceID
  public var deviceName: String
  public var incarnation: IncarnationID
  public var number: ActionNumber
  /// What the envelope said the client has receipts of.
  public var confirmed: ActionNumber
  public var bodyHash: UInt64
  public var outcome: Outcome

  /// A decided act.
  public init(
    device: DeviceID, deviceName: String, incarnation: IncarnationID, number: ActionNumber,
    confirmed: ActionNumber, bodyHash: UInt64, outcome: Outcome
  ) {
    self.device = device
    self.deviceName = deviceName
    self.incarnation = incarnation
    self.number = number
    self.confirmed = confirmed
    self.bodyHash = bodyHash
    self.outcome = outcome
  }
}
