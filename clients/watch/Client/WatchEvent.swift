public import AuthorityLink
public import WatchTransfer

/// What a watch tells the program around it.
public enum WatchEvent: Hashable, Sendable {
  /// The final word on an action, once.
  case receipt(Receipt)
  /// An action has come so far; a connection that ends takes what it had `received` back to
  /// `queued` without a word.
  case stage(IncarnationNumber, ActionStage)
  /// What an update changed.
  case update(SurfaceUpdate)
  /// An action whose outcome nobody knows any more; the person decides.
  case quarantined(IncarnationNumber, QuarantineReason)
  /// The outbox had gone back in time: `count` actions wait under new numbers.
  case movedToNewIncarnation(old: IncarnationID, new: IncarnationID, count: Int)
  case connected(Welcome)
  /// The connection is gone; the client comes back by itself.
  case disconnected(LinkFailure)
  /// The server does not want this device; see `LinkEvent.ended`.
  case ended(Goodbye)
  /// The outbox cannot be written: nothing more is taken or sent until the client is made anew.
  case failed(OutboxError)
}

/// An action in the outbox.
public struct QueuedAction: Hashable, Sendable {
  /// What it is called.
  public var id: IncarnationNumber
  /// nil: its bytes are damaged, or of a newer version.
  public var action: Action?
  /// How far it has come.
  public var stage: ActionStage

  /// Its number within its incarnation.
  public var number: ActionNumber { id.number }
  /// Its incarnation.
  public var incarnation: IncarnationID { id.incarnation }

  /// Why it waits for the person; nil: it does not.
  public var quarantine: QuarantineReason? {
    if case .quarantined(let reason) = stage { reason } else { nil }
  }

  /// An action at a stage.
  public init(id: IncarnationNumber, action: Action?, stage: ActionStage) {
    self.id = id
    self.action = action
    self.stage = stage
  }
}
