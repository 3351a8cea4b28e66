extension Instant {
  /// Reads RFC 3339 with an offset: `2026-11-30T18:05:00+01:00`, `…Z`, fractions up to nanoseconds
  /// (cut to milliseconds); nil for anything else. https://www.rfc-editor.org/rfc/rfc3339
  public init?(rfc3339 text: some StringProtocol) {
    var reader = DigitReader(Array(text.utf8))
    guard let year = reader.number(digits: 4), reader.take("-"),
      let month = reader.number(digits: 2), reader.take("-"),
      let day = reader.number(digits: 2), reader.take("Tt "),
      let hour = reader.number(digits: 2), reader.take(":"),
      let minute = reader.number(digits: 2), reader.take(":"),
      let second = reader.number(digits: 2),
      let civil = CivilDay(year: year, month: month, day: day),
      hour < 24, minute < 60, second < 60
    else { return nil }
    guard let fraction = reader.fractionMilliseconds(), let offset = reader.offsetMinutes(),
      reader.isAtEnd
    else { return nil }
    let seconds = Int64(civil.number) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    self.init(milliseconds: (seconds - Int64(offset) * 60) * 1_000 + Int64(fraction))
  }

  /// RFC 3339 in UTC, with milliseconds only when there are some: `2026-11-30T17:05:00Z`.
  public var rfc3339: String { rfc3339(offsetSeconds: 0) }

  /// RFC 3339 at `offsetSeconds` east of UTC, rounded down to minutes.
  public func rfc3339(offsetSeconds: Int32) -> String {
    let offsetMinutes = Int(offsetSeconds) / 60
    let local = milliseconds + Int64(offsetMinutes) * 60_000
    let day = CivilDay(localMilliseconds: local)
    let ofDay = Int(local - Int64(day.number) * 86_400_000)
    var text = "\(day)T\(padded(ofDay / 3_600_000, 2)):\(padded(ofDay / 60_000 % 60, 2))"
    text += ":\(padded(ofDay / 1_000 % 60, 2))"
    if ofDay % 1_000 != 0 { text += ".\(padded(ofDay % 1_000, 3))" }
    if offsetMinutes == 0 { return text + "Z" }
    let sign = offsetMinutes < 0 ? "-" : "+"
    let size = abs(offsetMinutes)
    return text + "\(sign)\(padded(size / 60, 2)):\(padded(size % 60, 2))"
  }
}

/// Reads fixed-width digits from ASCII text.
private struct DigitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = nextDigit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Takes one byte if it is one of `choices`.
  mutating func take(_ choices: String) -> Bool {
    guard position < bytes.count, choices.utf8.contains(bytes[position]) else { return false }
    position += 1
    return true
  }

  /// Milliseconds of an optional `.fraction` of 1 to 9 digits; nil when it is malformed.
  mutating func fractionMilliseconds() -> Int? {
    guard take(".") else { return 0 }
    var digits = 0
    var value = 0
    while let digit = nextDigit() {
      digits += 1
      if digits <= 3 { value = value * 10 + digit }
    }
    guard (1...9).contains(digits) else { return nil }
    for _ in digits..<max(digits, 3) { value *= 10 }
    return value
  }

  mutating func offsetMinutes() -> Int? {
    if take("Zz") { return 0 }
    let sign: Int
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), take(":"), let minutes = number(digits: 2), hours < 24,
      minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }

  private mutating func nextDigit() -> Int? {
    guard position < bytes.count else { return nil }
    let byte = bytes[position]
    guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
    position += 1
    return Int(byte - UInt8(ascii: "0"))
  }
}
