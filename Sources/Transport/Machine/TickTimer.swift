internal import Dispatch

/// A tick by a Dispatch timer; the wall clock has no influence.
final class TickTimer: Tick {
  // Dispatch sources may be cancelled from any thread (dispatch_source_cancel(3)); nothing else is
  // called after init. The protocol only lacks the conformance.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  /// Calls `handler` on `queue` every `interval` until cancelled or released; the first time one
  /// interval from now. An interval below 1 ms counts as 1 ms.
  init(
    every interval: Duration, on queue: DispatchQueue, handler: @escaping @Sendable () -> Void
  ) {
    StandingTimer.ensure()
    let nanoseconds = Int(max(1_000_000, interval.wholeNanoseconds))
    source = DispatchSource.makeTimerSource(queue: queue)
    source.schedule(
      deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds),
      leeway: .nanoseconds(nanoseconds / 10))
    source.setEventHandler(handler: handler)
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Stops the ticks; one that runs already finishes.
  func cancel() {
    source.cancel()
  }
}
