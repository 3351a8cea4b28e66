package import Transport

extension MonotonicInstant {
  /// The instant `milliseconds` later.
  package func advanced(milliseconds: Int64) -> MonotonicInstant {
    advanced(by: .milliseconds(milliseconds))
  }

  /// Whole milliseconds from this instant to `later`.
  package func milliseconds(to later: MonotonicInstant) -> Int64 {
    (later.nanoseconds - nanoseconds) / 1_000_000
  }
}
