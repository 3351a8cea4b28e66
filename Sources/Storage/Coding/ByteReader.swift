public import WatchTransfer

/// What is wrong with stored bytes; their checksum was right, so this is a defect or a newer form.
public enum StoredFormError: Error, Hashable, Sendable {
  case truncated(at: Int)
  case unknownTag(UInt64, of: String)
  case outOfRange(of: String)
  case notText(at: Int)
  case trailingBytes(Int)
}

/// Reads what `ByteWriter` wrote; never traps, whatever the bytes.
public struct ByteReader {
  private let bytes: [UInt8]
  /// Offset of the next byte.
  public private(set) var position = 0

  /// Reads `bytes` from their start.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether everything was read.
  public var isAtEnd: Bool { position == bytes.count }

  /// Throws unless everything was read.
  public func expectEnd() throws(StoredFormError) {
    if !isAtEnd { throw .trailingBytes(bytes.count - position) }
  }

  /// A varint of at most 10 bytes.
  public mutating func unsigned() throws(StoredFormError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      if shift == 63, next > 1 { throw .outOfRange(of: "varint") }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
      shift += 7
      if shift > 63 { throw .outOfRange(of: "varint") }
    }
  }

  /// A zigzag varint.
  public mutating func signed() throws(StoredFormError) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// A count that the remaining bytes could hold: each element takes at least one byte.
  public mutating func count() throws(StoredFormError) -> Int {
    let value = try unsigned()
    guard value <= UInt64(bytes.count - position) else { throw .truncated(at: position) }
    return Int(value)
  }

  /// A flag.
  public mutating func flag() throws(StoredFormError) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    case let other: throw .unknownTag(UInt64(other), of: "flag")
    }
  }

  /// One byte.
  public mutating func byte() throws(StoredFormError) -> UInt8 {
    guard position < bytes.count else { throw .truncated(at: position) }
    defer { position += 1 }
    return bytes[position]
  }

  /// Eight bytes, the bit pattern.
  public mutating func double() throws(StoredFormError) -> Double {
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bits |= UInt64(try byte()) << shift
    }
    return Double(bitPattern: bits)
  }

  /// A length, then the bytes.
  public mutating func blob() throws(StoredFormError) -> [UInt8] {
    let length = try count()
    defer { position += length }
    return Array(bytes[position..<position + length])
  }

  /// A length, then UTF-8.
  public mutating func text() throws(StoredFormError) -> String {
    let start = position
    guard let text = String(validating: try blob(), as: UTF8.self) else {
      throw .notText(at: start)
    }
    return text
  }

  /// 16 bytes.
  public mutating func identifier<Tag>() throws(StoredFormError) -> Identifier<Tag> {
    let high = try half()
    return Identifier(high: high, low: try half())
  }

  /// Milliseconds since 1970.
  public mutating func instant() throws(StoredFormError) -> Instant {
    Instant(milliseconds: try signed())
  }

  /// A flag, then the value if there is one.
  public mutating func optional<Value>(
    _ read: (inout ByteReader) throws(StoredFormError) -> Value
  ) throws(StoredFormError) -> Value? {
    try flag() ? try read(&self) : nil
  }

  /// A count, then each element.
  public mutating func list<Element>(
    _ read: (inout ByteReader) throws(StoredFormError) -> Element
  ) throws(StoredFormError) -> [Element] {
    let count = try count()
    var values: [Element] = []
    values.reserveCapacity(min(count, 4_096))
    for _ in 0..<count { values.append(try read(&self)) }
    return values
  }

  /// A number of an action, or 0: far enough below the end of its type to count on.
  public mutating func actionNumber() throws(StoredFormError) -> ActionNumber {
    let number = try unsigned()
    guard number < ActionLimits.numberEnd else { throw .outOfRange(of: "action number") }
    return number
  }

  /// An enum from its raw byte; throws for a case this build does not know.
  public mutating func choice<Choice: RawRepresentable>(
    of name: String
  ) throws(StoredFormError) -> Choice where Choice.RawValue == UInt8 {
    let raw = try byte()
    guard let choice = Choice(rawValue: raw) else { throw .unknownTag(UInt64(raw), of: name) }
    return choice
  }

  private mutating func half() throws(StoredFormError) -> UInt64 {
    var value: UInt64 = 0
    for _ in 0..<8 { value = value << 8 | UInt64(try byte()) }
    return value
  }
}
