internal import COpenSSL

/// The SHA-256 of bytes.
public enum ContentDigest {
  /// 32 bytes.
  public static func sha256(of bytes: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    // It fails only where the algorithm is not there, and TLS would not work either.
    let isHashed = EVP_Digest(bytes, bytes.count, &hash, nil, EVP_sha256(), nil) == 1
    return isHashed ? hash : []
  }
}
