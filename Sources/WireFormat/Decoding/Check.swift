import CProtobufC
import CWireProto
import WatchTransfer

/// Checks of single fields. Each takes protobuf-c's "has" flag and value and the name of the field,
/// and throws `invalid` for what is missing, out of range or not allowed.
enum Check {
  /// The error for `field`; made only here, so that the good path carries no String.
  @inline(never)
  static func invalid(_ field: StaticString) -> WireError {
    .invalid(field: field.description)
  }

  /// 16 bytes, not all zero.
  static func id<Tag>(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> Identifier<Tag> {
    guard has != 0, data.len == 16, let bytes = data.data else { throw invalid(field) }
    let raw = UnsafeRawPointer(bytes)
    let high = UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self))
    let low = UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    guard high | low != 0 else { throw invalid(field) }
    return Identifier(high: high, low: low)
  }

  /// Absent, or as `id`.
  static func optionalID<Tag>(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> Identifier<Tag>? {
    has == 0 ? nil : try id(has, data, field)
  }

  /// Any bytes; absent and empty are the same.
  static func bytes(_ has: protobuf_c_boolean, _ data: ProtobufCBinaryData) -> [UInt8] {
    has == 0 ? [] : Array(UnsafeBufferPointer(start: data.data, count: data.len))
  }

  /// 8 bytes, big-endian.
  static func hash(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData, _ field: StaticString
  ) throws(WireError) -> UInt64 {
    guard has != 0, data.len == 8, let bytes = data.data else { throw invalid(field) }
    return UInt64(bigEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// A known case of an enum.
  static func choice<Choice: RawRepresentable>(
    _ has: protobuf_c_boolean, _ raw: UInt32, _ field: StaticString
  ) throws(WireError) -> Choice where Choice.RawValue == UInt8 {
    guard has != 0, let small = UInt8(exactly: raw), let choice = Choice(rawValue: small) else {
      throw invalid(field)
    }
    return choice
  }

  /// Absent, or a known case of an enum.
  static func optionalChoice<Choice: RawRepresentable>(
    _ has: protobuf_c_boolean, _ raw: UInt32, _ field: StaticString
  ) throws(WireError) -> Choice? where Choice.RawValue == UInt8 {
    has == 0 ? nil : try choice(has, raw, field)
  }

  /// A value that must be there.
  static func present<Value>(
    _ has: protobuf_c_boolean, _ value: Value, _ field: StaticString
  ) throws(WireError) -> Value {
    guard has != 0 else { throw invalid(field) }
    return value
  }

  /// A sub-message that must be there.
  static func message<Message>(
    _ pointer: UnsafeMutablePointer<Message>?, _ field: StaticString
  ) throws(WireError) -> Message {
    guard let pointer else { throw invalid(field) }
    return pointer.pointee
  }

  /// Action numbers and revisions: below 2^53, so that every language can hold them and sums cannot
  /// overflow.
  static func number(
    _ has: protobuf_c_boolean, _ value: UInt64, _ field: StaticString
  ) throws(WireError) -> UInt64 {
    guard has != 0, value < ActionLimits.numberEnd else { throw invalid(field) }
    return value
  }

  /// As `number`, and not 0.
  static func positive(
    _ has: protobuf_c_boolean, _ value: UInt64, _ field: StaticString
  ) throws(WireError) -> UInt64 {
    guard value > 0 else { throw invalid(field) }
    return try number(has, value, field)
  }

  /// A value within `range`.
  static func within<Value: Comparable>(
    _ range: ClosedRange<Value>, _ has: protobuf_c_boolean, _ value: Value, _ field: StaticString
  ) throws(WireError) -> Value {
    guard has != 0, range.contains(value) else { throw invalid(field) }
    return value
  }

  /// A span in milliseconds within `range`.
  static func milliseconds(
    _ range: ClosedRange<Int64>, _ has: protobuf_c_boolean, _ value: UInt64, _ field: StaticString
  ) throws(WireError) -> Int64 {
    guard let signed = Int64(exactly: value) else { throw invalid(field) }
    return try within(range, has, signed, field)
  }

  /// A figure: finite, at least 0, under `ActionLimits.figureMax`; -0 becomes 0.
  static func optionalFigure(
    _ has: protobuf_c_boolean, _ value: Double, _ field: StaticString
  ) throws(WireError) -> Double? {
    if has == 0 { return nil }
    // NaN fails both comparisons.
    guard value >= 0, value < ActionLimits.figureMax else { throw invalid(field) }
    return value + 0
  }

  /// Any finite number; -0 becomes 0.
  static func finite(
    _ has: protobuf_c_boolean, _ value: Double, _ field: StaticString
  ) throws(WireError) -> Double {
    guard has != 0, value.isFinite else { throw invalid(field) }
    return value + 0
  }

  /// A moment by any clock; what is outside the years 0001 to 9999 is moved to their ends.
  static func instant(
    _ has: protobuf_c_boolean, _ value: Int64, _ field: StaticString
  ) throws(WireError) -> Instant {
    guard has != 0 else { throw invalid(field) }
    return Instant(milliseconds: value)
  }

  /// Absent, or as `instant`.
  static func optionalInstant(_ has: protobuf_c_boolean, _ value: Int64) -> Instant? {
    has == 0 ? nil : Instant(milliseconds: value)
  }

  /// A moment that an action names: within `ActionLimits.instants`.
  static func namedInstant(
    _ has: protobuf_c_boolean, _ value: Int64, _ field: StaticString
  ) throws(WireError) -> Instant {
    let range = ActionLimits.instants
    guard has != 0, value >= range.lowerBound.milliseconds, value <= range.upperBound.milliseconds
    else { throw invalid(field) }
    return Instant(milliseconds: value)
  }
}
