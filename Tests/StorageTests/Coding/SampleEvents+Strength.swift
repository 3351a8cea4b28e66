import Authority
import WatchTransfer

/// Events of exercises, routines and sessions.
extension SampleEvents {
  private static let exercise = Exercise(id: .sample(7), name: "Sandbag é", equipment: .other)
  private static let weight = Weight(digits: 8_225, scale: 2, unit: .kilograms)!
  private static let assistance = Weight(digits: -21, scale: 0, unit: .pounds)!
  private static let planned = PlannedExercise(
    exercise,
    sets: [
      TargetSet(reps: 5, weight: weight, restSeconds: 90),
      TargetSet(reps: 5, weight: weight, restSeconds: 90), TargetSet(reps: 1_000),
    ])
  private static let session = SessionID.sample(9)
  private static let block = SampleBlock(
    number: 300,
    heartRate: [
      SamplePoint(at: Instant(milliseconds: 1_000), value: 120),
      SamplePoint(at: Instant(milliseconds: 900), value: 0),
    ], energy: [SamplePoint(at: Instant(milliseconds: 2_000), value: 1.5)])

  private static var sessionLog: WorkoutLog {
    WorkoutLog(
      id: .sample(9), origin: .session, workout: nil, title: "Legs",
      start: Instant(milliseconds: 1_000), end: Instant(milliseconds: 2_000),
      day: CivilDay(number: 20_000))
  }

  /// See `golden`.
  static let strength: [(event: Event, bytes: String)] = [
    (
      .exerciseDefined(exercise, by: by),
      """
      3000000000000000ab00000000000000070a53616e6462616720c3a90880897a\
      130100000000000000110000000000000022
      """
    ),
    (
      .exerciseEdited(id: .sample(7), name: "Bag", equipment: .band, by: by),
      """
      3100000000000000ab00000000000000070103426167010780897a1301000000\
      00000000110000000000000022
      """
    ),
    (
      .exerciseEdited(id: .sample(7), name: nil, equipment: nil, by: by),
      """
      3100000000000000ab0000000000000007000080897a13010000000000000011\
      0000000000000022
      """
    ),
    (
      .exerciseDeleted(id: .sample(7), by: by),
      """
      3200000000000000ab000000000000000780897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .routineDefined(id: .sample(8), title: "Legs", entries: [planned], by: by),
      """
      3300000000000000ab0000000000000008044c6567730100000000000000ab00\
      000000000000070a53616e6462616720c3a90802020501c280010201015a01e8\
      07000080897a130100000000000000110000000000000022
      """
    ),
    (
      .routineEdited(id: .sample(8), title: "Arms", entries: [], by: by),
      """
      3400000000000000ab0000000000000008010441726d73010080897a13010000\
      0000000000110000000000000022
      """
    ),
    (
      .routineEdited(id: .sample(8), title: nil, entries: nil, by: by),
      """
      3400000000000000ab0000000000000008000080897a13010000000000000011\
      0000000000000022
      """
    ),
    (
      .routineDeleted(id: .sample(8), by: by),
      """
      3500000000000000ab000000000000000880897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .sessionStarted(
        id: session,
        SessionStart(title: "Legs", activityType: "rowing", exercises: [planned], isBeside: true),
        by: by),
      """
      3600000000000000ab0000000000000009044c65677306726f77696e67010000\
      0000000000ab00000000000000070a53616e6462616720c3a90802020501c280\
      010201015a01e80700000180897a130100000000000000110000000000000022
      """
    ),
    (
      .sessionStubOpened(id: session, by: by),
      """
      3700000000000000ab000000000000000980897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .sessionStubClosed(id: session, at: Instant(milliseconds: 9)),
      "3800000000000000ab000000000000000912"
    ),
    (
      .sessionMoved(
        id: session, move: .finish, day: CivilDay(number: 20_000), zoneID: "UTC", by: by),
      """
      3900000000000000ab00000000000000090401c0b802010355544380897a1301\
      00000000000000110000000000000022
      """
    ),
    (
      .sessionMoved(id: session, move: .takeOver, day: nil, zoneID: nil, by: by),
      """
      3900000000000000ab000000000000000905000080897a130100000000000000\
      110000000000000022
      """
    ),
    (
      .sessionDiscarded(id: session, by: by),
      """
      3a00000000000000ab000000000000000980897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .sessionDropped(id: session),
      "3b00000000000000ab0000000000000009"
    ),
    (
      .sessionLogged(sessionLog, by: by),
      """
      3c00000000000000ab00000000000000090400044c65677300d00fa01fc0b802\
      00000000000000000080897a130100000000000000110000000000000022
      """
    ),
    (
      .summaryDismissed(session: session, by: by),
      """
      3d00000000000000ab000000000000000980897a130100000000000000110000\
      000000000022
      """
    ),
    (
      .setCompleted(
        session: session,
        set: PerformedSet(
          id: .sample(10), position: 3, reps: 8, weight: assistance, isWarmUp: true), by: by),
      """
      4000000000000000ab000000000000000900000000000000ab00000000000000\
      0a0308012900020180897a130100000000000000110000000000000022
      """
    ),
    (
      .setEdited(session: session, set: .sample(10), reps: 7, weight: weight, by: by),
      """
      4100000000000000ab000000000000000900000000000000ab00000000000000\
      0a010701c28001020180897a130100000000000000110000000000000022
      """
    ),
    (
      .setEdited(session: session, set: .sample(10), reps: nil, weight: nil, by: by),
      """
      4100000000000000ab000000000000000900000000000000ab00000000000000\
      0a000080897a130100000000000000110000000000000022
      """
    ),
    (
      .setUncompleted(session: session, set: .sample(10), by: by),
      """
      4200000000000000ab000000000000000900000000000000ab00000000000000\
      0a80897a130100000000000000110000000000000022
      """
    ),
    (
      .setAdjusted(session: session, position: 1, reps: 7, weight: weight, by: by),
      """
      4300000000000000ab000000000000000901010701c28001020180897a130100\
      000000000000110000000000000022
      """
    ),
    (
      .exerciseSelected(session: session, position: 31, by: by),
      """
      4400000000000000ab00000000000000091f80897a1301000000000000001100\
      00000000000022
      """
    ),
    (
      .restSet(session: session, seconds: 90, by: by),
      """
      4500000000000000ab0000000000000009015a80897a13010000000000000011\
      0000000000000022
      """
    ),
    (
      .restSet(session: session, seconds: nil, by: by),
      """
      4500000000000000ab00000000000000090080897a1301000000000000001100\
      00000000000022
      """
    ),
    (
      .sessionExerciseAdded(session: session, exercise: exercise, by: by),
      """
      4600000000000000ab000000000000000900000000000000ab00000000000000\
      070a53616e6462616720c3a90880897a13010000000000000011000000000000\
      0022
      """
    ),
    (
      .samplesRecorded(session: session, block: block, by: by),
      """
      4700000000000000ab0000000000000009ac0202d00f0000000000005e40c701\
      000000000000000001a01f000000000000f83f80897a13010000000000000011\
      0000000000000022
      """
    ),
  ]
}
