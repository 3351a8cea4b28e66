package import WatchTransfer

/// What the controls of a match make of its clock, as a state machine: one control after another,
/// in order of their corrected times.
package struct MatchClock: Sendable, Equatable {
  package private(set) var phase = ClockPhase.idle
  /// 1 to the number of halves.
  package private(set) var half = 1
  /// What the clock showed when `runningSince` began, or shows; milliseconds.
  package private(set) var elapsedMilliseconds: Int64 = 0
  /// nil: not running.
  package private(set) var runningSince: Instant?
  /// Who drives it: the device whose `start` first ran the timer, then whoever took over last.
  package private(set) var recorder: DeviceID?
  /// When it first ran.
  package private(set) var firstStart: Instant?
  package let halves: HalfLengths

  /// A clock that never ran.
  package init(halves: HalfLengths) {
    self.halves = halves
  }

  /// What the clock shows at the end of the half's regular time, in milliseconds.
  var halfEndMilliseconds: Int64 { halves.end(of: half) }

  /// What the clock shows at `moment`, in milliseconds.
  package func elapsedMilliseconds(at moment: Instant) -> Int64 {
    guard let runningSince else { return elapsedMilliseconds }
    return elapsedMilliseconds &+ max(0, moment.milliseconds(since: runningSince))
  }

  /// What it shows as the minute at `moment`; nil: it never ran.
  func minute(at moment: Instant) -> String? {
    guard firstStart != nil else { return nil }
    return halves.minute(clock: elapsedMilliseconds(at: moment), half: half)
  }

  /// Another device drives it from now on.
  mutating func takeOver(by device: DeviceID) { recorder = device }

  /// Takes the next control. One that says what is so already, or comes after the end, changes
  /// nothing.
  package mutating func take(_ entry: ControlEntry) {
    guard phase != .ended else { return }
    let at = entry.stamp.at
    switch entry.control {
    case .start:
      guard phase != .running else { return }
      if firstStart == nil {
        firstStart = at
        recorder = recorder ?? entry.stamp.device
      }
      phase = .running
      runningSince = at
    case .pause:
      guard phase == .running else { return }
      stop(at: at, as: .paused)
    case .reset:
      stop(at: at, as: .idle)
      elapsedMilliseconds = halves.start(of: half)
    case .nextHalf:
      guard half < halves.count else { return }
      stop(at: at, as: .idle)
      half += 1
      elapsedMilliseconds = halves.start(of: half)
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
