import CommandLineTool
import Testing
import WatchTransfer

/// The script's words for exercises, routines and sessions.
@Suite struct StrengthScriptTests {
  private static let heavy = Samples.heavy

  @Test(
    arguments: [
      ("exercise Sandbag carry other", .exercise(name: "Sandbag carry", .other)),
      ("drop-exercise Sandbag carry", .dropExercise(name: "Sandbag carry")),
      (
        "edit-exercise \"Sandbag carry\" name Bag carry",
        .renameExercise(name: "Sandbag carry", as: "Bag carry")
      ),
      ("edit-exercise Bag equipment other", .equip(name: "Bag", with: .other)),
      ("edit-routine Legs title Leg day", .retitleRoutine(title: "Legs", as: "Leg day")),
      (
        "edit-routine Legs plan Plank 2x1",
        .planRoutine(
          title: "Legs",
          [ScriptedPlan(exercise: "Plank", sets: [TargetSet(reps: 1), TargetSet(reps: 1)])])
      ),
      (
        "routine \"Leg day\" \"Back squat\" 1x5@60kg,3x5@82.25kg/90 Plank 2x1",
        .routine(
          title: "Leg day",
          [
            ScriptedPlan(
              exercise: "Back squat",
              sets: [TargetSet(reps: 5, weight: Weight("60", unit: .kilograms))]
                + Array(
                  repeating: TargetSet(reps: 5, weight: heavy, restSeconds: 90), count: 3)),
            ScriptedPlan(
              exercise: "Plank", sets: [TargetSet(reps: 1), TargetSet(reps: 1)]),
          ])
      ),
      ("drop-routine Leg day", .dropRoutine(title: "Leg day")),
      ("start routine Leg day", .startRoutine(title: "Leg day")),
      ("start activity rowing", .startActivity(type: "rowing")),
      ("set 5", .set(reps: 5, weight: nil, isWarmUp: false)),
      ("set 5 82.25kg", .set(reps: 5, weight: heavy, isWarmUp: false)),
      (
        "set 12 -21lb warm-up",
        .set(reps: 12, weight: Weight("-21", unit: .pounds), isWarmUp: true)
      ),
      (
        "edit-set 000000000000000b000000000000000c 4 82.25kg",
        .editSet(Samples.setID, reps: 4, weight: heavy)
      ),
      ("undo-set 000000000000000b000000000000000c", .undoSet(Samples.setID)),
      ("reps 8", .reps(8)), ("weight 82.25kg", .weight(heavy)),
      ("select 2", .select(.number(2))), ("select next", .select(.next)),
      ("select previous", .select(.previous)), ("rest 90", .rest(seconds: 90)),
      ("rest stop", .rest(seconds: nil)), ("pause", .control(.pause)),
      ("resume", .control(.resume)), ("finish", .control(.finish)),
      ("discard", .control(.discard)), ("take-session", .takeOver),
      ("add-exercise Plank", .addExercise(name: "Plank")),
      ("sample 3 140 12", .sample(number: 3, heartRate: 140, energy: 12)),
      ("sample 3 140", .sample(number: 3, heartRate: 140, energy: nil)), ("dismiss", .dismiss),
    ] as [(String, StrengthWord)])
  func `a word is read`(text: String, word: StrengthWord) throws {
    #expect(try ScriptedAction(parsing: text) == .strength(word))
  }

  @Test(
    arguments: [
      "exercise Sandbag", "exercise Sandbag rope", "edit-exercise Bag", "edit-exercise Bag name",
      "edit-exercise Bag equipment rope", "edit-exercise Bag equipment new other",
      "edit-exercise Bag weight 5", "edit-routine Legs", "edit-routine Legs title",
      "edit-routine Legs plan", "edit-routine Legs plan Plank", "edit-routine Legs with Plank 1x1",
      "routine Legs", "routine Legs Squat",
      "routine Legs Squat 3", "routine Legs Squat 3x", "routine Legs Squat 3x5@heavy",
      "routine Legs Squat 3x5/x", "routine Legs Squat 1000x5", "start Legs", "start routine",
      "set", "set x", "set 5 heavy", "set 5 82,25kg", "set 5 1kg 2kg", "edit-set x 5",
      "edit-set 000000000000000b000000000000000c", "undo-set x", "reps", "reps -1", "weight 5",
      "weight 1e3kg", "weight kg", "select", "select last", "rest soon", "pause now",
      "take-session now", "sample 1", "sample x 140", "dismiss it",
    ])
  func `what is not a word is refused in one line`(text: String) {
    let error = #expect(throws: ScriptError.self) { try ScriptedAction(parsing: text) }
    #expect(error?.description.contains("\n") == false)
  }

  private func action(_ text: String, _ scene: StrengthScene) throws -> Action {
    guard case .strength(let word) = try ScriptedAction(parsing: text) else {
      throw ToolFailure("not a word of strength")
    }
    return try word.action(now: Samples.noon, in: scene)
  }

  @Test func `names and sessions come from the outbox, else from the last state`() throws {
    let custom = Exercise(id: ExerciseID(high: 1, low: 1), name: "Sandbag", equipment: .other)
    guard case .routines(let routines) = Samples.routines else { throw ToolFailure("no routines") }
    var scene = StrengthScene(
      routines: routines, session: Samples.sessionFacet, lastSession: Samples.summary,
      asked: [.defineExercise(custom)])
    let entry = RoutineEntry(exercise: custom.id, sets: [TargetSet(reps: 5)])
    guard case .defineRoutine(_, "x", [entry]) = try action("routine x Sandbag 1x5", scene) else {
      throw ToolFailure("not a routine of the queued exercise")
    }
    guard
      case .startSession(let id, .routine(RoutineID(high: 13, low: 14))) =
        try action("start routine Leg day", scene)
    else { throw ToolFailure("not the routine of the last state") }
    #expect(
      try action("pause", scene) == .controlSession(session: Samples.session, control: .pause))
    scene.pending.append(.startSession(id: id, plan: .activity("rowing")))
    #expect(try action("pause", scene) == .controlSession(session: id, control: .pause))
    #expect(
      try action("select next", scene) == .selectExercise(session: id, position: 1))
    scene.pending.append(.selectExercise(session: id, position: 4))
    #expect(try action("select next", scene) == .selectExercise(session: id, position: 5))
    scene.pending.append(.controlSession(session: id, control: .finish))
    #expect(try action("dismiss", scene) == .dismissSummary(session: id))
    #expect(
      try action("pause", scene) == .controlSession(session: Samples.session, control: .pause))
  }

  @Test func `only what is pending of the session that is meant moves the place`() throws {
    var shown = Samples.sessionFacet
    shown.position = 2
    let other = SessionID(high: 1, low: 1)
    var scene = StrengthScene(session: shown)
    #expect(scene.sessionID == shown.session && scene.position == 2)
    scene.pending = [.selectExercise(session: other, position: 7)]
    #expect(scene.position == 2)
    let set = PerformedSet(id: Samples.setID, position: 1, reps: 5)
    scene.pending.append(.completeSet(session: shown.session, set: set))
    #expect(scene.position == 1)
    #expect(
      try action("select previous", scene)
        == .selectExercise(session: shown.session, position: 0))
    scene.pending.append(.startSession(id: other, plan: .activity("rowing")))
    #expect(scene.sessionID == other && scene.position == 0)
    scene.pending.append(.controlSession(session: other, control: .finish))
    #expect(scene.sessionID == shown.session && scene.position == 1)
    #expect(StrengthScene().position == 0)
  }

  @Test(arguments: ["pause", "dismiss", "start routine x", "add-exercise x", "routine x y 1x5"])
  func `what is not known is said, and nothing is asked`(text: String) {
    #expect(throws: ToolFailure.self) { try action(text, StrengthScene()) }
  }

  @Test func `a session is shown in lines`() {
    let now = Samples.instant("2026-11-30T12:03:30Z")
    #expect(
      SurfaceText.lines(of: .session(Samples.sessionFacet), at: now) == [
        "session: Leg day, running, 2:30", "  Back squat · set 2 of 3 · 5 × 82.25 kg",
        "  [x] 5 × 82.25 kg (000000000000000b000000000000000c)", "  last time: 5 × 82.25 kg",
        "  rest: 1:00 left",
      ])
    #expect(
      SurfaceText.lines(of: .lastSession(Samples.summary), at: now) == [
        "last session: Leg day · 40 min · 3 sets · 1234 kg",
        "  Back squat: 3/3 · best 5 × 82.25 kg",
        "  record: Back squat: 82.25 kg, heaviest so far",
      ])
    #expect(
      SurfaceText.lines(of: Samples.routines, at: now) == [
        "routine: Leg day, 1 exercise · 3 sets", "routines: 2 more have no room",
      ])
    #expect(SurfaceText.lines(of: .session(nil), at: now).isEmpty)
  }
}
