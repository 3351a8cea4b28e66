internal import COpenSSL
internal import Guards

/// TLS 1.3 for the side that listens: a certificate and its key, which may be read anew while
/// connections stand.
public final class TLSServer: Sendable {
  private struct Current {
    var context: TLSContext
    var pin: CertificatePin
  }

  private let certificatePath: String
  private let keyPath: String
  private let current: Lock<Current>

  /// Reads a certificate (with those that lead to its root, if any, behind it) and its key, both in
  /// PEM. Others must not be able to read the key.
  public init(certificatePath: String, keyPath: String) throws(TLSSetupError) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
    current = Lock(try Self.read(certificatePath, keyPath))
  }

  /// What clients pin.
  public var pin: CertificatePin { current.withLock { $0.pin } }

  /// Reads both files again. Sessions that stand go on as they are; new ones have what was read. If
  /// it throws, everything stays as it was.
  public func reload() throws(TLSSetupError) {
    let fresh = try Self.read(certificatePath, keyPath)
    current.withLock { $0 = fresh }
  }

  /// An accepted socket on which TLS is spoken from the first byte on; nil when there is no memory
  /// for it, and the caller closes the socket.
  public func secured(_ socket: AcceptedSocket) -> AcceptedSocket? {
    let context = current.withLock { $0.context }
    guard
      let session = TLSSession(
        context, descriptor: socket.descriptor, isClient: false, prepare: { _ in true })
    else { return nil }
    var socket = socket
    socket.session = session
    return socket
  }

  private static func read(
    _ certificatePath: String, _ keyPath: String
  ) throws(TLSSetupError) -> Current {
    let identity = try TLSIdentity(certificatePath: certificatePath, keyPath: keyPath)
    guard let pin = CertificatePin(of: identity.certificate) else {
      throw .refused("the certificate has no key")
    }
    return Current(context: try TLSContext(identity), pin: pin)
  }
}

extension CertificatePin {
  /// The pin of the first certificate in a PEM file.
  public init(certificatePath: String) throws(TLSSetupError) {
    let list = try TLSFile.certificates(certificatePath)
    guard let pin = CertificatePin(of: list.pointers[0]) else {
      throw .refused("the certificate has no key")
    }
    self = pin
  }
}
