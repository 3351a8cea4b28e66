public import WatchTransfer

/// Everything the authority knows of one account: what its events add up to. Equal journals give
/// equal states, and equal bytes, on any machine.
public struct AccountState: Sendable, Equatable {
  /// Of the newest journal entry; 0 before creation.
  public package(set) var revision: Revision = 0
  /// What projections are as of; nil before creation.
  public package(set) var newestTurn: Instant?
  /// The latest moment of anything that later things compete with: when the clock is before it, the
  /// clock was set back, and a turn is due that brings all such moments back to now. Later edits
  /// and controls would lose to them until the clock catches up.
  package var newestEdit: Instant?
  package var zone = ZoneBook()
  package var settings = Settings()
  package var goals = GoalBook()
  /// In order of id.
  package var workouts: [Workout] = []
  package var schedules = ScheduleBook()
  package var logs = LogBook()
  package var matches = MatchBook()
  package var exercises = ExerciseBook()
  package var routines = RoutineBook()
  package var sessions = SessionBook()
  /// What buttons do, in order of button and gesture.
  package var keymap = Stamped<[KeyBinding]>([])
  package var weeklies = WeeklyBook()
  package var weights = WeightBook()
  package var streaks = StreakBook()
  package var reloads = ReloadBook()
  /// Uploaded bytes, and the photos of logs.
  package var attachments = AttachmentBook()
  /// Edits offered again before what they edit came back, in order of arrival.
  package var waiting: [WaitingEdit] = []
  /// What each id names. Only looked up, never iterated: its order differs between runs.
  package var things: [ThingID: Thing] = [:]

  /// Nothing has happened.
  public init() {}

  /// The account's current zone, an IANA id.
  public var zoneID: String { zone.rules.id }

  /// What projections are as of; 1970 before creation.
  var asOf: Instant { newestTurn ?? Instant(milliseconds: 0) }

  /// End of what projections list.
  var horizon: Instant { asOf.advanced(milliseconds: horizonMilliseconds) }

  /// The account's day at `now`: not one before its newest turn's, as a clock may be set back.
  package func today(at now: Instant) -> CivilDay { zone.rules.day(at: max(now, asOf)) }

  /// What an id names, or named.
  func thing<Tag>(_ id: Identifier<Tag>) -> Thing? { things[id.retagged()] }

  /// A workout by its id.
  func workout(_ id: WorkoutID) -> Workout? {
    let position = workoutPosition(id)
    return position < workouts.count && workouts[position].id == id ? workouts[position] : nil
  }

  /// The workout with exactly these bytes as its title; of several, the one with the lowest id.
  func workout(titled title: String) -> Workout? {
    workouts.first { sameBytes($0.title, title) }
  }

  /// Where a workout is, or would be.
  func workoutPosition(_ id: WorkoutID) -> Int { workouts.partitionIndex { $0.id < id } }

  /// A schedule by its id.
  func schedule(_ id: ScheduleID) -> Schedule? {
    guard case .schedule(let at) = thing(id) else { return nil }
    return schedules.find(id, at: at)
  }

  /// A log by its id.
  func log(_ id: LogID) -> WorkoutLog? {
    logDay(of: id).flatMap { logs.find(id, on: $0) }
  }
}

/// How far projections list what time alone will change: 8 days, in milliseconds.
public var horizonMilliseconds: Int64 { 8 * 86_400_000 }
