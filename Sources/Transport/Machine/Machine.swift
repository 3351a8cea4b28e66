/// What a program stands on: time, randomness, queues, and the connections of a queue. The host
/// gives the real ones; the fault simulator gives its own, so that the very same code runs on
/// simulated time and network, and a seed decides everything.
public protocol Machine: Sendable {
  /// The monotonic clock.
  func now() -> MonotonicInstant
  /// The wall clock, in milliseconds since 1970.
  func wallMilliseconds() -> Int64
  /// 64 random bits.
  func random() -> UInt64
  /// A serial queue; `label` shows in debuggers.
  func queue(label: String) -> any WorkQueue
  /// The connections of one queue, none yet.
  ///
  /// - Throws: when no descriptor is left.
  func connections(limits: ConnectionLimits) throws(SystemError) -> any Connections
}

/// A serial queue with its timers.
public protocol WorkQueue: AnyObject, Sendable {
  /// Runs work behind what is there; returns at once.
  func async(_ work: @escaping @Sendable () -> Void)
  /// Traps unless called on the queue.
  func checkIsolated()
  /// Calls `handler` on the queue every `interval` until cancelled or released; the first time one
  /// interval from now. Ticks missed while the queue was busy come as one.
  func tick(every interval: Duration, _ handler: @escaping @Sendable () -> Void) -> any Tick
  /// A deadline that is set again and again; `handler` runs on the queue, once for each that
  /// passes.
  func alarm(_ handler: @escaping @Sendable () -> Void) -> any Alarm
}

/// A repeating tick: one per owner, all its deadlines are checked in it.
public protocol Tick: AnyObject, Sendable {
  /// Stops the ticks; one that runs already finishes.
  func cancel()
}

/// One deadline at a time on the monotonic clock: a machine's next deadline is set after each of
/// its steps.
public protocol Alarm: AnyObject, Sendable {
  /// Replaces the deadline; nil: none.
  func set(_ deadline: MonotonicInstant?)
  /// No more deadlines.
  func cancel()
}
