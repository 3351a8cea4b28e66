import Authority
import WatchTransfer

extension ActionGenerator {
  /// A session's id, of few, so that facts meet.
  mutating func session() -> SessionID { .test(UInt64.random(in: 200..<206, using: &random)) }

  mutating func set() -> SetID { .test(UInt64.random(in: 210..<240, using: &random)) }

  mutating func exercise() -> ExerciseID {
    chance(2) ? .test(UInt64.random(in: 240..<246, using: &random)) : starter()
  }

  private mutating func starter() -> ExerciseID {
    ExerciseLibrary.starter[Int.random(in: 0..<4, using: &random)].id
  }

  mutating func routine() -> RoutineID { .test(UInt64.random(in: 246..<250, using: &random)) }

  mutating func place() -> Int {
    if isAdversarial, chance(5) {
      return [-1, 32, Int.max, Int.min].randomElement(using: &random)!
    }
    return Int.random(in: 0..<4, using: &random)
  }

  mutating func reps() -> Int {
    if isAdversarial, chance(5) { return [-1, 1_001, Int.max].randomElement(using: &random)! }
    return Int.random(in: 0..<13, using: &random)
  }

  mutating func weight() -> Weight? {
    chance(3)
      ? nil
      : Weight(digits: .random(in: -400...2_000, using: &random), scale: 1, unit: .kilograms)
  }

  mutating func entries() -> [RoutineEntry] {
    (0..<Int.random(in: isAdversarial ? 0...40 : 1...4, using: &random)).map { _ in
      let set = TargetSet(
        reps: max(isAdversarial ? Int.min : 1, reps()), weight: weight(),
        restSeconds: chance(2) ? 90 : nil)
      return RoutineEntry(
        exercise: exercise(), sets: Array(repeating: set, count: chance(2) ? 3 : 1))
    }
  }

  mutating func block(around now: Instant) -> SampleBlock {
    var points: [SamplePoint] = []
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      points.append(SamplePoint(at: moment(around: now), value: figure() ?? 120))
    }
    return SampleBlock(
      number: .random(in: 0..<6, using: &random), heartRate: points,
      energy: chance(2) ? points : [])
  }

  mutating func strengthAction(around now: Instant) -> Action {
    switch Int.random(in: 0..<25, using: &random) {
    case 0:
      .defineExercise(
        Exercise(
          id: exercise(), name: title(),
          equipment: Equipment.allCases.randomElement(using: &random)!))
    case 1: .editExercise(id: exercise(), name: chance(2) ? title() : nil, equipment: .band)
    case 2: .deleteExercise(id: exercise())
    case 3: .defineRoutine(id: routine(), title: title(), entries: entries())
    case 4:
      .editRoutine(
        id: routine(), title: chance(2) ? title() : nil, entries: chance(2) ? entries() : nil)
    case 5: .deleteRoutine(id: routine())
    case 6, 7, 8:
      .startSession(id: session(), plan: chance(2) ? .routine(routine()) : .activity(title()))
    case 9, 10, 11, 12:
      .completeSet(
        session: session(),
        set: PerformedSet(
          id: set(), position: place(), reps: reps(), weight: weight(), isWarmUp: chance(4)))
    case 13:
      .editSet(
        session: session(), set: set(), reps: chance(2) ? reps() : nil,
        weight: chance(2) ? weight() : nil)
    case 14: .uncompleteSet(session: session(), set: set())
    case 15: .adjustSet(session: session(), position: place(), reps: reps(), weight: weight())
    case 16: .selectExercise(session: session(), position: place())
    case 17: .restSession(session: session(), seconds: chance(2) ? 60 : nil)
    case 18: .addSessionExercise(session: session(), exercise: exercise())
    case 19: .dismissSummary(session: session())
    case 20: .recordSamples(session: session(), block: block(around: now))
    case 21: .takeOverSession(session: session())
    default:
      .controlSession(
        session: session(),
        control: chance(8)
          ? .discard : [.pause, .resume, .finish].randomElement(using: &random)!)
    }
  }
}
