public import WatchTransfer

/// One durable step of an outbox; the steps in order give the outbox back.
public enum OutboxRecord: Hashable, Sendable {
  /// The account that the server named.
  case account(AccountID)
  /// The zone, as UTF-8, that the device was in when it last told or first looked.
  case zone([UInt8])
  /// An incarnation that keeps nothing below `oldest`.
  case lane(IncarnationID, oldest: ActionNumber)
  case submitted(IncarnationNumber, body: [UInt8])
  case receipted(Receipt)
  case quarantined(IncarnationNumber, QuarantineReason)
  case dismissed(IncarnationNumber)
}
