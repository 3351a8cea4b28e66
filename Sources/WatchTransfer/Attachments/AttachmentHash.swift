/// What a photo is known by: the SHA-256 of its bytes.
public struct AttachmentHash: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Its bytes: SHA-256 has 256 bits.
  public static let byteCount = 32

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// From 32 bytes that are not all 0; nil from anything else.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount, bytes.contains(where: { $0 != 0 }) else { return nil }
    func word(_ index: Int) -> UInt64 {
      bytes[8 * index..<8 * index + 8].reduce(0) { $0 << 8 | UInt64($1) }
    }
    first = word(0)
    second = word(1)
    third = word(2)
    fourth = word(3)
  }

  /// From 64 hexadecimal digits; nil from anything else.
  public init?(hex: some StringProtocol) {
    guard let bytes = hexadecimalBytes(of: hex) else { return nil }
    self.init(bytes: bytes)
  }

  /// The 32 bytes.
  public var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
    }
  }

  /// 64 hexadecimal digits.
  public var description: String { hexadecimal(of: bytes) }

  /// Orders as the bytes do.
  public static func < (left: Self, right: Self) -> Bool {
    (left.first, left.second, left.third, left.fourth)
      < (right.first, right.second, right.third, right.fourth)
  }
}
