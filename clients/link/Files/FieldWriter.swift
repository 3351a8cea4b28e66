package import WatchTransfer

/// Writes the fields of a client's own files: little-endian numbers, counted bytes.
package struct FieldWriter {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  /// Nothing yet.
  package init() {}

  /// One byte.
  package mutating func put(_ value: UInt8) {
    bytes.append(value)
  }

  /// A fixed-width number.
  package mutating func put<Number: FixedWidthInteger>(_ value: Number) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// 16 bytes.
  package mutating func put<Tag>(_ id: Identifier<Tag>) {
    bytes.append(contentsOf: id.bytes)
  }

  /// An id that may be absent.
  package mutating func put<Tag>(_ id: Identifier<Tag>?) {
    put(UInt8(id == nil ? 0 : 1))
    if let id { put(id) }
  }

  /// A 32-bit count, then the bytes.
  package mutating func put(counted value: [UInt8]) {
    put(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }
}
