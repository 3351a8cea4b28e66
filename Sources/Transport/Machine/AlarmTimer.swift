internal import Dispatch

/// An alarm by a Dispatch timer.
final class AlarmTimer: Alarm {
  // Dispatch sources may be scheduled and cancelled from any thread (dispatch_source_set_timer(3));
  // nothing else is called after init. The protocol only lacks the conformance.
  private nonisolated(unsafe) let source: any DispatchSourceTimer

  /// Not set; `handler` runs on the queue, once for each deadline that passes.
  init(on queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.schedule(deadline: .distantFuture)
    source.activate()
  }

  deinit {
    source.cancel()
  }

  /// Replaces the deadline; nil: none.
  func set(_ deadline: MonotonicInstant?) {
    guard let deadline else { return source.schedule(deadline: .distantFuture) }
    // DispatchTime counts CLOCK_MONOTONIC on Linux, as MonotonicInstant does.
    let nanoseconds = UInt64(clamping: deadline.nanoseconds)
    source.schedule(
      deadline: DispatchTime(uptimeNanoseconds: max(1, nanoseconds)), leeway: .milliseconds(1))
  }

  /// No more deadlines.
  func cancel() {
    source.cancel()
  }
}
