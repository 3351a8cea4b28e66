import Dispatch
import Glibc
import Guards
import TestSupport
import Transport

/// Listens and blocks, for one peer at a time.
struct RawListener: Sendable {
  let address: SocketAddress
  private let descriptor: Int32

  init(_ route: Route, folder: String) throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    switch route {
    case .tcp:
      let descriptor = socket(AF_INET, type, 0)
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let bound = withUnsafeMutablePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
        }
      }
      guard bound else { throw WireClient.Failure.connect(errno: errno) }
      self.descriptor = descriptor
      address = try SocketAddress(parsing: "127.0.0.1:\(UInt16(bigEndian: name.sin_port))")
    case .unixSocket:
      let descriptor = socket(AF_UNIX, type, 0)
      let path = "\(folder)/back.sock"
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &name) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
      }
      guard bound else { throw WireClient.Failure.connect(errno: errno) }
      self.descriptor = descriptor
      address = try SocketAddress(parsing: "unix:\(path)")
    }
    listen(descriptor, 8)
  }

  /// Takes the next peer, and listens no more.
  func accept() throws -> RawServer {
    let peer = Glibc.accept(descriptor, nil, nil)
    close(descriptor)
    guard peer >= 0 else { throw WireClient.Failure.connect(errno: errno) }
    return RawServer(descriptor: peer)
  }
}

/// The far end of a connection, as bytes; blocks, at most 10 s.
final class RawServer: Sendable {
  private let descriptor: Int32
  private let progress = Lock(0)
  private let isClosed = Flag()

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    if !isClosed.isRaised { close(descriptor) }
  }

  /// So many bytes, or fewer when the stream ends before.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var buffer = [UInt8](repeating: 0, count: count - bytes.count)
      let got = recv(descriptor, &buffer, buffer.count, 0)
      if got <= 0 { break }
      bytes += buffer[..<got]
    }
    return bytes
  }

  /// What reading ends with.
  func readError() -> Int32 {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, 0) < 0 ? errno : 0
  }

  /// Whether there is something to read, or an end, within the time.
  func hasInput(milliseconds: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, milliseconds) > 0
  }

  func write(_ bytes: [UInt8]) throws {
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw WireClient.Failure.closed
    }
  }

  /// How much `writeBeside` has written.
  var written: Int { progress.withLock { $0 } }

  /// Writes so many bytes, which count to 250 over and over, on a thread of its own.
  func writeBeside(_ count: Int) {
    DispatchQueue(label: "raw.server").async { [self] in
      let pattern = (0..<65_536 + 251).map { UInt8($0 % 251) }
      var sent = 0
      while sent < count {
        let block = pattern[(sent % 251)...].prefix(min(65_536, count - sent))
        let taken = block.withUnsafeBytes {
          send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if taken <= 0 { return }
        sent += taken
        progress.withLock { [sent] in $0 = sent }
      }
    }
  }

  func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

  func reset() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    isClosed.raise()
    close(descriptor)
  }
}
