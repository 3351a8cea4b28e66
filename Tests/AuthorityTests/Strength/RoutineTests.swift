import Testing
import WatchTransfer

@testable import Authority

/// The library, routines and what is wrong with them.
@Suite struct RoutineTests {
  private func at(_ minutes: Int64) -> Instant { Gym.at(minutes) }

  private func define(_ id: UInt64, _ title: String, _ entries: [RoutineEntry]) -> Action {
    .defineRoutine(id: .test(id), title: title, entries: entries)
  }

  @Test("The starter set: fixed ids, every equipment, names that may be names")
  func starter() {
    let starter = ExerciseLibrary.starter
    #expect(Set(starter.map(\.id)).count == starter.count)
    #expect(Set(starter.map(\.name)).count == starter.count)
    #expect(Set(starter.map(\.equipment)) == Set(Equipment.allCases))
    for (index, exercise) in starter.enumerated() {
      #expect(exercise.id == ExerciseID(high: 0x5772_6973_7445_7831, low: UInt64(index + 1)))
      #expect(ExerciseLibrary.exercise(exercise.id) == exercise)
      #expect(isTypedName(exercise.name))
    }
    #expect(starter[0].name == "Back squat", "an id's meaning never changes")
    #expect(starter[53].name == "Push-up")
    #expect(ExerciseLibrary.exercise(ExerciseID(high: ExerciseLibrary.idHigh, low: 0)) == nil)
    #expect(ExerciseLibrary.exercise(ExerciseID(high: ExerciseLibrary.idHigh, low: .max)) == nil)
  }

  @Test(
    "Search: every word, ASCII case folded, leading names first, by equipment",
    arguments: [
      ("squat", nil, ["Back squat", "Band squat", "Bodyweight squat"]),
      ("SQUAT", .band, ["Band squat"]), ("good", nil, ["Good morning"]),
      ("press bench", .barbell, ["Bench press", "Incline bench press"]),
      ("bench press", .barbell, ["Bench press", "Incline bench press"]), ("zzz", nil, []),
      ("", .other, ["Battle ropes", "Farmer's carry", "Medicine ball slam"]),
    ] as [(String, Equipment?, [String])])
  func search(text: String, equipment: Equipment?, first: [String]) {
    let found = ExerciseLibrary.search(
      text, equipment: equipment, in: ExerciseLibrary.starter.reversed())
    #expect(found.prefix(3).map(\.name) == first)
  }

  @Test("All that is wrong with a routine is listed in one refusal")
  func validation() {
    var account = TestAccount(at: at(-60))
    let bad = [
      RoutineEntry(exercise: Gym.squat, sets: []),
      RoutineEntry(
        exercise: .test(1), sets: [TargetSet(reps: 0), TargetSet(reps: 5, restSeconds: 3_601)]),
    ]
    #expect(
      account.act(define(900, "x", bad), at: at(0))
        == .refused(
          .invalid(
            field: "entries[0].sets, entries[1].exercise, entries[1].sets[0].reps, "
              + "entries[1].sets[1].rest")))
    #expect(
      account.act(define(900, "", []), at: at(0)) == .refused(.invalid(field: "title, entries")))
    let many = Array(
      repeating: RoutineEntry(exercise: .test(1), sets: [TargetSet(reps: 1)]), count: 33)
    #expect(
      detail(of: routineProblems(title: nil, entries: many) { _ in false }).hasSuffix(
        ", entries[14].exercise and 18 more"))
    let unlike = (1...17).map { reps in
      RoutineEntry(
        exercise: Gym.squat, sets: (1...3).map { TargetSet(reps: reps * 3 + $0) })
    }
    #expect(
      account.act(define(900, "x", unlike), at: at(0)) == .refused(.invalid(field: "groups")))
    #expect(account.act(define(900, "x", Array(unlike.prefix(16))), at: at(0)) == .applied)
  }

  @Test("Edits: the later time wins for each field; a deleted routine is gone")
  func edits() {
    var account = Gym.account()
    let bench = [RoutineEntry(exercise: Gym.bench, sets: [TargetSet(reps: 3)])]
    account.act(.editRoutine(id: Gym.routine, title: "Push", entries: nil), at: at(5))
    #expect(
      account.act(
        .editRoutine(id: Gym.routine, title: "Old", entries: bench), by: Devices.watch, at: at(3),
        now: at(6)) == .applied)
    #expect(account.routines.routines[0].title == "Push")
    #expect(account.routines.routines[0].entries.map(\.name) == ["Bench press"])
    #expect(
      account.act(
        .editRoutine(id: Gym.routine, title: "Old", entries: nil), at: at(4), now: at(7))
        == .refused(.superseded))
    account.act(.deleteRoutine(id: Gym.routine), at: at(8))
    #expect(
      account.act(.editRoutine(id: Gym.routine, title: "x", entries: nil), at: at(9))
        == .refused(.gone))
    // A watch that was out of reach starts it all the same.
    #expect(
      account.act(
        .startSession(id: Gym.session, plan: .routine(Gym.routine)), by: Devices.watch, at: at(7),
        now: at(30)) == .applied)
    #expect(account.session?.title == "Push")
  }

  @Test("The facet holds routines in order of their titles; each cap is refused with `limit`")
  func caps() throws {
    var account = TestAccount(at: at(-60))
    let name = String(repeating: "é", count: 64)
    let entry = RoutineEntry(exercise: Gym.squat, sets: [TargetSet(reps: 5)])
    var refusal: DecidedOutcome?
    for id in UInt64(0)..<100 where refusal == nil {
      let outcome = account.act(
        define(1_000 + id, "\(99 - id)", Array(repeating: entry, count: 8)), at: at(0))
      if outcome != .applied { refusal = outcome }
    }
    #expect(refusal == .refused(.limit(of: "routines")))
    let count = account.routines.routines.count
    #expect(account.routines.omitted == 0)
    #expect(
      account.routines.routines.map(\.title) == account.routines.routines.map(\.title).sorted())
    // Offered again there is room for as many once more; the facet tells what it leaves out.
    for id in UInt64(0)..<200 {
      account.act(
        define(2_000 + id, "\(id)", [entry]), at: at(0), reoffered: true)
    }
    #expect(account.routines.omitted > 0 || account.routines.routines.count > count)
    for id in UInt64(0)..<UInt64(AuthorityLimits.exercisesMax) {
      account.act(
        .defineExercise(Exercise(id: .test(5_000 + id), name: name, equipment: .other)), at: at(0))
    }
    #expect(
      account.act(
        .defineExercise(Exercise(id: .test(9_000), name: "x", equipment: .other)), at: at(0))
        == .refused(.limit(of: "exercises")))
  }
}
