internal import COpenSSL
internal import Glibc

/// The settings of one side of TLS 1.3: the one owner of an `SSL_CTX`.
///
/// Unchecked: everything is set within `init`; after that it only makes sessions, which any number
/// of threads may do at once (openssl-threads(7)).
final class TLSContext: @unchecked Sendable {
  /// For `SSL_new`; each session keeps the settings it was made of.
  let pointer: OpaquePointer
  /// The key that the server must have, on the side that connects.
  let pin: CertificatePin?

  /// The side that listens, with this certificate and key.
  init(_ identity: TLSIdentity) throws(TLSSetupError) {
    pointer = try Self.make(TLS_server_method())
    pin = nil
    // Every connection is a whole handshake: tickets would only be kept for nothing.
    try Self.check(SSL_CTX_set_num_tickets(pointer, 0))
    try Self.check(SSL_CTX_use_certificate(pointer, identity.certificate))
    try Self.check(SSL_CTX_use_PrivateKey(pointer, identity.key))
    for certificate in identity.chain {
      try Self.check(Int32(copenssl_add_chain_certificate(pointer, certificate)))
    }
  }

  /// The side that connects.
  init(_ trust: TLSTrust) throws(TLSSetupError) {
    pointer = try Self.make(TLS_client_method())
    SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
    switch trust {
    case .pin(let pin):
      self.pin = pin
      SSL_CTX_set_cert_verify_callback(pointer, { store, _ in TLSContext.hasPinnedKey(store) }, nil)
    case .authority(let path):
      pin = nil
      // Read here, for an error that says which file.
      let authorities = try TLSFile.certificates(path)
      guard let store = SSL_CTX_get_cert_store(pointer) else { throw .refused("no store") }
      for certificate in authorities.pointers {
        try Self.check(X509_STORE_add_cert(store, certificate))
      }
    }
  }

  deinit {
    SSL_CTX_free(pointer)
  }

  private static func make(_ method: OpaquePointer?) throws(TLSSetupError) -> OpaquePointer {
    ERR_clear_error()
    guard let context = SSL_CTX_new(method) else { throw .refused(TLSFile.reason()) }
    copenssl_set_up(context)
    guard copenssl_set_tls13_only(context) == 1 else {
      SSL_CTX_free(context)
      throw .refused(TLSFile.reason())
    }
    return context
  }

  private static func check(_ outcome: Int32) throws(TLSSetupError) {
    if outcome != 1 { throw .refused(TLSFile.reason()) }
  }

  /// Instead of OpenSSL's own judgement of certificates: whether the key is the pinned one. That
  /// the server has the key, the handshake proves by itself (CertificateVerify). Names, times and
  /// authorities do not matter. The handshake stops here if it is not, before the client has sent
  /// anything but its greeting.
  private static func hasPinnedKey(_ store: OpaquePointer?) -> Int32 {
    let index = SSL_get_ex_data_X509_STORE_CTX_idx()
    guard let certificate = X509_STORE_CTX_get0_cert(store),
      let ssl = X509_STORE_CTX_get_ex_data(store, index).map({ OpaquePointer($0) }),
      let wire = TLSWire.of(SSL_get_rbio(ssl)), let pin = wire.pointee.pin,
      let presented = CertificatePin(of: certificate)
    else { return 0 }
    if presented == pin { return 1 }
    wire.pointee.otherPin = presented
    X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
    return 0
  }
}
