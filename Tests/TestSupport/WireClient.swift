internal import Dispatch
internal import Glibc
public import WatchTransfer
internal import WireFormat

/// A client of one connection that blocks, for tests: it sends what it is told, also what no client
/// should, and waits for what comes, at most 10 s.
public final class WireClient {
  public enum Failure: Error, Equatable {
    case connect(errno: Int32)
    case closed
    case timedOut
    case unexpected(String)
  }

  /// The open socket; -1 after a reset.
  public private(set) var descriptor: Int32
  /// Not inherited by programs that tests beside this one start: they would hold it open.
  private static let streamType = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  private let decoder = MessageDecoder(limits: .fromServer)
  private let encoder = MessageEncoder()
  private var unread: [UInt8] = []
  /// Updates, pings and readings that `answer` passed over.
  public private(set) var passedOver: [ServerMessage] = []
  /// Whether `Ping` is answered while waiting, as a client should.
  public var answersPings = true
  /// The clock that a pong tells.
  public var clock: DeviceClock?

  /// Connects to `host:port` on loopback, or to a Unix socket.
  public init(port: UInt16) throws {
    descriptor = socket(AF_INET, Self.streamType, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    if result != 0 { throw Failure.connect(errno: errno) }
    setTimeout(seconds: 10)
  }

  /// Connects to a Unix socket.
  public init(unixPath path: String) throws {
    descriptor = socket(AF_UNIX, Self.streamType, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if result != 0 { throw Failure.connect(errno: errno) }
    setTimeout(seconds: 10)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// How long a read may take.
  public func setTimeout(seconds: Int) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends one message.
  public func send(_ message: ClientMessage) throws { try send(bytes: encoder.frame(message)) }

  /// Sends bytes as they are.
  public func send(bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { throw count < 0 && errno == EAGAIN ? Failure.timedOut : Failure.closed }
      sent += count
    }
  }

  /// Finishes this side.
  public func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Ends the connection by a reset (SO_LINGER 0, socket(7)).
  public func reset() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    descriptor = -1
  }

  /// Begins to send bytes on a thread of its own, and returns: for more than sockets hold while
  /// nobody reads the answers. It ends with the bytes or with the connection.
  public func sendBeside(bytes: [UInt8]) {
    let descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    DispatchQueue(label: "wire.client.sender").async {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
      }
      close(descriptor)
    }
  }

  /// The next bytes as they are.
  public func read(_ count: Int) throws -> [UInt8] {
    while unread.count < count {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let got = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if got <= 0 { throw got < 0 && errno == EAGAIN ? Failure.timedOut : Failure.closed }
      unread.append(contentsOf: buffer[..<got])
    }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// The next message, whatever it is.
  public func next() throws -> ServerMessage {
    while true {
      if let message = try takeFrame() { return message }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
      if count == 0 { throw Failure.closed }
      if count < 0 { throw errno == EAGAIN ? Failure.timedOut : Failure.closed }
      unread.append(contentsOf: buffer[..<count])
    }
  }

  /// The next message that `pick` takes; others are passed over, pings answered.
  public func next<Value>(_ pick: (ServerMessage) -> Value?) throws -> Value {
    while true {
      let message = try next()
      if let value = pick(message) { return value }
      if case .ping(let ping) = message, answersPings {
        try send(.pong(Pong(nonce: ping.nonce, clock: clock)))
      } else if case .goodbye(let goodbye) = message {
        throw Failure.unexpected("goodbye \(goodbye.reason.word)")
      }
      passedOver.append(message)
    }
  }

  /// Greets, and waits for the Welcome.
  public func greet(_ hello: Hello) throws -> Welcome {
    try send(.hello(hello))
    return try next { if case .welcome(let welcome) = $0 { welcome } else { nil } }
  }

  public func receipt() throws -> Receipt {
    try next { if case .receipt(let receipt) = $0 { receipt } else { nil } }
  }

  /// The next update that carries facets or a new revision; readings are passed over.
  public func update() throws -> Update {
    try next {
      if case .update(let update) = $0, update.readings.isEmpty { update } else { nil }
    }
  }

  public func hold() throws -> Hold {
    try next { if case .hold(let hold) = $0 { hold } else { nil } }
  }

  public func snapshot() throws -> Snapshot {
    try next { if case .snapshot(let snapshot) = $0 { snapshot } else { nil } }
  }

  public func goodbye() throws -> Goodbye {
    while true {
      if case .goodbye(let goodbye) = try next() { return goodbye }
    }
  }

  /// Whether the peer has ended the connection, what comes before that passed over.
  public func isClosedByPeer() -> Bool {
    while true {
      do { _ = try next() } catch { return error as? Failure == .closed }
    }
  }

  private func takeFrame() throws -> ServerMessage? {
    try unread.withUnsafeBytes { bytes -> (ServerMessage, Int)? in
      guard
        case .frame(let length) = scanFrame(
          bytes, payloadBytesMax: FrameLimits.serverFrameBytesMax)
      else { return nil }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[4..<4 + length])
      return (try decoder.decodeServerMessage(payload), 4 + length)
    }.map { message, length in
      unread.removeFirst(length)
      return message
    }
  }
}
