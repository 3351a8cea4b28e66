public import WatchTransfer

/// A workout that was done. Missing is absent, not 0.
public struct WorkoutLog: Sendable, Equatable {
  /// How it came to be known; raw values are stored.
  public enum Origin: UInt8, CaseIterable, Sendable {
    /// Ticked off, from a wrist or a phone.
    case marked = 1
    case byHand = 2
    /// Brought from a health source.
    case imported = 3
    /// A session that ended; its id is the session's.
    case session = 4
  }

  public let id: LogID
  public let origin: Origin
  /// What was marked, when it was marked by id.
  public var workout: WorkoutID?
  /// Empty: none, or that of a workout that has not arrived.
  public var title: String
  /// Empty for a mark.
  public var activityType = ""
  public var start: Instant
  /// Not before `start`.
  public var end: Instant
  /// The day it counts for, resolved when it was decided (DESIGN section 6, rule 2).
  public var day: CivilDay
  public var zoneID: String?
  public var activeMilliseconds: Int64?
  public var energyKilocalories: Double?
  public var distanceMeters: Double?
  /// Beats a minute.
  public var averageHeartRate: Double?
  /// Beats a minute.
  public var maximumHeartRate: Double?
  public var sourceName: String?
  public var externalUUID: String?
  /// The schedule it did.
  public var serves: ScheduleID?
  /// What the person wrote about it; empty: nothing.
  public var notes = ""
  public var tags: [String] = []
  /// The fields the person edited, in order of their numbers.
  public var edits: [LogFieldEdit] = []

  /// A log without figures.
  public init(
    id: LogID, origin: Origin, workout: WorkoutID?, title: String, start: Instant, end: Instant,
    day: CivilDay
  ) {
    self.id = id
    self.origin = origin
    self.workout = workout
    self.title = title
    self.start = start
    self.end = end
    self.day = day
  }

  /// Whether it satisfies its day: one whose figures (active time, energy, distance) are all
  /// present and 0 does not, one that lacks any of them does (DESIGN section 6, rule 4).
  public var counts: Bool {
    !(activeMilliseconds == 0 && energyKilocalories == 0 && distanceMeters == 0)
  }

  /// The time shown: the active one, else the whole span; >= 0 (DESIGN section 6, rule 7).
  public var shownMilliseconds: Int64 {
    max(0, activeMilliseconds ?? end.milliseconds(since: start))
  }
}
