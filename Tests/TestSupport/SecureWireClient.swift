internal import Transport
public import WatchTransfer
internal import WireFormat

/// A client of one connection over TLS, driven by the thread that calls it; what it waits for it
/// waits for at most 10 s.
public final class SecureWireClient {
  private let pool: ConnectionPool
  private let connection: ConnectionID
  private let decoder = MessageDecoder(limits: .fromServer)
  private let encoder = MessageEncoder()
  private var messages: [ServerMessage] = []
  private var isConnected = false
  /// Why the connection is over, as the transport tells it; nil: it stands.
  public private(set) var ending: String?

  /// Connects to a port of loopback, taking whoever has the key of this pin for the server. The
  /// outcome shows in what is asked next.
  public init(port: UInt16, pin: String) throws {
    guard let pin = CertificatePin(parsing: pin) else { throw WireClient.Failure.unexpected(pin) }
    pool = try ConnectionPool()
    connection = try pool.connect(
      to: try SocketAddress(parsing: "127.0.0.1:\(port)"),
      securedBy: try TLSClient(trusting: .pin(pin)))
  }

  /// Sends messages in one write.
  public func send(_ messages: [ClientMessage]) {
    pool.send(connection, messages.flatMap { encoder.frame($0) })
    pool.flush()
  }

  /// Whether the server was found to be the right one.
  public func connects() -> Bool {
    turn { isConnected || ending != nil }
    return isConnected
  }

  /// The next message that `pick` takes; others are dropped.
  public func next<Value>(_ pick: (ServerMessage) -> Value?) throws -> Value {
    while true {
      turn { !messages.isEmpty || ending != nil }
      if messages.isEmpty { throw ending == nil ? WireClient.Failure.timedOut : .closed }
      if let value = pick(messages.removeFirst()) { return value }
    }
  }

  /// Greets, and waits for the Welcome.
  public func greet(_ hello: Hello) throws -> Welcome {
    send([.hello(hello)])
    return try next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  }

  /// The next receipt.
  public func receipt() throws -> Receipt {
    try next { if case .receipt(let receipt) = $0 { receipt } else { nil } }
  }

  /// Whether a ping is answered.
  public func answersPing(nonce: UInt64) throws -> Bool {
    send([.ping(Ping(nonce: nonce))])
    return try next { if case .pong(let pong) = $0 { pong.nonce == nonce } else { nil } }
  }

  /// Waits for the end, and says why.
  public func waitForEnd() -> String? {
    turn { ending != nil }
    return ending
  }

  private func turn(until isDone: () -> Bool) {
    let end = MonotonicInstant.now().advanced(by: .seconds(10))
    while !isDone(), MonotonicInstant.now() < end {
      pool.turn(waiting: .milliseconds(100)) { _, event in
        switch event {
        case .connected: isConnected = true
        case .received(let bytes): return take(bytes)
        case .endOfInput: ending = "endOfInput"
        case .closed(let reason): ending = "\(reason)"
        case .drained: break
        }
        return 0
      }
    }
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    var consumed = 0
    while true {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      guard
        case .frame(let length) = scanFrame(
          rest, payloadBytesMax: FrameLimits.serverFrameBytesMax)
      else { return consumed }
      let payload = UnsafeRawBufferPointer(rebasing: rest[4..<4 + length])
      if let message = try? decoder.decodeServerMessage(payload) { messages.append(message) }
      consumed += 4 + length
    }
  }
}
