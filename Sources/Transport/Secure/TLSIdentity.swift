internal import COpenSSL
internal import Glibc

/// A server's certificate, those that lead from it to a root, and its key: the one owner of each.
final class TLSIdentity {
  /// The server's own certificate.
  var certificate: OpaquePointer { certificates.pointers[0] }
  /// Those between it and a root, which clients may not have.
  var chain: ArraySlice<OpaquePointer> { certificates.pointers.dropFirst() }
  /// The private key.
  let key: OpaquePointer
  private let certificates: CertificateList

  /// Reads PEM files, and makes sure that they belong together.
  init(certificatePath: String, keyPath: String) throws(TLSSetupError) {
    let certificates = try TLSFile.certificates(certificatePath)
    let bytes = try TLSFile.read(keyPath, isSecret: true)
    ERR_clear_error()
    let key = TLSFile.withMemory(bytes) { bio in
      // Without a callback OpenSSL would ask for the password on the terminal.
      PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let key else { throw .noKey(path: keyPath) }
    guard X509_check_private_key(certificates.pointers[0], key) == 1 else {
      EVP_PKEY_free(key)
      throw .keyOfAnother(certificatePath: certificatePath, keyPath: keyPath)
    }
    self.certificates = certificates
    self.key = key
  }

  deinit {
    EVP_PKEY_free(key)
  }
}

/// Certificates in the order of their file, at least one: the one owner of each.
final class CertificateList {
  /// Not empty.
  let pointers: [OpaquePointer]

  /// Takes charge of them.
  init(_ pointers: [OpaquePointer]) {
    self.pointers = pointers
  }

  deinit {
    for pointer in pointers { X509_free(pointer) }
  }
}

/// Files in PEM, read once and whole, so that what was checked is what is used.
enum TLSFile {
  /// What a file may hold at most, in bytes: a bundle of every public root has a quarter of that.
  static let bytesMax = 1_048_576

  /// The certificates of a file.
  static func certificates(_ path: String) throws(TLSSetupError) -> CertificateList {
    let bytes = try read(path, isSecret: false)
    ERR_clear_error()
    let pointers = withMemory(bytes) { bio -> [OpaquePointer] in
      var found: [OpaquePointer] = []
      // As for the key: nobody is asked for a password on the terminal.
      while let certificate = PEM_read_bio_X509(bio, nil, { _, _, _, _ in -1 }, nil) {
        found.append(certificate)
      }
      return found
    }
    ERR_clear_error()
    let list = CertificateList(pointers ?? [])
    if list.pointers.isEmpty { throw .noCertificate(path: path) }
    return list
  }

  /// The bytes of a file; a secret one must not be open to others: mode 0600, or 0640 if it belongs
  /// to root, so that a group of services may share it.
  static func read(_ path: String, isSecret: Bool) throws(TLSSetupError) -> [UInt8] {
    // A file, not a pipe that nobody writes to.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path, "open") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(path, "fstat") }
    let mode = status.st_mode & 0o777
    if isSecret, mode & (status.st_uid == 0 ? 0o037 : 0o077) != 0 {
      throw .keyIsOpen(path: path, mode: mode)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw unreadable(path, "read") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      if bytes.count > bytesMax { throw .tooLarge(path: path, max: bytesMax) }
    }
  }

  /// Lends bytes to OpenSSL.
  static func withMemory<Value>(_ bytes: [UInt8], _ body: (OpaquePointer) -> Value?) -> Value? {
    bytes.withUnsafeBytes { memory in
      guard let bio = BIO_new_mem_buf(memory.baseAddress, Int32(memory.count)) else { return nil }
      defer { BIO_free(bio) }
      return body(bio)
    }
  }

  /// What OpenSSL says of its last failure; never of a key's content.
  static func reason() -> String {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
  }

  private static func unreadable(_ path: String, _ call: StaticString) -> TLSSetupError {
    .unreadable(path: path, SystemError(ErrorNumber(rawValue: errno), call: call))
  }
}
