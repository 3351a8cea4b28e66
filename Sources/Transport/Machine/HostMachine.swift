public import Dispatch
internal import Glibc

/// The machine this process runs on: Dispatch queues, sockets in a private epoll descriptor, its
/// clocks.
public struct HostMachine: Machine {
  /// There is one.
  public init() {}

  /// CLOCK_MONOTONIC.
  public func now() -> MonotonicInstant { .now() }

  /// CLOCK_REALTIME.
  public func wallMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The system's generator, getrandom(2).
  public func random() -> UInt64 { .random(in: .min ... .max) }

  /// A Dispatch queue.
  public func queue(label: String) -> any WorkQueue { DispatchWorkQueue(label: label) }

  /// See ``ConnectionPool``.
  public func connections(limits: ConnectionLimits) throws(SystemError) -> any Connections {
    try ConnectionPool(limits: limits)
  }
}

/// A serial Dispatch queue.
public final class DispatchWorkQueue: WorkQueue {
  /// For sources that are registered with Dispatch itself.
  public let queue: DispatchQueue

  /// Makes the queue; `label` shows in debuggers.
  public init(label: String) {
    queue = DispatchQueue(label: label)
  }

  /// See `WorkQueue`.
  public func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// See `WorkQueue`.
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  /// See `WorkQueue`; an interval below 1 ms counts as 1 ms.
  public func tick(every interval: Duration, _ handler: @escaping @Sendable () -> Void) -> any Tick
  {
    TickTimer(every: interval, on: queue, handler: handler)
  }

  /// See `WorkQueue`.
  public func alarm(_ handler: @escaping @Sendable () -> Void) -> any Alarm {
    AlarmTimer(on: queue, handler: handler)
  }
}
