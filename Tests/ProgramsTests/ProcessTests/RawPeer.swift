import Glibc
import TestSupport
import WireFormat

/// A socket and nothing else: thousands of them cost next to nothing.
final class RawPeer {
  private var descriptor: Int32

  /// Connects over TCP or to a Unix socket.
  init(port: UInt16, unixPath: String, overTCP: Bool) throws {
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(overTCP ? AF_INET : AF_UNIX, stream, 0)
    let outcome: Int32
    if overTCP {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      outcome = Self.connect(descriptor, &address)
    } else {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: unixPath.utf8) }
      outcome = Self.connect(descriptor, &address)
    }
    if outcome != 0 {
      let failure = WireClient.Failure.connect(errno: errno)
      throw failure
    }
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
    withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
      }
    }
  }

  /// Sends what the socket takes.
  func send(_ bytes: [UInt8]) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Sends what the socket takes at once; how much that was.
  func sendNow(_ bytes: [UInt8]) -> Int {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
  }

  /// Waits for something to come, and takes it; how many bytes that were.
  func receive() -> Int {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    return recv(descriptor, &buffer, buffer.count, 0)
  }

  /// Ends the connection by a reset (SO_LINGER 0, socket(7)); over a Unix socket by a close with
  /// input unread, which the other end reads as a reset.
  func reset() {
    var hard = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
    descriptor = -1
  }
}
