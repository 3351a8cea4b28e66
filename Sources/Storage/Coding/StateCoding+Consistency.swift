internal import Authority
internal import WatchTransfer

// Sections of a stored state, each written only when it holds something:
// 6: schedules: weekly ones; days and edits of the others, by id; edits that wait
// 7: logs: notes, tags and edits, by id
// 8: weights
// 9: streaks: the policy unless it is daily, freezes, pauses, the last resumption,
//    when the open pauses were pressed

extension AccountState {
  /// Whether there is a section 6.
  var hasSchedulesToStore: Bool {
    !weeklies.all.isEmpty || !waiting.isEmpty || schedules.all.contains(where: \.isNoted)
  }

  /// Section 6.
  func encodeSchedules(into writer: inout ByteWriter) {
    writer.list(weeklies.all) { writer, weekly in
      writer.identifier(weekly.id)
      writer.list(weekly.edits) { writer, stamped in
        stamped.edit.encode(into: &writer)
        stamped.stamp.encode(into: &writer)
      }
      writer.list(weekly.served) { writer, served in
        writer.day(served.day)
        writer.identifier(served.log)
        writer.signed(served.timeOfDay)
        served.planned.encode(into: &writer)
      }
    }
    writer.list(schedules.all.filter(\.isNoted)) { writer, schedule in
      writer.identifier(schedule.id)
      writer.instant(schedule.at)
      writer.optional(schedule.day) { $0.day($1) }
      writer.optional(schedule.plannedStamp) { $1.encode(into: &$0) }
      writer.optional(schedule.atStamp) { $1.encode(into: &$0) }
    }
    writer.list(waiting) { $1.encode(into: &$0) }
  }

  /// Reads section 6.
  mutating func readSchedules(from reader: inout ByteReader) throws(StoredFormError) {
    for _ in 0..<(try reader.count()) {
      let id: ScheduleID = try reader.identifier()
      let edits = try reader.list { (reader) throws(StoredFormError) in
        WeeklySchedule.StampedEdit(
          edit: try WeeklyEdit(from: &reader), stamp: try FieldStamp(from: &reader))
      }
      var weekly = WeeklySchedule(id: id, edits: edits)
      for _ in 0..<(try reader.count()) {
        weekly.add(
          WeeklySchedule.Served(
            day: try reader.day(), log: try reader.identifier(),
            timeOfDay: try reader.timeOfDay(from: 0), planned: try PlannedWorkout(from: &reader)))
      }
      weeklies.insert(weekly)
    }
    for _ in 0..<(try reader.count()) {
      let id: ScheduleID = try reader.identifier()
      let at = try reader.instant()
      let day = try reader.optional { (reader) throws(StoredFormError) in try reader.day() }
      if let day { schedules.setDay(id, at: at, to: day) }
      schedules.setStamps(
        id, at: at,
        planned: try reader.optional { (reader) throws(StoredFormError) in
          try FieldStamp(from: &reader)
        },
        moment: try reader.optional { (reader) throws(StoredFormError) in
          try FieldStamp(from: &reader)
        })
    }
    waiting = try reader.list { (reader) throws(StoredFormError) in try WaitingEdit(from: &reader) }
  }

  /// Whether there is a section 7.
  var hasNotesToStore: Bool {
    logs.days.contains { day in day.logs.contains { !$0.edits.isEmpty } }
  }

  /// Section 7.
  func encodeNotes(into writer: inout ByteWriter) {
    // The edits say which logs were ever written on; without one there are no notes.
    writer.list(logs.days.flatMap { day in day.logs.filter { !$0.edits.isEmpty } }) { writer, log in
      writer.identifier(log.id)
      writer.day(log.day)
      writer.text(log.notes)
      writer.list(log.tags) { $0.text($1) }
      writer.list(log.edits) { writer, edit in
        writer.byte(edit.field.rawValue)
        edit.stamp.encode(into: &writer)
      }
    }
  }

  /// Reads section 7.
  mutating func readNotes(from reader: inout ByteReader) throws(StoredFormError) {
    for _ in 0..<(try reader.count()) {
      logs.annotate(
        try reader.identifier(), on: try reader.day(), notes: try reader.text(),
        tags: try reader.texts(),
        edits: try reader.list { (reader) throws(StoredFormError) in
          LogFieldEdit(
            field: try reader.choice(of: "field"), stamp: try FieldStamp(from: &reader))
        })
    }
  }

  /// Section 8.
  func encodeWeights(into writer: inout ByteWriter) {
    writer.list(weights.all) { writer, record in
      record.entry.encode(into: &writer)
      writer.unsigned(record.revision)
    }
  }

  /// Reads section 8.
  mutating func readWeights(from reader: inout ByteReader) throws(StoredFormError) {
    for _ in 0..<(try reader.count()) {
      weights.insert(
        WeightBook.Record(entry: try WeightEntry(from: &reader), revision: try reader.unsigned()))
    }
  }

  /// Whether there is a section 9.
  var hasStreaksToStore: Bool {
    settings.streakPolicy.value != .daily || streaks != StreakBook()
  }

  /// Section 9.
  func encodeStreaks(into writer: inout ByteWriter) {
    let policy = settings.streakPolicy.value == .daily ? nil : settings.streakPolicy.value
    writer.optional(policy) { $1.encode(into: &$0) }
    writer.list(streaks.freezes) { $1.encode(into: &$0) }
    writer.list(streaks.pauses) { $1.encode(into: &$0) }
    writer.optional(streaks.resumption) { writer, resumption in
      writer.day(resumption.from)
      resumption.stamp.encode(into: &writer)
    }
    for pause in streaks.pauses where pause.until == nil {
      writer.optional(streaks.pressed[pause.id]) { $1.encode(into: &$0) }
    }
  }

  /// Reads section 9.
  mutating func readStreaks(from reader: inout ByteReader) throws(StoredFormError) {
    let policy = try reader.optional { (reader) throws(StoredFormError) in
      try StreakPolicy(from: &reader)
    }
    if let policy { settings.streakPolicy.value = policy }
    for _ in 0..<(try reader.count()) { streaks.insert(try Freeze(from: &reader)) }
    var pauses: [Pause] = []
    for _ in 0..<(try reader.count()) { pauses.append(try Pause(from: &reader)) }
    streaks.resumption = try reader.optional { (reader) throws(StoredFormError) in
      Resumption(from: try reader.day(), stamp: try FieldStamp(from: &reader))
    }
    for pause in pauses {
      // What was stored before pauses had stamps ends here.
      let stamp =
        pause.until != nil || reader.isAtEnd
        ? nil
        : try reader.optional { (reader) throws(StoredFormError) in
          try FieldStamp(from: &reader)
        }
      streaks.insert(pause, pressed: stamp)
    }
  }
}

extension Schedule {
  /// Whether it has what its own stored form does not.
  fileprivate var isNoted: Bool { day != nil || plannedStamp != nil || atStamp != nil }
}
