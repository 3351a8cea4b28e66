/// How long to wait before the next attempt: capped exponential with full jitter, so that a fleet
/// that lost its server at one moment does not come back at one moment.
///
/// https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
public struct Backoff: Sendable, Hashable {
  /// Upper bound of the first wait, in milliseconds.
  public let firstMilliseconds: Int64
  /// Upper bound of every wait, in milliseconds.
  public let maxMilliseconds: Int64
  /// Failures in a row.
  public private(set) var failures = 0

  /// No failure yet.
  public init(firstMilliseconds: Int64, maxMilliseconds: Int64) {
    self.firstMilliseconds = max(1, firstMilliseconds)
    self.maxMilliseconds = max(1, maxMilliseconds)
  }

  /// Upper bound of the next wait, in milliseconds.
  public var boundMilliseconds: Int64 {
    let doublings = min(failures, LinkLimits.doublingsMax)
    let (product, overflow) = firstMilliseconds.multipliedReportingOverflow(by: 1 << doublings)
    return overflow ? maxMilliseconds : min(product, maxMilliseconds)
  }

  /// The wait after one more failure, in milliseconds: between 0 and the bound.
  public mutating func wait(using generator: inout some RandomNumberGenerator) -> Int64 {
    let wait = Int64.random(in: 0...boundMilliseconds, using: &generator)
    failures += 1
    return wait
  }

  /// Forgets the failures.
  public mutating func reset() {
    failures = 0
  }
}
