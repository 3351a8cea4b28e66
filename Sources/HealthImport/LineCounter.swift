import Glibc

/// Counts lines, and only when somebody asks.
struct LineCounter {
  /// Line of the byte counted to, from 1.
  private(set) var line = 1

  private var countedTo = 0

  /// Counts up to a position of the chunk, which must not go back.
  mutating func count(in chunk: UnsafeRawBufferPointer, upTo end: Int) {
    let part = UnsafeRawBufferPointer(rebasing: chunk[..<end])
    while let found = part.position(of: UInt8(ascii: "\n"), from: countedTo) {
      line += 1
      countedTo = found + 1
    }
    countedTo = end
  }

  /// Goes on to the next chunk; this one must have been counted to its end.
  mutating func beginChunk() {
    countedTo = 0
  }
}

extension UnsafeRawBufferPointer {
  /// Position of the first such byte from a position on. `memchr`, because most bytes of an export
  /// are only passed over and it looks at 32 of them at a time.
  func position(of byte: UInt8, from start: Int) -> Int? {
    guard let base = baseAddress, start < count,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
