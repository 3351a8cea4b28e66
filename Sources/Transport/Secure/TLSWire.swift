internal import CLinux
internal import COpenSSL
internal import Glibc
internal import Guards

/// What OpenSSL reads from and writes to, and what it met there: OpenSSL tells errors of a socket
/// by `errno` and by guesses, this tells them as they were.
struct TLSWire {
  /// The socket; whoever holds the session closes it.
  let descriptor: Int32
  /// The key that the server must have; nil: not pinned.
  let pin: CertificatePin?
  /// The key that it has, when that is another one.
  var otherPin: CertificatePin?
  /// The last call failed by this; 0: it did not.
  var errorNumber: Int32 = 0
  /// The last call found nothing to read.
  var isEmpty = false
  /// The peer has finished its side of the socket.
  var hasEnded = false

  /// A wire to a socket.
  init(descriptor: Int32, pin: CertificatePin?) {
    self.descriptor = descriptor
    self.pin = pin
  }

  /// Forgets what the last call met.
  mutating func beginCall() {
    errorNumber = 0
    isEmpty = false
  }

  /// The wire that a BIO of `method` belongs to.
  static func of(_ bio: OpaquePointer?) -> UnsafeMutablePointer<TLSWire>? {
    BIO_get_data(bio)?.assumingMemoryBound(to: TLSWire.self)
  }

  // Made once and only read after that: BIO_METHOD is no Sendable type, but many threads may use
  // one (BIO_meth_new(3)).
  /// The calls of such a BIO. OpenSSL's own BIO for sockets writes by write(2), which a peer that
  /// is gone answers with SIGPIPE.
  nonisolated(unsafe) static let method: OpaquePointer = {
    let type = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
    guard let method = BIO_meth_new(type, "wristwire") else { fatalError("out of memory") }
    BIO_meth_set_read(method) { bio, bytes, count in
      TLSWire.read(bio, bytes, count)
    }
    BIO_meth_set_write(method) { bio, bytes, count in
      TLSWire.write(bio, bytes, count)
    }
    BIO_meth_set_ctrl(method) { bio, command, _, _ in
      switch command {
      case BIO_CTRL_FLUSH: 1
      // Since 3.0 a read that fails asks for it: 1 is the end without a close_notify.
      case BIO_CTRL_EOF: TLSWire.of(bio)?.pointee.hasEnded == true ? 1 : 0
      default: 0
      }
    }
    return method
  }()

  private static func read(
    _ bio: OpaquePointer?, _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int32
  ) -> Int32 {
    guard let wire = of(bio), let bytes, count > 0 else { return -1 }
    BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    let result = clinux_receive(wire.pointee.descriptor, bytes, Int(count))
    if result == 0 { wire.pointee.hasEnded = true }
    if result >= 0 { return Int32(truncatingIfNeeded: result) }
    if result == -Int(EAGAIN) {
      wire.pointee.isEmpty = true
      BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
    } else {
      wire.pointee.errorNumber = Int32(truncatingIfNeeded: -result)
    }
    return -1
  }

  private static func write(
    _ bio: OpaquePointer?, _ bytes: UnsafePointer<CChar>?, _ count: Int32
  ) -> Int32 {
    guard let wire = of(bio), let bytes, count > 0 else { return -1 }
    BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    let result = clinux_send(wire.pointee.descriptor, bytes, Int(count))
    if result >= 0 { return Int32(truncatingIfNeeded: result) }
    if result == -Int(EAGAIN) {
      BIO_set_flags(bio, BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
    } else {
      wire.pointee.errorNumber = Int32(truncatingIfNeeded: -result)
    }
    return -1
  }
}
