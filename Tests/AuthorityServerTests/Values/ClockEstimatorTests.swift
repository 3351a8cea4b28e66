import Authority
import Storage
import TestSupport
import Testing
import WatchTransfer

@testable import AuthorityServer

@Suite struct ClockEstimatorTests {
  static let boot = BootID(high: 1, low: 1)
  static let now = Instant(milliseconds: 1_700_000_000_000)
  /// The authority's monotonic clock shows this at `now`.
  static let monotonic: Int64 = 1_000_000

  static func reading(_ milliseconds: Int64, boot: BootID = Self.boot) -> BootReading {
    BootReading(id: boot, milliseconds: milliseconds)
  }

  /// A device whose boot clock is 900,000 ms behind the authority's monotonic clock.
  static func measured(roundTrip: Int64 = 20) -> ClockEstimator {
    var estimator = ClockEstimator()
    estimator.measured(
      reading(monotonic - 900_000 + roundTrip / 2), sent: monotonic,
      received: monotonic + roundTrip)
    return estimator
  }

  @Test func `a device is measured once a round trip with its boot was timed`() {
    #expect(!ClockEstimator().isMeasured(Self.boot))
    #expect(Self.measured().isMeasured(Self.boot))
    #expect(!Self.measured().isMeasured(BootID(high: 2, low: 2)))
  }

  @Test(
    arguments: [
      // What the boot clock showed; how long before `now` that is; flagged.
      (100_000, 0, false), (99_000, 1_000, false), (40_000, 60_000, false),
      // Just ahead: the error of the measurement. Further ahead: clamped and flagged.
      (100_050, 0, false), (100_051, 0, true), (9_000_000, 0, true),
    ] as [(Int64, Int64, Bool)])
  func `with a measured boot the boot clock decides, never after now`(
    shown: Int64, age: Int64, isFlagged: Bool
  ) {
    let occurred = DeviceClock(wall: Instant(milliseconds: 5), boot: Self.reading(shown))
    let corrected = Self.measured().corrected(
      occurred, now: Self.now, monotonicNow: Self.monotonic)
    #expect(corrected.instant == Self.now.advanced(milliseconds: -age))
    #expect(corrected.raw == Instant(milliseconds: 5))
    #expect(corrected.isFlagged == isFlagged)
  }

  @Test(arguments: [(-5_000, -5_000), (0, 0), (5_000, 0)] as [(Int64, Int64)])
  func `without a measured boot the wall clock decides, flagged and never after now`(
    ahead: Int64, expected: Int64
  ) {
    let wall = Self.now.advanced(milliseconds: ahead)
    let clocks: [(ClockEstimator, BootReading?)] = [
      (ClockEstimator(), Self.reading(99_000)), (Self.measured(), nil),
      (Self.measured(), Self.reading(99_000, boot: BootID(high: 2, low: 2))),
    ]
    for (estimator, boot) in clocks {
      let corrected = estimator.corrected(
        DeviceClock(wall: wall, boot: boot), now: Self.now, monotonicNow: Self.monotonic)
      #expect(corrected.instant == Self.now.advanced(milliseconds: expected))
      #expect(corrected.isFlagged)
    }
  }

  @Test func `the smallest round trip of the last eight wins`() {
    var estimator = Self.measured(roundTrip: 20)
    // Slower ones that are off by 40 ms, within the bound.
    for _ in 0..<7 {
      estimator.measured(Self.reading(100_100 - 40), sent: 1_000_000, received: 1_000_200)
    }
    #expect(estimator.monotonic(of: Self.reading(0)) == 900_000)
    estimator.measured(Self.reading(100_100 - 40), sent: 1_000_000, received: 1_000_200)
    #expect(estimator.monotonic(of: Self.reading(0)) == 900_040)
  }

  @Test(
    arguments: [
      // Both round trips are 20 ms: half their sum and 50 ms are the bound.
      (70, 900_000), (-70, 900_000), (71, 900_071), (-71, 899_929), (600_000, 1_500_000),
    ] as [(Int64, Int64)])
  func `a sample outside the error bound starts afresh`(moved: Int64, expected: Int64) {
    var estimator = Self.measured()
    estimator.measured(
      Self.reading(100_010 - moved), sent: Self.monotonic, received: Self.monotonic + 20)
    #expect(estimator.monotonic(of: Self.reading(0)) == expected)
  }

  @Test(arguments: [0, 1, 40] as [Int64])
  func `acts of one boot keep their order when a better round trip becomes known`(later: Int64) {
    var estimator = ClockEstimator()
    // One way only: late by 30 ms.
    estimator.greeted(Self.reading(100_000), received: Self.monotonic + 30)
    func act(_ shown: Int64, boot: BootID = Self.boot, now: Int64 = 100) -> Instant {
      estimator.ordered(
        DeviceClock(wall: Self.now, boot: Self.reading(shown, boot: boot)),
        now: Self.now.advanced(milliseconds: now), monotonicNow: Self.monotonic + now
      ).instant
    }
    let first = act(100_000)
    #expect(first == Self.now.advanced(milliseconds: 30))
    estimator.measured(
      Self.reading(100_050), sent: Self.monotonic + 40, received: Self.monotonic + 60)
    let second = act(100_000 + later)
    let expected = first.advanced(milliseconds: 1)
    #expect(second == max(expected, Self.now.advanced(milliseconds: later)))
    // What occurred before, and comes late, keeps its own time; never is anything after now.
    #expect(act(99_990) == Self.now.advanced(milliseconds: -10))
    // Another boot has nothing to do with it.
    let other = BootID(high: 2, low: 2)
    estimator.measured(
      Self.reading(700_000, boot: other), sent: Self.monotonic, received: Self.monotonic)
    #expect(act(699_000, boot: other) == Self.now.advanced(milliseconds: -1_000))
    #expect(act(699_000, boot: other) == Self.now.advanced(milliseconds: -999))
    estimator = Self.measured()
    estimator.newest = (Self.reading(100_000), first)
    #expect(act(100_000 + later, now: 10) <= Self.now.advanced(milliseconds: 10))
    // The wall clock is set back, and with it what it had stamped.
    let back = estimator.ordered(
      DeviceClock(wall: Self.now, boot: Self.reading(100_060)),
      now: Self.now.advanced(milliseconds: -86_400_000), monotonicNow: Self.monotonic + 100)
    #expect(back.instant == Self.now.advanced(milliseconds: -86_400_000))
  }

  @Test(arguments: UInt64(0)..<20)
  func `acts of one boot keep their order, however the authority's two clocks are cut`(
    seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    var estimator = Self.measured()
    var shown: Int64 = 100_000
    // Microseconds since the first act; the clocks are cut to milliseconds at different points.
    var passed: Int64 = 0
    var earlier = Instant(milliseconds: 0)
    let cut = Int64(seed) * 50
    for _ in 0..<200 {
      let now = Self.now.advanced(milliseconds: (passed + cut) / 1_000)
      let act = estimator.ordered(
        DeviceClock(wall: Self.now, boot: Self.reading(shown)), now: now,
        monotonicNow: Self.monotonic + passed / 1_000)
      #expect(act.instant >= earlier && act.instant <= now)
      earlier = act.instant
      passed += Int64.random(in: 0..<1_500, using: &random)
      shown += Int64.random(in: 0...1, using: &random)
    }
  }

  @Test func `acts of a boot that cannot be measured any more keep their order, too`() {
    var estimator = ClockEstimator()
    func act(_ shown: Int64, wall: Int64) -> Instant {
      estimator.ordered(
        DeviceClock(wall: Self.now.advanced(milliseconds: wall), boot: Self.reading(shown)),
        now: Self.now, monotonicNow: Self.monotonic
      ).instant
    }
    let fast = act(1_000, wall: -600_000)
    #expect(fast == Self.now.advanced(milliseconds: -600_000))
    // The person set the clock of the device back.
    #expect(act(2_000, wall: -900_000) == fast.advanced(milliseconds: 1))
    #expect(act(3_000, wall: 7_200_000) == Self.now)
    #expect(act(4_000, wall: -900_000) == Self.now)
    // Late, and never behind what came after it.
    #expect(act(500, wall: -700_000) == Self.now.advanced(milliseconds: -700_000))
    #expect(act(3_500, wall: 0) == Self.now)
  }

  @Test func `a replay knows of the newest act what the record's server knew`() throws {
    var estimator = Self.measured()
    let occurred = DeviceClock(wall: Self.now, boot: Self.reading(100_000))
    _ = estimator.ordered(occurred, now: Self.now, monotonicNow: Self.monotonic)
    var writer = ByteWriter()
    estimator.encode(into: &writer)
    var reader = ByteReader(writer.bytes)
    var replayed = try ClockEstimator(from: &reader)
    let later = Self.now.advanced(milliseconds: 5)
    let next = estimator.ordered(occurred, now: later, monotonicNow: Self.monotonic + 5)
    #expect(next.instant == Self.now.advanced(milliseconds: 1))
    #expect(replayed.ordered(occurred, now: later, monotonicNow: Self.monotonic + 5) == next)
  }

  @Test func `one reading far ahead takes no other act its order`() {
    var estimator = Self.measured()
    func act(_ shown: Int64, now: Int64) -> Instant {
      estimator.ordered(
        DeviceClock(wall: Self.now, boot: Self.reading(shown)),
        now: Self.now.advanced(milliseconds: now), monotonicNow: Self.monotonic + now
      ).instant
    }
    #expect(act(9_000_000, now: 0) == Self.now)
    let first = act(100_010, now: 40)
    estimator.samples = [ClockEstimator.Sample(offset: 899_980, roundTrip: 4)]
    let second = act(100_010, now: 41)
    #expect(second == first.advanced(milliseconds: 1))
  }

  @Test func `another boot starts afresh`() {
    var estimator = Self.measured()
    let next = BootID(high: 2, low: 2)
    estimator.measured(Self.reading(1_000, boot: next), sent: 1_000_000, received: 1_000_020)
    #expect(!estimator.isMeasured(Self.boot))
    #expect(estimator.monotonic(of: Self.reading(1_000, boot: next)) == 1_000_010)
  }

  @Test(arguments: [0, 1, Int64.max / 2, Int64.max - 1, Int64.max])
  func `readings of any size trap nowhere`(shown: Int64) {
    for known in [0, 1_000, Int64.max - 1_000, Int64.max] {
      var estimator = ClockEstimator()
      estimator.measured(Self.reading(known), sent: 10, received: 30)
      estimator.measured(Self.reading(shown), sent: .min, received: .max)
      estimator.measured(Self.reading(shown), sent: 30, received: 10)
      let corrected = estimator.corrected(
        DeviceClock(wall: Self.now, boot: Self.reading(shown)), now: Self.now,
        monotonicNow: Self.monotonic)
      #expect(corrected.instant <= Self.now)
      for reading in [shown, known, shown] {
        let ordered = estimator.ordered(
          DeviceClock(wall: Self.now, boot: Self.reading(reading)), now: Self.now,
          monotonicNow: Self.monotonic)
        #expect(ordered.instant <= Self.now)
      }
    }
  }
}
