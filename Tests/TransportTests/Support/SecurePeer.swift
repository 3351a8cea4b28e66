import CLinux
import COpenSSL
import Glibc
import Testing

@testable import Transport

/// The far end of a secured connection, by OpenSSL alone and driven by hand: what it encrypts can
/// be held back, cut and changed before it goes into the socket.
final class SecurePeer {
  let peer: Peer
  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  private(set) var isEstablished = false
  /// The error of the last call that failed for good.
  private(set) var failure: Int32?

  /// A client; `knowsOnly` is the one version it speaks.
  init(_ peer: Peer, knowsOnly version: Int32 = TLS1_3_VERSION) throws {
    self.peer = peer
    context = try #require(SSL_CTX_new(TLS_client_method()))
    // SSL_CTX_set_min_proto_version and its like are macros.
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(version), nil)
    SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(version), nil)
    ssl = try #require(SSL_new(context))
    incoming = try #require(BIO_new(BIO_s_mem()))
    outgoing = try #require(BIO_new(BIO_s_mem()))
    SSL_set_bio(ssl, incoming, outgoing)
    SSL_set_connect_state(ssl)
  }

  /// A server.
  init(_ peer: Peer, _ identity: TLSIdentity) throws {
    self.peer = peer
    context = try #require(SSL_CTX_new(TLS_server_method()))
    SSL_CTX_set_num_tickets(context, 2)
    try #require(SSL_CTX_use_certificate(context, identity.certificate) == 1)
    try #require(SSL_CTX_use_PrivateKey(context, identity.key) == 1)
    ssl = try #require(SSL_new(context))
    incoming = try #require(BIO_new(BIO_s_mem()))
    outgoing = try #require(BIO_new(BIO_s_mem()))
    SSL_set_bio(ssl, incoming, outgoing)
    SSL_set_accept_state(ssl)
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  /// Goes on with the handshake; whether it is done.
  func shake() -> Bool {
    takeIn()
    if !isEstablished, failure == nil {
      ERR_clear_error()
      let outcome = SSL_do_handshake(ssl)
      isEstablished = outcome == 1
      note(outcome)
    }
    peer.write(sealed())
    return isEstablished
  }

  /// Encrypts one write, and gives the records away instead of sending them.
  func seal(_ bytes: [UInt8]) throws -> [UInt8] {
    try #require(SSL_write(ssl, bytes, Int32(bytes.count)) == bytes.count)
    return sealed()
  }

  /// Encrypts one write into records and sends as much as the socket takes.
  func write(_ bytes: [UInt8]) throws {
    let records = try seal(bytes)
    #expect(peer.write(records) == records.count)
  }

  /// What the other side has sent so far, decrypted, at most `max` bytes.
  func readNow(max: Int = 1 << 20) -> [UInt8] {
    takeIn()
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(max, 65_536))
    while all.count < max {
      ERR_clear_error()
      let count = SSL_read(ssl, &buffer, Int32(min(buffer.count, max - all.count)))
      if count <= 0 {
        note(count)
        break
      }
      all += buffer[..<Int(count)]
    }
    return all
  }

  /// Whether the other side has said that nothing more comes (close_notify).
  var heardTheEnd: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

  /// Says that nothing more comes.
  func finish() {
    SSL_shutdown(ssl)
    peer.write(sealed())
  }

  /// New keys from here on, and asks the other side for new ones too.
  func updateKeys() throws {
    try #require(SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED) == 1)
    try #require(SSL_do_handshake(ssl) == 1)
    peer.write(sealed())
  }

  private func takeIn() {
    while let bytes = peer.readNow(max: 65_536), !bytes.isEmpty {
      BIO_write(incoming, bytes, Int32(bytes.count))
    }
  }

  private func sealed() -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = BIO_read(outgoing, &buffer, Int32(buffer.count))
      if count <= 0 { return all }
      all += buffer[..<Int(count)]
    }
  }

  private func note(_ outcome: Int32) {
    if outcome > 0 { return }
    let error = SSL_get_error(ssl, outcome)
    if error == SSL_ERROR_SSL || error == SSL_ERROR_SYSCALL {
      failure = ERR_GET_REASON(ERR_peek_error())
    }
  }
}

/// A certificate and its key in files that go with it.
final class TestIdentity {
  let directory: TemporaryDirectory
  var certificatePath: String { "\(directory.path)/tls.crt" }
  var keyPath: String { "\(directory.path)/tls.key" }

  init(hosts: [String] = ["localhost", "127.0.0.1"], days: Int = 30) throws {
    directory = try TemporaryDirectory()
    try replace(hosts: hosts, days: days)
  }

  /// Other files under the same names.
  func replace(hosts: [String] = ["localhost", "127.0.0.1"], days: Int = 30) throws {
    let made = try SelfSignedCertificate(hosts: hosts, days: days)
    try Self.write(made.certificate, to: certificatePath, mode: 0o644)
    try Self.write(made.key, to: keyPath, mode: 0o600)
  }

  func server() throws -> TLSServer {
    try TLSServer(certificatePath: certificatePath, keyPath: keyPath)
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
    unlink(path)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    // Whatever the umask.
    try #require(fchmod(descriptor, mode) == 0)
  }
}

extension PoolDriver {
  /// A new connection that waits for its handshake, and its far end.
  func securing(
    _ server: TLSServer, knowsOnly version: Int32 = TLS1_3_VERSION
  ) throws -> (ConnectionID, SecurePeer) {
    let (socket, peer) = try Wire.tcp.pair()
    let id = pool.adopt(try #require(server.secured(socket)))
    return (id, try SecurePeer(peer, knowsOnly: version))
  }

  /// Has the kernel hold little between the two.
  func setSmallBuffers(of id: ConnectionID, _ peer: SecurePeer) {
    let descriptor = pool.slots[Int(id.slot)].descriptor
    _ = clinux_set_option(descriptor, SOL_SOCKET, SO_SNDBUF, 32_768)
    peer.peer.setBuffer(SO_RCVBUF, 32_768)
  }

  /// A new connection whose handshake is done, and its far end.
  func secured(_ server: TLSServer) throws -> (ConnectionID, SecurePeer) {
    let (id, peer) = try securing(server)
    turn { peer.shake() && !pool.isSecuring(id) }
    return (id, peer)
  }
}
