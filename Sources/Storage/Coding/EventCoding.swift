package import Authority
internal import WatchTransfer

// The tags below are what journals hold: they are never used for another event, and never changed.

extension Event {
  /// Appends a tag and the event's fields.
  package func encode(into writer: inout ByteWriter) {
    switch self {
    case .accountCreated(let at, let zone, let version):
      writer.byte(1)
      writer.instant(at)
      zone.encode(into: &writer)
      writer.text(version)
    case .turned(let at, let zone, let version):
      writer.byte(2)
      writer.instant(at)
      zone.encode(into: &writer)
      writer.text(version)
    case .zoneChanged(let zone, let version, let by):
      writer.byte(3)
      zone.encode(into: &writer)
      writer.text(version)
      by.encode(into: &writer)
    case .themeSet(let mode, let by):
      writer.byte(4)
      writer.byte(mode.rawValue)
      by.encode(into: &writer)
    case .goalSet(let name, let value, let by):
      writer.byte(5)
      writer.text(name)
      writer.optional(value) { $0.double($1) }
      by.encode(into: &writer)
    case .preferencesSet(let change, let by):
      writer.byte(change.hasFirstForm ? 6 : 80)
      if change.hasFirstForm {
        change.encode(into: &writer)
      } else {
        change.encodeSecondForm(into: &writer)
      }
      by.encode(into: &writer)
    case .clockWentBack(let moment):
      writer.byte(7)
      writer.instant(moment)
    case .paletteSet(let palette, let by):
      writer.byte(128)
      writer.byte(palette.rawValue)
      by.encode(into: &writer)
    case .workoutDefined, .workoutEdited, .workoutDeleted, .workoutStubOpened, .workoutScheduled,
      .workoutUnscheduled, .scheduleServed, .workoutMarked, .workoutUnmarked, .workoutLogged:
      encodeOfWorkouts(into: &writer)
    case .matchMade, .matchStubOpened, .matchStubClosed, .matchDropped, .teamNamed, .pointAdded,
      .pointUndone, .clockControlled:
      encodeOfMatches(into: &writer)
    case .exerciseDefined, .exerciseEdited, .exerciseDeleted, .routineDefined, .routineEdited,
      .routineDeleted, .sessionStarted, .sessionStubOpened, .sessionStubClosed, .sessionMoved,
      .sessionDiscarded, .sessionDropped, .setCompleted, .setEdited, .setUncompleted,
      .setAdjusted, .exerciseSelected, .restSet, .sessionExerciseAdded, .samplesRecorded,
      .summaryDismissed, .sessionLogged:
      encodeOfStrength(into: &writer)
    case .extraTimeAgreed, .clockTakenOver, .squadSet, .substituted, .substitutionUndone,
      .keymapSet:
      encodeOfLineUps(into: &writer)
    case .consistency(let event):
      event.encode(into: &writer)
    case .attachment(let event):
      event.encode(into: &writer)
    case .reloadTold(let device, let day):
      writer.byte(140)
      writer.identifier(device)
      writer.day(day)
    }
  }

  /// Reads a tag and the fields that belong to it.
  package init(from reader: inout ByteReader) throws(StoredFormError) {
    let tag = try reader.byte()
    switch tag {
    case 1:
      self = .accountCreated(
        at: try reader.instant(), zone: try ZoneRules(from: &reader),
        zoneDataVersion: try reader.text())
    case 2:
      self = .turned(
        at: try reader.instant(), zone: try ZoneRules(from: &reader),
        zoneDataVersion: try reader.text())
    case 3:
      self = .zoneChanged(
        zone: try ZoneRules(from: &reader), zoneDataVersion: try reader.text(),
        by: try Occurrence(from: &reader))
    case 4:
      self = .themeSet(mode: try reader.choice(of: "theme"), by: try Occurrence(from: &reader))
    case 5:
      self = .goalSet(
        name: try reader.text(),
        value: try reader.optional { (reader) throws(StoredFormError) in try reader.double() },
        by: try Occurrence(from: &reader))
    case 6:
      self = .preferencesSet(
        try PreferenceChange(from: &reader), by: try Occurrence(from: &reader))
    case 7: self = .clockWentBack(to: try reader.instant())
    case 16..<32: self = try Self.ofWorkouts(tag, from: &reader)
    case 32..<40: self = try Self.ofMatches(tag, from: &reader)
    case 40..<48, 120..<128: self = try Self.ofLineUps(tag, from: &reader)
    case 48..<80: self = try Self.ofStrength(tag, from: &reader)
    case 80:
      self = .preferencesSet(
        try PreferenceChange(secondFormFrom: &reader), by: try Occurrence(from: &reader))
    case 81..<112: self = .consistency(try ConsistencyEvent(tag: tag, from: &reader))
    case 128:
      self = .paletteSet(try reader.choice(of: "palette"), by: try Occurrence(from: &reader))
    case 129..<140: self = .attachment(try AttachmentEvent(tag: tag, from: &reader))
    case 140: self = .reloadTold(device: try reader.identifier(), day: try reader.day())
    default: throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension Occurrence {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.instant(at)
    // The raw reading is mostly the corrected one: stored as their distance.
    writer.signed(raw.milliseconds(since: at))
    writer.flag(isFlagged)
    writer.identifier(device)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let at = try reader.instant()
    self.init(
      at: at, raw: at.advanced(milliseconds: try reader.signed()), isFlagged: try reader.flag(),
      device: try reader.identifier())
  }
}

extension ZoneRules {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.text(id)
    writer.signed(Int64(initialOffsetSeconds))
    writer.list(transitions) { writer, transition in
      writer.instant(transition.at)
      writer.signed(Int64(transition.offsetSeconds))
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.text(), initialOffsetSeconds: try reader.offset(),
      transitions: try reader.list { (reader) throws(StoredFormError) in
        Transition(at: try reader.instant(), offsetSeconds: try reader.offset())
      })
  }
}

extension PreferenceChange {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(units) { $0.byte($1.rawValue) }
    writer.optional(firstWeekday) { $0.count($1) }
    writer.optional(onboardingStep) { $0.count($1) }
    // What is not daily stands in the second form.
    writer.optional(streakPolicy) { writer, _ in writer.byte(1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    units = try reader.optional { (reader) throws(StoredFormError) in
      try reader.choice(of: "units")
    }
    firstWeekday = try reader.optional { (reader) throws(StoredFormError) in
      try reader.number(in: 1...7, of: "weekday")
    }
    onboardingStep = try reader.optional { (reader) throws(StoredFormError) in
      try reader.number(in: ActionLimits.onboardingSteps, of: "step")
    }
    streakPolicy = try reader.optional { (reader) throws(StoredFormError) in
      try reader.dailyPolicy()
    }
  }
}

extension ByteReader {
  /// The only policy that the first forms know.
  mutating func dailyPolicy() throws(StoredFormError) -> StreakPolicy {
    let raw = try byte()
    guard raw == 1 else { throw .unknownTag(UInt64(raw), of: "policy") }
    return .daily
  }

  /// Seconds east of UTC.
  mutating func offset() throws(StoredFormError) -> Int32 {
    guard let offset = Int32(exactly: try signed()) else { throw .outOfRange(of: "offset") }
    return offset
  }

  /// A number >= 0 within `range`.
  mutating func number(in range: ClosedRange<Int>, of name: String) throws(StoredFormError) -> Int {
    guard let number = Int(exactly: try unsigned()), range.contains(number) else {
      throw .outOfRange(of: name)
    }
    return number
  }
}
