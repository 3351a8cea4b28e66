internal import Authority
internal import Guards
internal import WatchTransfer

// Tags 80 to 111: 80 is `preferencesSet` with a policy that 6 cannot say; the others are
// `ConsistencyEvent`. They are never used for another event, and never changed.

extension ConsistencyEvent {
  /// Tags 81 to 93.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .weeklyScheduled(let id, let edit, let by):
      writer.byte(81)
      writer.identifier(id)
      edit.encode(into: &writer)
      by.encode(into: &writer)
    case .weeklyEdited(let id, let edit, let by):
      writer.byte(82)
      writer.identifier(id)
      edit.encode(into: &writer)
      by.encode(into: &writer)
    case .scheduleEdited(let id, let planned, let at, let by):
      writer.byte(83)
      writer.identifier(id)
      writer.optional(planned) { $1.encode(into: &$0) }
      writer.optional(at) { $0.instant($1) }
      by.encode(into: &writer)
    case .scheduleDated(let id, let day):
      writer.byte(84)
      writer.identifier(id)
      writer.day(day)
    case .weightLogged(let entry, let by):
      writer.byte(85)
      entry.encode(into: &writer)
      by.encode(into: &writer)
    case .weightDeleted(let id, let by):
      writer.byte(86)
      writer.identifier(id)
      by.encode(into: &writer)
    case .logEdited(let id, let day, let edit, let by):
      writer.byte(87)
      writer.identifier(id)
      writer.day(day)
      edit.encode(into: &writer)
      by.encode(into: &writer)
    case .logDeleted(let id, let day, let by):
      writer.byte(88)
      writer.identifier(id)
      writer.optional(day) { $0.day($1) }
      by.encode(into: &writer)
    case .freezeGranted(let freeze, let by):
      writer.byte(89)
      freeze.encode(into: &writer)
      by.encode(into: &writer)
    case .streakPaused(let pause, let by):
      writer.byte(90)
      pause.encode(into: &writer)
      by.encode(into: &writer)
    case .streakResumed(let day, let by):
      writer.byte(91)
      writer.day(day)
      by.encode(into: &writer)
    case .editWaits(let edit):
      writer.byte(92)
      edit.encode(into: &writer)
    }
  }

  /// Reads the fields of a tag 81 to 111.
  init(tag: UInt8, from reader: inout ByteReader) throws(StoredFormError) {
    switch tag {
    case 81:
      self = .weeklyScheduled(
        id: try reader.identifier(), try WeeklyEdit(from: &reader),
        by: try Occurrence(from: &reader))
    case 82:
      self = .weeklyEdited(
        id: try reader.identifier(), try WeeklyEdit(from: &reader),
        by: try Occurrence(from: &reader))
    case 83:
      self = .scheduleEdited(
        id: try reader.identifier(),
        planned: try reader.optional { (reader) throws(StoredFormError) in
          try PlannedWorkout(from: &reader)
        },
        at: try reader.optional { (reader) throws(StoredFormError) in try reader.instant() },
        by: try Occurrence(from: &reader))
    case 84:
      self = .scheduleDated(id: try reader.identifier(), day: try reader.day())
    case 85:
      self = .weightLogged(try WeightEntry(from: &reader), by: try Occurrence(from: &reader))
    case 86:
      self = .weightDeleted(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 87:
      self = .logEdited(
        id: try reader.identifier(), from: try reader.day(), try LogEdit(from: &reader),
        by: try Occurrence(from: &reader))
    case 88:
      self = .logDeleted(
        id: try reader.identifier(),
        day: try reader.optional { (reader) throws(StoredFormError) in try reader.day() },
        by: try Occurrence(from: &reader))
    case 89:
      self = .freezeGranted(try Freeze(from: &reader), by: try Occurrence(from: &reader))
    case 90: self = .streakPaused(try Pause(from: &reader), by: try Occurrence(from: &reader))
    case 91:
      self = .streakResumed(from: try reader.day(), by: try Occurrence(from: &reader))
    case 92: self = .editWaits(try WaitingEdit(from: &reader))
    default: throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension PreferenceChange {
  /// Whether its first stored form, of the event 6, can say it.
  var hasFirstForm: Bool { streakPolicy == nil || streakPolicy == .daily }

  /// Appends its fields, in the form of the event 80.
  func encodeSecondForm(into writer: inout ByteWriter) {
    var rest = self
    rest.streakPolicy = nil
    rest.encode(into: &writer)
    writer.optional(streakPolicy) { $1.encode(into: &$0) }
  }

  /// Reads what `encodeSecondForm` wrote.
  init(secondFormFrom reader: inout ByteReader) throws(StoredFormError) {
    try self.init(from: &reader)
    streakPolicy = try reader.optional { (reader) throws(StoredFormError) in
      try StreakPolicy(from: &reader)
    }
  }
}

extension StreakPolicy {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .daily: writer.byte(1)
    case .weekly(let days):
      writer.byte(2)
      writer.count(days)
    case .scheduled: writer.byte(3)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    switch try reader.byte() {
    case 1: self = .daily
    case 2: self = .weekly(days: try reader.number(in: 1...7, of: "days"))
    case 3: self = .scheduled
    case let tag: throw .unknownTag(UInt64(tag), of: "policy")
    }
  }
}

extension PlannedWorkout {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(workout) { $0.identifier($1) }
    writer.text(title)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      workout: try reader.optional { (reader) throws(StoredFormError) in try reader.identifier() },
      title: try reader.text())
  }
}

extension WeeklyEdit {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(planned) { $1.encode(into: &$0) }
    writer.optional(weekdays) { $0.byte($1.bits) }
    writer.optional(timeOfDay) { $0.signed($1) }
    writer.optional(firstDay) { $0.day($1) }
    writer.flag(isEnd)
    writer.day(day)
    writer.signed(passed)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let planned = try reader.optional { (reader) throws(StoredFormError) in
      try PlannedWorkout(from: &reader)
    }
    let weekdays = try reader.optional { (reader) throws(StoredFormError) in
      try reader.weekdays()
    }
    let timeOfDay = try reader.optional { (reader) throws(StoredFormError) in
      try reader.timeOfDay(from: 0)
    }
    let firstDay = try reader.optional { (reader) throws(StoredFormError) in try reader.day() }
    let isEnd = try reader.flag()
    self.init(day: try reader.day(), passed: try reader.timeOfDay(from: -1))
    self.planned = planned
    self.weekdays = weekdays
    self.timeOfDay = timeOfDay
    self.firstDay = firstDay
    self.isEnd = isEnd
  }
}

extension Freeze {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.day(day)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(id: try reader.identifier(), day: try reader.day())
  }
}

extension Pause {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.day(from)
    writer.optional(until) { $0.day($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), from: try reader.day(),
      until: try reader.optional { (reader) throws(StoredFormError) in try reader.day() })
  }
}

extension WeightEntry {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    weight.encode(into: &writer)
    writer.day(day)
    writer.optional(at) { $0.instant($1) }
    writer.optional(zoneID) { $0.text($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), weight: try Weight(from: &reader), day: try reader.day(),
      at: try reader.optional { (reader) throws(StoredFormError) in try reader.instant() },
      zoneID: try reader.optional { (reader) throws(StoredFormError) in try reader.text() })
  }
}

extension ByteReader {
  /// A mask of weekdays.
  mutating func weekdays() throws(StoredFormError) -> Weekdays {
    guard let weekdays = Weekdays(bits: try byte()) else { throw .outOfRange(of: "weekdays") }
    return weekdays
  }

  /// Milliseconds on a wall clock, or from `lowest`.
  mutating func timeOfDay(from lowest: Int64) throws(StoredFormError) -> Int64 {
    let time = try signed()
    guard (lowest...ActionLimits.timesOfDay.upperBound).contains(time) else {
      throw .outOfRange(of: "time of day")
    }
    return time
  }
}
