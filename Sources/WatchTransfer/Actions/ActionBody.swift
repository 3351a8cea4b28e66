/// An action with when and where the person acted. An outbox stores its encoding and always sends
/// those bytes.
public struct ActionBody: Hashable, Sendable {
  /// The device's clocks when the person acted.
  public var occurred: DeviceClock
  public var zone: ZoneStamp?
  /// By the device's wall clock; only perishable actions expire.
  public var expiresAt: Instant?
  public var action: Action

  /// `action`, done at `occurred`.
  public init(
    occurred: DeviceClock, zone: ZoneStamp? = nil, expiresAt: Instant? = nil, action: Action
  ) {
    self.occurred = occurred
    self.zone = zone
    self.expiresAt = expiresAt
    self.action = action
  }
}

/// Why a body is not an action: the refusal that consumes its number.
public enum BodyError: Error, Hashable, Sendable {
  /// Cannot be read, or fails a check; names the field.
  case invalid(field: String)
  /// An action this version does not know.
  case unsupported

  /// The refusal it becomes.
  public var refusal: RefusalReason {
    switch self {
    case .invalid(let field): .invalid(field: field)
    case .unsupported: .unsupported
    }
  }
}
