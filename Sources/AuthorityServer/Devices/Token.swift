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

extension Token: CustomStringConvertible, CustomReflectable {
  /// Not the bytes.
  public var description: String { "a token" }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Whether a device cannot have drawn it: 32 random bytes have fewer than 8 different values once
  /// in 10^40.
  var isWeak: Bool { Set(bytes).count < 8 }
}

/// SHA-256 of a token, or of a salted pairing code. Hashes are found by their first 8 bytes and
/// then compared whole, in constant time.
public struct TokenHash: Hashable, Sendable {
  /// 32 bytes.
  public let bytes: [UInt8]

  /// A stored hash.
  public init(stored bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The first 8 bytes: what a table is searched by. How long that takes tells at most something of
  /// a hash, and so nothing of a token that has it.
  var selector: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// Whether both are the same; takes as long whatever differs (CRYPTO_memcmp(3)).
  func isSame(as other: TokenHash) -> Bool {
    bytes.count == other.bytes.count && CRYPTO_memcmp(bytes, other.bytes, bytes.count) == 0
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
