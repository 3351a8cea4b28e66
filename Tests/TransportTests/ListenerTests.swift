import CLinux
import Dispatch
import Glibc
import Testing

@testable import Transport

/// Where one can listen, what is left alone, who is let in.
@Suite(.timeLimit(.minutes(1)))
struct ListenerTests {
  private let queue = DispatchQueue(label: "listener")

  private func listen(
    _ address: SocketAddress,
    onAccept: @escaping @Sendable (AcceptedSocket) -> Void = { $0.close() }
  ) throws(ListenError) -> Listener {
    try Listener(address: address, queue: queue, onAccept: onAccept, onStarved: { _ in })
  }

  @Test(
    "Accepted sockets come with the peer's address",
    arguments: ["127.0.0.1:0", "[::1]:0", "[::]:0"])
  func accepts(text: String) async throws {
    let (sockets, continuation) = AsyncStream<AcceptedSocket>.makeStream()
    let listener = try listen(try SocketAddress(parsing: text)) { continuation.yield($0) }
    let port = try #require(listener.boundAddress.port)
    #expect(port > 0)
    // An IPv4 peer of an IPv6 listener is known by its IPv4 address.
    let target = text == "[::]:0" ? "127.0.0.1:\(port)" : listener.boundAddress.description
    let peer = try Peer.connected(to: try SocketAddress(parsing: target))
    var iterator = sockets.makeAsyncIterator()
    let socket = try #require(await iterator.next())
    #expect(socket.peer.isLocal)
    #expect(socket.peer.description == (text == "[::1]:0" ? "::1" : "127.0.0.1"))
    #expect(fcntl(socket.descriptor, F_GETFL) & O_NONBLOCK != 0)
    #expect(fcntl(socket.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    #expect(listener.counts.accepted == 1)
    socket.close()
    withExtendedLifetime(peer) {}
  }

  @Test("A port in use is an error, and so is an address of another machine")
  func addressErrors() throws {
    let first = try listen(try SocketAddress(parsing: "127.0.0.1:0"))
    let address = first.boundAddress
    #expect(throws: ListenError.addressInUse(address)) { _ = try listen(address) }
    let foreign = try SocketAddress(parsing: "192.0.2.1:0")
    #expect(throws: ListenError.addressNotAvailable(foreign)) { _ = try listen(foreign) }
    first.close()
  }

  @Test("A Unix socket is for its user only, and gone after close")
  func unixMode() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/s"
    let before = umask(0)
    umask(before)
    let listener = try listen(try SocketAddress(parsing: "unix:\(path)"))
    var status = stat()
    #expect(lstat(path, &status) == 0)
    #expect(status.st_mode == S_IFSOCK | 0o600)
    #expect(umask(before) == before)
    listener.close()
    #expect(lstat(path, &status) == -1)
    listener.close()
  }

  @Test("A socket file nobody answers at is replaced")
  func staleSocket() throws {
    let directory = try TemporaryDirectory()
    let address = try SocketAddress(parsing: "unix:\(directory.path)/s")
    close(try ListeningSocket(at: address).descriptor)
    let listener = try listen(address)
    _ = try Peer.connected(to: address)
    listener.close()
  }

  @Test("A socket somebody answers at is left alone, also with a full queue")
  func liveSocket() throws {
    let directory = try TemporaryDirectory()
    let address = try SocketAddress(parsing: "unix:\(directory.path)/s")
    let listener = try listen(address)
    #expect(throws: ListenError.addressInUse(address)) { _ = try listen(address) }
    _ = try Peer.connected(to: address)
    listener.close()
    let full = try checked(clinux_socket(AF_UNIX), "socket")
    defer { close(full) }
    var target = address.systemAddress
    try checked(clinux_bind(full, &target), "bind")
    try checked(clinux_listen(full, 0), "listen")
    let waiting = try Peer.connected(to: address)
    #expect(throws: ListenError.addressInUse(address)) { _ = try listen(address) }
    withExtendedLifetime(waiting) {}
  }

  @Test("A file that is no socket is never deleted", arguments: [false, true])
  func notASocket(isLink: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/s"
    if isLink {
      #expect(symlink("/nowhere", path) == 0)
    } else {
      close(open(path, O_CREAT | O_WRONLY, 0o600))
    }
    let address = try SocketAddress(parsing: "unix:\(path)")
    #expect(throws: ListenError.notASocket(path: path)) { _ = try listen(address) }
    var status = stat()
    #expect(lstat(path, &status) == 0)
  }

  @Test("A missing directory is told")
  func missingDirectory() throws {
    let address = try SocketAddress(parsing: "unix:/nowhere/at/all/s")
    #expect(throws: ListenError.directoryMissing(path: "/nowhere/at/all/s")) {
      _ = try listen(address)
    }
  }

  @Test("Closing leaves the socket of a successor at the same path alone")
  func closeOfPredecessor() throws {
    let directory = try TemporaryDirectory()
    let address = try SocketAddress(parsing: "unix:\(directory.path)/s")
    let first = try listen(address)
    unlink("\(directory.path)/s")
    let second = try listen(address)
    first.close()
    _ = try Peer.connected(to: address)
    second.close()
  }

  @Test("Another user's process is refused at a Unix socket")
  func otherUser() async throws {
    // Only root can take another user's place to try.
    guard geteuid() == 0 else { return }
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let path = "\(directory.path)/s"
      let queue = DispatchQueue(label: "listener")
      let listener = try Listener(
        address: try SocketAddress(parsing: "unix:\(path)"), queue: queue,
        onAccept: { _ in Issue.record("let in") }, onStarved: { _ in })
      // Even if somebody opens the path to others.
      #expect(chmod(path, 0o666) == 0 && chmod(directory.path, 0o755) == 0)
      queue.suspend()
      #expect(seteuid(65_534) == 0)
      let peer = try Peer.connected(to: listener.boundAddress)
      #expect(seteuid(0) == 0)
      queue.resume()
      #expect(peer.read() == nil)
      // The count follows the close, in the same turn of the queue.
      queue.sync {}
      #expect(listener.counts.refusedUser == 1)
      listener.close()
    }
  }

  @Test("A directory one may not write to is told")
  func permissionDenied() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      #expect(chmod(directory.path, 0o500) == 0)
      if geteuid() == 0 { #expect(seteuid(65_534) == 0) }
      let address = try SocketAddress(parsing: "unix:\(directory.path)/s")
      #expect(throws: ListenError.permissionDenied(address)) {
        _ = try ListeningSocket(at: address)
      }
      _ = seteuid(0)
    }
  }
}
