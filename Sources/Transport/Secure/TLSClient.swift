internal import COpenSSL

/// Whom a client takes for its server.
public enum TLSTrust: Hashable, Sendable {
  /// Whoever has the key of this hash, and nobody else; no authority is asked.
  case pin(CertificatePin)
  /// Whoever has a certificate, valid now and for the name or address that was connected to, from
  /// an authority listed in this PEM file.
  case authority(path: String)
}

/// TLS 1.3 for the side that connects.
public struct TLSClient: Sendable {
  private let context: TLSContext
  private let serverName: String?

  /// A client that trusts as it is told. `serverName` is the name that an authority's certificate
  /// must be for; nil: the address that is connected to. Throws when the authorities cannot be
  /// read.
  public init(trusting trust: TLSTrust, serverName: String? = nil) throws(TLSSetupError) {
    context = try TLSContext(trust)
    self.serverName = serverName
  }

  /// TLS on a socket that is connected, or about to be, to `address`; nil when there is no memory
  /// for it.
  func session(on descriptor: Int32, to address: SocketAddress) -> TLSSession? {
    TLSSession(context, descriptor: descriptor, isClient: true) { ssl in
      if let serverName {
        return copenssl_set_server_name(ssl, serverName) == 1 && SSL_set1_host(ssl, serverName) == 1
      }
      guard case .internet(let host, _) = address.place else { return context.pin != nil }
      let bytes = host.bytes
      return X509_VERIFY_PARAM_set1_ip(SSL_get0_param(ssl), bytes, bytes.count) == 1
    }
  }
}
