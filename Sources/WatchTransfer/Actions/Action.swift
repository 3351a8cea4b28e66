/// A typed request to change truth. Ids are made by the one who asks (DESIGN section 4).
public enum Action: Hashable, Sendable {
  case defineWorkout(id: WorkoutID, title: String, exercises: [String])
  /// What is nil stays as it is.
  case editWorkout(id: WorkoutID, title: String?, exercises: [String]?)
  case deleteWorkout(id: WorkoutID)
  case scheduleWorkout(id: ScheduleID, workout: WorkoutReference, at: Instant)
  case unscheduleWorkout(id: ScheduleID)
  /// Done, on the day it occurred; marking one title twice on a day is one log.
  case markWorkout(log: LogID, workout: WorkoutReference)
  case unmarkWorkout(workout: WorkoutReference)
  case logWorkout(LoggedWorkout)
  case setTheme(mode: ThemeMode)
  case setPalette(PaletteName)
  /// A nil value removes the goal.
  case setGoal(name: String, value: Double?)
  case setPreferences(PreferenceChange)
  case setZone(id: String)
  /// With `extraHalfMilliseconds` there are two halves more, of that length.
  case newMatch(
    id: MatchID, home: String, away: String, halfLengthMilliseconds: Int64,
    extraHalfMilliseconds: Int64? = nil)
  case nameTeam(match: MatchID, team: Team, name: String)
  /// `insist`: count it even if another referee has just pressed for the same team.
  case addPoint(entry: EntryID, match: MatchID, team: Team, insist: Bool)
  case undoPoint(match: MatchID, entry: EntryID)
  case controlClock(match: MatchID, control: ClockControl)
  case defineExercise(Exercise)
  /// What is nil stays as it is.
  case editExercise(id: ExerciseID, name: String?, equipment: Equipment?)
  case deleteExercise(id: ExerciseID)
  case defineRoutine(id: RoutineID, title: String, entries: [RoutineEntry])
  /// What is nil stays as it is.
  case editRoutine(id: RoutineID, title: String?, entries: [RoutineEntry]?)
  case deleteRoutine(id: RoutineID)
  /// The session's id is also that of its log.
  case startSession(id: SessionID, plan: SessionPlan)
  case completeSet(session: SessionID, set: PerformedSet)
  /// What is nil stays as it is.
  case editSet(session: SessionID, set: SetID, reps: Int?, weight: Weight?)
  case uncompleteSet(session: SessionID, set: SetID)
  /// What is shown of the set to do next; what is nil stays as it is.
  case adjustSet(session: SessionID, position: Int, reps: Int?, weight: Weight?)
  /// Sets the place, from 0: next and previous are the surface's arithmetic on what it shows.
  case selectExercise(session: SessionID, position: Int)
  /// Starts a rest of so many seconds, or stops it (nil).
  case restSession(session: SessionID, seconds: Int?)
  case controlSession(session: SessionID, control: SessionControl)
  case addSessionExercise(session: SessionID, exercise: ExerciseID)
  case dismissSummary(session: SessionID)
  case recordSamples(session: SessionID, block: SampleBlock)
  /// The acting device drives the session from then on.
  case takeOverSession(session: SessionID)
  /// Drive the match's clock from now on.
  case takeOverMatch(match: MatchID)
  /// The whole squad of a team; players have ids that the phone makes and keeps.
  case setSquad(match: MatchID, team: Team, players: [SquadPlayer])
  /// `on` comes for `off`.
  case substitute(id: SubstitutionID, match: MatchID, team: Team, off: PlayerID, on: PlayerID)
  case undoSubstitution(match: MatchID, id: SubstitutionID)
  /// What the account's buttons do; replaces all that was set before.
  case setKeymap(bindings: [KeyBinding])
  /// A button of a controller, numbered by who makes it.
  case press(button: UInt8, gesture: Gesture)
  /// On `weekdays` at `timeOfDay` (milliseconds on the wall clock of where the person is), from
  /// `firstDay` on.
  case scheduleWeekly(
    id: ScheduleID, workout: WorkoutReference, weekdays: Weekdays, timeOfDay: Int64,
    firstDay: CivilDay)
  /// Holds from when it occurred: past occurrences are facts.
  case editSchedule(id: ScheduleID, ScheduleChange)
  case logWeight(LoggedWeight)
  case deleteWeight(id: WeightID)
  case editLog(log: LogID, LogChange)
  /// A deleted log stays deleted, whatever brings it again.
  case deleteLog(log: LogID)
  case grantFreeze(id: FreezeID)
  /// From a civil day on days neither count nor break.
  case pauseStreak(id: PauseID, from: CivilDay)
  /// Ends every pause; days count again from `from` on, nil: from the day it occurred.
  case resumeStreak(from: CivilDay?)
  /// The log's photo: an attachment whose bytes were uploaded before.
  case attachPhoto(log: LogID, AttachmentHash)
  case removePhoto(log: LogID)
}

/// A workout by its id, or by its title.
public enum WorkoutReference: Hashable, Sendable {
  case id(WorkoutID)
  case title(String)
}

/// A workout that happened, logged by hand or brought from a health source. Missing is absent.
public struct LoggedWorkout: Hashable, Sendable {
  public var log: LogID
  /// Such as `running`, or a health source's raw name.
  public var activityType: String
  public var title: String?
  public var start: Instant
  /// Not before `start`.
  public var end: Instant
  /// IANA id of the zone the workout was in; nil: the account's at its end.
  public var zoneID: String?
  public var activeMilliseconds: Int64?
  /// Kilocalories, >= 0.
  public var energyKilocalories: Double?
  /// Metres, >= 0.
  public var distanceMeters: Double?
  /// Beats a minute.
  public var averageHeartRate: Double?
  /// Beats a minute.
  public var maximumHeartRate: Double?
  /// Present: imported from this source.
  public var sourceName: String?
  public var externalUUID: String?

  /// A workout with its span; everything else absent.
  public init(log: LogID, activityType: String, start: Instant, end: Instant) {
    self.log = log
    self.activityType = activityType
    self.start = start
    self.end = end
  }
}

/// What a person prefers; nil stays as it is.
public struct PreferenceChange: Hashable, Sendable {
  public var units: Units?
  /// 1 = Monday … 7 = Sunday.
  public var firstWeekday: Int?
  /// 0 to 100.
  public var onboardingStep: Int?
  public var streakPolicy: StreakPolicy?

  /// No change yet.
  public init() {}
}

/// A side of a match.
public enum Team: UInt8, CaseIterable, Sendable {
  case home = 1
  case away = 2

  /// `home` or `away`.
  public var word: String { self == .home ? "home" : "away" }
}

/// Who chooses between day and night.
public enum ThemeMode: UInt8, CaseIterable, Sendable {
  case auto = 1
  case day = 2
  case night = 3

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .auto: "auto"
    case .day: "day"
    case .night: "night"
    }
  }
}

/// The closed list of colour schemes; each has a palette for day and one for night.
public enum PaletteName: UInt8, CaseIterable, Sendable {
  case classic = 1
  case ocean = 2
  case forest = 3
  case ember = 4
  /// Black and white, for eyes that need it: at least 7:1 (WCAG 2.1, success criterion 1.4.6).
  case contrast = 5

  /// The word used on the command line and in JSON.
  public var word: String {
    switch self {
    case .classic: "classic"
    case .ocean: "ocean"
    case .forest: "forest"
    case .ember: "ember"
    case .contrast: "contrast"
    }
  }
}

/// Units that a person reads.
public enum Units: UInt8, CaseIterable, Sendable {
  case metric = 1
  case imperial = 2

  /// `metric` or `imperial`.
  public var word: String { self == .metric ? "metric" : "imperial" }
}

/// What a referee does to the match clock.
public enum ClockControl: UInt8, CaseIterable, Sendable {
  case start = 1
  case pause = 2
  /// Back to the start of the half in play.
  case reset = 3
  case nextHalf = 4
  case end = 5

  /// The word used on the command line.
  public var word: String {
    switch self {
    case .start: "start"
    case .pause: "pause"
    case .reset: "reset"
    case .nextHalf: "next-half"
    case .end: "end"
    }
  }
}
