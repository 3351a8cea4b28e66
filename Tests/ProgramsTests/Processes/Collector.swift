import Dispatch
import Glibc
import Guards

/// Collects what a program writes to a pipe.
final class Collector: Sendable {
  private let bytes = Lock<[UInt8]>([])
  private let done: AsyncStream<Void>
  private let doneContinuation: AsyncStream<Void>.Continuation

  init() {
    (done, doneContinuation) = AsyncStream.makeStream(of: Void.self)
  }

  /// Reads `descriptor` to its end and closes it; each whole line goes to `line`.
  func collect(
    from descriptor: Int32, line: @escaping @Sendable (String) -> Void = { _ in },
    whenDone: @escaping @Sendable () -> Void = {}
  ) {
    DispatchQueue(label: "child.output").async { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var unfinished: [UInt8] = []
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        bytes.withLock { $0 += buffer[..<count] }
        unfinished += buffer[..<count]
        while let end = unfinished.firstIndex(of: UInt8(ascii: "\n")) {
          line(String(decoding: unfinished[..<end], as: UTF8.self))
          unfinished.removeFirst(end + 1)
        }
      }
      close(descriptor)
      whenDone()
      doneContinuation.finish()
    }
  }

  /// All that was written, when the pipe has ended.
  func text() async -> String {
    for await _ in done {}
    return bytes.withLock { String(decoding: $0, as: UTF8.self) }
  }
}

/// Whether a process still has its id, so that a late kill never meets another process.
final class Life: Sendable {
  private let id: pid_t
  private let isOver = Lock(false)

  init(_ id: pid_t) {
    self.id = id
  }

  func end() {
    isOver.withLock { $0 = true }
  }

  func kill() {
    isOver.withLock { isOver in
      if !isOver { _ = Glibc.kill(id, SIGKILL) }
    }
  }
}
