package import WatchTransfer

/// What the controls of a match make of its clock, as a state machine: one control after another,
/// in order of their corrected times.
package struct MatchClock: Sendable, Equatable {
  package private(set) var phase = ClockPhase.idle
  /// 1 or 2.
  package private(set) var half = 1
  /// What the clock showed when `runningSince` began, or shows; milliseconds.
  package private(set) var elapsedMilliseconds: Int64 = 0
  /// nil: not running.
  package private(set) var runningSince: Instant?
  /// The device whose `start` first ran the timer.
  package private(set) var recorder: DeviceID?
  /// When that was.
  package private(set) var firstStart: Instant?
  package let halfLengthMilliseconds: Int64

  /// A clock that never ran.
  package init(halfLengthMilliseconds: Int64) {
    self.halfLengthMilliseconds = halfLengthMilliseconds
  }

  /// What the clock shows at the start of the half in play, in milliseconds: half 2 starts at the
  /// length of a half, whatever half 1 ended at (DESIGN section 6, rule 6).
  var halfStartMilliseconds: Int64 { half == 1 ? 0 : halfLengthMilliseconds }

  /// What the clock shows at the end of the half's regular time, in milliseconds.
  var halfEndMilliseconds: Int64 { halfStartMilliseconds &+ halfLengthMilliseconds }

  /// What the clock shows at `moment`, in milliseconds.
  package func elapsedMilliseconds(at moment: Instant) -> Int64 {
    guard let runningSince else { return elapsedMilliseconds }
    return elapsedMilliseconds &+ max(0, moment.milliseconds(since: runningSince))
  }

  /// Whether a control of `device` at `moment` is what its recorder did, a fact, rather than a wish
  /// about now. A first `start` is: it makes its device the recorder.
  func isFact(_ control: ClockControl, by device: DeviceID, at moment: Instant) -> Bool {
    guard let recorder, let firstStart else { return control == .start }
    return recorder == device && moment >= firstStart
  }

  /// Takes the next control. One that says what is so already, or comes after the end, changes
  /// nothing.
  package mutating func take(_ entry: ControlEntry) {
    guard phase != .ended else { return }
    let at = entry.stamp.at
    switch entry.control {
    case .start:
      guard phase != .running else { return }
      if recorder == nil {
        recorder = entry.stamp.device
        firstStart = at
      }
      phase = .running
      runningSince = at
    case .pause:
      guard phase == .running else { return }
      stop(at: at, as: .paused)
    case .reset:
      stop(at: at, as: .idle)
      elapsedMilliseconds = halfStartMilliseconds
    case .nextHalf:
      guard half == 1 else { return }
      stop(at: at, as: .idle)
      half = 2
      elapsedMilliseconds = halfStartMilliseconds
    case .end:
      stop(at: at, as: .ended)
    }
  }

  private mutating func stop(at moment: Instant, as next: ClockPhase) {
    elapsedMilliseconds = elapsedMilliseconds(at: moment)
    runningSince = nil
    phase = next
  }
}

/// The minute of a moment of a match, "12" or "45+2" (DESIGN section 6, rule 6); both arguments in
/// milliseconds.
func minuteLabel(clock: Int64, half: Int, halfLength: Int64) -> String {
  let minute: Int64 = 60_000
  let start = half == 1 ? 0 : halfLength
  let end = start &+ halfLength
  if clock > end {
    return "\(ceilDivide(end, minute))+\(ceilDivide(clock &- end, minute))"
  }
  return String(max(floorDivide(start, minute) &+ 1, ceilDivide(clock, minute)))
}

/// Quotient rounded up; `value` >= 0, `divisor` > 0.
private func ceilDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  value / divisor &+ (value % divisor > 0 ? 1 : 0)
}
