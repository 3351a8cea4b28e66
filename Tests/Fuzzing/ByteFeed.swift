/// Takes an input apart, front to back; where it ends, zeros follow.
struct ByteFeed {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Reads `bytes` from their start.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Whether everything was taken.
  var isAtEnd: Bool { position >= bytes.count }

  /// The next byte.
  mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// The next bytes, as many as their length in front of them says.
  mutating func counted() -> UnsafeRawBufferPointer {
    take(Int(byte()) | Int(byte()) << 8)
  }

  /// Everything that is left.
  mutating func rest() -> UnsafeRawBufferPointer { take(bytes.count) }

  private mutating func take(_ wanted: Int) -> UnsafeRawBufferPointer {
    let count = min(wanted, bytes.count - min(position, bytes.count))
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
  }
}
