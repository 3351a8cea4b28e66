internal import CommandLineTool
internal import WatchClient

/// All that the emulator waits for, in the order it happened: what the client tells, alarms that
/// were set, keys, and the signal that ends the run.
struct Happenings {
  /// One of them.
  enum Happening: Sendable {
    case event(WatchEvent)
    /// The client tells nothing more.
    case clientEnded
    case alarm(Int)
    case interrupted(Int32)
    /// Of the terminal, where there is a screen.
    case input(Terminal.Input)
  }

  private let continuation: AsyncStream<Happening>.Continuation
  private var feeders: [Task<Void, Never>]
  private var iterator: AsyncStream<Happening>.Iterator
  private var alarms = 0

  /// Joins the two sources.
  init(events: AsyncStream<WatchEvent>, interruption: Interruption) {
    let (stream, continuation) = AsyncStream.makeStream(of: Happening.self)
    self.continuation = continuation
    iterator = stream.makeAsyncIterator()
    feeders = [
      Task.detached {
        for await event in events { continuation.yield(.event(event)) }
        continuation.yield(.clientEnded)
      },
      Task.detached {
        for await signal in interruption.signals { continuation.yield(.interrupted(signal)) }
      },
    ]
  }

  /// Joins what comes from a terminal.
  mutating func feed(from terminal: Terminal) {
    feeders.append(
      Task.detached { [continuation] in
        for await input in terminal.inputs { continuation.yield(.input(input)) }
      })
  }

  /// The next thing that happens.
  mutating func next() async -> Happening {
    // The stream has no end; a cancelled wait ends like the client's own end.
    await iterator.next(isolation: #isolation) ?? .clientEnded
  }

  /// Sets an alarm; the number it comes with, and the task to cancel when nobody waits any more.
  mutating func setAlarm(
    at deadline: ContinuousClock.Instant
  ) -> (number: Int, task: Task<Void, Never>) {
    alarms += 1
    let number = alarms
    let task = Task.detached { [continuation] in
      do {
        try await Task.sleep(until: deadline, clock: .continuous)
        continuation.yield(.alarm(number))
      } catch {
        // Cancelled: nobody waits for it.
      }
    }
    return (number, task)
  }

  /// Ends the feeders.
  func close() {
    for feeder in feeders { feeder.cancel() }
    continuation.finish()
  }
}
