internal import CLinux
internal import Foundation
internal import Glibc
internal import Guards
internal import Storage

/// How an admin command reaches a data directory: through the running server's admin socket, or,
/// when none runs, as the same server without listeners, under its lock.
public enum AdminConnection: Sendable {
  case running(descriptor: Int32)
  case own(AuthorityServer)

  /// Connects to the server of `directory`, or opens the directory.
  ///
  /// A server that is just starting holds the directory before it answers: it is waited for, 5 s.
  ///
  /// - Parameter makesDirectory: whether a directory that is not there is made.
  /// - Throws: whatever keeps the directory from being opened.
  public static func open(
    directory: String, makesDirectory: Bool = false
  ) async throws -> AdminConnection {
    if !makesDirectory, access(directory, F_OK) != 0 { throw NoDirectoryError(path: directory) }
    return try await whileHeld {
      if let running = running(directory: directory) { return running }
      return .own(
        try AuthorityServer(ServerConfiguration(directory: directory)) { error in
          complain("a commit failed: \(error)")
          _exit(74)
        })
    }
  }

  /// Opens a directory for a server. An admin command may hold it for a moment: that is waited for,
  /// 5 s; another server is not.
  public static func openServer(
    directory: String, _ open: () throws -> AuthorityServer
  ) async throws -> AuthorityServer {
    try await whileHeld {
      do {
        return try open()
      } catch let error as StorageError {
        guard case .alreadyRunning(let process) = error, let other = running(directory: directory)
        else { throw error }
        await other.close()
        throw ServerRunsError(process: process)
      }
    }
  }

  private static func whileHeld<Opened>(
    _ open: () async throws -> Opened
  ) async throws -> Opened {
    // By the clock: an attempt may itself have to wait for a server that is stopped.
    let deadline = ContinuousClock.now + .seconds(5)
    while true {
      do {
        return try await open()
      } catch StorageError.alreadyRunning(let process) {
        if ContinuousClock.now >= deadline { throw StorageError.alreadyRunning(pid: process) }
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  /// Connects to the server that runs on `directory`; nil when none does, or when it is stopped and
  /// so many wait for it that there is no place for one more.
  public static func running(
    directory: String, waitSeconds: Int = Self.waitSeconds
  ) -> AdminConnection? {
    connect(to: AdminSocket.path(in: directory), waitSeconds).map { .running(descriptor: $0) }
  }

  /// How long a server may take to answer what costs it little, in seconds.
  public static let waitSeconds = 10

  /// Asks for one thing and waits for the answer: as long as it takes where that is a matter of how
  /// much there is, otherwise for `waitSeconds`, as a server that is stopped would never answer.
  public func perform(
    _ request: AdminRequest, waitSeconds: Int = Self.waitSeconds
  ) async -> AdminResponse {
    switch self {
    case .own(let server):
      return await server.admin.perform(request)
    case .running(let descriptor):
      Self.setWait(request.isLong ? 0 : waitSeconds, of: descriptor)
      errno = 0
      guard let json = try? JSONEncoder().encode(request),
        Self.write(AdminFraming.framed(json), to: descriptor),
        let response = Self.readMessage(from: descriptor),
        let answer = try? JSONDecoder().decode(AdminResponse.self, from: response)
      else {
        return .failed(
          errno == EAGAIN
            ? "the server did not answer within \(waitSeconds) s: it is stopped or too busy, and "
              + "may do what was asked later"
            : "the server closed the connection")
      }
      return answer
    }
  }

  /// Lets go of it.
  public func close() async {
    switch self {
    case .own(let server): await server.stop()
    case .running(let descriptor): _ = Glibc.close(descriptor)
    }
  }

  private static func connect(to path: String, _ waitSeconds: Int) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    setWait(waitSeconds, of: descriptor)
    var address = clinux_address()
    guard clinux_address_unix(&address, path) == 0, clinux_connect(descriptor, &address) == 0
    else {
      _ = Glibc.close(descriptor)
      return nil
    }
    return descriptor
  }

  /// How long a call may wait for the server; 0: for ever, socket(7).
  private static func setWait(_ seconds: Int, of descriptor: Int32) {
    var limit = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    _ = setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      written += count
    }
    return true
  }

  private static func readMessage(from descriptor: Int32) -> Data? {
    guard let header = read(4, from: descriptor) else { return nil }
    let length = header.reduce(0) { $0 << 8 | Int($1) }
    guard length > 0, length <= AdminSocket.messageBytesMax else { return nil }
    return read(length, from: descriptor).map { Data($0) }
  }

  private static func read(_ count: Int, from descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes[filled...].withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress, $0.count, 0)
      }
      if got < 0, errno == EINTR { continue }
      if got <= 0 { return nil }
      filled += got
    }
    return bytes
  }
}

/// An admin command was pointed at a directory that is not there.
public struct NoDirectoryError: Error, CustomStringConvertible {
  /// As it was given.
  public let path: String

  /// One line that says what to do.
  public var description: String {
    "there is no data directory \(path): wristwire serve or account add makes one"
  }
}

/// A second server was pointed at a directory.
public struct ServerRunsError: Error, CustomStringConvertible {
  /// The other server, where its lock tells.
  public let process: Int32?

  /// As the lock itself would say it.
  public var description: String { StorageError.alreadyRunning(pid: process).description }
}
