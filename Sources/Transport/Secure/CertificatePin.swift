internal import COpenSSL

/// Which key a server must have: the SHA-256 of its certificate's SubjectPublicKeyInfo (RFC 7469
/// section 2.4). It outlives a new certificate for the same key, and needs no authority.
public struct CertificatePin: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes of the hash.
  public let bytes: [UInt8]

  /// Bytes of a hash.
  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads `sha256:` with 44 characters of base64 or 64 hexadecimal digits, the prefix optional
  /// before digits; nil for anything else.
  public init?(parsing text: String) {
    let hasPrefix = text.hasPrefix("sha256:")
    let body = Array((hasPrefix ? text.dropFirst(7) : text[...]).utf8)
    if body.count == 64, let bytes = Self.hexadecimal(body) {
      self.bytes = bytes
    } else if hasPrefix, body.count == 44, let bytes = Self.base64(body) {
      self.bytes = bytes
    } else {
      return nil
    }
  }

  /// `sha256:` and base64, which `init(parsing:)` reads.
  public var description: String {
    "sha256:" + String(decoding: Self.base64(encoding: bytes), as: UTF8.self)
  }

  /// The pin of a certificate's key; nil when OpenSSL has no memory for it.
  init?(of certificate: OpaquePointer) {
    guard let key = X509_get_X509_PUBKEY(certificate) else { return nil }
    let length = Int(i2d_X509_PUBKEY(key, nil))
    guard length > 0 else { return nil }
    var encoded = [UInt8](repeating: 0, count: length)
    var hash = [UInt8](repeating: 0, count: 32)
    let isHashed = encoded.withUnsafeMutableBufferPointer { buffer -> Bool in
      // i2d moves the pointer behind what it wrote.
      var end = buffer.baseAddress
      guard Int(i2d_X509_PUBKEY(key, &end)) == length else { return false }
      return EVP_Digest(buffer.baseAddress, length, &hash, nil, EVP_sha256(), nil) == 1
    }
    guard isHashed else { return nil }
    bytes = hash
  }

  private static func hexadecimal(_ digits: [UInt8]) -> [UInt8]? {
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      // UInt8 would take a sign.
      guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  /// 44 characters to 32 bytes. What does not come back the same was not written by an encoder.
  private static func base64(_ text: [UInt8]) -> [UInt8]? {
    var decoded = [UInt8](repeating: 0, count: 33)
    guard EVP_DecodeBlock(&decoded, text, Int32(text.count)) == 33 else { return nil }
    let bytes = Array(decoded.prefix(32))
    return base64(encoding: bytes) == text ? bytes : nil
  }

  private static func base64(encoding bytes: [UInt8]) -> [UInt8] {
    var text = [UInt8](repeating: 0, count: 45)
    let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
    return Array(text.prefix(Int(count)))
  }
}
