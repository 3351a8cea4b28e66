/// A point in time: milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// Milliseconds since 1970-01-01T00:00:00Z; clamped to the years 0001 to 9999, so that sums with
  /// any span the protocol allows cannot overflow.
  public init(milliseconds: Int64) {
    self.milliseconds = min(max(milliseconds, Self.earliest), Self.latest)
  }

  /// 0001-01-01T00:00:00Z, in milliseconds.
  static let earliest: Int64 = -62_135_596_800_000
  /// 9999-12-31T23:59:59.999Z, in milliseconds.
  static let latest: Int64 = 253_402_300_799_999

  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { floorDivide(milliseconds, 1_000) }

  /// This instant moved by `milliseconds`.
  public func advanced(milliseconds: Int64) -> Instant {
    let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
    if overflow { return Instant(milliseconds: milliseconds > 0 ? Self.latest : Self.earliest) }
    return Instant(milliseconds: sum)
  }

  /// Milliseconds from `earlier` to this instant; negative when `earlier` is later.
  public func milliseconds(since earlier: Instant) -> Int64 {
    milliseconds - earlier.milliseconds
  }

  /// Orders in time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

/// Quotient rounded towards minus infinity; `divisor` > 0.
public func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}
