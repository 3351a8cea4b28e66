/// A JSON value; an object keeps the order of its members, so that output is the same every time.
public enum JSONValue: Sendable {
  case object([(String, JSONValue)])
  case array([JSONValue])
  case string(String)
  case integer(Int64)
  case unsigned(UInt64)
  /// Not finite: written as null, as JSON has no such number.
  case number(Double)
  case bool(Bool)
  case null
}

extension JSONValue {
  /// A string, or null.
  public static func optional(_ text: String?) -> JSONValue {
    text.map { .string($0) } ?? .null
  }

  /// A whole number, or null.
  public static func optional(_ number: (some FixedWidthInteger)?) -> JSONValue {
    number.map { whole($0) } ?? .null
  }

  /// A whole number of any width up to 64 bits.
  public static func whole(_ number: some FixedWidthInteger) -> JSONValue {
    Int64(exactly: number).map { .integer($0) } ?? .unsigned(UInt64(number))
  }

  /// The member `name` of an object; nil for anything else.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { Array($0.0.utf8) == Array(name.utf8) }?.1
  }

  /// The element of an array; nil for anything else.
  public subscript(index: Int) -> JSONValue? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The elements of an array.
  public var elements: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members of an object.
  public var members: [(String, JSONValue)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The text of a string.
  public var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The truth of a boolean.
  public var truth: Bool? {
    if case .bool(let truth) = self { truth } else { nil }
  }

  /// Whether it is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// A whole number that an Int64 holds.
  public var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .unsigned(let number): Int64(exactly: number)
    case .number(let number): Int64(exactly: number)
    default: nil
    }
  }

  /// Any number, as near as a double comes.
  public var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }
}

extension JSONValue: Equatable {
  /// Equal when they are written the same: member order counts, and 1 is 1 whatever its case.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    Array(left.json.utf8) == Array(right.json.utf8)
  }
}
