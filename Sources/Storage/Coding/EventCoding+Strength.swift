internal import Authority
internal import WatchTransfer

extension Event {
  /// Tags 48 to 79.
  func encodeOfStrength(into writer: inout ByteWriter) {
    switch self {
    case .exerciseDefined(let exercise, let by):
      writer.byte(48)
      exercise.encode(into: &writer)
      by.encode(into: &writer)
    case .exerciseEdited(let id, let name, let equipment, let by):
      writer.byte(49)
      writer.identifier(id)
      writer.optional(name) { $0.text($1) }
      writer.optional(equipment) { $0.byte($1.rawValue) }
      by.encode(into: &writer)
    case .exerciseDeleted(let id, let by):
      writer.byte(50)
      writer.identifier(id)
      by.encode(into: &writer)
    case .routineDefined(let id, let title, let entries, let by):
      writer.byte(51)
      writer.identifier(id)
      writer.text(title)
      writer.list(entries) { $1.encode(into: &$0) }
      by.encode(into: &writer)
    case .routineEdited(let id, let title, let entries, let by):
      writer.byte(52)
      writer.identifier(id)
      writer.optional(title) { $0.text($1) }
      writer.optional(entries) { writer, entries in
        writer.list(entries) { $1.encode(into: &$0) }
      }
      by.encode(into: &writer)
    case .routineDeleted(let id, let by):
      writer.byte(53)
      writer.identifier(id)
      by.encode(into: &writer)
    default:
      encodeOfSessions(into: &writer)
    }
  }

  /// Reads the fields of a tag 48 to 79.
  static func ofStrength(_ tag: UInt8, from reader: inout ByteReader) throws(StoredFormError)
    -> Event
  {
    switch tag {
    case 48:
      return .exerciseDefined(try Exercise(from: &reader), by: try Occurrence(from: &reader))
    case 49:
      return .exerciseEdited(
        id: try reader.identifier(), name: try reader.optionalText(),
        equipment: try reader.optional { (reader) throws(StoredFormError) in
          try reader.choice(of: "equipment")
        }, by: try Occurrence(from: &reader))
    case 50:
      return .exerciseDeleted(id: try reader.identifier(), by: try Occurrence(from: &reader))
    case 51:
      return .routineDefined(
        id: try reader.identifier(), title: try reader.text(), entries: try reader.planned(),
        by: try Occurrence(from: &reader))
    case 52:
      return .routineEdited(
        id: try reader.identifier(), title: try reader.optionalText(),
        entries: try reader.optional { (reader) throws(StoredFormError) in
          try reader.planned()
        }, by: try Occurrence(from: &reader))
    case 53:
      return .routineDeleted(id: try reader.identifier(), by: try Occurrence(from: &reader))
    default:
      return try ofSessions(tag, from: &reader)
    }
  }
}

extension Exercise {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.text(name)
    writer.byte(equipment.rawValue)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      id: try reader.identifier(), name: try reader.text(),
      equipment: try reader.choice(of: "equipment"))
  }
}

extension PlannedExercise {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    exercise.encode(into: &writer)
    writer.list(SetGroup.groups(of: sets)) { writer, group in
      writer.count(group.count)
      writer.count(group.set.reps)
      writer.optional(group.set.weight) { $1.encode(into: &$0) }
      writer.optional(group.set.restSeconds) { $0.count($1) }
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(try Exercise(from: &reader))
    for _ in 0..<(try reader.count()) {
      let count = try reader.number(in: 1...ActionLimits.targetSetsMax, of: "sets")
      let set = TargetSet(
        reps: try reader.number(in: ActionLimits.targetReps, of: "reps"),
        weight: try reader.optionalWeight(),
        restSeconds: try reader.optional { (reader) throws(StoredFormError) in
          try reader.number(in: ActionLimits.restSeconds, of: "rest")
        })
      sets += repeatElement(set, count: count)
    }
  }
}

extension ByteReader {
  /// A flag, then a weight if there is one.
  mutating func optionalWeight() throws(StoredFormError) -> Weight? {
    try optional { (reader) throws(StoredFormError) in try Weight(from: &reader) }
  }

  /// Exercises with their planned sets.
  mutating func planned() throws(StoredFormError) -> [PlannedExercise] {
    try list { (reader) throws(StoredFormError) in try PlannedExercise(from: &reader) }
  }

  /// A flag, then repetitions that were done, if any.
  mutating func optionalReps() throws(StoredFormError) -> Int? {
    try optional { (reader) throws(StoredFormError) in
      try reader.number(in: ActionLimits.doneReps, of: "reps")
    }
  }

  /// A place in a session.
  mutating func place() throws(StoredFormError) -> Int {
    try number(in: 0...ActionLimits.routineEntriesMax - 1, of: "position")
  }
}
