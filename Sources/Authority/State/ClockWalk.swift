internal import WatchTransfer

/// The clock of a match at one moment after another, each not before the last.
struct ClockWalk {
  private(set) var clock: MatchClock
  private var controls: ArraySlice<ControlEntry>
  private var takeovers: ArraySlice<FieldStamp>

  /// Begins before everything.
  init(_ match: Match) {
    clock = MatchClock(halves: match.halves)
    controls = match.controls[...]
    takeovers = match.takeovers[...]
  }

  /// Takes in what happened up to and including `moment`.
  mutating func advance(to moment: Instant) {
    while let next = controls.first, next.stamp.at <= moment {
      takeOver(until: next.stamp.at)
      clock.take(next)
      controls.removeFirst()
    }
    takeOver(until: moment)
  }

  /// Takes in everything.
  mutating func finish() {
    for control in controls { clock.take(control) }
    controls = []
    if let last = takeovers.last { clock.takeOver(by: last.device) }
    takeovers = []
  }

  private mutating func takeOver(until moment: Instant) {
    while let next = takeovers.first, next.at <= moment {
      clock.takeOver(by: next.device)
      takeovers.removeFirst()
    }
  }
}
