/// How long the halves of a match are and where they stand on its clock, in milliseconds (DESIGN
/// section 6, rule 6): two of one length, with extra time two more of another. Each begins where
/// the one before it should have ended, whatever it ended at.
package struct HalfLengths: Sendable, Equatable {
  package var regular: Int64
  /// nil: no extra time.
  package var extra: Int64?

  /// Halves of these lengths.
  package init(regular: Int64, extra: Int64? = nil) {
    self.regular = regular
    self.extra = extra
  }

  /// How many there are: 2 or 4.
  var count: Int { extra == nil ? 2 : 4 }

  /// The length of a half.
  func length(of half: Int) -> Int64 { half > 2 ? extra ?? regular : regular }

  /// What the clock shows when a half begins.
  func start(of half: Int) -> Int64 {
    var start: Int64 = 0
    for earlier in stride(from: 1, to: half, by: 1) { start &+= length(of: earlier) }
    return start
  }

  /// What the clock shows when the regular time of a half ends.
  func end(of half: Int) -> Int64 { start(of: half) &+ length(of: half) }

  /// The minute of a moment, "12" or "45+2"; `clock` is what the clock shows then.
  func minute(clock: Int64, half: Int) -> String {
    let minute: Int64 = 60_000
    let (start, end) = (start(of: half), end(of: half))
    if clock > end {
      return "\(stoppageText(of: half))\(Self.ceilDivide(clock &- end, minute))"
    }
    return String(max(start / minute &+ 1, Self.ceilDivide(clock, minute)))
  }

  /// What stands before the minute in a half's stoppage time: "45+".
  func stoppageText(of half: Int) -> String { "\(Self.ceilDivide(end(of: half), 60_000))+" }

  /// Quotient rounded up; `value` >= 0, `divisor` > 0.
  private static func ceilDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor &+ (value % divisor > 0 ? 1 : 0)
  }
}
