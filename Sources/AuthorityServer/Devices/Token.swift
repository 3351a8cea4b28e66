internal import CCrypto
internal import Guards
internal import WatchTransfer

/// A device's secret: 256 random bits. Only its hash is stored.
public struct Token: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// Length in bytes.
  public static let byteCount = 32

  /// Exactly 32 bytes; nil for any other length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Draws a token.
  public init() {
    bytes = (0..<4).flatMap { _ in
      let word = UInt64.random(in: .min ... .max)
      return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
    }
  }

  /// 64 lower-case hexadecimal digits.
  public var text: String { hexadecimal(of: bytes) }

  /// SHA-256 of the bytes. The token has 256 random bits, so a plain hash cannot be searched.
  public var hash: TokenHash { TokenHash(of: bytes) }
}

/// SHA-256 of a token. Looked up by equality of hashes: what timing could tell of a hash tells
/// nothing of a token that has it.
public struct TokenHash: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// A stored hash.
  public init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The hash of `bytes`.
  init(of bytes: [UInt8]) {
    var digest = [UInt8](repeating: 0, count: 32)
    var length = 0
    let done = digest.withUnsafeMutableBufferPointer { out in
      bytes.withUnsafeBytes { input in
        EVP_Q_digest(nil, "SHA256", nil, input.baseAddress, input.count, out.baseAddress, &length)
      }
    }
    invariant(done == 1 && length == 32, "SHA-256 is always there")
    self.bytes = digest
  }
}
