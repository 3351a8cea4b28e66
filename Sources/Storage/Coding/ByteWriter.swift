public import WatchTransfer

/// Builds the compact binary form that the journal and the checkpoints store: varints (LEB128),
/// zigzag for signed values, lengths before bytes. The same values give the same bytes anywhere.
public struct ByteWriter {
  /// What was written so far.
  public private(set) var bytes: [UInt8] = []

  /// An empty writer.
  public init() {}

  /// A varint, 1 to 10 bytes.
  public mutating func unsigned(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A zigzag varint.
  public mutating func signed(_ value: Int64) {
    unsigned(UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// A count or an index >= 0.
  public mutating func count(_ value: Int) {
    unsigned(UInt64(max(0, value)))
  }

  /// One byte: 0 or 1.
  public mutating func flag(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  /// One byte, such as an enum's raw value or a tag.
  public mutating func byte(_ value: UInt8) {
    bytes.append(value)
  }

  /// Eight bytes, the bit pattern.
  public mutating func double(_ value: Double) {
    withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// A length, then the bytes.
  public mutating func blob(_ value: [UInt8]) {
    count(value.count)
    bytes.append(contentsOf: value)
  }

  /// A length, then UTF-8.
  public mutating func text(_ value: String) {
    count(value.utf8.count)
    bytes.append(contentsOf: value.utf8)
  }

  /// 16 bytes.
  public mutating func identifier(_ value: Identifier<some Any>) {
    withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) {
      bytes.append(contentsOf: $0)
    }
  }

  /// Milliseconds since 1970, zigzag.
  public mutating func instant(_ value: Instant) {
    signed(value.milliseconds)
  }

  /// A flag, then the value if there is one.
  public mutating func optional<Value>(
    _ value: Value?, _ write: (inout ByteWriter, Value) -> Void
  ) {
    flag(value != nil)
    if let value { write(&self, value) }
  }

  /// A count, then each element.
  public mutating func list<Element>(
    _ values: some Collection<Element>, _ write: (inout ByteWriter, Element) -> Void
  ) {
    count(values.count)
    for value in values { write(&self, value) }
  }
}
