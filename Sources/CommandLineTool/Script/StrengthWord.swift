public import WatchTransfer

/// A set as a person plans it: `3x5@100kg/90` is three sets of five at 100 kg, 90 s of rest each.
public struct ScriptedPlan: Hashable, Sendable {
  /// As it is named in the library.
  public var exercise: String
  public var sets: [TargetSet]

  /// An exercise with its sets.
  public init(exercise: String, sets: [TargetSet]) {
    self.exercise = exercise
    self.sets = sets
  }
}

/// Which exercise of a session is meant.
public enum ScriptedPlace: Hashable, Sendable {
  /// Counted from 1.
  case number(Int)
  case next
  case previous
}

/// What an emulated watch is told to do with exercises, routines and sessions.
public enum StrengthWord: Hashable, Sendable {
  case exercise(name: String, Equipment)
  case renameExercise(name: String, as: String)
  case equip(name: String, with: Equipment)
  case dropExercise(name: String)
  case routine(title: String, [ScriptedPlan])
  case retitleRoutine(title: String, as: String)
  /// All its exercises, in order.
  case planRoutine(title: String, [ScriptedPlan])
  case dropRoutine(title: String)
  case startRoutine(title: String)
  case startActivity(type: String)
  case set(reps: Int, weight: Weight?, isWarmUp: Bool)
  case editSet(SetID, reps: Int, weight: Weight?)
  case undoSet(SetID)
  case reps(Int)
  case weight(Weight)
  case select(ScriptedPlace)
  /// nil: stop.
  case rest(seconds: Int?)
  case control(SessionControl)
  case takeOver
  case addExercise(name: String)
  case sample(number: UInt32, heartRate: Double, energy: Double?)
  case dismiss

  /// Its forms, for a person.
  public static let forms = [
    "exercise NAME EQUIPMENT", "edit-exercise EXERCISE name NAME",
    "edit-exercise EXERCISE equipment EQUIPMENT", "drop-exercise NAME",
    "routine TITLE EXERCISE PLAN [EXERCISE PLAN]", "edit-routine ROUTINE title TITLE",
    "edit-routine ROUTINE plan EXERCISE PLAN [EXERCISE PLAN]", "drop-routine TITLE",
    "start routine TITLE", "start activity TYPE", "set REPS [WEIGHT] [warm-up]",
    "edit-set SET REPS [WEIGHT]", "undo-set SET", "reps REPS", "weight WEIGHT",
    "select POSITION|next|previous", "rest SECONDS|stop", "pause", "resume", "finish", "discard",
    "take-session", "add-exercise NAME", "sample NUMBER BPM [KCAL]", "dismiss",
  ]
}

/// What a watch knows when it acts on a session: its last state, and what it has asked for that is
/// not part of that yet.
public struct StrengthScene: Sendable {
  public var routines: RoutinesFacet?
  public var session: SessionFacet?
  public var lastSession: LastSessionFacet?
  /// What is pending, in order: what is shown, refused, expired or set aside has no say any more.
  public var pending: [Action]
  /// What this device has asked for and may be true, in order: no facet names the exercises of the
  /// library.
  public var asked: [Action]
  /// What the authority has found by their names, which may be another device's.
  public var library: [ExerciseKey] = []

  /// A watch that knows nothing.
  public init(
    routines: RoutinesFacet? = nil, session: SessionFacet? = nil,
    lastSession: LastSessionFacet? = nil, pending: [Action] = [], asked: [Action] = []
  ) {
    self.routines = routines
    self.session = session
    self.lastSession = lastSession
    self.pending = pending
    self.asked = asked
  }

  /// The session that an action means: the newest pending one that is not to be ended again, else
  /// the one shown.
  public var sessionID: SessionID? {
    var ended: Set<SessionID> = []
    for action in pending.reversed() {
      switch action {
      case .controlSession(let id, .finish), .controlSession(let id, .discard): ended.insert(id)
      case .startSession(let id, _) where !ended.contains(id): return id
      default: continue
      }
    }
    return session.flatMap { ended.contains($0.session) ? nil : $0.session }
  }

  /// The session whose summary is meant: the one whose end is pending, else the one shown.
  public var summaryID: SessionID? {
    for case .controlSession(let id, .finish) in pending.reversed() { return id }
    return lastSession?.session
  }

  /// The place in the session that is meant: what is pending of that session says it, else what is
  /// shown; from 0.
  public var position: Int {
    guard let meant = sessionID else { return 0 }
    for action in pending.reversed() {
      switch action {
      case .selectExercise(meant, let position): return position
      case .completeSet(meant, let set): return set.position
      case .startSession(meant, _): return 0
      default: continue
      }
    }
    guard let session, session.session == meant else { return 0 }
    return session.position
  }

  /// An exercise by its id or name: as the authority has found it, else one of this device's own,
  /// of the starter set, or of a routine.
  public func exercise(named name: String) -> ExerciseID? {
    let bytes = Array(name.utf8)
    if let found = library.first(where: { Array($0.name.utf8) == bytes }) { return found.id }
    if let own = asked.exercise(named: name) { return own }
    if let starter = ExerciseLibrary.starter.first(where: { Array($0.name.utf8) == bytes }) {
      return starter.id
    }
    let entries = routines?.routines.flatMap(\.entries) ?? []
    return entries.first { Array($0.name.utf8) == bytes }?.exercise ?? ExerciseID(hex: name)
  }

  /// A routine by its title: a pending one, or one of the last state.
  public func routine(titled title: String) -> RoutineID? {
    if let pending = pending.routine(titled: title) { return pending }
    let bytes = Array(title.utf8)
    return routines?.routines.first { Array($0.title.utf8) == bytes }?.id ?? RoutineID(hex: title)
  }
}

extension StrengthWord {
  /// Exercises that it names and that the device must know to act.
  public var exerciseNames: [String] {
    switch self {
    case .renameExercise(let name, _), .equip(let name, _), .dropExercise(let name),
      .addExercise(let name):
      [name]
    case .routine(_, let plans), .planRoutine(_, let plans): plans.map(\.exercise)
    case .exercise, .retitleRoutine, .dropRoutine, .startRoutine, .startActivity, .set, .editSet,
      .undoSet, .reps, .weight, .select, .rest, .control, .takeOver, .sample, .dismiss:
      []
    }
  }

  /// The action it becomes, with fresh ids, when the device's wall clock shows `now`.
  ///
  /// - Throws: `ToolFailure` when what it names is not known to the watch.
  public func action(now: Instant, in scene: StrengthScene) throws -> Action {
    switch self {
    case .exercise(let name, let equipment):
      return .defineExercise(Exercise(id: .random(), name: name, equipment: equipment))
    case .dropExercise(let name): return .deleteExercise(id: try Self.exercise(name, scene))
    case .renameExercise(let name, let new):
      return .editExercise(id: try Self.exercise(name, scene), name: new, equipment: nil)
    case .equip(let name, let equipment):
      return .editExercise(id: try Self.exercise(name, scene), name: nil, equipment: equipment)
    case .routine(let title, let plans):
      return .defineRoutine(id: .random(), title: title, entries: try Self.entries(plans, scene))
    case .retitleRoutine(let title, let new):
      return .editRoutine(id: try Self.routine(title, scene), title: new, entries: nil)
    case .planRoutine(let title, let plans):
      let entries = try Self.entries(plans, scene)
      return .editRoutine(id: try Self.routine(title, scene), title: nil, entries: entries)
    case .dropRoutine(let title): return .deleteRoutine(id: try Self.routine(title, scene))
    case .startRoutine(let title):
      return .startSession(id: .random(), plan: .routine(try Self.routine(title, scene)))
    case .startActivity(let type):
      return .startSession(id: .random(), plan: .activity(type))
    case .dismiss:
      guard let session = scene.summaryID else {
        throw ToolFailure("there is no summary to dismiss; finish a session first")
      }
      return .dismissSummary(session: session)
    default:
      guard let session = scene.sessionID else {
        throw ToolFailure("there is no session; start one first: start routine TITLE")
      }
      return try action(in: session, now: now, scene)
    }
  }

  private func action(
    in session: SessionID, now: Instant, _ scene: StrengthScene
  ) throws -> Action {
    switch self {
    case .set(let reps, let weight, let isWarmUp):
      return .completeSet(
        session: session,
        set: PerformedSet(
          id: .random(), position: scene.position, reps: reps, weight: weight,
          isWarmUp: isWarmUp))
    case .editSet(let set, let reps, let weight):
      return .editSet(session: session, set: set, reps: reps, weight: weight)
    case .undoSet(let set): return .uncompleteSet(session: session, set: set)
    case .reps(let reps):
      return .adjustSet(session: session, position: scene.position, reps: reps, weight: nil)
    case .weight(let weight):
      return .adjustSet(session: session, position: scene.position, reps: nil, weight: weight)
    case .select(let place):
      let position =
        switch place {
        case .number(let number): number - 1
        case .next: scene.position + 1
        case .previous: max(0, scene.position - 1)
        }
      return .selectExercise(session: session, position: position)
    case .rest(let seconds): return .restSession(session: session, seconds: seconds)
    case .control(let control): return .controlSession(session: session, control: control)
    case .takeOver: return .takeOverSession(session: session)
    case .addExercise(let name):
      return .addSessionExercise(session: session, exercise: try Self.exercise(name, scene))
    case .sample(let number, let heartRate, let energy):
      return .recordSamples(
        session: session,
        block: SampleBlock(
          number: number, heartRate: [SamplePoint(at: now, value: heartRate)],
          energy: energy.map { [SamplePoint(at: now, value: $0)] } ?? []))
    default: throw ToolFailure("not an action on a session")
    }
  }

  private static func entries(
    _ plans: [ScriptedPlan], _ scene: StrengthScene
  ) throws -> [RoutineEntry] {
    try plans.map { plan in
      RoutineEntry(exercise: try exercise(plan.exercise, scene), sets: plan.sets)
    }
  }

  private static func exercise(_ name: String, _ scene: StrengthScene) throws -> ExerciseID {
    guard let id = scene.exercise(named: name) else {
      throw ToolFailure(
        "no exercise \"\(printable(name))\" is known here; write: exercise NAME EQUIPMENT")
    }
    return id
  }

  private static func routine(_ title: String, _ scene: StrengthScene) throws -> RoutineID {
    guard let id = scene.routine(titled: title) else {
      throw ToolFailure(
        "no routine \"\(printable(title))\" is known here; \"state\" shows those that are")
    }
    return id
  }
}
