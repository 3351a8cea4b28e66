import WatchTransfer

@testable import Authority

/// A session of every test, its routine and its exercises.
enum Gym {
  static let session = SessionID.test(500)
  static let routine = RoutineID.test(501)
  static let squat = ExerciseLibrary.starter[0].id
  static let bench = ExerciseLibrary.starter[4].id
  static let custom = Exercise(id: .test(502), name: "Sandbag carry", equipment: .other)
  static let noon = instant("2026-06-10T10:00:00Z")
  static let tablet = ActingDevice(id: .test(8), name: "Tablet", kind: .phone)

  /// Minutes and seconds after noon.
  static func at(_ minutes: Int64, _ seconds: Int64 = 0) -> Instant {
    noon.advanced(milliseconds: (minutes * 60 + seconds) * 1_000)
  }

  /// An account with the routine "Leg day": three squats of five at 100 kg, two bench presses.
  static func account() -> TestAccount {
    var account = TestAccount(at: at(-60))
    account.act(
      .defineRoutine(
        id: routine, title: "Leg day",
        entries: [
          RoutineEntry(
            exercise: squat,
            sets: Array(
              repeating: TargetSet(reps: 5, weight: kilograms(100), restSeconds: 90), count: 3)),
          RoutineEntry(
            exercise: bench, sets: Array(repeating: TargetSet(reps: 8), count: 2)),
        ]), at: at(-50))
    return account
  }

  /// The same, with the session started by the watch at noon.
  static func running() -> TestAccount {
    var account = account()
    account.act(.startSession(id: session, plan: .routine(routine)), by: Devices.watch, at: at(0))
    return account
  }
}

/// So many kilograms.
func kilograms(_ whole: Int64) -> Weight { Weight(digits: whole, scale: 0, unit: .kilograms)! }

extension TestAccount {
  /// Ticks a set.
  @discardableResult
  mutating func set(
    _ id: UInt64, at occurred: Instant, position: Int = 0, reps: Int = 5, weight: Weight? = nil,
    warmUp: Bool = false, of session: SessionID = Gym.session,
    by device: ActingDevice = Devices.watch, now: Instant? = nil, reoffered: Bool = false
  ) -> DecidedOutcome {
    act(
      .completeSet(
        session: session,
        set: PerformedSet(
          id: .test(id), position: position, reps: reps, weight: weight, isWarmUp: warmUp)),
      by: device, at: occurred, now: now, reoffered: reoffered)
  }

  /// Pauses, resumes, finishes or discards.
  @discardableResult
  mutating func session(
    _ control: SessionControl, at occurred: Instant, of session: SessionID = Gym.session,
    by device: ActingDevice = Devices.watch, now: Instant? = nil, zone: String? = nil
  ) -> DecidedOutcome {
    act(
      .controlSession(session: session, control: control), by: device, at: occurred, now: now,
      zone: zone)
  }

  /// A whole session by activity, with one exercise and its sets a minute apart.
  mutating func train(
    _ id: SessionID, _ exercise: ExerciseID, from start: Instant, sets: [(Int, Weight?)],
    firstSet: UInt64
  ) {
    act(.startSession(id: id, plan: .activity("strength")), by: Devices.watch, at: start)
    act(.addSessionExercise(session: id, exercise: exercise), by: Devices.watch, at: start)
    for (index, set) in sets.enumerated() {
      self.set(
        firstSet + UInt64(index), at: start.advanced(milliseconds: Int64(index + 1) * 60_000),
        reps: set.0, weight: set.1, of: id)
    }
    session(.finish, at: start.advanced(milliseconds: 3_600_000), of: id)
  }

  var routines: RoutinesFacet {
    guard case .routines(let facet) = project(state, .routines) else { fatalError("not routines") }
    return facet
  }

  var session: SessionFacet? {
    guard case .session(let facet) = project(state, .session) else { fatalError("not session") }
    return facet
  }

  var lastSession: LastSessionFacet? {
    guard case .lastSession(let facet) = project(state, .lastSession) else {
      fatalError("not lastSession")
    }
    return facet
  }

  var log: WorkoutLog? { state.log(Gym.session.retagged()) }
}
