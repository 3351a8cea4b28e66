internal import CCrypto
internal import Guards
public import WatchTransfer

/// The SHA-256 of bytes that come piece by piece.
public final class AttachmentDigest {
  private let context: OpaquePointer?

  /// Of no bytes yet.
  public init() {
    context = EVP_MD_CTX_new()
    invariant(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "SHA-256 is always there")
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  /// More bytes.
  public func add(_ bytes: UnsafeRawBufferPointer) {
    EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
  }

  /// What all of them hash to; nil for a hash that names nothing. Nothing can be added afterwards.
  public func finish() -> AttachmentHash? {
    var digest = [UInt8](repeating: 0, count: AttachmentHash.byteCount)
    EVP_DigestFinal_ex(context, &digest, nil)
    return AttachmentHash(bytes: digest)
  }

  /// What `bytes` hash to.
  public static func hash(of bytes: [UInt8]) -> AttachmentHash? {
    let digest = AttachmentDigest()
    bytes.withUnsafeBytes { digest.add($0) }
    return digest.finish()
  }
}
