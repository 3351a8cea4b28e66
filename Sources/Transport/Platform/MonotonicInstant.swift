internal import Glibc
internal import Guards

/// A point on CLOCK_MONOTONIC: never set back, stops while the machine is suspended.
///
/// Every timeout of this layer is measured on it, so that setting the wall clock closes nothing.
public struct MonotonicInstant: InstantProtocol, Sendable {
  /// Nanoseconds since an arbitrary start, the same for all processes of one boot.
  public let nanoseconds: Int64

  /// The instant this many nanoseconds after the clock's start.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Reads the clock (about 30 ns).
  public static func now() -> MonotonicInstant {
    MonotonicInstant(nanoseconds: read(CLOCK_MONOTONIC))
  }

  /// The time since the machine started, suspension included (CLOCK_BOOTTIME): comparing two
  /// readings tells how long the machine slept.
  public static func sinceBoot() -> Duration {
    .nanoseconds(read(CLOCK_BOOTTIME))
  }

  /// The instant `duration` later; beyond the range of the clock, its end.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    guard overflow else { return MonotonicInstant(nanoseconds: sum) }
    return MonotonicInstant(nanoseconds: duration < .zero ? .min : .max)
  }

  /// How much later `other` is.
  public func duration(to other: MonotonicInstant) -> Duration {
    .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
  }

  /// Whether `left` is earlier.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    invariant(result == 0, "Linux always has this clock")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

extension Duration {
  /// The duration in nanoseconds, rounded toward zero; the nearest end of Int64 beyond its range.
  var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflow) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    guard tooLarge || overflow else { return sum }
    return seconds < 0 ? .min : .max
  }
}
