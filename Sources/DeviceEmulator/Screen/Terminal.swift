internal import CommandLineTool
internal import Dispatch
internal import Glibc
internal import Guards

/// The terminal on standard input and output: raw, on its alternate screen, while it is open. It is
/// always given back as it was found: by `close`, which may be called from any thread, twice too.
/// Whoever opens it looks after signals first: one that ended the process would leave it raw.
///
/// Unchecked: what changes stands behind a lock; the sources are made by `open`, and cancelled by
/// the one `close` that follows it.
final class Terminal: @unchecked Sendable {
  /// What comes from it.
  enum Input: Sendable {
    case keys([UInt8])
    /// Its size may have changed, or it was given back to this process.
    case resized
    /// A second has passed.
    case tick
    /// Nobody is there any more.
    case ended
  }

  private enum Stage {
    case untouched, open, closed
  }

  let inputs: AsyncStream<Input>
  private let continuation: AsyncStream<Input>.Continuation
  private let queue = DispatchQueue(label: "emulator.terminal")
  private let saved: termios
  private let stage = Lock(Stage.untouched)
  private var sources: [any DispatchSourceProtocol] = []

  /// Finds it; nothing is changed yet.
  init() throws {
    var found = termios()
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
      tcgetattr(STDIN_FILENO, &found) == 0
    else {
      throw UsageError.contradiction(
        "--interactive needs a terminal; for scripts there is --do")
    }
    saved = found
    (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
  }

  /// Opens it, unless it was closed before it came to that.
  func open() {
    // Stopped by job control, it would leave the screen as it is.
    _ = signal(SIGTSTP, SIG_IGN)
    let isNew = stage.withLock { stage in
      guard case .untouched = stage else { return false }
      makeRaw()
      watch()
      stage = .open
      return true
    }
    if isNew { write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J") }
  }

  /// Whether there is one to open.
  static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Columns and rows; 80 by 24 where it does not say.
  var size: (columns: Int, rows: Int) {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0,
      window.ws_row > 0
    else { return (80, 24) }
    return (Int(window.ws_col), Int(window.ws_row))
  }

  /// Replaces what is shown.
  func show(_ lines: [WatchScreen.Line]) {
    var text = "\u{1B}[H"
    for (index, line) in lines.enumerated() {
      if index > 0 { text += "\r\n" }
      text += line.isMarked ? "\u{1B}[7m\(line.text)\u{1B}[0m" : line.text
      text += "\u{1B}[K"
    }
    write(text + "\u{1B}[J")
  }

  /// Gives it back.
  func close() {
    let wasOpen = stage.withLock { stage in
      defer { stage = .closed }
      guard case .open = stage else { return false }
      for source in sources { source.cancel() }
      var saved = saved
      // Not drained: a terminal that is gone, or whose output is held up, would never be. And
      // before anything is written, which may wait for ever in the same way.
      tcsetattr(STDIN_FILENO, TCSANOW, &saved)
      return true
    }
    guard wasOpen else { return }
    write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    continuation.finish()
  }

  /// Output that nobody takes is no failure here: the terminal may be gone, which ends the input.
  private func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let count = Glibc.write(
          STDOUT_FILENO, rest.base.baseAddress?.advanced(by: rest.startIndex), rest.count)
        if count > 0 {
          rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
          return
        }
      }
    }
  }

  /// A shell that stopped the process has made the terminal its own.
  private func comeBack() {
    stage.withLock { stage in
      if case .open = stage { makeRaw() }
    }
  }

  private func makeRaw() {
    var raw = saved
    cfmakeraw(&raw)
    tcsetattr(STDIN_FILENO, TCSANOW, &raw)
  }

  private func watch() {
    let keys = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    keys.setEventHandler { @Sendable [continuation] in
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = read(STDIN_FILENO, &bytes, bytes.count)
      if count > 0 {
        continuation.yield(.keys(Array(bytes[..<count])))
      } else if count == 0 || errno != EINTR {
        continuation.yield(.ended)
        continuation.finish()
      }
    }
    let window = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: queue)
    window.setEventHandler { @Sendable [continuation] in continuation.yield(.resized) }
    let back = DispatchSource.makeSignalSource(signal: SIGCONT, queue: queue)
    back.setEventHandler { @Sendable [weak self, continuation] in
      self?.comeBack()
      continuation.yield(.resized)
    }
    let clock = DispatchSource.makeTimerSource(queue: queue)
    clock.schedule(deadline: .now() + 1, repeating: 1)
    clock.setEventHandler { @Sendable [continuation] in continuation.yield(.tick) }
    sources = [keys, window, back, clock]
    for source in sources { source.activate() }
  }
}
