/// The dates of exports: `2023-03-04 22:30:00 -0500`, and RFC 3339 such as
/// `2023-03-04T22:30:00.250-05:00` or `…Z`.
struct ExportDate {
  private var rest: Substring.UTF8View

  private init(_ text: String) {
    rest = text[...].utf8
  }

  /// Milliseconds since 1970-01-01T00:00Z, or nil for any other form. A date without an offset is
  /// refused: it does not name an instant.
  static func parse(_ text: String) -> Int64? {
    var reader = ExportDate(text)
    return reader.instant()
  }

  private mutating func instant() -> Int64? {
    guard let year = number(digits: 4), year > 0, skip("-"),
      let month = number(digits: 2), (1...12).contains(month), skip("-"),
      let day = number(digits: 2), (1...Self.days(in: month, of: year)).contains(day),
      skip("T") || skip("t") || skip(" "),
      let hour = number(digits: 2), hour <= 23, skip(":"),
      let minute = number(digits: 2), minute <= 59, skip(":"),
      // RFC 3339 writes a leap second as :60; it counts as the first of the next minute.
      let second = number(digits: 2), second <= 60,
      let fraction = fractionMilliseconds(), let offset = offsetMinutes(), rest.isEmpty
    else { return nil }
    let minutes = (Self.daysSince1970(year, month, day) * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * 1_000 + fraction
  }

  private mutating func fractionMilliseconds() -> Int64? {
    guard skip(".") else { return 0 }
    var value: Int64 = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    for _ in min(count, 3)..<3 { value *= 10 }
    return count > 0 ? value : nil
  }

  private mutating func offsetMinutes() -> Int64? {
    _ = skip(" ")
    if skip("Z") || skip("z") { return 0 }
    let isWest = skip("-")
    guard isWest || skip("+"), let hours = number(digits: 2), hours <= 23 else { return nil }
    _ = skip(":")
    guard let minutes = number(digits: 2), minutes <= 59 else { return nil }
    return (hours * 60 + minutes) * (isWest ? -1 : 1)
  }

  private mutating func number(digits: Int) -> Int64? {
    var value: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  private mutating func digit() -> Int64? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      return nil
    }
    rest.removeFirst()
    return Int64(byte - UInt8(ascii: "0"))
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func days(in month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }

  /// Days of the proleptic Gregorian calendar, counted in years that start in March so that the
  /// leap day comes last (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
  private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
