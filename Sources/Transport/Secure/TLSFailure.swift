/// Why TLS on a connection came to nothing, or to an end: what the peer or the network did.
public enum TLSFailure: Hashable, Sendable {
  /// The first bytes are of no TLS record: a plain client, HTTP, noise.
  case notSpoken
  /// The peer knows only versions before 1.3.
  case oldVersion
  /// The handshake failed: no common cipher, a message that cannot be, garbage within it.
  case handshake
  /// The peer went away within the handshake.
  case abandoned
  /// The handshake took too long.
  case stalled
  /// The peer refused us, by an alert of this number (RFC 8446 section 6).
  case refused(alert: UInt8)
  /// The server's key is not the pinned one but this.
  case pinMismatch(presented: CertificatePin)
  /// No authority that was asked for vouches for the server's certificate; the reason is OpenSSL's.
  case untrusted(reason: String)
  /// The stream ended without a close_notify: bytes may be missing at its end.
  case truncated
  /// A record that was changed on its way, or that may not come.
  case damaged

  /// The word under which it is counted.
  public var word: String {
    switch self {
    case .notSpoken: "tlsNotSpoken"
    case .oldVersion: "tlsOldVersion"
    case .handshake: "tlsHandshake"
    case .abandoned: "tlsAbandoned"
    case .stalled: "tlsStalled"
    case .refused: "tlsRefused"
    case .pinMismatch: "tlsPinMismatch"
    case .untrusted: "tlsUntrusted"
    case .truncated: "tlsTruncated"
    case .damaged: "tlsDamaged"
    }
  }
}

/// Why TLS cannot be set up: an error of the configuration, told at the start or at a reload.
public enum TLSSetupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A file cannot be read.
  case unreadable(path: String, SystemError)
  /// A file is larger than any certificate or key.
  case tooLarge(path: String, max: Int)
  /// Others may read the key.
  case keyIsOpen(path: String, mode: UInt32)
  /// The file holds no certificate in PEM.
  case noCertificate(path: String)
  /// The file holds no private key in PEM that can be read without a password.
  case noKey(path: String)
  /// The key is not the certificate's.
  case keyOfAnother(certificatePath: String, keyPath: String)
  /// OpenSSL refuses; the reason is its own.
  case refused(String)

  /// What to do, in words.
  public var description: String {
    switch self {
    case .unreadable(let path, let error):
      "\(path) cannot be read: \(error.number)"
    case .tooLarge(let path, let max):
      "\(path) has more than \(max) bytes, and is no certificate or key"
    case .keyIsOpen(let path, let mode):
      "others may read the key in \(path) (mode 0\(String(mode, radix: 8))): chmod 600 \(path)"
    case .noCertificate(let path):
      "\(path) holds no certificate in PEM"
    case .noKey(let path):
      "\(path) holds no private key in PEM, or one behind a password: take the password off"
    case .keyOfAnother(let certificatePath, let keyPath):
      "the key in \(keyPath) is not that of the certificate in \(certificatePath)"
    case .refused(let reason):
      "OpenSSL refuses: \(reason)"
    }
  }
}
