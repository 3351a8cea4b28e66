internal import CommandLineTool
internal import Glibc

/// A program that runs beside this one and whose stdout is read; its stderr is ours.
final class Subprocess {
  private let id: pid_t
  private let output: Int32
  private var unread: [UInt8] = []
  private var status: Int32?

  /// Starts `path`, in a process group of its own: Ctrl-C reaches it through us.
  init(_ path: String, _ arguments: [String]) throws(ToolFailure) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw ToolFailure("pipe: \(String(cString: strerror(errno)))")
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var id: pid_t = 0
    let error = Self.spawn(path, [path] + arguments, output: ends[1], &id)
    close(ends[1])
    guard error == 0 else {
      close(ends[0])
      throw ToolFailure("cannot start \(path): \(String(cString: strerror(error)))")
    }
    self.id = id
    output = ends[0]
  }

  deinit { close(output) }

  /// The next line of its stdout; nil at its end, or when nothing more came for `milliseconds`.
  func line(waiting milliseconds: Int32) -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var ready = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let events = poll(&ready, 1, milliseconds)
      if events < 0, errno == EINTR { continue }
      guard events > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      unread += buffer[..<count]
    }
  }

  /// Sends a signal, unless it was waited for already.
  func signal(_ number: Int32) {
    if status == nil { kill(id, number) }
  }

  /// Waits for its end, at most `milliseconds`; nil when it has not ended by then. The status is
  /// that of exit(3), or 128 + the number of the signal that ended it.
  func end(waiting milliseconds: Int) -> Int32? {
    var left = milliseconds
    while status == nil {
      var word: Int32 = 0
      let ended = waitpid(id, &word, WNOHANG)
      if ended == id {
        // WIFEXITED and WEXITSTATUS of wait(2) are macros, which Swift does not see.
        let signal = word & 0x7F
        status = signal == 0 ? word >> 8 & 0xFF : 128 + signal
      } else if left <= 0 || ended < 0 && errno != EINTR {
        return nil
      } else {
        usleep(5_000)
        left -= 5
      }
    }
    return status
  }

  private static func spawn(
    _ path: String, _ arguments: [String], output: Int32, _ id: inout pid_t
  ) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The signals that this program takes over must not be ignored or blocked in the other.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
    let argv = arguments.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    return posix_spawn(&id, path, &actions, &attributes, argv, environ)
  }
}
