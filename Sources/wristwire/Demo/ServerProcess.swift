internal import CommandLineTool
internal import Glibc
internal import Transport

/// A `wristwire serve` of this same program in a process of its own, so that it can be killed.
final class ServerProcess {
  let address: SocketAddress
  private let process: pid_t
  private var hasEnded = false

  /// Starts a server and waits until it is ready.
  init(data: String, listen: String, testClock: String) throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw DemoError("no pipe: errno \(errno)") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    let arguments = [
      "/proc/self/exe", "serve", "--data", data, "--listen", listen, "--test-clock", testClock,
    ]
    process = try Self.spawn(arguments, standardOutput: ends[1])
    close(ends[1])
    guard let line = Self.firstLine(of: ends[0]), line.hasPrefix("ready "),
      let address = try? SocketAddress(parsing: String(line.dropFirst(6)))
    else { throw DemoError("the server did not become ready") }
    self.address = address
  }

  deinit { kill() }

  /// SIGKILL: no goodbye, no checkpoint.
  func kill() {
    if hasEnded { return }
    Glibc.kill(process, SIGKILL)
    _ = wait()
  }

  /// SIGTERM; the exit status.
  func terminate() -> Int32 {
    Glibc.kill(process, SIGTERM)
    return wait()
  }

  private func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    hasEnded = true
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }

  private static func spawn(_ arguments: [String], standardOutput: Int32) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardOutput, STDOUT_FILENO)
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var process: pid_t = 0
    let result = posix_spawn(&process, arguments[0], &actions, nil, words, environ)
    guard result == 0 else { throw DemoError("the server cannot be started: errno \(result)") }
    return process
  }

  private static func firstLine(of descriptor: Int32) -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}
