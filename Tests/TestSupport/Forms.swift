internal import Glibc

/// Whether tests run in their long form: `WRISTWIRE_FULL=1`.
public let isFullForm = getenv("WRISTWIRE_FULL").map { String(cString: $0) } == "1"

/// The machine's monotonic clock, in milliseconds.
public func monotonicMilliseconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
}

/// Fails the test with `problem` unless `holds`; for work on a thread of its own, where Testing's
/// own expectations do not know their test.
public func expect(_ holds: Bool, _ problem: @autoclosure () throws -> String) throws {
  if !holds { throw WireClient.Failure.unexpected(try problem()) }
}

/// SplitMix64 (https://prng.di.unimi.it/splitmix64.c): the same numbers for a seed, everywhere.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
