/// 16 bytes that name an account, a device or a start; big-endian in two numbers.
public struct StoredID: Hashable, Sendable {
  /// Bytes 0 to 7.
  public let hi: UInt64
  /// Bytes 8 to 15.
  public let lo: UInt64

  /// An id from its halves.
  public init(hi: UInt64, lo: UInt64) {
    self.hi = hi
    self.lo = lo
  }

  /// An id from exactly 16 bytes; nil for any other number of them.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var halves: (UInt64, UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        halves.0 = halves.0 << 8 | UInt64(byte)
      } else {
        halves.1 = halves.1 << 8 | UInt64(byte)
      }
    }
    self.init(hi: halves.0, lo: halves.1)
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
      for index in 0..<8 {
        let shift = UInt64(56 - 8 * index)
        buffer[index] = UInt8(truncatingIfNeeded: hi >> shift)
        buffer[index + 8] = UInt8(truncatingIfNeeded: lo >> shift)
      }
      count = 16
    }
  }
}

extension StoredID: Comparable {
  /// The order of the bytes.
  public static func < (left: StoredID, right: StoredID) -> Bool {
    (left.hi, left.lo) < (right.hi, right.lo)
  }
}

extension StoredID: CustomStringConvertible {
  /// 32 lower-case hexadecimal digits.
  public var description: String {
    let digits = [hi, lo].map { half in
      let short = String(half, radix: 16)
      return String(repeating: "0", count: 16 - short.count) + short
    }
    return digits.joined()
  }
}
