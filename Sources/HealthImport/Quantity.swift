/// A number with its unit, as attributes state it, turned into the one unit the import keeps.
///
/// Every function answers nil for what is absent, unreadable, negative or in an unknown unit: a
/// wrong figure is worse than none.
enum Quantity {
  /// Kilocalories. The large Calorie is one; the small calorie is a thousandth.
  ///
  /// Without a unit it counts as kilocalories, which is what exports use everywhere.
  static func kilocalories(_ text: String?, unit: String?) -> Double? {
    guard let value = amount(text) else { return nil }
    switch unit {
    case "kcal", "Cal", nil: return value
    case "cal": return value / 1_000
    case "kJ": return finite(value * 1_000 / 4_184)
    case "J": return value / 4_184
    default: return nil
    }
  }

  /// Meters. Without a unit only 0 has a meaning, since exports use kilometers and miles alike.
  static func meters(_ text: String?, unit: String?) -> Double? {
    guard let value = amount(text) else { return nil }
    switch unit {
    case "km": return finite(value * 1_000)
    case "m": return value
    case "cm": return value / 100
    case "mi": return finite(value * 1_609.344)
    case "yd": return value * 0.9144
    case "ft": return value * 0.3048
    case nil: return value == 0 ? 0 : nil
    default: return nil
    }
  }

  /// Beats per minute; a heart rate of 0 is no value.
  static func beatsPerMinute(_ text: String?, unit: String?) -> Double? {
    guard let value = amount(text), value > 0 else { return nil }
    switch unit {
    case "count/min", nil: return value
    case "count/s": return finite(value * 60)
    default: return nil
    }
  }

  /// Milliseconds of a duration.
  ///
  /// Without a unit it counts as minutes, which is what exports use, unless that is longer than the
  /// span and seconds are not. A span of 0 decides nothing: workouts typed in by hand have one.
  static func milliseconds(_ text: String?, unit: String?, span: Int64) -> Int64? {
    guard let value = amount(text) else { return nil }
    switch unit {
    case "min": return milliseconds(value, each: 60_000)
    case "s", "sec": return milliseconds(value, each: 1_000)
    case "h", "hr": return milliseconds(value, each: 3_600_000)
    case nil:
      let minutes = milliseconds(value, each: 60_000)
      let seconds = milliseconds(value, each: 1_000)
      if span == 0 { return minutes }
      // One second of grace: starts and ends are written in whole seconds.
      if let minutes, minutes <= span + 1_000 { return minutes }
      if let seconds, seconds <= span + 1_000 { return seconds }
      return nil
    default: return nil
    }
  }

  private static func amount(_ text: String?) -> Double? {
    guard let text, let value = DecimalText.parse(text), value >= 0 else { return nil }
    return value
  }

  private static func finite(_ value: Double) -> Double? { value.isFinite ? value : nil }

  private static func milliseconds(_ value: Double, each: Double) -> Int64? {
    let rounded = (value * each).rounded()
    // Above 2^53 a Double no longer tells milliseconds apart, and far above Int64 would trap.
    return rounded < 0x1p53 ? Int64(rounded) : nil
  }
}
