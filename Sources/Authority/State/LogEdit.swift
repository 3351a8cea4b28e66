public import WatchTransfer

/// What of a log a person may edit, one by one; raw values are stored.
public enum LogField: UInt8, CaseIterable, Sendable {
  case title = 1
  case activityType = 2
  case notes = 3
  case tags = 4
  case start = 5
  case end = 6
  case active = 7
  case energy = 8
  case distance = 9
  case averageHeartRate = 10
  case maximumHeartRate = 11
}

/// When a person last edited a field of a log; such a field is the person's.
public struct LogFieldEdit: Sendable, Equatable {
  public let field: LogField
  public var stamp: FieldStamp

  /// An edit of one field.
  public init(field: LogField, stamp: FieldStamp) {
    self.field = field
    self.stamp = stamp
  }
}

/// An edit of a log with everything resolved: only the fields that won; nil stays as it is.
public struct LogEdit: Sendable, Equatable {
  public var title: String?
  public var activityType: String?
  public var notes: String?
  public var tags: [String]?
  public var start: Instant?
  public var end: Instant?
  public var activeMilliseconds: LogChange.Figure<Int64>?
  public var energyKilocalories: LogChange.Figure<Double>?
  public var distanceMeters: LogChange.Figure<Double>?
  public var averageHeartRate: LogChange.Figure<Double>?
  public var maximumHeartRate: LogChange.Figure<Double>?
  /// The day the log counts for from now on.
  public var day: CivilDay

  /// An edit that changes nothing of a log of `day`.
  public init(day: CivilDay) {
    self.day = day
  }

  /// The fields it sets.
  var fields: [LogField] {
    let isSet: [(LogField, Bool)] = [
      (.title, title != nil), (.activityType, activityType != nil), (.notes, notes != nil),
      (.tags, tags != nil), (.start, start != nil), (.end, end != nil),
      (.active, activeMilliseconds != nil), (.energy, energyKilocalories != nil),
      (.distance, distanceMeters != nil), (.averageHeartRate, averageHeartRate != nil),
      (.maximumHeartRate, maximumHeartRate != nil),
    ]
    return isSet.compactMap { $0.1 ? $0.0 : nil }
  }
}

extension WorkoutLog {
  /// The log as an edit leaves it.
  func edited(_ edit: LogEdit, by stamp: FieldStamp) -> WorkoutLog {
    var log = self
    let pauses = pauses
    log.day = edit.day
    if let title = edit.title { log.title = title }
    if let type = edit.activityType { log.activityType = type }
    if let notes = edit.notes { log.notes = notes }
    if let tags = edit.tags { log.tags = tags }
    if let start = edit.start { log.start = start }
    if let end = edit.end { log.end = end }
    if let active = edit.activeMilliseconds {
      log.activeMilliseconds = active.value
    } else if edit.start != nil || edit.end != nil {
      log.keep(pauses)
    }
    if let energy = edit.energyKilocalories { log.energyKilocalories = energy.value }
    if let distance = edit.distanceMeters { log.distanceMeters = distance.value }
    if let rate = edit.averageHeartRate { log.averageHeartRate = rate.value }
    if let rate = edit.maximumHeartRate { log.maximumHeartRate = rate.value }
    for field in edit.fields {
      log.edits.removeAll { $0.field == field }
      let position = log.edits.partitionIndex { $0.field.rawValue < field.rawValue }
      log.edits.insert(LogFieldEdit(field: field, stamp: stamp), at: position)
    }
    return log
  }

  /// A log made anew, with what a person edited in the one before; an end that was edited keeps its
  /// day.
  func keepingEdits(of old: WorkoutLog) -> WorkoutLog {
    var log = self
    let pauses = pauses
    log.edits = old.edits
    for field in old.edits.map(\.field) {
      switch field {
      case .title: log.title = old.title
      case .activityType: log.activityType = old.activityType
      case .notes: log.notes = old.notes
      case .tags: log.tags = old.tags
      case .start: log.start = old.start
      case .end:
        log.end = old.end
        log.day = old.day
      case .active: log.activeMilliseconds = old.activeMilliseconds
      case .energy: log.energyKilocalories = old.energyKilocalories
      case .distance: log.distanceMeters = old.distanceMeters
      case .averageHeartRate: log.averageHeartRate = old.averageHeartRate
      case .maximumHeartRate: log.maximumHeartRate = old.maximumHeartRate
      }
    }
    let moved = old.stamp(of: .start) != nil || old.stamp(of: .end) != nil
    if moved, old.stamp(of: .active) == nil { log.keep(pauses) }
    return log
  }

  /// What of its span was not active; nil where that is not known, or a person said how long the
  /// workout was: that stays, whatever becomes of start and end.
  private var pauses: Int64? {
    guard stamp(of: .active) == nil, let activeMilliseconds else { return nil }
    return end.milliseconds(since: start) - activeMilliseconds
  }

  /// Another span has the same pauses.
  private mutating func keep(_ pauses: Int64?) {
    guard let pauses else { return }
    let active = end.milliseconds(since: start) - pauses
    activeMilliseconds = min(max(0, active), ActionLimits.workoutMillisecondsMax)
  }

  /// When a person last edited a field.
  func stamp(of field: LogField) -> FieldStamp? { edits.first { $0.field == field }?.stamp }

  /// Bytes of notes and tags.
  var noteBytes: Int { notes.utf8.count + tags.reduce(0) { $0 + $1.utf8.count } }
}
