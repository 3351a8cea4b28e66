public import Dispatch
internal import Glibc

/// A signal the program handles on a queue, as an ordinary event.
public enum HandledSignal: Int32, CaseIterable, Sendable {
  /// A supervisor asks for a clean end (SIGTERM).
  case terminate = 15
  /// Ctrl-C (SIGINT).
  case interrupt = 2
  /// The terminal is gone, or the configuration is to be read again (SIGHUP).
  case hangUp = 1
}

/// Delivers signals to a queue instead of ending the process.
///
/// Make it before anything else in the program, once per signal: a source replaces any `sigaction`
/// set before, and child processes inherit the blocked signals (swift-corelibs-libdispatch pull
/// request 560).
public final class SignalSource: Sendable {
  // Dispatch sources may be cancelled from any thread (dispatch_source_cancel(3)); nothing else is
  // called after init. The protocol only lacks the conformance.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  /// Calls `handler` on `queue` for each of `signals`; several of one kind may come as one. Once it
  /// returns, none is lost and none ends the process.
  public init(
    _ signals: [HandledSignal] = HandledSignal.allCases, on queue: DispatchQueue,
    handler: @escaping @Sendable (HandledSignal) -> Void
  ) {
    // A queue of its own, so that waiting for the registration cannot wait for the caller's queue.
    let arrivals = DispatchQueue(label: "signals")
    let registered = DispatchSemaphore(value: 0)
    // Not set to SIG_IGN first, as on other systems: on Linux the source installs a handler, and
    // what arrived before that would be lost instead of ending a program that has not begun.
    sources = signals.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: arrivals)
      source.setEventHandler { queue.async { handler(signal) } }
      source.setRegistrationHandler { registered.signal() }
      source.activate()
      return source
    }
    for _ in signals { registered.wait() }
  }

  deinit {
    cancel()
  }

  /// Stops the delivery; what the signals do afterwards is left to the system.
  public func cancel() {
    for source in sources { source.cancel() }
  }
}

/// Makes writing to a closed pipe or socket an error (EPIPE) instead of the end of the process; for
/// the first line of a program.
///
/// Sockets of this layer never raise SIGPIPE; standard output into a closed pipe still would.
public func ignoreBrokenPipes() {
  _ = signal(SIGPIPE, SIG_IGN)
}
