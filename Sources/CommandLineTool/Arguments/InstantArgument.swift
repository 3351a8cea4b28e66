public import WatchTransfer

/// An instant as a person names it: RFC 3339 with an offset, or `now`.
public enum InstantArgument: Hashable, Sendable {
  case now
  case at(Instant)

  /// What an instant looks like, for messages.
  public static let expected =
    "an instant such as 2026-11-30T18:05:00+01:00 (RFC 3339 with an offset) or \"now\""

  /// Reads an instant; nil for anything else.
  public init?(_ text: some StringProtocol) {
    if text == "now" {
      self = .now
    } else if let instant = Instant(rfc3339: text) {
      self = .at(instant)
    } else {
      return nil
    }
  }

  /// The instant, when it is `now`.
  public func resolved(now: Instant) -> Instant {
    switch self {
    case .now: now
    case .at(let instant): instant
    }
  }
}
