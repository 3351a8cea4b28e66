internal import Authority
internal import WatchTransfer

extension Workout {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.text(title)
    writer.optional(titleStamp) { $1.encode(into: &$0) }
    writer.list(exercises) { $0.text($1) }
    writer.optional(exercisesStamp) { $1.encode(into: &$0) }
    writer.flag(isStub)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(stub: try reader.identifier())
    title = try reader.text()
    titleStamp = try reader.optional { (reader) throws(StoredFormError) in
      try FieldStamp(from: &reader)
    }
    exercises = try reader.texts()
    exercisesStamp = try reader.optional { (reader) throws(StoredFormError) in
      try FieldStamp(from: &reader)
    }
    isStub = try reader.flag()
  }
}

extension Match {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.flag(isStub)
    writer.instant(madeAt)
    home.encode(into: &writer) { $0.text($1) }
    away.encode(into: &writer) { $0.text($1) }
    writer.signed(halves.regular)
    writer.list(entries) { $1.encode(into: &$0) }
    writer.list(controls) { writer, control in
      writer.byte(control.control.rawValue)
      control.stamp.encode(into: &writer)
    }
    writer.list(undoneAhead) { $0.identifier($1) }
    writer.instant(lastFact)
    writer.optional(closedAt) { $0.instant($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let id: MatchID = try reader.identifier()
    let isStub = try reader.flag()
    self.init(stub: id, at: try reader.instant())
    self.isStub = isStub
    home = try Stamped(from: &reader) { (reader) throws(StoredFormError) in try reader.text() }
    away = try Stamped(from: &reader) { (reader) throws(StoredFormError) in try reader.text() }
    halves = HalfLengths(regular: try reader.halfLength())
    entries = try reader.list { (reader) throws(StoredFormError) in
      try PointEntry(from: &reader)
    }
    controls = try reader.list { (reader) throws(StoredFormError) in
      ControlEntry(
        control: try reader.choice(of: "control"), stamp: try FieldStamp(from: &reader))
    }
    undoneAhead = try reader.list { (reader) throws(StoredFormError) in try reader.identifier() }
    lastFact = try reader.instant()
    closedAt = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
  }
}

extension PointEntry {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.byte(team.rawValue)
    writer.instant(at)
    writer.identifier(device)
    writer.text(deviceName)
    writer.flag(isUndone)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), team: try reader.choice(of: "team"), at: try reader.instant(),
      device: try reader.identifier(), deviceName: try reader.text(), isUndone: try reader.flag())
  }
}

extension Thing {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .workout: writer.byte(1)
    case .schedule(let at):
      writer.byte(2)
      writer.instant(at)
    case .log(let day):
      writer.byte(3)
      writer.day(day)
    case .match: writer.byte(4)
    case .entry(let match):
      writer.byte(5)
      writer.identifier(match)
    case .exercise: writer.byte(7)
    case .routine: writer.byte(8)
    case .session(let day):
      writer.byte(9)
      writer.optional(day) { $0.day($1) }
    case .set(let session):
      writer.byte(10)
      writer.identifier(session)
    case .gone(let kind):
      writer.byte(6)
      writer.byte(kind.rawValue)
    case .substitution(let match):
      writer.byte(11)
      writer.identifier(match)
    case .player: writer.byte(15)
    case .weight(let day):
      writer.byte(12)
      writer.day(day)
    case .freeze: writer.byte(13)
    case .pause:
      writer.byte(14)
      writer.byte(1)
    case .weekly:
      writer.byte(14)
      writer.byte(2)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    switch try reader.byte() {
    case 1: self = .workout
    case 2: self = .schedule(at: try reader.instant())
    case 3: self = .log(day: try reader.day())
    case 4: self = .match
    case 5: self = .entry(match: try reader.identifier())
    case 6: self = .gone(try reader.choice(of: "thing"))
    case 7: self = .exercise
    case 8: self = .routine
    case 9:
      self = .session(
        day: try reader.optional { (reader) throws(StoredFormError) in try reader.day() })
    case 10: self = .set(session: try reader.identifier())
    case 11: self = .substitution(match: try reader.identifier())
    case 15: self = .player
    case 12: self = .weight(day: try reader.day())
    case 13: self = .freeze
    case 14:
      switch try reader.byte() {
      case 1: self = .pause
      case 2: self = .weekly
      case let tag: throw .unknownTag(UInt64(tag), of: "thing")
      }
    case let tag: throw .unknownTag(UInt64(tag), of: "thing")
    }
  }
}
