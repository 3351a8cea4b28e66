import Testing

@testable import WatchTransfer

/// Every message and every action against every kind of device.
struct RightsTests {
  /// Who may, by the word of each demand; written down here a second time on purpose.
  static let table: [(demand: Demand, kinds: Set<DeviceKind>)] = [
    (.converse, Set(DeviceKind.allCases)), (.resume, Set(DeviceKind.allCases)),
    (.fetch, [.phone, .watch, .widget, .activity]), (.query, [.phone, .watch]),
    (.upload, [.phone, .watch]),
    (.offer, [.phone, .watch, .health, .controller]), (.change, [.phone, .watch]),
    (.logFromSource, [.phone, .watch, .health]), (.lineUp, [.phone]),
    (.press, [.phone, .watch, .controller]), (.pulse, [.phone, .watch]),
  ]

  static let photo = AttachmentHash(bytes: Array(repeating: 1, count: 32))!

  static let messages: [(message: ClientMessage, demand: Demand)] = [
    (.hello(Hello(token: [])), .converse), (.ping(Ping(nonce: 1)), .converse),
    (.pong(Pong(nonce: 1)), .converse), (.goodbye(Goodbye(.idle)), .converse),
    (.resume(nil), .resume),
    (
      .fetch(Fetch(view: WidgetView(kind: .streak, family: .small, appearance: .day))), .fetch
    ),
    (.query(Query(id: 1, question: .unknown)), .query),
    (.chunk(Chunk(hash: photo, totalBytes: 1, offset: 0)), .upload),
    (
      .pulse(
        Pulse(
          session: SessionID(high: 8, low: 1),
          measured: DeviceClock(wall: Instant(milliseconds: 1)), heartRate: 100)), .pulse
    ),
    (
      .act(Act(incarnation: IncarnationID(high: 1, low: 1), number: 1, confirmed: 0, body: [])),
      .offer
    ),
  ]

  static func logged(from source: String?) -> Action {
    var workout = LoggedWorkout(
      log: LogID(high: 1, low: 1), activityType: "running", start: Instant(milliseconds: 1),
      end: Instant(milliseconds: 2))
    workout.sourceName = source
    return .logWorkout(workout)
  }

  static let strength: [Action] = {
    let exercise = Exercise(id: ExerciseID(high: 6, low: 1), name: "Row", equipment: .cable)
    let (routine, session) = (RoutineID(high: 7, low: 1), SessionID(high: 8, low: 1))
    let set = PerformedSet(id: SetID(high: 9, low: 1), position: 0, reps: 5)
    return [
      .defineExercise(exercise), .editExercise(id: exercise.id, name: nil, equipment: nil),
      .deleteExercise(id: exercise.id), .defineRoutine(id: routine, title: "a", entries: []),
      .editRoutine(id: routine, title: nil, entries: nil), .deleteRoutine(id: routine),
      .startSession(id: session, plan: .routine(routine)),
      .completeSet(session: session, set: set),
      .editSet(session: session, set: set.id, reps: nil, weight: nil),
      .uncompleteSet(session: session, set: set.id),
      .adjustSet(session: session, position: 0, reps: 1, weight: nil),
      .selectExercise(session: session, position: 0), .restSession(session: session, seconds: 1),
      .controlSession(session: session, control: .pause),
      .addSessionExercise(session: session, exercise: exercise.id),
      .dismissSummary(session: session),
      .recordSamples(session: session, block: SampleBlock(number: 0)),
      .takeOverSession(session: session),
    ]
  }()

  static let weighed: [Action] = [
    .logWeight(
      LoggedWeight(
        id: WeightID(high: 6, low: 1), weight: Weight(digits: 805, scale: 1, unit: .kilograms)!,
        moment: .day(CivilDay(number: 0))))
  ]

  static let actions: [(action: Action, demand: Demand)] = {
    let (workout, schedule) = (WorkoutID(high: 2, low: 1), ScheduleID(high: 3, low: 1))
    let (match, entry) = (MatchID(high: 4, low: 1), EntryID(high: 5, low: 1))
    let changes: [Action] =
      [
        .defineWorkout(id: workout, title: "Row", exercises: []),
        .editWorkout(id: workout, title: nil, exercises: nil), .deleteWorkout(id: workout),
        .scheduleWorkout(id: schedule, workout: .id(workout), at: Instant(milliseconds: 1)),
        .unscheduleWorkout(id: schedule),
        .markWorkout(log: LogID(high: 1, low: 3), workout: .id(workout)),
        .unmarkWorkout(workout: .id(workout)), .setTheme(mode: .day), .setPalette(.ocean),
        .setGoal(name: "steps", value: 1), .setPreferences(PreferenceChange()), .setZone(id: "UTC"),
        .newMatch(id: match, home: "a", away: "b", halfLengthMilliseconds: 1),
        .nameTeam(match: match, team: .home, name: "c"),
        .addPoint(entry: entry, match: match, team: .home, insist: false),
        .undoPoint(match: match, entry: entry), .controlClock(match: match, control: .start),
        .takeOverMatch(match: match), .setKeymap(bindings: []), logged(from: nil),
        .scheduleWeekly(
          id: schedule, workout: .id(workout), weekdays: .all, timeOfDay: 0,
          firstDay: CivilDay(number: 0)),
        .editSchedule(id: schedule, ScheduleChange()), .deleteWeight(id: WeightID(high: 6, low: 1)),
        .editLog(log: LogID(high: 1, low: 3), LogChange()), .deleteLog(log: LogID(high: 1, low: 3)),
        .grantFreeze(id: FreezeID(high: 7, low: 1)),
        .pauseStreak(id: PauseID(high: 8, low: 1), from: CivilDay(number: 0)),
        .resumeStreak(from: nil), .attachPhoto(log: LogID(high: 1, low: 3), photo),
        .removePhoto(log: LogID(high: 1, low: 3)),
      ] + strength + weighed
    let lineUps: [Action] = [
      .setSquad(match: match, team: .home, players: []),
      .substitute(
        id: SubstitutionID(high: 6, low: 1), match: match, team: .home,
        off: PlayerID(high: 7, low: 1), on: PlayerID(high: 7, low: 2)),
      .undoSubstitution(match: match, id: SubstitutionID(high: 6, low: 1)),
    ]
    return changes.map { ($0, .change) } + lineUps.map { ($0, .lineUp) }
      + [(.press(button: 1, gesture: .hold), .press), (logged(from: "Ring"), .logFromSource)]
  }()

  @Test(arguments: DeviceKind.allCases)
  func `each kind may what the table says and nothing else`(kind: DeviceKind) {
    #expect(Self.table.map(\.demand) == Demand.allCases)
    for (demand, kinds) in Self.table {
      #expect(kind.may(demand) == kinds.contains(kind), "\(demand)")
    }
    for (message, demand) in Self.messages { #expect(message.demand == demand) }
    for (action, demand) in Self.actions { #expect(action.demand == demand, "\(action)") }
  }

  @Test func `a code has eight digits, and does not print itself`() {
    #expect(PairingCode(typed: "1234 5678") == PairingCode(number: 12_345_678))
    #expect(PairingCode(typed: "12-34-56-78")?.text == "12345678")
    for text in ["", "1234567", "123456789", "1234567a", "１２３４５６７８", "+1234567"] {
      #expect(PairingCode(typed: text) == nil, "\(text)")
    }
    #expect(PairingCode(number: 7).text == "00000007")
    #expect(PairingCode(number: 100_000_007).text == "00000007")
    let code = PairingCode(number: 12_345_678)
    var dumped = "\(code) \(String(reflecting: code)) \(Optional(code) as Any)"
    dump(Hello(token: [], code: code).code, to: &dumped)
    #expect(!dumped.contains("12345678") && !dumped.contains("49"), "\(dumped)")
  }
}
