public import WatchTransfer

/// A freeze as it was granted. Whether it is spent is not stored: it follows from the log.
public struct Freeze: Sendable, Equatable {
  public let id: FreezeID
  /// The civil day it was granted on.
  public let day: CivilDay

  /// A freeze granted on `day`.
  public init(id: FreezeID, day: CivilDay) {
    self.id = id
    self.day = day
  }
}

/// Days from `from` up to and not including `until` that neither count nor break.
public struct Pause: Sendable, Equatable {
  public let id: PauseID
  public let from: CivilDay
  /// nil: until it is resumed.
  public var until: CivilDay?

  /// A pause.
  public init(id: PauseID, from: CivilDay, until: CivilDay?) {
    self.id = id
    self.from = from
    self.until = until
  }
}

/// When streaks were last resumed: a pause that was pressed before it, and arrives after it, ends
/// with it.
package struct Resumption: Sendable, Equatable {
  package let from: CivilDay
  package var stamp: FieldStamp

  /// Days count again from `from` on.
  package init(from: CivilDay, stamp: FieldStamp) {
    self.from = from
    self.stamp = stamp
  }
}

/// What the person decided about streaks: freezes and pauses.
package struct StreakBook: Sendable, Equatable {
  /// In order of (day, id).
  package private(set) var freezes: [Freeze] = []
  /// In order of (from, id).
  package private(set) var pauses: [Pause] = []
  package var resumption: Resumption?
  /// When the open pauses were pressed; one without is older than every resumption.
  package private(set) var pressed: [PauseID: FieldStamp] = [:]
  /// The days of all pauses.
  private(set) var pausedDays = DayRuns()

  /// Nothing decided.
  package init() {}

  /// Whether a pause has no end yet.
  var isPaused: Bool { pauses.contains { $0.until == nil } }

  /// The open pause from exactly this day on.
  func openPause(from day: CivilDay) -> Pause? {
    pauses.first { $0.until == nil && $0.from == day }
  }

  /// Adds a freeze whose id is new.
  package mutating func insert(_ freeze: Freeze) {
    let position = freezes.partitionIndex {
      $0.day == freeze.day ? $0.id < freeze.id : $0.day < freeze.day
    }
    freezes.insert(freeze, at: position)
  }

  /// Whether an open pause was pressed before.
  func isPaused(before stamp: FieldStamp) -> Bool {
    pauses.contains { $0.until == nil && isPressed($0.id, before: stamp) }
  }

  private func isPressed(_ pause: PauseID, before stamp: FieldStamp) -> Bool {
    pressed[pause]?.yields(to: stamp) ?? true
  }

  /// Adds a pause whose id is new, or presses one that is open once more.
  package mutating func insert(_ pause: Pause, pressed stamp: FieldStamp?) {
    if pause.until == nil { pressed[pause.id] = stamp }
    if pauses.contains(where: { $0.id == pause.id }) { return }
    let position = pauses.partitionIndex {
      $0.from == pause.from ? $0.id < pause.id : $0.from < pause.from
    }
    pauses.insert(pause, at: position)
    noteDays()
  }

  /// Ends every open pause that was pressed before, from `day` on.
  mutating func resume(from day: CivilDay, by stamp: FieldStamp) {
    for index in pauses.indices
    where pauses[index].until == nil && isPressed(pauses[index].id, before: stamp) {
      pauses[index].until = max(day, pauses[index].from)
      pressed[pauses[index].id] = nil
    }
    if resumption?.stamp.yields(to: stamp) ?? true {
      resumption = Resumption(from: day, stamp: stamp)
    }
    noteDays()
  }

  /// The clock went back to `moment`.
  mutating func bringBack(to moment: Instant) {
    resumption?.stamp.bringBack(to: moment)
    for id in pressed.keys { pressed[id]?.bringBack(to: moment) }
  }

  private mutating func noteDays() {
    pausedDays = DayRuns()
    for pause in pauses {
      let last = pause.until.map { $0.number &- 1 } ?? Int32.max
      if pause.from.number <= last { pausedDays.insert(pause.from.number...last) }
    }
  }
}
