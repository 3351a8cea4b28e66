import WatchTransfer

/// Bounds on values that `ActionLimits` does not name, because no rule speaks of them.
enum ValueLimits {
  /// No zone has ever been further from UTC than 16 hours, local mean times included.
  static let zoneOffsetSeconds: ClosedRange<Int32> = -64_800...64_800
  /// 1 = Monday … 7 = Sunday.
  static let weekdays = 1...7
  /// Length of a half when a match names none.
  static let halfLengthMilliseconds: Int64 = 2_700_000
  /// Milliseconds that a facet may name as a length.
  static let spans: ClosedRange<Int64> = 0...Int64(ActionLimits.numberEnd)
}
