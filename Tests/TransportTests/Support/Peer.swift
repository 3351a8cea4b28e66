import CLinux
import Glibc
import Testing

@testable import Transport

/// The far end of a connection under test: a plain socket, driven by hand.
final class Peer {
  private(set) var descriptor: Int32

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close()
  }

  /// Writes all of it, or as much as the socket takes without waiting; returns how much.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Int {
    let result = bytes.withUnsafeBytes { clinux_send(descriptor, $0.baseAddress, $0.count) }
    return max(0, result)
  }

  /// What there is to read now, at most `max` bytes; nil at the end of the stream or after an
  /// error.
  func readNow(max: Int = 1 << 20) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: max)
    let result = clinux_receive(descriptor, &bytes, max)
    if result == 0 || (result < 0 && result != -Int(EAGAIN)) { return nil }
    return Array(bytes.prefix(Swift.max(0, result)))
  }

  /// Waits for at least one byte; nil at the end of the stream or after an error.
  func read(max: Int = 1 << 20) -> [UInt8]? {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, 20_000) == 1 else {
      Issue.record("nothing to read within 20 s")
      return nil
    }
    return readNow(max: max)
  }

  /// Waits for exactly this many bytes, or what there is before the end of the stream.
  func read(exactly count: Int) -> [UInt8] {
    var all: [UInt8] = []
    while all.count < count, let more = read(max: count - all.count) { all += more }
    return all
  }

  func finish() {
    _ = clinux_shutdown_output(descriptor)
  }

  /// Closes with a reset instead of a FIN.
  func reset() {
    var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    close()
  }

  func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }

  func setBuffer(_ option: Int32, _ bytes: Int32) {
    _ = clinux_set_option(descriptor, SOL_SOCKET, option, bytes)
  }
}

/// Which kind of socket a test runs over.
enum Wire: CaseIterable, CustomTestStringConvertible {
  case tcp
  case unix

  var testDescription: String { self == .tcp ? "TCP" : "a Unix socket" }

  /// A connected pair: the accepted end and its peer.
  func pair() throws -> (AcceptedSocket, Peer) {
    switch self {
    case .unix:
      var ends: [Int32] = [0, 0]
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      return (AcceptedSocket(descriptor: ends[0], peer: .unix(user: geteuid())), Peer(ends[1]))
    case .tcp:
      let listener = try RawListener()
      let peer = try listener.connect()
      return (try listener.accept(), peer)
    }
  }
}

/// A listening TCP socket without Dispatch.
final class RawListener {
  let descriptor: Int32
  let address: SocketAddress

  init(backlog: Int32 = 128) throws {
    descriptor = try checked(clinux_socket(AF_INET), "socket")
    let any = try SocketAddress(parsing: "127.0.0.1:0")
    var target = any.systemAddress
    try checked(clinux_bind(descriptor, &target), "bind")
    try checked(clinux_listen(descriptor, backlog), "listen")
    let port = try checked(clinux_local_port(descriptor), "getsockname")
    address = any.with(port: UInt16(port))
  }

  deinit {
    _ = Glibc.close(descriptor)
  }

  func connect() throws -> Peer {
    try Peer.connected(to: address)
  }

  func accept() throws -> AcceptedSocket {
    var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(Glibc.poll(&poll, 1, 20_000) == 1)
    var peer = clinux_peer()
    let accepted = try checked(clinux_accept(descriptor, &peer), "accept4")
    return AcceptedSocket(descriptor: accepted, peer: PeerAddress(peer))
  }
}

extension Peer {
  /// A new connection, its outcome awaited.
  static func connected(to address: SocketAddress) throws -> Peer {
    let peer = Peer(try checked(clinux_socket(address.family), "socket"))
    var target = address.systemAddress
    let outcome = clinux_connect(peer.descriptor, &target)
    if outcome == -EINPROGRESS {
      var poll = pollfd(fd: peer.descriptor, events: Int16(POLLOUT), revents: 0)
      try #require(Glibc.poll(&poll, 1, 20_000) == 1)
      try checked(clinux_pending_error(peer.descriptor), "connect")
    } else {
      try checked(outcome, "connect")
    }
    return peer
  }
}
