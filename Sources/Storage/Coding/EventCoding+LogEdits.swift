internal import Authority
internal import WatchTransfer

extension LogEdit {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.day(day)
    writer.optional(title) { $0.text($1) }
    writer.optional(activityType) { $0.text($1) }
    writer.optional(notes) { $0.text($1) }
    writer.optional(tags) { writer, tags in writer.list(tags) { $0.text($1) } }
    writer.optional(start) { $0.instant($1) }
    writer.optional(end) { $0.instant($1) }
    writer.optional(activeMilliseconds) { writer, active in
      writer.optional(active.value) { $0.signed($1) }
    }
    for figure in [energyKilocalories, distanceMeters, averageHeartRate, maximumHeartRate] {
      writer.optional(figure) { writer, figure in writer.optional(figure.value) { $0.double($1) } }
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(day: try reader.day())
    title = try reader.optionalText()
    activityType = try reader.optionalText()
    notes = try reader.optionalText()
    tags = try reader.optional { (reader) throws(StoredFormError) in try reader.texts() }
    start = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    end = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    activeMilliseconds = try reader.spanChange()
    energyKilocalories = try reader.figureChange()
    distanceMeters = try reader.figureChange()
    averageHeartRate = try reader.figureChange()
    maximumHeartRate = try reader.figureChange()
  }
}

extension LogChange {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    var edit = LogEdit(day: CivilDay(number: 0))
    edit.title = title
    edit.activityType = activityType
    edit.notes = notes
    edit.tags = tags
    edit.activeMilliseconds = activeMilliseconds
    edit.energyKilocalories = energyKilocalories
    edit.distanceMeters = distanceMeters
    edit.averageHeartRate = averageHeartRate
    edit.maximumHeartRate = maximumHeartRate
    edit.encode(into: &writer)
    for moment in [start, end] { writer.optional(moment) { $1.encode(into: &$0) } }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    let edit = try LogEdit(from: &reader)
    title = edit.title
    activityType = edit.activityType
    notes = edit.notes
    tags = edit.tags
    activeMilliseconds = edit.activeMilliseconds
    energyKilocalories = edit.energyKilocalories
    distanceMeters = edit.distanceMeters
    averageHeartRate = edit.averageHeartRate
    maximumHeartRate = edit.maximumHeartRate
    start = try reader.optional { (reader) throws(StoredFormError) in try Moment(from: &reader) }
    end = try reader.optional { (reader) throws(StoredFormError) in try Moment(from: &reader) }
  }
}

extension LogChange.Moment {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .instant(let instant):
      writer.byte(1)
      writer.instant(instant)
    case .timeOfDay(let time):
      writer.byte(2)
      writer.signed(time)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    switch try reader.byte() {
    case 1: self = .instant(try reader.instant())
    case 2: self = .timeOfDay(try reader.timeOfDay(from: 0))
    case let tag: throw .unknownTag(UInt64(tag), of: "moment")
    }
  }
}

extension ScheduleChange {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.optional(workout) { writer, reference in
      switch reference {
      case .id(let id):
        writer.byte(1)
        writer.identifier(id)
      case .title(let title):
        writer.byte(2)
        writer.text(title)
      }
    }
    writer.optional(at) { $0.instant($1) }
    writer.optional(weekdays) { $0.byte($1.bits) }
    writer.optional(timeOfDay) { $0.signed($1) }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    workout = try reader.optional { (reader) throws(StoredFormError) in
      switch try reader.byte() {
      case 1: return WorkoutReference.id(try reader.identifier())
      case 2: return WorkoutReference.title(try reader.text())
      case let tag: throw StoredFormError.unknownTag(UInt64(tag), of: "reference")
      }
    }
    at = try reader.optional { (reader) throws(StoredFormError) in try reader.instant() }
    weekdays = try reader.optional { (reader) throws(StoredFormError) in try reader.weekdays() }
    timeOfDay = try reader.optional { (reader) throws(StoredFormError) in
      try reader.timeOfDay(from: 0)
    }
  }
}

extension WaitingEdit {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch change {
    case .schedule(let id, let change):
      writer.byte(1)
      writer.identifier(id)
      change.encode(into: &writer)
    case .log(let id, let change):
      writer.byte(2)
      writer.identifier(id)
      change.encode(into: &writer)
    }
    by.encode(into: &writer)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let change: Change
    switch try reader.byte() {
    case 1: change = .schedule(try reader.identifier(), try ScheduleChange(from: &reader))
    case 2: change = .log(try reader.identifier(), try LogChange(from: &reader))
    case let tag: throw .unknownTag(UInt64(tag), of: "edit")
    }
    self.init(change: change, by: try Occurrence(from: &reader))
  }
}

extension ByteReader {
  /// A flag, then the text if there is one.
  mutating func optionalText() throws(StoredFormError) -> String? {
    try optional { (reader) throws(StoredFormError) in try reader.text() }
  }

  /// A flag; then, if there is a change, a flag, and the figure unless it is taken away.
  mutating func figureChange() throws(StoredFormError) -> LogChange.Figure<Double>? {
    try optional { (reader) throws(StoredFormError) in
      try reader.figure().map { .set($0) } ?? .cleared
    }
  }

  /// As `figureChange`, of a span in milliseconds.
  mutating func spanChange() throws(StoredFormError) -> LogChange.Figure<Int64>? {
    try optional { (reader) throws(StoredFormError) in
      let value = try reader.optional { (reader) throws(StoredFormError) in try reader.signed() }
      return value.map { .set($0) } ?? .cleared
    }
  }
}
