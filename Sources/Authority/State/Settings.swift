package import WatchTransfer

/// A value with the stamp of its last edit.
package struct Stamped<Value: Sendable & Equatable>: Sendable, Equatable {
  package var value: Value
  /// nil: never edited.
  package var stamp: FieldStamp?

  /// A value; without a stamp any edit replaces it.
  package init(_ value: Value, stamp: FieldStamp? = nil) {
    self.value = value
    self.stamp = stamp
  }

  /// Whether an edit stamped `newer` replaces the value.
  func yields(to newer: FieldStamp) -> Bool { stamp?.yields(to: newer) ?? true }

  /// Takes an edit unless the value is later.
  mutating func edit(_ newValue: Value, by newer: FieldStamp) {
    if yields(to: newer) {
      value = newValue
      stamp = newer
    }
  }
}

/// What follows the person.
package struct Settings: Sendable, Equatable {
  package var themeMode = Stamped(ThemeMode.auto)
  package var palette = Stamped(PaletteName.classic)
  package var units = Stamped(Units.metric)
  /// 1 = Monday … 7 = Sunday.
  package var firstWeekday = Stamped(1)
  package var onboardingStep = Stamped(0)
  package var streakPolicy = Stamped(StreakPolicy.daily)

  /// What holds before the person chose anything.
  package init() {}

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    themeMode.stamp?.bringBack(to: moment)
    palette.stamp?.bringBack(to: moment)
    units.stamp?.bringBack(to: moment)
    firstWeekday.stamp?.bringBack(to: moment)
    onboardingStep.stamp?.bringBack(to: moment)
    streakPolicy.stamp?.bringBack(to: moment)
  }
}

/// A named goal, or one that was removed.
package struct GoalRecord: Sendable, Equatable {
  package let name: String
  /// nil: removed.
  package var value: Double?
  package var stamp: FieldStamp

  /// A goal as last edited.
  package init(name: String, value: Double?, stamp: FieldStamp) {
    self.name = name
    self.value = value
    self.stamp = stamp
  }
}

/// All goals, in order of their names' bytes.
package struct GoalBook: Sendable, Equatable {
  /// Removed ones included.
  package private(set) var records: [GoalRecord] = []

  /// No goals.
  package init() {}

  /// How many have a value.
  var liveCount: Int { records.count { $0.value != nil } }

  /// A goal by its name's bytes.
  func find(_ name: String) -> GoalRecord? {
    let position = position(of: name)
    return position < records.count && sameBytes(records[position].name, name)
      ? records[position] : nil
  }

  /// Sets or removes a goal unless a later edit has; forgets the longest removed ones over the
  /// bound.
  package mutating func edit(_ name: String, value: Double?, by stamp: FieldStamp) {
    let position = position(of: name)
    if position < records.count, sameBytes(records[position].name, name) {
      guard records[position].stamp.yields(to: stamp) else { return }
      records[position].value = value
      records[position].stamp = stamp
    } else {
      records.insert(GoalRecord(name: name, value: value, stamp: stamp), at: position)
    }
    forgetRemoved()
  }

  /// The clock went back to `moment`: no edit is later than that.
  mutating func bringBack(to moment: Instant) {
    for index in records.indices { records[index].stamp.bringBack(to: moment) }
  }

  private mutating func forgetRemoved() {
    guard records.count - liveCount > AuthorityLimits.removedGoalsMax else { return }
    var oldest: Int?
    for index in records.indices where records[index].value == nil {
      if let known = oldest, !(records[index].stamp < records[known].stamp) { continue }
      oldest = index
    }
    if let oldest { records.remove(at: oldest) }
  }

  private func position(of name: String) -> Int {
    records.partitionIndex { bytesPrecede($0.name, name) }
  }
}
