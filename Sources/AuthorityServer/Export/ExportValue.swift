/// What an export says, as RFC 8259 has it.
indirect enum ExportValue {
  case object([(String, ExportValue)])
  case list([ExportValue])
  case text(String)
  case whole(Int64)
  case number(Double)
  case flag(Bool)
  case none

  /// Text, or nothing.
  static func optional(_ text: String?) -> ExportValue { text.map { .text($0) } ?? .none }

  /// A figure, or nothing.
  static func optional(_ figure: Double?) -> ExportValue { figure.map { .number($0) } ?? .none }

  /// A whole number, or nothing.
  static func optional(_ number: Int64?) -> ExportValue { number.map { .whole($0) } ?? .none }

  /// Appends it, each member of an object and each element of a list of objects on a line.
  func append(to json: inout String, indent: Int = 0) {
    switch self {
    case .none: json += "null"
    case .flag(let flag): json += flag ? "true" : "false"
    case .whole(let number): json += "\(number)"
    // Every stored figure is finite.
    case .number(let number): json += number.isFinite ? "\(number)" : "null"
    case .text(let text): Self.append(text, to: &json)
    case .object(let members):
      json += "{"
      for (index, member) in members.enumerated() {
        json += index == 0 ? "\n" : ",\n"
        json += String(repeating: " ", count: indent + 2)
        Self.append(member.0, to: &json)
        json += ": "
        member.1.append(to: &json, indent: indent + 2)
      }
      json += members.isEmpty ? "}" : "\n\(String(repeating: " ", count: indent))}"
    case .list(let elements):
      json += "["
      for (index, element) in elements.enumerated() {
        json += index == 0 ? "\n" : ",\n"
        json += String(repeating: " ", count: indent + 2)
        element.append(to: &json, indent: indent + 2)
      }
      json += elements.isEmpty ? "]" : "\n\(String(repeating: " ", count: indent))]"
    }
  }

  private static func append(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        json += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }
}

/// A table as RFC 4180 has it: a head, CRLF behind each line, quotes where a field needs them.
struct ExportTable {
  private(set) var text: String

  /// A table with these columns.
  init(_ columns: [String]) {
    text = columns.joined(separator: ",") + "\r\n"
  }

  /// Adds a line; nil is an empty field.
  mutating func add(_ fields: [String?]) {
    text += fields.map { Self.field($0 ?? "") }.joined(separator: ",") + "\r\n"
  }

  private static func field(_ text: String) -> String {
    // To Swift a carriage return and its line feed are one character: bytes are looked at.
    let needsQuotes = text.utf8.contains { byte in
      [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains(byte)
    }
    if !needsQuotes { return text }
    return "\""
      + text.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
