/// Why text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public enum Problem: String, Hashable, Sendable {
    case unexpectedEnd = "the text ends too early"
    case unexpectedByte = "this byte cannot stand here"
    case badNumber = "not a number"
    case badEscape = "not an escape"
    case controlCharacter = "a control character in a string"
    case badUTF8 = "not UTF-8"
    case duplicateName = "a name stands twice in one object"
    case tooDeep = "nested too deeply"
    case trailingText = "something follows the value"
  }

  public let problem: Problem
  /// In bytes from the start.
  public let offset: Int

  /// One line for a person.
  public var description: String { "not JSON at byte \(offset): \(problem.rawValue)" }
}

/// Reads one JSON value, strictly by RFC 8259; names in an object are unique, nesting is bounded.
public struct JSONParser {
  /// Arrays and objects within each other; the deepest the project writes is 8.
  public static let depthMax = 64

  private let bytes: [UInt8]
  private var position = 0

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The value that `text` is.
  public static func parse(_ text: some StringProtocol) throws(JSONError) -> JSONValue {
    var parser = JSONParser(Array(text.utf8))
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    if parser.position < parser.bytes.count { throw parser.error(.trailingText) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    if depth > Self.depthMax { throw error(.tooDeep) }
    skipSpace()
    guard let next = peek else { throw error(.unexpectedEnd) }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: throw error(.unexpectedByte)
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    var members: [(String, JSONValue)] = []
    var names: Set<[UInt8]> = []
    position += 1
    skipSpace()
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      if peek != UInt8(ascii: "\"") { throw unexpected }
      let name = try string()
      if !names.insert(Array(name.utf8)).inserted { throw error(.duplicateName) }
      skipSpace()
      if !take(":") { throw unexpected }
      members.append((name, try value(depth: depth + 1)))
      skipSpace()
    } while take(",")
    if !take("}") { throw unexpected }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    var elements: [JSONValue] = []
    position += 1
    skipSpace()
    if take("]") { return .array(elements) }
    repeat {
      elements.append(try value(depth: depth + 1))
      skipSpace()
    } while take(",")
    if !take("]") { throw unexpected }
    return .array(elements)
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in word.utf8 {
      if peek != byte { throw unexpected }
      position += 1
    }
    return value
  }

  /// A number in its narrowest case: integer, unsigned, number.
  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    _ = take("-")
    if take("0") {
      if isDigit(peek) { throw error(.badNumber) }
    } else {
      try digits()
    }
    var isWhole = true
    if take(".") {
      isWhole = false
      try digits()
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let integer = Int64(text) { return .integer(integer) }
    if isWhole, let unsigned = UInt64(text) { return .unsigned(unsigned) }
    guard let double = Double(text), double.isFinite else { throw error(.badNumber) }
    return .number(double)
  }

  private mutating func digits() throws(JSONError) {
    if !isDigit(peek) { throw error(.badNumber) }
    while isDigit(peek) { position += 1 }
  }

  private mutating func string() throws(JSONError) -> String {
    var content: [UInt8] = []
    position += 1
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: content, as: UTF8.self) else { throw error(.badUTF8) }
        return text
      case UInt8(ascii: "\\"): content.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20: throw error(.controlCharacter)
      default: content.append(byte)
      }
    }
    throw error(.unexpectedEnd)
  }

  private mutating func escape() throws(JSONError) -> Character {
    guard let byte = peek else { throw error(.unexpectedEnd) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return Character(try scalar())
    default: throw error(.badEscape)
    }
  }

  /// The scalar of `\uXXXX`, or of a pair of surrogates.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try hexUnit()
    var value = first
    if (0xD800..<0xDC00).contains(first) {
      guard take("\\"), take("u") else { throw error(.badEscape) }
      let second = try hexUnit()
      guard (0xDC00..<0xE000).contains(second) else { throw error(.badEscape) }
      value = 0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw error(.badEscape) }
    return scalar
  }

  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error(.badEscape)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private var unexpected: JSONError { error(peek == nil ? .unexpectedEnd : .unexpectedByte) }

  private func error(_ problem: JSONError.Problem) -> JSONError {
    JSONError(problem: problem, offset: position)
  }
}
