package import WatchTransfer

/// Reads what `FieldWriter` wrote; nil, and nil from then on, where the bytes end too early.
package struct FieldReader {
  private var rest: ArraySlice<UInt8>

  /// Reads from the start of `bytes`.
  package init(_ bytes: some Collection<UInt8>) {
    rest = ArraySlice(bytes)
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { rest.isEmpty }

  /// A fixed-width number.
  package mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) -> Number? {
    guard let bytes = take(MemoryLayout<Number>.size) else { return nil }
    var value = Number.zero
    for byte in bytes.reversed() { value = value << 8 | Number(truncatingIfNeeded: byte) }
    return value
  }

  /// 16 bytes.
  package mutating func id<Tag>(_ kind: Tag.Type = Tag.self) -> Identifier<Tag>? {
    take(Identifier<Tag>.byteCount).flatMap { Identifier(bytes: $0) }
  }

  /// An id that may be absent: nil inside, when it is.
  package mutating func optionalID<Tag>(_ kind: Tag.Type = Tag.self) -> Identifier<Tag>?? {
    switch number(UInt8.self) {
    case 0: return .some(nil)
    case 1: return id(kind).map { .some($0) }
    default: return nil
    }
  }

  /// A 32-bit count, then the bytes.
  package mutating func counted() -> [UInt8]? {
    guard let count = number(UInt32.self) else { return nil }
    return take(Int(count)).map { Array($0) }
  }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else {
      rest = []
      return nil
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
