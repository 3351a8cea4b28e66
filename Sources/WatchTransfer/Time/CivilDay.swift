/// A day of the civil (Gregorian) calendar, without a zone.
public struct CivilDay: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01.
  public let number: Int32

  /// The day `number` days after 1970-01-01.
  public init(number: Int32) {
    self.number = number
  }

  /// The day that holds `milliseconds` of local time since 1970-01-01T00:00:00.
  public init(localMilliseconds milliseconds: Int64) {
    number = Int32(clamping: floorDivide(milliseconds, 86_400_000))
  }

  /// The day of a date; nil when there is no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.daysInMonth(month, year: year)
    else { return nil }
    // Days from civil, by eras of 400 years that start on 1 March:
    // http://howardhinnant.github.io/date_algorithms.html
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// Year, month and day of the month.
  public var date: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// 1 = Monday … 7 = Sunday (ISO 8601).
  public var weekday: Int {
    let index = (Int(number) + 3) % 7
    return (index < 0 ? index + 7 : index) + 1
  }

  /// The week of ISO 8601 and the year it belongs to, which near 1 January may be another than the
  /// day's.
  public var isoWeek: (year: Int, week: Int) {
    let thursday = advanced(days: Int32(4 - weekday))
    let year = thursday.date.year
    let newYear = CivilDay(year: year, month: 1, day: 1) ?? thursday
    return (year, thursday.days(since: newYear) / 7 + 1)
  }

  /// The first day of its calendar week, when weeks begin on `firstWeekday` (1 = Monday …
  /// 7 = Sunday).
  public func weekStart(firstWeekday: Int) -> CivilDay {
    advanced(days: -Int32((weekday - firstWeekday + 14) % 7))
  }

  /// The day `days` later.
  public func advanced(days: Int32) -> CivilDay {
    CivilDay(number: number &+ days)
  }

  /// Days from `earlier` to this day.
  public func days(since earlier: CivilDay) -> Int {
    Int(number) - Int(earlier.number)
  }

  /// ISO 8601: `2026-11-30`.
  public var description: String {
    let date = date
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }

  /// Orders in time.
  public static func < (left: CivilDay, right: CivilDay) -> Bool { left.number < right.number }

  private static func daysInMonth(_ month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Decimal digits of a value >= 0, with leading zeros up to `width`.
func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
