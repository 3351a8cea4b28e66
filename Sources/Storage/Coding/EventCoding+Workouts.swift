internal import Authority
internal import Guards
internal import WatchTransfer

extension Event {
  /// Tags 16 to 31.
  func encodeOfWorkouts(into writer: inout ByteWriter) {
    switch self {
    case .workoutDefined(let id, let title, let exercises, let by):
      writer.byte(16)
      writer.identifier(id)
      writer.text(title)
      writer.list(exercises) { $0.text($1) }
      by.encode(into: &writer)
    case .workoutEdited(let id, let title, let exercises, let by):
      writer.byte(17)
      writer.identifier(id)
      writer.optional(title) { $0.text($1) }
      writer.optional(exercises) { writer, names in writer.list(names) { $0.text($1) } }
      by.encode(into: &writer)
    case .workoutDeleted(let id, let by):
      writer.byte(18)
      writer.identifier(id)
      by.encode(into: &writer)
    case .workoutStubOpened(let id, let by):
      writer.byte(19)
      writer.identifier(id)
      by.encode(into: &writer)
    case .workoutScheduled(let schedule, let by):
      writer.byte(20)
      schedule.encode(into: &writer)
      by.encode(into: &writer)
    case .workoutUnscheduled(let id, let by):
      writer.byte(21)
      writer.identifier(id)
      by.encode(into: &writer)
    case .scheduleServed(let id, let log):
      writer.byte(22)
      writer.identifier(id)
      writer.identifier(log)
    case .workoutMarked(let log, let by):
      writer.byte(23)
      log.encode(into: &writer)
      by.encode(into: &writer)
    case .workoutUnmarked(let log, let day, let by):
      writer.byte(24)
      writer.identifier(log)
      writer.day(day)
      by.encode(into: &writer)
    case .workoutLogged(let log, let by):
      writer.byte(25)
      log.encode(into: &writer)
      by.encode(into: &writer)
    default:
      invariant(false, "an event of another kind")
    }
  }

  /// Reads the fields of a tag 16 to 31.
  static func ofWorkouts(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 16:
      return .workoutDefined(
        id: try reader.identifier(), title: try reader.text(), exercises: try reader.texts(),
        by: try Occurrence(from: &reader))
    case 17:
      return .workoutEdited(
        id: try reader.identifier(),
        title: try reader.optional { (reader) throws(StoredFormError) in try reader.text() },
        exercises: try reader.optional { (reader) throws(StoredFormError) in try reader.texts() },
        by: try Occurrence(from: &reader))
    case 18:
      return .workoutDeleted(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 19:
      return .workoutStubOpened(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 20:
      return .workoutScheduled(try Schedule(from: &reader), by: try Occurrence(from: &reader))
    case 21:
      return .workoutUnscheduled(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 22:
      return .scheduleServed(id: try reader.identifier(), log: try reader.identifier())
    case 23:
      return .workoutMarked(try WorkoutLog(from: &reader), by: try Occurrence(from: &reader))
    case 24:
      return .workoutUnmarked(
        log: try reader.identifier(), day: try reader.day(), by: try Occurrence(from: &reader))
    case 25:
      return .workoutLogged(try WorkoutLog(from: &reader), by: try Occurrence(from: &reader))
    default:
      throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension Schedule {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.optional(workout) { $0.identifier($1) }
    writer.text(title)
    writer.instant(at)
    writer.optional(servedBy) { $0.identifier($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(),
      workout: try reader.optional { (reader) throws(StoredFormError) in try reader.identifier() },
      title: try reader.text(), at: try reader.instant())
    servedBy = try reader.optional { (reader) throws(StoredFormError) in try reader.identifier() }
  }
}

extension WorkoutLog {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.byte(origin.rawValue)
    writer.optional(workout) { $0.identifier($1) }
    writer.text(title)
    writer.text(activityType)
    writer.instant(start)
    writer.instant(end)
    writer.day(day)
    writer.optional(zoneID) { $0.text($1) }
    writer.optional(activeMilliseconds) { $0.signed($1) }
    for figure in [energyKilocalories, distanceMeters, averageHeartRate, maximumHeartRate] {
      writer.optional(figure) { $0.double($1) }
    }
    writer.optional(sourceName) { $0.text($1) }
    writer.optional(externalUUID) { $0.text($1) }
    writer.optional(serves) { $0.identifier($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let id: LogID = try reader.identifier()
    let origin: Origin = try reader.choice(of: "origin")
    let workout: WorkoutID? = try reader.optional { (reader) throws(StoredFormError) in
      try reader.identifier()
    }
    let title = try reader.text()
    let activityType = try reader.text()
    self.init(
      id: id, origin: origin, workout: workout, title: title, start: try reader.instant(),
      end: try reader.instant(), day: try reader.day())
    self.activityType = activityType
    zoneID = try reader.optional { (reader) throws(StoredFormError) in try reader.text() }
    activeMilliseconds = try reader.optional { (reader) throws(StoredFormError) in
      try reader.signed()
    }
    energyKilocalories = try reader.figure()
    distanceMeters = try reader.figure()
    averageHeartRate = try reader.figure()
    maximumHeartRate = try reader.figure()
    sourceName = try reader.optional { (reader) throws(StoredFormError) in try reader.text() }
    externalUUID = try reader.optional { (reader) throws(StoredFormError) in try reader.text() }
    serves = try reader.optional { (reader) throws(StoredFormError) in try reader.identifier() }
  }
}

extension ByteWriter {
  /// Days since 1970, zigzag.
  mutating func day(_ day: CivilDay) {
    signed(Int64(day.number))
  }
}

extension ByteReader {
  /// Days since 1970.
  mutating func day() throws(StoredFormError) -> CivilDay {
    guard let number = Int32(exactly: try signed()) else { throw .outOfRange(of: "day") }
    return CivilDay(number: number)
  }

  /// A count, then each text.
  mutating func texts() throws(StoredFormError) -> [String] {
    try list { (reader) throws(StoredFormError) in try reader.text() }
  }

  /// A flag, then the figure if there is one.
  mutating func figure() throws(StoredFormError) -> Double? {
    try optional { (reader) throws(StoredFormError) in try reader.double() }
  }
}
