public import WatchTransfer

/// What the authority knows of a device's clock, from the round trips of its pings: offset between
/// the device's boot time and the authority's monotonic time (DESIGN section 4, "Time"; the choice
/// of the smallest round trip is Cristian's: https://doi.org/10.1007/BF01784024).
public struct ClockEstimator: Sendable {
  /// One round trip.
  package struct Sample: Hashable, Sendable {
    /// Authority's monotonic milliseconds minus the device's boot time, at the middle of the trip.
    package var offset: Int64
    package var roundTrip: Int64

    /// A trip from its parts.
    package init(offset: Int64, roundTrip: Int64) {
      self.offset = offset
      self.roundTrip = roundTrip
    }
  }

  package var boot: BootID?
  package var samples: [Sample] = []
  /// What the newest greeting told: one way only, so late by what the way took.
  package var greeting: (boot: BootID, offset: Int64)?

  /// What the boot clock showed when the newest act occurred, and what was made of it.
  package var newest: (reading: BootReading, instant: Instant)?

  /// Samples that are kept.
  static let samplesMax = 8
  /// What two good clocks may drift apart between samples, beyond half of both round trips.
  static let driftMilliseconds: Int64 = 50

  /// Nothing known.
  public init() {}

  /// Whether a round trip with this boot of the device was measured.
  public func isMeasured(_ boot: BootID) -> Bool {
    self.boot == boot && !samples.isEmpty
  }

  /// Takes in a round trip: sent and received by the authority's monotonic clock, in milliseconds,
  /// and what the device's boot clock showed in between.
  public mutating func measured(_ reading: BootReading, sent: Int64, received: Int64) {
    guard received >= sent, let middle = sent.midpoint(to: received) else { return }
    let (offset, overflow) = middle.subtractingReportingOverflow(reading.milliseconds)
    if overflow { return }
    let sample = Sample(offset: offset, roundTrip: received - sent)
    if boot != reading.id || !agrees(sample) {
      boot = reading.id
      samples = []
    }
    samples.append(sample)
    if samples.count > Self.samplesMax { samples.removeFirst() }
  }

  /// Takes in what the device's boot clock showed when it greeted. Good enough for facts that come
  /// before the first round trip is over; a wish about now is still measured.
  public mutating func greeted(_ reading: BootReading, received: Int64) {
    let (offset, overflow) = received.subtractingReportingOverflow(reading.milliseconds)
    greeting = overflow ? nil : (reading.id, offset)
  }

  /// The authority's monotonic milliseconds at a reading of the same boot; nil when neither a round
  /// trip nor a greeting told of it.
  public func monotonic(of reading: BootReading) -> Int64? {
    guard let offset = offset(of: reading.id) else { return nil }
    let (sum, overflow) = reading.milliseconds.addingReportingOverflow(offset)
    return overflow ? nil : sum
  }

  private func offset(of boot: BootID) -> Int64? {
    if boot == self.boot, let best = samples.min(by: { $0.roundTrip < $1.roundTrip }) {
      return best.offset
    }
    return greeting.flatMap { $0.boot == boot ? $0.offset : nil }
  }

  /// When an act occurred, as `corrected`, but never before an earlier act of the same boot, and a
  /// millisecond behind it unless that is still to come: what has one instant goes by ids, which
  /// are nobody's order. What is known of the clock may change between two acts, and the
  /// authority's own clocks, read one after the other and cut to milliseconds, may part by one.
  ///
  /// Holds while the account stays in memory; not where the wall clock is set back by less than
  /// what `AccountState` takes for that.
  public mutating func ordered(
    _ occurred: DeviceClock, now: Instant, monotonicNow: Int64
  ) -> CorrectedTime {
    var time = corrected(occurred, now: now, monotonicNow: monotonicNow)
    guard let reading = occurred.boot else { return time }
    if let newest, newest.reading.id == reading.id {
      if reading.milliseconds < newest.reading.milliseconds {
        time.instant = min(time.instant, newest.instant)
        return time
      }
      // Where the wall clock was set back, so was what it had stamped.
      time.instant = max(time.instant, min(newest.instant.advanced(milliseconds: 1), now))
    }
    // A clock that shows nonsense once must not take their order from all acts until then.
    if !isAhead(reading, of: monotonicNow) { newest = (reading, time.instant) }
    return time
  }

  /// Whether a reading lies ahead by more than the error of the measurement.
  private func isAhead(_ reading: BootReading, of monotonicNow: Int64) -> Bool {
    guard let moment = monotonic(of: reading) else { return false }
    let age = monotonicNow.subtractingReportingOverflow(moment)
    return age.overflow || age.partialValue < -Self.driftMilliseconds
  }

  /// When something occurred, by the authority's wall clock, which shows `now` when its monotonic
  /// clock shows `monotonicNow` milliseconds. Never after `now`.
  public func corrected(_ occurred: DeviceClock, now: Instant, monotonicNow: Int64) -> CorrectedTime
  {
    if let boot = occurred.boot, let moment = monotonic(of: boot) {
      let age = monotonicNow.subtractingReportingOverflow(moment)
      if !age.overflow {
        let instant = now.advanced(milliseconds: -max(age.partialValue, 0))
        // A moment just ahead is the error of the measurement, not a wrong clock.
        let isFlagged = isAhead(boot, of: monotonicNow) || !isMeasured(boot.id)
        return CorrectedTime(instant: instant, raw: occurred.wall, isFlagged: isFlagged)
      }
    }
    return CorrectedTime(
      instant: min(occurred.wall, now), raw: occurred.wall, isFlagged: true)
  }

  private func agrees(_ sample: Sample) -> Bool {
    guard let best = samples.min(by: { $0.roundTrip < $1.roundTrip }) else { return true }
    let bound = (sample.roundTrip + best.roundTrip) / 2 + Self.driftMilliseconds
    return (sample.offset - best.offset).magnitude <= UInt64(bound)
  }
}

extension Int64 {
  /// Half way to `other`, which is not smaller; nil when their distance overflows.
  fileprivate func midpoint(to other: Int64) -> Int64? {
    let (distance, overflow) = other.subtractingReportingOverflow(self)
    return overflow ? nil : self + distance / 2
  }
}
