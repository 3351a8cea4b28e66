internal import Glibc

/// Prints `line` and a line feed on stdout.
public func printLine(_ line: String) {
  printText(line + "\n")
}

/// Writes `text` to stdout at once, unbuffered, so that a reader sees each line as it happens.
///
/// Output that cannot be written ends the process with status 1: going on would look like success.
public func printText(_ text: String) {
  guard !writeAll(text, to: STDOUT_FILENO) else { return }
  let reason = String(cString: strerror(errno))
  _ = writeAll("cannot write to stdout: \(reason)\n", to: STDERR_FILENO)
  exit(ExitStatus.failed.rawValue)
}

/// Prints `line` and a line feed on stderr.
public func printError(_ line: String) {
  _ = writeAll(line + "\n", to: STDERR_FILENO)
}

/// Whether progress may be shown on stderr: it is a terminal.
public var progressIsShown: Bool { isatty(STDERR_FILENO) == 1 }

/// Whether colours may be shown on stdout: it is a terminal, and nobody said no
/// (https://no-color.org).
public var coloursAreShown: Bool {
  isatty(STDOUT_FILENO) == 1 && (environmentVariable("NO_COLOR") ?? "").isEmpty
}

/// write(2) until all is written; interrupted calls go on.
private func writeAll(_ text: String, to descriptor: Int32) -> Bool {
  var text = text
  return text.withUTF8 { bytes in
    var written = 0
    while written < bytes.count {
      let count = write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      if count > 0 {
        written += count
      } else if count < 0, errno == EAGAIN {
        // A pipe shared with a process that made it non-blocking: wait until there is room.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }
}
