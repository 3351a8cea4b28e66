package import Authority
internal import WatchTransfer

/// First byte of a stored state: the form of what follows.
private let stateForm: UInt8 = 3
/// The form of the first release, which ends where the sections begin now.
private let stateFormWithoutSections: UInt8 = 2

extension AccountState {
  /// Appends everything, in an order that is the same in every process.
  package func encode(into writer: inout ByteWriter) {
    writer.byte(stateForm)
    writer.unsigned(revision)
    writer.optional(newestTurn) { $0.instant($1) }
    writer.optional(newestEdit) { $0.instant($1) }
    zone.encode(into: &writer)
    settings.encode(into: &writer)
    writer.list(goals.records) { writer, goal in
      writer.text(goal.name)
      writer.optional(goal.value) { $0.double($1) }
      goal.stamp.encode(into: &writer)
    }
    writer.list(workouts) { $1.encode(into: &$0) }
    writer.list(schedules.all) { $1.encode(into: &$0) }
    writer.list(logs.days) { writer, day in
      writer.list(day.logs) { $1.encode(into: &$0) }
    }
    writer.list(matches.all) { $1.encode(into: &$0) }
    writer.list(things.sorted { $0.key < $1.key }) { writer, thing in
      writer.identifier(thing.key)
      thing.value.encode(into: &writer)
    }
    writer.list(storedSections) { writer, section in
      writer.byte(section.tag)
      writer.blob(section.bytes)
    }
  }

  /// Reads a stored state.
  package init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    let form = try reader.byte()
    guard form == stateForm || form == stateFormWithoutSections else {
      throw .unknownTag(UInt64(form), of: "state form")
    }
    revision = try reader.unsigned()
    newestTurn = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    newestEdit = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    zone = try ZoneBook(from: &reader)
    settings = try Settings(from: &reader)
    for _ in 0..<(try reader.count()) {
      let name = try reader.text()
      goals.edit(name, value: try reader.figure(), by: try FieldStamp(from: &reader))
    }
    workouts = try reader.list { (reader) throws(StoredFormError) in try Workout(from: &reader) }
    for _ in 0..<(try reader.count()) { schedules.insert(try Schedule(from: &reader)) }
    for _ in 0..<(try reader.count()) {
      for _ in 0..<(try reader.count()) { logs.insert(try WorkoutLog(from: &reader)) }
    }
    for _ in 0..<(try reader.count()) {
      let match = try Match(from: &reader)
      matches[match.id] = match
    }
    for _ in 0..<(try reader.count()) {
      let id: ThingID = try reader.identifier()
      things[id] = try Thing(from: &reader)
    }
    if form == stateFormWithoutSections { return }
    for _ in 0..<(try reader.count()) {
      let tag = try reader.byte()
      var section = ByteReader(try reader.blob())
      try takeSection(tag, from: &section)
      try section.expectEnd()
    }
  }
}

extension ZoneBook {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    rules.encode(into: &writer)
    writer.text(dataVersion)
    writer.optional(stamp) { $1.encode(into: &$0) }
    writer.list(periods) { writer, period in
      writer.instant(period.from)
      writer.text(period.zoneID)
    }
    writer.list(skippedDays) { $0.day($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    rules = try ZoneRules(from: &reader)
    dataVersion = try reader.text()
    stamp = try reader.optional { (reader) throws(StoredFormError) in try FieldStamp(from: &reader)
    }
    periods = try reader.list { (reader) throws(StoredFormError) in
      ZonePeriod(from: try reader.instant(), zoneID: try reader.text())
    }
    skippedDays = try reader.list { (reader) throws(StoredFormError) in try reader.day() }
  }
}

extension FieldStamp {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.instant(at)
    writer.identifier(device)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(at: try reader.instant(), device: try reader.identifier())
  }
}

extension Stamped {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter, _ write: (inout ByteWriter, Value) -> Void) {
    write(&writer, value)
    writer.optional(stamp) { $1.encode(into: &$0) }
  }

  /// Reads what `encode` wrote.
  init(
    from reader: inout ByteReader,
    _ read: (inout ByteReader) throws(StoredFormError) -> Value
  ) throws(StoredFormError) {
    self.init(
      try read(&reader),
      stamp: try reader.optional { (reader) throws(StoredFormError) in
        try FieldStamp(from: &reader)
      })
  }
}

extension Settings {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    themeMode.encode(into: &writer) { $0.byte($1.rawValue) }
    units.encode(into: &writer) { $0.byte($1.rawValue) }
    firstWeekday.encode(into: &writer) { $0.count($1) }
    onboardingStep.encode(into: &writer) { $0.count($1) }
    // Another policy stands in section 9.
    streakPolicy.encode(into: &writer) { writer, _ in writer.byte(1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    themeMode = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.choice(of: "theme")
    }
    units = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.choice(of: "units")
    }
    firstWeekday = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.number(in: 1...7, of: "weekday")
    }
    onboardingStep = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.number(in: ActionLimits.onboardingSteps, of: "step")
    }
    streakPolicy = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.dailyPolicy()
    }
  }
}
