internal import Authority
internal import Guards
internal import WatchTransfer

extension Event {
  /// Tags 54 to 79.
  func encodeOfSessions(into writer: inout ByteWriter) {
    switch self {
    case .sessionStarted(let id, let start, let by):
      writer.byte(54)
      writer.identifier(id)
      start.encode(into: &writer)
      by.encode(into: &writer)
    case .sessionStubOpened(let id, let by):
      writer.byte(55)
      writer.identifier(id)
      by.encode(into: &writer)
    case .sessionStubClosed(let id, let at):
      writer.byte(56)
      writer.identifier(id)
      writer.instant(at)
    case .sessionMoved(let id, let move, let day, let zoneID, let by):
      writer.byte(57)
      writer.identifier(id)
      writer.byte(move.rawValue)
      writer.optional(day) { $0.day($1) }
      writer.optional(zoneID) { $0.text($1) }
      by.encode(into: &writer)
    case .sessionDiscarded(let id, let by):
      writer.byte(58)
      writer.identifier(id)
      by.encode(into: &writer)
    case .sessionDropped(let id):
      writer.byte(59)
      writer.identifier(id)
    case .sessionLogged(let log, let by):
      writer.byte(60)
      log.encode(into: &writer)
      by.encode(into: &writer)
    case .summaryDismissed(let id, let by):
      writer.byte(61)
      writer.identifier(id)
      by.encode(into: &writer)
    default:
      encodeOfSets(into: &writer)
    }
  }

  private func encodeOfSets(into writer: inout ByteWriter) {
    switch self {
    case .setCompleted(let session, let set, let by):
      writer.byte(64)
      writer.identifier(session)
      writer.identifier(set.id)
      writer.count(set.position)
      writer.count(set.reps)
      writer.optional(set.weight) { $1.encode(into: &$0) }
      writer.flag(set.isWarmUp)
      by.encode(into: &writer)
    case .setEdited(let session, let set, let reps, let weight, let by):
      writer.byte(65)
      writer.identifier(session)
      writer.identifier(set)
      writer.optional(reps) { $0.count($1) }
      writer.optional(weight) { $1.encode(into: &$0) }
      by.encode(into: &writer)
    case .setUncompleted(let session, let set, let by):
      writer.byte(66)
      writer.identifier(session)
      writer.identifier(set)
      by.encode(into: &writer)
    case .setAdjusted(let session, let position, let reps, let weight, let by):
      writer.byte(67)
      writer.identifier(session)
      writer.count(position)
      writer.optional(reps) { $0.count($1) }
      writer.optional(weight) { $1.encode(into: &$0) }
      by.encode(into: &writer)
    case .exerciseSelected(let session, let position, let by):
      writer.byte(68)
      writer.identifier(session)
      writer.count(position)
      by.encode(into: &writer)
    case .restSet(let session, let seconds, let by):
      writer.byte(69)
      writer.identifier(session)
      writer.optional(seconds) { $0.count($1) }
      by.encode(into: &writer)
    case .sessionExerciseAdded(let session, let exercise, let by):
      writer.byte(70)
      writer.identifier(session)
      exercise.encode(into: &writer)
      by.encode(into: &writer)
    case .samplesRecorded(let session, let block, let by):
      writer.byte(71)
      writer.identifier(session)
      block.encode(into: &writer)
      by.encode(into: &writer)
    default:
      invariant(false, "an event of another kind")
    }
  }

  /// Reads the fields of a tag 54 to 79.
  static func ofSessions(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 54:
      return .sessionStarted(
        id: try reader.identifier(), try SessionStart(from: &reader),
        by: try Occurrence(from: &reader))
    case 55:
      return .sessionStubOpened(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 56:
      return .sessionStubClosed(id: try reader.identifier(), at: try reader.instant())
    case 57:
      return .sessionMoved(
        id: try reader.identifier(), move: try reader.choice(of: "move"),
        day: try reader.optional { (reader) throws(StoredFormError) in try reader.day() },
        zoneID: try reader.optionalText(), by: try Occurrence(from: &reader))
    case 58:
      return .sessionDiscarded(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 59:
      return .sessionDropped(id: try reader.identifier())
    case 60:
      return .sessionLogged(try WorkoutLog(from: &reader), by: try Occurrence(from: &reader))
    case 61:
      return .summaryDismissed(
        session: try reader.identifier(), by: try Occurrence(from: &reader))
    default:
      return try ofSets(tag, from: &reader)
    }
  }

  private static func ofSets(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 64:
      return .setCompleted(
        session: try reader.identifier(),
        set: PerformedSet(
          id: try reader.identifier(), position: try reader.place(),
          reps: try reader.number(in: ActionLimits.doneReps, of: "reps"),
          weight: try reader.optionalWeight(), isWarmUp: try reader.flag()),
        by: try Occurrence(from: &reader))
    case 65:
      return .setEdited(
        session: try reader.identifier(), set: try reader.identifier(),
        reps: try reader.optionalReps(), weight: try reader.optionalWeight(),
        by: try Occurrence(from: &reader))
    case 66:
      return .setUncompleted(
        session: try reader.identifier(), set: try reader.identifier(),
        by: try Occurrence(from: &reader))
    case 67:
      return .setAdjusted(
        session: try reader.identifier(), position: try reader.place(),
        reps: try reader.optionalReps(), weight: try reader.optionalWeight(),
        by: try Occurrence(from: &reader))
    case 68:
      return .exerciseSelected(
        session: try reader.identifier(), position: try reader.place(),
        by: try Occurrence(from: &reader))
    case 69:
      return .restSet(
        session: try reader.identifier(),
        seconds: try reader.optional { (reader) throws(StoredFormError) in
          try reader.number(in: ActionLimits.restSeconds, of: "rest")
        }, by: try Occurrence(from: &reader))
    case 70:
      return .sessionExerciseAdded(
        session: try reader.identifier(), exercise: try Exercise(from: &reader),
        by: try Occurrence(from: &reader))
    case 71:
      return .samplesRecorded(
        session: try reader.identifier(), block: try SampleBlock(from: &reader),
        by: try Occurrence(from: &reader))
    default:
      throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension SessionStart {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.text(title)
    writer.text(activityType)
    writer.list(exercises) { $1.encode(into: &$0) }
    writer.flag(isBeside)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      title: try reader.text(), activityType: try reader.text(),
      exercises: try reader.planned(), isBeside: try reader.flag())
  }
}

extension SampleBlock {
  /// Appends its fields; moments as their distances.
  func encode(into writer: inout ByteWriter) {
    writer.unsigned(UInt64(number))
    for points in [heartRate, energy] {
      var last = Instant(milliseconds: 0)
      writer.list(points) { writer, point in
        writer.signed(point.at.milliseconds(since: last))
        writer.double(point.value)
        last = point.at
      }
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    guard let number = UInt32(exactly: try reader.unsigned()) else {
      throw .outOfRange(of: "block")
    }
    self.init(number: number)
    heartRate = try Self.points(from: &reader)
    energy = try Self.points(from: &reader)
  }

  private static func points(from reader: inout ByteReader) throws(StoredFormError)
    -> [SamplePoint]
  {
    var points: [SamplePoint] = []
    var last = Instant(milliseconds: 0)
    for _ in 0..<(try reader.count()) {
      last = last.advanced(milliseconds: try reader.signed())
      points.append(SamplePoint(at: last, value: try reader.double()))
    }
    return points
  }
}
