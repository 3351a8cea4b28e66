internal import Authority
internal import WatchTransfer

extension ExerciseBook {
  /// Appends its exercises.
  func encode(into writer: inout ByteWriter) {
    writer.list(all) { writer, exercise in
      writer.identifier(exercise.id)
      exercise.name.encode(into: &writer) { $0.text($1) }
      exercise.equipment.encode(into: &writer) { $0.byte($1.rawValue) }
      writer.flag(exercise.isStub)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      var exercise = CustomExercise(stub: try reader.identifier())
      exercise.name = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
        try reader.text()
      }
      exercise.equipment = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
        try reader.choice(of: "equipment")
      }
      exercise.isStub = try reader.flag()
      self[exercise.id] = exercise
    }
  }
}

extension RoutineBook {
  /// Appends its routines, then those that were deleted.
  func encode(into writer: inout ByteWriter) {
    writer.list(all) { $1.encode(into: &$0) }
    writer.list(removed) { $1.encode(into: &$0) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      let routine = try Routine(from: &reader)
      self[routine.id] = routine
    }
    removed = try reader.list { (reader) throws(StoredFormError) in try Routine(from: &reader) }
  }
}

extension Routine {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    title.encode(into: &writer) { $0.text($1) }
    entries.encode(into: &writer) { writer, entries in
      writer.list(entries) { $1.encode(into: &$0) }
    }
    writer.flag(isStub)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(stub: try reader.identifier())
    title = try Stamped(from: &reader) { (reader) throws(StoredFormError) in try reader.text() }
    entries = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.planned()
    }
    isStub = try reader.flag()
  }
}

extension SessionBook {
  /// Appends its sessions, then the latest start.
  func encode(into writer: inout ByteWriter) {
    writer.list(all) { $1.encode(into: &$0) }
    writer.optional(lastStart) { $0.instant($1) }
    writer.optional(lastStarted) { $0.identifier($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      let session = try WorkoutSession(from: &reader)
      self[session.id] = session
    }
    lastStart = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    lastStarted = try reader.optional { (reader) throws(StoredFormError) in
      try reader.identifier()
    }
  }
}

extension WorkoutSession {
  /// Appends its fields; the clock follows from the entries.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.optional(start) { $1.encode(into: &$0) }
    writer.list(entries) { $1.encode(into: &$0) }
    writer.list(added) { writer, added in
      added.stamp.encode(into: &writer)
      added.exercise.encode(into: &writer)
    }
    writer.list(sets) { $1.encode(into: &$0) }
    writer.list(drafts) { writer, draft in
      writer.count(draft.position)
      draft.reps.encode(into: &writer) { $0.optional($1) { $0.count($1) } }
      draft.weight.encode(into: &writer) { $0.optional($1) { $1.encode(into: &$0) } }
    }
    selected.encode(into: &writer) { $0.count($1) }
    rest.encode(into: &writer) { $0.optional($1) { $0.count($1) } }
    writer.list(blocks) { writer, block in
      writer.identifier(block.device)
      block.block.encode(into: &writer)
    }
    writer.optional(sealed) { writer, figures in
      writer.optional(figures.energy) { $0.double($1) }
      writer.optional(figures.averageHeartRate) { $0.double($1) }
      writer.optional(figures.maximumHeartRate) { $0.double($1) }
    }
    writer.flag(isDismissed)
    writer.instant(firstFact)
    writer.instant(lastFact)
    writer.optional(closedAt) { $0.instant($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(stub: try reader.identifier(), at: Instant(milliseconds: 0))
    start = try reader.optional { (reader) throws(StoredFormError) in
      try SessionStart(from: &reader)
    }
    entries = try reader.list { (reader) throws(StoredFormError) in
      try SessionEntry(from: &reader)
    }
    added = try reader.list { (reader) throws(StoredFormError) in
      let stamp = try FieldStamp(from: &reader)
      return AddedExercise(try Exercise(from: &reader), stamp: stamp)
    }
    sets = try reader.list { (reader) throws(StoredFormError) in try SessionSet(from: &reader) }
    drafts = try reader.list { (reader) throws(StoredFormError) in try SetDraft(from: &reader) }
    selected = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.place()
    }
    rest = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.optional { (reader) throws(StoredFormError) in
        try reader.number(in: ActionLimits.restSeconds, of: "rest")
      }
    }
    blocks = try reader.list { (reader) throws(StoredFormError) in
      RecordedBlock(device: try reader.identifier(), block: try SampleBlock(from: &reader))
    }
    sealed = try reader.optional { (reader) throws(StoredFormError) in
      SampleFigures(
        energy: try reader.figure(), averageHeartRate: try reader.figure(),
        maximumHeartRate: try reader.figure())
    }
    isDismissed = try reader.flag()
    firstFact = try reader.instant()
    lastFact = try reader.instant()
    closedAt = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    replay()
  }
}

extension SessionEntry {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.byte(move.rawValue)
    stamp.encode(into: &writer)
    writer.optional(day) { $0.day($1) }
    writer.optional(zoneID) { $0.text($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      move: try reader.choice(of: "move"), stamp: try FieldStamp(from: &reader),
      day: try reader.optional { (reader) throws(StoredFormError) in try reader.day() },
      zoneID: try reader.optionalText())
  }
}

extension SetDraft {
  /// Reads what a session wrote of it.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(position: try reader.place())
    reps = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.optionalReps()
    }
    weight = try Stamped(from: &reader) { (reader) throws(StoredFormError) in
      try reader.optionalWeight()
    }
  }
}

extension SessionSet {
  /// Appends its fields. Most sets are never edited: a stamp that is the completion's is one byte.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(id)
    writer.instant(madeAt)
    writer.optional(completion) { $1.encode(into: &$0) }
    writer.count(position)
    writer.flag(isWarmUp)
    writer.count(reps.value)
    encode(reps.stamp, into: &writer)
    writer.optional(weight.value) { $1.encode(into: &$0) }
    encode(weight.stamp, into: &writer)
    writer.flag(isDone.value)
    encode(isDone.stamp, into: &writer)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let id: SetID = try reader.identifier()
    self.init(id, at: try reader.instant())
    completion = try reader.optional { (reader) throws(StoredFormError) in
      try FieldStamp(from: &reader)
    }
    position = try reader.place()
    isWarmUp = try reader.flag()
    reps = Stamped(
      try reader.number(in: ActionLimits.doneReps, of: "reps"), stamp: try stamp(from: &reader))
    weight = Stamped(try reader.optionalWeight(), stamp: try stamp(from: &reader))
    isDone = Stamped(try reader.flag(), stamp: try stamp(from: &reader))
  }

  /// 0: the completion's own; 1: another, which follows; 2: none.
  private func encode(_ stamp: FieldStamp?, into writer: inout ByteWriter) {
    if stamp == completion {
      writer.byte(0)
    } else if let stamp {
      writer.byte(1)
      stamp.encode(into: &writer)
    } else {
      writer.byte(2)
    }
  }

  private func stamp(from reader: inout ByteReader) throws(StoredFormError) -> FieldStamp? {
    switch try reader.byte() {
    case 0: return completion
    case 1: return try FieldStamp(from: &reader)
    case 2: return nil
    case let tag: throw .unknownTag(UInt64(tag), of: "stamp")
    }
  }
}
