package import WatchTransfer

/// One point, undone or not.
package struct PointEntry: Sendable, Equatable {
  package let id: EntryID
  package let team: Team
  /// Corrected time of the press.
  package var at: Instant
  package let device: DeviceID
  /// As the device was called then.
  package let deviceName: String
  package var isUndone: Bool

  /// A point.
  package init(
    id: EntryID, team: Team, at: Instant, device: DeviceID, deviceName: String, isUndone: Bool
  ) {
    self.id = id
    self.team = team
    self.at = at
    self.device = device
    self.deviceName = deviceName
    self.isUndone = isUndone
  }
}

/// A press on the match clock.
package struct ControlEntry: Sendable, Equatable {
  package let control: ClockControl
  /// Its corrected time and device, which order the log.
  package var stamp: FieldStamp

  /// A press.
  package init(control: ClockControl, stamp: FieldStamp) {
    self.control = control
    self.stamp = stamp
  }
}

/// A match: names, points, who plays, and the clock as the log of its controls.
package struct Match: Sendable, Equatable {
  package let id: MatchID
  /// Opened by a fact whose match has not arrived (DESIGN section 4, Late facts).
  package var isStub: Bool
  /// Corrected time of the action that made it; of a stub, of its first fact.
  package var madeAt: Instant
  /// Empty in a stub that nobody has named.
  package var home = Stamped("")
  package var away = Stamped("")
  package var halves = HalfLengths(regular: 45 * 60_000)
  /// In order of time, then id.
  package var entries: [PointEntry] = []
  /// In order of time, then device, then arrival.
  package var controls: [ControlEntry] = []
  /// Entries that were undone before they arrived, in order.
  package var undoneAhead: [EntryID] = []
  /// When who took the clock over, in order of time, then device.
  package var takeovers: [FieldStamp] = []
  package var lineUp = LineUp()
  /// Corrected time of the latest fact.
  package var lastFact: Instant
  /// When a stub was closed for want of facts.
  package var closedAt: Instant?

  /// A stub, opened by a fact at `instant`.
  package init(stub id: MatchID, at instant: Instant) {
    self.id = id
    isStub = true
    madeAt = instant
    lastFact = instant
  }

  /// Whether the clock was ended: nothing that follows an `end` undoes it.
  package var isEnded: Bool { controls.contains { $0.control == .end } }

  /// Whether it is neither ended nor a stub that was closed.
  var isOpen: Bool { !isEnded && closedAt == nil }

  /// The clock after all controls.
  var clock: MatchClock { clock(at: nil) }

  /// The clock after the controls up to and including `moment`; nil: after all.
  func clock(at moment: Instant?) -> MatchClock {
    var walk = ClockWalk(self)
    if let moment { walk.advance(to: moment) } else { walk.finish() }
    return walk.clock
  }

  /// Whether a control of `device` at `moment` is what its recorder of then did, a fact, rather
  /// than a wish about now. A first `start` is: it makes its device the recorder.
  func isFact(_ control: ClockControl, by device: DeviceID, at moment: Instant) -> Bool {
    if let recorder = clock(at: moment).recorder { return recorder == device }
    return control == .start && clock.firstStart == nil
  }

  /// Points of a team that count.
  func score(of team: Team) -> Int { entries.count { $0.team == team && !$0.isUndone } }

  /// The name shown for a team.
  func name(of team: Team) -> String {
    let name = team == .home ? home.value : away.value
    if !name.isEmpty { return name }
    return team == .home ? "Home" : "Away"
  }

  /// Whether an entry of that team, from another device, that still counts lies within the span in
  /// which two referees press for one point.
  func coincides(team: Team, at: Instant, device: DeviceID) -> Bool {
    let span = AuthorityLimits.coincidenceMilliseconds
    let first = entries.partitionIndex { $0.at < at.advanced(milliseconds: -span) }
    for entry in entries[first...] {
      if entry.at > at.advanced(milliseconds: span) { break }
      if entry.team == team, entry.device != device, !entry.isUndone { return true }
    }
    return false
  }

  /// Notes that something happened at `instant`; a closed stub opens again for what came after.
  mutating func noteFact(at instant: Instant) {
    lastFact = max(lastFact, instant)
    if let closed = closedAt, instant > closed { closedAt = nil }
  }

  /// The clock went back to `moment`: nothing is later than that. What was later and has an order,
  /// controls, takeovers and substitutions among each other, keeps it, a millisecond apart.
  mutating func bringBack(to moment: Instant) {
    home.stamp?.bringBack(to: moment)
    away.stamp?.bringBack(to: moment)
    lineUp.home.stamp?.bringBack(to: moment)
    lineUp.away.stamp?.bringBack(to: moment)
    lastFact = min(lastFact, moment)
    closedAt = closedAt.map { min($0, moment) }
    bringSequenceBack(to: moment)
    for index in entries.indices where entries[index].at > moment { entries[index].at = moment }
    entries.sort { $0.at == $1.at ? $0.id < $1.id : $0.at < $1.at }
  }

  private mutating func bringSequenceBack(to moment: Instant) {
    let times: [WritableKeyPath<Match, Instant>] =
      controls.indices.map { \Match.controls[$0].stamp.at }
      + takeovers.indices.map { \Match.takeovers[$0].at }
      + lineUp.substitutions.indices.map { \Match.lineUp.substitutions[$0].at }
    let floor = times.map { self[keyPath: $0] }.filter { $0 <= moment }.max()
    let late = times.enumerated().filter { self[keyPath: $0.element] > moment }
      .map { (at: self[keyPath: $0.element], rank: $0.offset, path: $0.element) }
      .sorted { $0.at == $1.at ? $0.rank < $1.rank : $0.at < $1.at }
    for (rank, time) in late.enumerated() {
      let at = moment.advanced(milliseconds: Int64(rank + 1 - late.count))
      self[keyPath: time.path] = floor.map { max($0, at) } ?? at
    }
  }

  /// Puts a point in at its time.
  mutating func insert(_ entry: PointEntry) {
    let position = entries.partitionIndex {
      $0.at == entry.at ? $0.id < entry.id : $0.at < entry.at
    }
    entries.insert(entry, at: position)
    noteFact(at: entry.at)
  }

  /// Puts a control in at its time.
  mutating func insert(_ control: ControlEntry) {
    controls.insert(control, at: controls.partitionIndex { !(control.stamp < $0.stamp) })
    noteFact(at: control.stamp.at)
  }

  /// Puts a takeover in at its time.
  mutating func insert(takeover: FieldStamp) {
    takeovers.insert(takeover, at: takeovers.partitionIndex { !(takeover < $0) })
  }
}
