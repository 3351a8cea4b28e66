internal import Glibc

/// The machine's clock that never steps.
public enum SteadyClock {
  /// Milliseconds since the machine booted, suspended time included (CLOCK_BOOTTIME,
  /// clock_gettime(2)).
  public static var milliseconds: Int64 {
    var time = timespec()
    // The clock exists on every Linux since 2.6.39; a failure would leave zero.
    _ = clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
