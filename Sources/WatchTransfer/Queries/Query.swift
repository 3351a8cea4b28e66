/// A question about what no facet holds: a list that is longer than a facet may be, or what an
/// action would do. Answered by one `Page` with the same id.
public struct Query: Hashable, Sendable {
  /// The client's; comes back with the answer.
  public var id: UInt64
  public var question: Question

  /// A question.
  public init(id: UInt64, question: Question) {
    self.id = id
    self.question = question
  }
}

/// What can be asked.
public enum Question: Hashable, Sendable {
  /// Logs, the newest first.
  case history(HistoryQuestion)
  /// What deleting this would take away, and what would stay.
  case previewDeletion(of: WorkoutID)
  /// What deleting this log would take away, and what would stay.
  case previewLogDeletion(of: LogID)
  /// Some bytes of an attachment.
  case attachment(AttachmentQuestion)
  /// What days were for a streak, and what was done on them.
  case streakTrace(StreakTraceQuestion)
  /// Exercises of the library, by name.
  case exercises(ExercisesQuestion)
  /// Personal records, by the names of their exercises.
  case records(RecordsQuestion)
  /// Workouts that the person defined, by title.
  case workouts(WorkoutsQuestion)
  /// A question that this version does not know.
  case unknown
}

/// A page of the history.
public struct HistoryQuestion: Hashable, Sendable {
  /// Older than this one; nil: from the newest on.
  public var before: HistoryKey?
  /// Entries of the page, within `QueryLimits.historyEntries`.
  public var limit: Int

  /// Some entries before one of them.
  public init(before: HistoryKey? = nil, limit: Int = QueryLimits.historyEntries.upperBound) {
    self.before = before
    self.limit = limit
  }
}

/// A range of an attachment's bytes.
public struct AttachmentQuestion: Hashable, Sendable {
  public var hash: AttachmentHash
  /// From 0.
  public var offset: Int64
  /// Within `AttachmentLimits.rangeBytes`; what lies behind the end is not there.
  public var length: Int64

  /// `length` bytes from `offset` on.
  public init(
    hash: AttachmentHash, offset: Int64 = 0,
    length: Int64 = AttachmentLimits.rangeBytes.upperBound
  ) {
    self.hash = hash
    self.offset = offset
    self.length = length
  }
}

/// Where a log stands in the history: a page that begins behind one holds what is older, whatever
/// was logged meanwhile.
public struct HistoryKey: Hashable, Sendable, Comparable {
  public var day: CivilDay
  public var end: Instant
  public var log: LogID

  /// The place of a log.
  public init(day: CivilDay, end: Instant, log: LogID) {
    self.day = day
    self.end = end
    self.log = log
  }

  /// Orders by day, end and id; the day is that of the workout's own zone.
  public static func < (left: Self, right: Self) -> Bool {
    if left.day != right.day { return left.day < right.day }
    return left.end == right.end ? left.log < right.log : left.end < right.end
  }
}

/// Bounds of queries.
public enum QueryLimits {
  /// Entries of one page of the history; with the longest titles, notes and tags it stays under
  /// 256 KiB.
  public static let historyEntries = 1...64
  /// Days of one trace: two months.
  public static let traceDays = 1...64
  /// Entries of one page of the exercise library.
  public static let exerciseEntries = 1...64
  /// Entries of one page of records; with the longest names it stays under 64 KiB.
  public static let recordEntries = 1...64
  /// Entries of one page of workouts; with the longest titles and lists it stays under 160 KiB.
  public static let workoutEntries = 1...16
  /// Text to search exercises and workouts by: bytes of UTF-8.
  public static let searchBytesMax = ActionLimits.nameBytesMax
}

/// The answer to a query, as of a revision.
public struct Page: Hashable, Sendable {
  /// The query's.
  public var id: UInt64
  public var revision: Revision
  public var answer: Answer

  /// What it says.
  public enum Answer: Hashable, Sendable {
    /// The newest first; `next` is where the following page begins, nil: there is none.
    case history([HistoryEntry], next: HistoryKey?)
    case deletion(DeletionPreview)
    case attachment(AttachmentRange)
    case streakTrace(StreakTrace)
    /// In the order of their keys, but that names which begin with the text come first; `next` is
    /// what the following page comes after, nil: there is none.
    case exercises([ExerciseEntry], next: ExerciseKey?)
    /// In the order of their keys.
    case records([ExerciseRecord], next: ExerciseKey?)
    /// As exercises, by their titles.
    case workouts([WorkoutEntry], next: WorkoutKey?)
    case refused(QueryRefusal)
  }

  /// An answer.
  public init(id: UInt64, revision: Revision, answer: Answer) {
    self.id = id
    self.revision = revision
    self.answer = answer
  }
}

/// Some bytes of an attachment.
public struct AttachmentRange: Hashable, Sendable {
  public var hash: AttachmentHash
  /// Of the whole attachment.
  public var totalBytes: Int64
  /// Where `bytes` begin.
  public var offset: Int64
  /// Fewer than were asked for only at the end.
  public var bytes: [UInt8]

  /// Bytes from `offset` on.
  public init(hash: AttachmentHash, totalBytes: Int64, offset: Int64, bytes: [UInt8]) {
    self.hash = hash
    self.totalBytes = totalBytes
    self.offset = offset
    self.bytes = bytes
  }
}

/// The photo of a log.
public struct LogPhoto: Hashable, Sendable {
  public var hash: AttachmentHash
  /// nil: its bytes are missing, as after a restore; offered again they are there.
  public var totalBytes: Int64?

  /// A photo.
  public init(hash: AttachmentHash, totalBytes: Int64?) {
    self.hash = hash
    self.totalBytes = totalBytes
  }
}

/// Why a question has no answer.
public enum QueryRefusal: UInt8, CaseIterable, Sendable {
  case unsupported = 1
  case notFound = 2
  /// It was deleted.
  case gone = 3

  /// The name used in JSON.
  public var word: String {
    switch self {
    case .unsupported: "unsupported"
    case .notFound: "notFound"
    case .gone: "gone"
    }
  }
}

/// One workout that was done. What is not known is absent, not 0.
public struct HistoryEntry: Hashable, Sendable {
  public var key: HistoryKey
  public var title: String
  public var start: Instant
  /// Active time, else the whole span.
  public var milliseconds: Int64
  public var energyKilocalories: Double?
  public var distanceMeters: Double?
  /// Beats a minute.
  public var averageHeartRate: Double?
  /// Whom it was imported from.
  public var sourceName: String?
  /// Whether it did something that was planned.
  public var wasPlanned: Bool
  /// What the person wrote about it; empty: nothing.
  public var notes = ""
  public var tags: [String] = []
  public var photo: LogPhoto?
  /// Ready to show, in the person's units: `15 Jun 2026, 45 min, 7.4 km`.
  public var text: String
  /// Spoken label.
  public var spoken: String

  /// An entry without figures.
  public init(
    key: HistoryKey, title: String, start: Instant, milliseconds: Int64, wasPlanned: Bool,
    text: String, spoken: String
  ) {
    self.key = key
    self.title = title
    self.start = start
    self.milliseconds = milliseconds
    self.wasPlanned = wasPlanned
    self.text = text
    self.spoken = spoken
  }
}

/// What a deletion would do.
public struct DeletionPreview: Hashable, Sendable {
  /// Ready text, a line each: what goes.
  public var goes: [String]
  /// Ready text, a line each: what stays.
  public var stays: [String]

  /// Two lists.
  public init(goes: [String], stays: [String]) {
    self.goes = goes
    self.stays = stays
  }
}
