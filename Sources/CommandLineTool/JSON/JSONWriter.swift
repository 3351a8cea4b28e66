/// Writes JSON on one line, the same bytes for the same value (RFC 8259).
public struct JSONWriter {
  /// What was written so far.
  public private(set) var text = ""

  /// A writer of nothing yet.
  public init() {}

  /// Appends `value`.
  public mutating func write(_ value: JSONValue) {
    switch value {
    case .object(let members): write(members)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        write(element)
      }
      text += "]"
    case .string(let string): write(string)
    case .integer(let number): text += String(number)
    case .unsigned(let number): text += String(number)
    case .number(let number): write(number)
    case .bool(let truth): text += truth ? "true" : "false"
    case .null: text += "null"
    }
  }

  private mutating func write(_ members: [(String, JSONValue)]) {
    text += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      write(member.0)
      text += ":"
      write(member.1)
    }
    text += "}"
  }

  /// Shortest digits that read back as the same double; whole values without a fraction.
  private mutating func write(_ number: Double) {
    guard number.isFinite else {
      text += "null"
      return
    }
    if number.magnitude < 9_007_199_254_740_992, let whole = Int64(exactly: number) {
      text += String(whole)
    } else {
      text += number.description
    }
  }

  private mutating func write(_ string: String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      // Required below U+0020; DEL and C1 too, which a terminal would obey.
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue {
  /// The value on one line.
  public var json: String {
    var writer = JSONWriter()
    writer.write(self)
    return writer.text
  }
}
