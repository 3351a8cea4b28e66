/// The person's routines, as compact payloads.
public struct RoutinesFacet: Hashable, Sendable {
  /// An exercise of a routine.
  public struct Entry: Hashable, Sendable {
    public var exercise: ExerciseID
    public var name: String
    public var equipment: Equipment
    public var groups: [SetGroup]

    /// An exercise with its planned sets.
    public init(exercise: ExerciseID, name: String, equipment: Equipment, groups: [SetGroup]) {
      self.exercise = exercise
      self.name = name
      self.equipment = equipment
      self.groups = groups
    }
  }

  /// A routine.
  public struct Routine: Hashable, Sendable {
    public var id: RoutineID
    public var title: String
    public var entries: [Entry]
    /// Ready text: "3 exercises · 9 sets".
    public var text: String

    /// A routine.
    public init(id: RoutineID, title: String, entries: [Entry], text: String) {
      self.id = id
      self.title = title
      self.entries = entries
      self.text = text
    }
  }

  /// In order of their titles' bytes, then of id.
  public var routines: [Routine]
  /// How many more there are than the facet has room for.
  public var omitted: Int

  /// Routines.
  public init(routines: [Routine], omitted: Int = 0) {
    self.routines = routines
    self.omitted = omitted
  }
}

/// What a session's timer does.
public enum SessionPhase: UInt8, CaseIterable, Sendable {
  /// Its start has not arrived.
  case unstarted = 1
  case running = 2
  case paused = 3
  case ended = 4

  /// The word used in JSON.
  public var word: String {
    switch self {
    case .unstarted: "unstarted"
    case .running: "running"
    case .paused: "paused"
    case .ended: "ended"
    }
  }
}

/// The running session. Timers are anchors, so that how late they arrive does not matter.
public struct SessionFacet: Hashable, Sendable {
  /// An exercise of the session.
  public struct Exercise: Hashable, Sendable {
    public var name: String
    public var equipment: Equipment
    /// Planned sets; 0: none are planned.
    public var targetSets: Int
    /// Sets that are done, warm-ups left out.
    public var doneSets: Int

    /// An exercise and how far it is.
    public init(name: String, equipment: Equipment, targetSets: Int, doneSets: Int) {
      self.name = name
      self.equipment = equipment
      self.targetSets = targetSets
      self.doneSets = doneSets
    }
  }

  /// A set of the exercise that is shown.
  public struct Set: Hashable, Sendable {
    public var id: SetID
    public var reps: Int
    public var weight: Weight?
    public var isWarmUp: Bool
    /// Ready text: "5 × 82.25 kg".
    public var text: String

    /// A set.
    public init(id: SetID, reps: Int, weight: Weight?, isWarmUp: Bool, text: String) {
      self.id = id
      self.reps = reps
      self.weight = weight
      self.isWarmUp = isWarmUp
      self.text = text
    }
  }

  /// The rest that was started last.
  public struct Rest: Hashable, Sendable {
    public var since: Instant
    public var overAt: Instant

    /// A rest between two moments.
    public init(since: Instant, overAt: Instant) {
      self.since = since
      self.overAt = overAt
    }
  }

  public var session: SessionID
  public var title: String
  public var activityType: String
  public var phase: SessionPhase
  public var startedAt: Instant
  /// Active time when `runningSince` began, or altogether.
  public var activeMilliseconds: Int64
  /// nil: not running.
  public var runningSince: Instant?
  /// The device that drives the session.
  public var recorder: DeviceID?
  /// Place of the exercise that is shown, from 0.
  public var position: Int
  public var exercises: [Exercise]
  /// The set to do next: what is shown before it is completed.
  public var reps: Int?
  public var weight: Weight?
  /// The newest sets of the exercise that is shown, oldest of them first.
  public var sets: [Set]
  /// The sets of that exercise the last time it was done.
  public var lastTime: [Set]
  /// When that was.
  public var lastTimeAt: Instant?
  public var rest: Rest?
  /// Ready text: "Back squat · set 2 of 3 · 5 × 100 kg".
  public var progress: String
  /// The same, to be spoken.
  public var spoken: String

  /// A session that has just begun.
  public init(
    session: SessionID, title: String, activityType: String, phase: SessionPhase,
    startedAt: Instant, activeMilliseconds: Int64, runningSince: Instant?, recorder: DeviceID?
  ) {
    self.session = session
    self.title = title
    self.activityType = activityType
    self.phase = phase
    self.startedAt = startedAt
    self.activeMilliseconds = activeMilliseconds
    self.runningSince = runningSince
    self.recorder = recorder
    position = 0
    exercises = []
    sets = []
    lastTime = []
    progress = ""
    spoken = ""
  }

  /// The active time at `now`, in milliseconds.
  public func activeMilliseconds(at now: Instant) -> Int64 {
    guard let runningSince else { return activeMilliseconds }
    return activeMilliseconds + max(0, now.milliseconds(since: runningSince))
  }
}

/// The summary of the session that ended last, until it is dismissed or the next one starts. What
/// is not known is absent, not 0.
public struct LastSessionFacet: Hashable, Sendable {
  /// An exercise that was done.
  public struct Exercise: Hashable, Sendable {
    public var name: String
    public var targetSets: Int
    public var doneSets: Int
    /// Ready text: "3/3 · best 5 × 100 kg".
    public var text: String

    /// An exercise and what was done.
    public init(name: String, targetSets: Int, doneSets: Int, text: String) {
      self.name = name
      self.targetSets = targetSets
      self.doneSets = doneSets
      self.text = text
    }
  }

  public var session: SessionID
  public var title: String
  public var activityType: String
  public var startedAt: Instant
  public var endedAt: Instant
  /// nil: its start never arrived.
  public var activeMilliseconds: Int64?
  public var spanMilliseconds: Int64
  public var pausedMilliseconds: Int64?
  public var energyKilocalories: Double?
  /// Beats a minute, each value weighted by how long it held.
  public var averageHeartRate: Double?
  public var maximumHeartRate: Double?
  /// Sets that are done, warm-ups left out.
  public var setCount: Int
  /// Of these sets, assistance left out.
  public var volumeKilograms: Double
  public var exercises: [Exercise]
  /// Ready text for each record: "Back squat: 105 kg, best so far".
  public var records: [String]
  /// Ready text: "Leg day · 42 min · 9 sets · 3,240 kg".
  public var text: String
  /// The same, to be spoken.
  public var spoken: String

  /// A session without figures.
  public init(
    session: SessionID, title: String, activityType: String, startedAt: Instant, endedAt: Instant
  ) {
    self.session = session
    self.title = title
    self.activityType = activityType
    self.startedAt = startedAt
    self.endedAt = endedAt
    spanMilliseconds = 0
    setCount = 0
    volumeKilograms = 0
    exercises = []
    records = []
    text = ""
    spoken = ""
  }
}
