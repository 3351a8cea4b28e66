import CProtobufC
import CWireProto
import WatchTransfer

/// Checks of text. Lengths are bytes of UTF-8.
extension Check {
  /// Ready text of the server is short; a line of a widget shorter still.
  static let serverTextBytesMax = 4_096

  /// A name that a person typed: 1 to `bytesMax` bytes of UTF-8, something visible in it, no control
  /// characters or line breaks, no byte order mark in front, nothing that turns the direction of
  /// the text around it.
  static func name(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString,
    bytesMax: Int = ActionLimits.nameBytesMax
  ) throws(WireError) -> String {
    guard has != 0, data.len > 0, data.len <= bytesMax else { throw invalid(field) }
    let bytes = UnsafeBufferPointer(start: data.data, count: data.len)
    if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = string(data) else { throw invalid(field) }
    var isBlank = true
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if isControl(scalar) || isLineBreak(scalar) || turnsDirection(scalar) { throw invalid(field) }
      if index == 0, scalar.value == 0xFEFF { throw invalid(field) }
      if isBlank { isBlank = isInvisible(scalar) }
    }
    if isBlank { throw invalid(field) }
    return text
  }

  /// Absent, or as `name`.
  static func optionalName(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString,
    bytesMax: Int = ActionLimits.nameBytesMax
  ) throws(WireError) -> String? {
    has == 0 ? nil : try name(has, data, field, bytesMax: bytesMax)
  }

  /// An IANA zone id: letters, digits and `_+-/`, no empty part. It may become part of a path, so
  /// nothing else is let through.
  static func zone(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    guard has != 0, data.len > 0, data.len <= ActionLimits.zoneBytesMax, let bytes = data.data
    else { throw invalid(field) }
    let slash = UInt8(ascii: "/")
    var previous = slash
    for byte in UnsafeBufferPointer(start: bytes, count: data.len) {
      guard isZoneByte(byte), byte != slash || previous != slash else { throw invalid(field) }
      previous = byte
    }
    guard previous != slash, let text = string(data) else { throw invalid(field) }
    return text
  }

  /// Ready text of the server, possibly empty: UTF-8 without control characters.
  static func text(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    if has == 0 { throw invalid(field) }
    if data.len == 0 { return "" }
    guard data.len <= serverTextBytesMax, let text = string(data),
      !text.unicodeScalars.contains(where: isControl)
    else { throw invalid(field) }
    return text
  }

  /// Absent, or as `text`.
  static func optionalText(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String? {
    has == 0 ? nil : try text(has, data, field)
  }

  /// The text, or nil when it is not UTF-8.
  private static func string(_ data: ProtobufCBinaryData) -> String? {
    String(validating: UnsafeBufferPointer(start: data.data, count: data.len), as: UTF8.self)
  }

  /// ASCII with something visible in it: the usual name, which needs no tables of Unicode.
  private static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var hasVisible = false
    for byte in bytes {
      guard (0x20...0x7E).contains(byte) else { return false }
      if byte > 0x20 { hasVisible = true }
    }
    return hasVisible
  }

  /// C0, delete and C1; NUL among them.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
  }

  /// The line breaks that are not control characters.
  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// Embeddings, overrides and isolates: https://www.unicode.org/reports/tr9/
  private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// White space, and characters without any width.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
  }

  private static func isZoneByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
