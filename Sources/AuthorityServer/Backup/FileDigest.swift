internal import CCrypto
internal import Glibc
internal import Guards
internal import WatchTransfer

/// Reading whole files, a block at a time, for their SHA-256 or to copy them.
enum FileDigest {
  private static let blockBytes = 1 << 20

  /// Size and SHA-256, in hexadecimal, of a file that SQLite does not have open.
  static func of(_ path: String) throws(BackupError) -> (bytes: Int64, sha256: String) {
    try read(path) { (_) throws(BackupError) in }
  }

  /// Copies a file to a new one, and makes it durable; size and SHA-256 of what was copied.
  static func copy(
    _ path: String, to target: String
  ) throws(BackupError) -> (bytes: Int64, sha256: String) {
    unlink(target)
    let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw .targetRefuses(path: target, errno: errno) }
    defer { close(output) }
    let facts = try read(path) { (block) throws(BackupError) in
      var written = 0
      while written < block.count {
        let count = write(output, block.baseAddress?.advanced(by: written), block.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw .targetRefuses(path: target, errno: errno) }
        written += count
      }
    }
    guard fsync(output) == 0 else { throw .targetRefuses(path: target, errno: errno) }
    return facts
  }

  private static func read(
    _ path: String, _ take: (UnsafeRawBufferPointer) throws(BackupError) -> Void
  ) throws(BackupError) -> (bytes: Int64, sha256: String) {
    let input = open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else {
      throw .damaged(path: path, ["it cannot be read: \(String(cString: strerror(errno)))"])
    }
    defer { close(input) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    invariant(EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1, "SHA-256 is always there")
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockBytes, alignment: 16)
    defer { block.deallocate() }
    var bytes: Int64 = 0
    while true {
      let count = Glibc.read(input, block.baseAddress, blockBytes)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw .damaged(path: path, ["it cannot be read: \(String(cString: strerror(errno)))"])
      }
      if count == 0 { break }
      bytes += Int64(count)
      EVP_DigestUpdate(context, block.baseAddress, count)
      try take(UnsafeRawBufferPointer(rebasing: block[..<count]))
    }
    var digest = [UInt8](repeating: 0, count: 32)
    EVP_DigestFinal_ex(context, &digest, nil)
    return (bytes, hexadecimal(of: digest))
  }
}
