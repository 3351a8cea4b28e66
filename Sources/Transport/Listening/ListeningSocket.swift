internal import CLinux
internal import Glibc

/// A bound socket that listens, and the file it made if it is a Unix socket.
struct ListeningSocket: Sendable {
  /// The open descriptor, non-blocking.
  let descriptor: Int32
  /// Where it listens, with the port the kernel chose.
  let address: SocketAddress
  /// The socket file this process made.
  private let file: FileIdentity?

  /// Binds and listens. A Unix socket's file gets mode 0600; a file left by a process that ended is
  /// replaced, any other is left alone.
  init(at address: SocketAddress) throws(ListenError) {
    let descriptor = try Self.systemCall("socket", clinux_socket(address.family))
    do throws(ListenError) {
      if let path = address.unixPath {
        try Self.bind(descriptor, toPath: path, address)
        file = FileIdentity(ofPath: path)
        self.address = address
      } else {
        try Self.bind(descriptor, toInternet: address)
        file = nil
        let port = try Self.systemCall("getsockname", clinux_local_port(descriptor))
        self.address = address.with(port: UInt16(truncatingIfNeeded: port))
      }
      try Self.systemCall(
        "listen", clinux_listen(descriptor, Int32(TransportLimits.listenBacklogMax)))
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Removes the socket file, if it still is the one this process made.
  func removeFile() {
    guard let path = address.unixPath, let file, FileIdentity(ofPath: path) == file else { return }
    _ = unlink(path)
  }

  private static func bind(
    _ descriptor: Int32, toInternet address: SocketAddress
  ) throws(ListenError) {
    // A restarted server must not wait for TIME_WAIT. Never SO_REUSEPORT: with it a second server
    // could take connections from the first.
    try systemCall("setsockopt", clinux_set_reuse_address(descriptor))
    if address.family == AF_INET6 {
      try systemCall("setsockopt", clinux_set_dual_stack(descriptor))
    }
    var target = address.systemAddress
    let outcome = ErrorNumber(rawValue: -clinux_bind(descriptor, &target))
    if outcome.rawValue != 0 { throw failure(outcome, at: address) }
  }

  private static func bind(
    _ descriptor: Int32, toPath path: String, _ address: SocketAddress
  ) throws(ListenError) {
    // On Linux bind(2) gives the file the mode of the socket's inode, less the umask: so the file
    // is never open to others, and the umask of the whole process stays as it is.
    guard fchmod(descriptor, 0o600) == 0 else { throw .system(lastError("fchmod")) }
    var target = address.systemAddress
    var outcome = ErrorNumber(rawValue: -clinux_bind(descriptor, &target))
    if outcome == .addressInUse {
      try removeStaleSocket(path, address)
      outcome = ErrorNumber(rawValue: -clinux_bind(descriptor, &target))
    }
    if outcome.rawValue != 0 { throw failure(outcome, at: address) }
    guard chmod(path, 0o600) == 0 else { throw .system(lastError("chmod")) }
  }

  /// Removes a socket file nobody answers at. Two servers starting at one path at the same moment
  /// are kept apart by the lock of the data directory, taken before.
  private static func removeStaleSocket(
    _ path: String, _ address: SocketAddress
  ) throws(ListenError) {
    guard let file = FileIdentity(ofPath: path) else { return }
    guard file.isSocket else { throw .notASocket(path: path) }
    let probe = try systemCall("socket", clinux_socket(AF_UNIX))
    defer { _ = Glibc.close(probe) }
    var target = address.systemAddress
    // Refused is the one answer that means nobody: a full backlog, for example, is EAGAIN.
    guard ErrorNumber(rawValue: -clinux_connect(probe, &target)) == .connectionRefused else {
      throw .addressInUse(address)
    }
    guard unlink(path) == 0 else { throw .system(lastError("unlink")) }
  }

  private static func failure(_ number: ErrorNumber, at address: SocketAddress) -> ListenError {
    switch number {
    case .addressInUse: .addressInUse(address)
    case .addressNotAvailable: .addressNotAvailable(address)
    case .accessDenied, .notPermitted: .permissionDenied(address)
    case .noSuchFile, .notADirectory:
      address.unixPath.map { .directoryMissing(path: $0) }
        ?? .system(SystemError(number, call: "bind"))
    default: .system(SystemError(number, call: "bind"))
    }
  }

  @discardableResult
  private static func systemCall(_ call: StaticString, _ result: Int32) throws(ListenError) -> Int32
  {
    do throws(SystemError) {
      return try checked(result, call)
    } catch {
      throw .system(error)
    }
  }

  private static func lastError(_ call: StaticString) -> SystemError {
    SystemError(ErrorNumber(rawValue: errno), call: call)
  }
}

/// Which file a path leads to, links not followed.
private struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let isSocket: Bool

  init?(ofPath path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
