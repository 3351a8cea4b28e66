/// Numbers as exports write them.
enum DecimalText {
  /// More characters than any export needs; longer texts are no numbers.
  private static let bytesMax = 64

  /// The finite number, or nil for anything but digits with an optional sign, point and exponent.
  ///
  /// A comma is refused, never skipped: "1,234" may be a thousand or one and a bit, and the text
  /// does not say which. Swift's own parser would also take "inf", "nan" and hexadecimal.
  static func parse(_ text: String) -> Double? {
    guard text.utf8.count <= bytesMax, isDecimal(text.utf8), let value = Double(text) else {
      return nil
    }
    return value.isFinite ? value : nil
  }

  private static func isDecimal(_ text: String.UTF8View) -> Bool {
    var rest = text[...]
    skipSign(&rest)
    var digits = skipDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      let fraction = skipDigits(&rest)
      guard digits > 0, fraction > 0 else { return false }
      digits += fraction
    }
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      rest.removeFirst()
      skipSign(&rest)
      guard skipDigits(&rest) > 0 else { return false }
    }
    return digits > 0 && rest.isEmpty
  }

  private static func skipSign(_ text: inout Substring.UTF8View) {
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      text.removeFirst()
    }
  }

  private static func skipDigits(_ text: inout Substring.UTF8View) -> Int {
    var count = 0
    while let digit = text.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
      text.removeFirst()
      count += 1
    }
    return count
  }
}
