internal import COpenSSL
internal import Glibc

/// TLS on one socket: the one owner of an `SSL`. It goes with the socket from pool to pool, with
/// the bytes that are inside it.
///
/// Calls never wait. They return what the calls of CLinux return: a count, 0 at the end of the
/// stream, or a negative errno value; EPROTO means that `failure` says why.
///
/// Unchecked: one pool at a time holds it and uses it on its queue only. It changes queues inside
/// the closure that carries the socket, which orders what was done before and what is done after.
final class TLSSession: @unchecked Sendable {
  /// What a step of the handshake came to.
  enum Step {
    /// It waits for the peer, or for room in the socket.
    case waits(forRoom: Bool)
    /// Done: the peer is who it should be.
    case established
    /// Over.
    case failed(ErrorNumber)
  }

  /// Whether this is the side that connected.
  let isClient: Bool
  /// Whether the handshake is done.
  private(set) var isEstablished = false
  /// Whether reading may yield something although the socket has nothing: bytes inside TLS, or an
  /// end that was met behind them.
  private(set) var hasUnread = false
  /// Whether reading waits for room in the socket, to answer a message of TLS itself.
  private(set) var readWaitsForRoom = false
  /// What the peer did wrong, once it has.
  private(set) var failure: TLSFailure?
  private let ssl: OpaquePointer
  private let wire: UnsafeMutablePointer<TLSWire>
  /// Why reading is over; 0: it is not.
  private var inputError: Int32 = 0
  private var inputHasEnded = false
  private var outputIsFinished = false

  /// A session that has not begun; nil when OpenSSL has no memory for it. `prepare` may set what is
  /// particular to this one.
  init?(
    _ context: TLSContext, descriptor: Int32, isClient: Bool, prepare: (OpaquePointer) -> Bool
  ) {
    ERR_clear_error()
    guard let ssl = SSL_new(context.pointer) else { return nil }
    guard let bio = BIO_new(TLSWire.method) else {
      SSL_free(ssl)
      return nil
    }
    wire = .allocate(capacity: 1)
    wire.initialize(to: TLSWire(descriptor: descriptor, pin: context.pin))
    self.ssl = ssl
    self.isClient = isClient
    BIO_set_data(bio, wire)
    BIO_set_init(bio, 1)
    // One BIO for both directions; the session owns it from here on.
    SSL_set_bio(ssl, bio, bio)
    if isClient { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
    if !prepare(ssl) { return nil }
  }

  deinit {
    SSL_free(ssl)
    wire.deinitialize(count: 1)
    wire.deallocate()
  }

  /// Goes on with the handshake as far as it can.
  func handshake() -> Step {
    for _ in 0..<TransportLimits.recordsPerTurnMax {
      beginCall()
      let outcome = SSL_do_handshake(ssl)
      if outcome == 1 {
        isEstablished = true
        // What came behind the handshake may be inside already.
        hasUnread = true
        return .established
      }
      switch SSL_get_error(ssl, outcome) {
      case SSL_ERROR_WANT_READ: if wire.pointee.isEmpty { return .waits(forRoom: false) }
      case SSL_ERROR_WANT_WRITE: return .waits(forRoom: true)
      default: return .failed(ErrorNumber(rawValue: fail()))
      }
    }
    return .failed(ErrorNumber(rawValue: EPROTO))
  }

  /// Decrypts into `room`, at most `count` bytes and a turn's share of records.
  func receive(_ room: UnsafeMutableRawPointer, _ count: Int) -> Int {
    var total = 0
    hasUnread = true
    readWaitsForRoom = false
    for _ in 0..<TransportLimits.recordsPerTurnMax where total < count {
      if inputHasEnded || inputError != 0 { break }
      beginCall()
      var more = 0
      let outcome = SSL_read_ex(ssl, room + total, count - total, &more)
      if outcome == 1 {
        total += more
        // Nothing inside, not even a part of a record: the socket will tell what comes.
        hasUnread = SSL_has_pending(ssl) == 1
        if !hasUnread { return total }
        continue
      }
      switch SSL_get_error(ssl, outcome) {
      case SSL_ERROR_WANT_READ:
        // A message of TLS itself was taken; what is behind it may be inside already.
        if !wire.pointee.isEmpty { continue }
        hasUnread = false
        return total > 0 ? total : -Int(EAGAIN)
      case SSL_ERROR_WANT_WRITE:
        hasUnread = false
        readWaitsForRoom = true
        return total > 0 ? total : -Int(EAGAIN)
      case SSL_ERROR_ZERO_RETURN:
        inputHasEnded = true
      default:
        inputError = fail()
      }
      hasUnread = true
    }
    // What ended the stream is told by the next call, when the bytes before it have been taken.
    if total > 0 { return total }
    if inputError != 0 { return -Int(inputError) }
    return inputHasEnded ? 0 : -Int(EAGAIN)
  }

  /// Encrypts and writes what the socket takes. After EAGAIN the same bytes come again, perhaps
  /// with more behind them.
  func send(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    var total = 0
    while total < count {
      beginCall()
      var more = 0
      let outcome = SSL_write_ex(ssl, bytes + total, count - total, &more)
      if outcome == 1 {
        total += more
        continue
      }
      switch SSL_get_error(ssl, outcome) {
      case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ: return total > 0 ? total : -Int(EAGAIN)
      default: return -Int(fail())
      }
    }
    return total
  }

  /// Tells the peer that nothing more comes (close_notify). False: the socket has no room for that
  /// now.
  func finish() -> Bool {
    guard isEstablished, failure == nil, !outputIsFinished else { return true }
    beginCall()
    let outcome = SSL_shutdown(ssl)
    if outcome < 0, SSL_get_error(ssl, outcome) == SSL_ERROR_WANT_WRITE { return false }
    outputIsFinished = true
    return true
  }

  /// The handshake has taken too long.
  func stall() {
    failure = .stalled
  }

  /// Errors of other sessions must not be taken for one of this one: OpenSSL lists them by thread
  /// (SSL_get_error(3)).
  private func beginCall() {
    ERR_clear_error()
    wire.pointee.beginCall()
  }

  /// Takes down why a call failed; its errno value.
  private func fail() -> Int32 {
    // Told whatever became of the alert: who answers with another key may have gone already.
    if !isEstablished, let other = wire.pointee.otherPin {
      failure = .pinMismatch(presented: other)
      return EPROTO
    }
    if wire.pointee.errorNumber != 0 { return wire.pointee.errorNumber }
    failure = wire.pointee.hasEnded ? (isEstablished ? .truncated : .abandoned) : protocolFailure()
    return EPROTO
  }

  private func protocolFailure() -> TLSFailure {
    let code = ERR_peek_error()
    let reason = ERR_GET_LIB(code) == ERR_LIB_SSL ? ERR_GET_REASON(code) : 0
    switch reason {
    case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST, SSL_R_WRONG_VERSION_NUMBER:
      return isEstablished ? .damaged : .notSpoken
    case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_TLSV1_ALERT_PROTOCOL_VERSION:
      return .oldVersion
    case SSL_R_CERTIFICATE_VERIFY_FAILED:
      if let other = wire.pointee.otherPin { return .pinMismatch(presented: other) }
      let text = X509_verify_cert_error_string(SSL_get_verify_result(ssl))
      return .untrusted(reason: text.map { String(cString: $0) } ?? "not trusted")
    case SSL_AD_REASON_OFFSET..<SSL_AD_REASON_OFFSET + 256:
      return .refused(alert: UInt8(truncatingIfNeeded: reason - SSL_AD_REASON_OFFSET))
    default:
      return isEstablished ? .damaged : .handshake
    }
  }
}
