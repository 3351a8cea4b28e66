import CProtobufC
import CWireProto
import WatchTransfer

/// Checks of text. Lengths are bytes of UTF-8.
extension Check {
  /// Ready text of the server is short; a line of a widget shorter still.
  static let serverTextBytesMax = 4_096

  /// A name that a person typed: see `isTypedName`.
  static func name(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString,
    bytesMax: Int = ActionLimits.nameBytesMax
  ) throws(WireError) -> String {
    guard has != 0, data.len > 0, data.len <= bytesMax else { throw invalid(field) }
    let bytes = UnsafeBufferPointer(start: data.data, count: data.len)
    if isPlain(bytes) { return String(decoding: bytes, as: UTF8.self) }
    guard let text = string(data), isTypedName(text, bytesMax: bytesMax) else {
      throw invalid(field)
    }
    return text
  }

  /// As `name`, or empty: what came back of a restore before its definition has no name.
  static func maybeEmptyName(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    has != 0 && data.len == 0 ? "" : try name(has, data, field)
  }

  /// Words to search names by; absent or empty: all are found.
  static func searchText(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    if has == 0 || data.len == 0 { return "" }
    return try name(has, data, field, bytesMax: QueryLimits.searchBytesMax)
  }

  /// Absent, or as `name`.
  static func optionalName(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString,
    bytesMax: Int = ActionLimits.nameBytesMax
  ) throws(WireError) -> String? {
    has == 0 ? nil : try name(has, data, field, bytesMax: bytesMax)
  }

  /// Notes that a person typed: see `isTypedText`.
  static func notes(
    _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    guard data.len <= ActionLimits.notesBytesMax, let text = string(data),
      isTypedText(text, bytesMax: ActionLimits.notesBytesMax)
    else { throw invalid(field) }
    return text
  }

  /// An IANA zone id: see `isZoneSpelling`.
  static func zone(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    guard has != 0, data.len > 0, data.len <= ActionLimits.zoneBytesMax,
      let text = string(data), isZoneSpelling(text)
    else { throw invalid(field) }
    return text
  }

  /// Ready text of the server, possibly empty: UTF-8 without control characters.
  static func text(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> String {
    if has == 0 { throw invalid(field) }
    if data.len == 0 { return "" }
    guard data.len <= serverTextBytesMax, let text = string(data),
      !text.unicodeScalars.contains(where: isControl(_:))
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
}
