internal import Dispatch
internal import Glibc
internal import Synchronization

/// SIGINT, SIGTERM and SIGQUIT as an event, so that a program can stop cleanly.
///
/// The first signal is delivered; the second ends the process at once with 128 + its number, for a
/// clean stop that hangs. Which status a clean stop has, the program decides: a server that stopped
/// cleanly did what it was told (0); an emulator that was interrupted before its work was done says
/// so (`ExitStatus.interrupted`, 130 for SIGINT).
public final class Interruption: Sendable {
  /// The number of the first signal that arrives; then it ends. For one consumer.
  public let signals: AsyncStream<Int32>
  /// Kept because a source that nobody holds is cancelled. Unchecked: set here, never read.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  /// Takes over SIGINT, SIGTERM and SIGQUIT, whose dump of memory could hold a secret, from now to
  /// the end of the process. `outlivesTerminal`: SIGHUP is ignored, as a server's should be.
  /// `endsWithTerminal`: it is a signal like the others. `lastDeed` is done before a second signal
  /// ends the process.
  public init(
    outlivesTerminal: Bool = false, endsWithTerminal: Bool = false,
    lastDeed: @escaping @Sendable () -> Void = {}
  ) {
    if outlivesTerminal { _ = signal(SIGHUP, SIG_IGN) }
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.signals = signals
    let queue = DispatchQueue(label: "wristwire.interruption")
    let arrived = Flag()
    let registered = DispatchSemaphore(value: 0)
    let numbers = [SIGINT, SIGTERM, SIGQUIT] + (endsWithTerminal ? [SIGHUP] : [])
    // Not ignored first: on Linux the source installs a handler, and what arrived before it would
    // be lost instead of ending a program that has not begun.
    sources = numbers.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setRegistrationHandler { @Sendable in registered.signal() }
      source.setEventHandler { @Sendable in
        if arrived.raise() {
          lastDeed()
          _exit(128 + number)
        }
        continuation.yield(number)
        continuation.finish()
      }
      source.activate()
      return source
    }
    for _ in numbers { registered.wait() }
  }
}

/// Something that happens once.
private final class Flag: Sendable {
  private let isRaised = Atomic(false)

  /// Raises it; whether it was raised before.
  func raise() -> Bool {
    isRaised.exchange(true, ordering: .relaxed)
  }
}
