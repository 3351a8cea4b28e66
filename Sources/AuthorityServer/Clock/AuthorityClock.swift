internal import Glibc
internal import Guards
internal import Transport
public import WatchTransfer

/// The authority's clocks: a wall clock that tests may set, and a monotonic one that nobody can.
public final class AuthorityClock: Sendable {
  /// nil: the machine's wall clock; else what the wall clock shows minus the monotonic one, in ms.
  private let testOffset: Lock<Int64?>

  /// The machine's clock, or one that starts at `testStart` and runs on.
  public init(testStart: Instant? = nil) {
    let monotonic = Self.monotonicMilliseconds()
    testOffset = Lock(testStart.map { $0.milliseconds - monotonic })
  }

  /// What the wall clock shows.
  public func now() -> Instant {
    let offset = testOffset.withLock { $0 }
    if let offset { return Instant(milliseconds: Self.monotonicMilliseconds() + offset) }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// What the monotonic clock shows, in milliseconds.
  public func monotonic() -> Int64 { Self.monotonicMilliseconds() }

  /// Whether the wall clock is a test's.
  public var isTest: Bool { testOffset.withLock { $0 != nil } }

  /// Sets a test's wall clock; false when the clock is the machine's.
  public func set(_ instant: Instant) -> Bool {
    let monotonic = Self.monotonicMilliseconds()
    return testOffset.withLock { offset in
      guard offset != nil else { return false }
      offset = instant.milliseconds - monotonic
      return true
    }
  }

  private static func monotonicMilliseconds() -> Int64 {
    MonotonicInstant.now().nanoseconds / 1_000_000
  }
}
