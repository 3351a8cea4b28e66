import Authority
import AuthorityServer
import Foundation
import TestSupport
import Testing
import WatchTransfer
import WireFormat

@Suite(.timeLimit(.minutes(1))) struct RightsTests {
  /// One action of every sort.
  static let actions: [Action] = {
    var imported = LoggedWorkout(
      log: LogID(high: 1, low: 1), activityType: "running", start: Scene.noon, end: Scene.noon)
    imported.sourceName = "Watch"
    let typed = LoggedWorkout(
      log: LogID(high: 1, low: 2), activityType: "running", start: Scene.noon, end: Scene.noon)
    let (workout, schedule) = (WorkoutID(high: 2, low: 1), ScheduleID(high: 3, low: 1))
    let (match, entry) = (MatchID(high: 4, low: 1), EntryID(high: 5, low: 1))
    let other = WorkoutID(high: 2, low: 2)
    let today = CivilDay(localMilliseconds: Scene.noon.milliseconds)
    return [
      .defineWorkout(id: other, title: "Legs", exercises: []),
      .defineWorkout(id: workout, title: "Row", exercises: ["pull"]),
      .editWorkout(id: workout, title: "Rowing", exercises: nil),
      .scheduleWorkout(id: schedule, workout: .id(workout), at: Scene.noon),
      .unscheduleWorkout(id: schedule),
      .markWorkout(log: LogID(high: 1, low: 3), workout: .id(workout)),
      .unmarkWorkout(workout: .id(workout)), .deleteWorkout(id: workout), .logWorkout(imported),
      .logWorkout(typed), .setTheme(mode: .day), .setPalette(.ocean),
      .setGoal(name: "steps", value: 1),
      .setPreferences(PreferenceChange()), .setZone(id: "Europe/Paris"),
      .newMatch(id: match, home: "a", away: "b", halfLengthMilliseconds: 2_700_000),
      .nameTeam(match: match, team: .home, name: "c"),
      .addPoint(entry: entry, match: match, team: .home, insist: false),
      .undoPoint(match: match, entry: entry), .controlClock(match: match, control: .start),
      .takeOverMatch(match: match),
      .setSquad(
        match: match, team: .home,
        players: [SquadPlayer(id: PlayerID(high: 7, low: 1), name: "Ada", starts: true)]),
      .substitute(
        id: SubstitutionID(high: 6, low: 1), match: match, team: .home,
        off: PlayerID(high: 7, low: 1), on: PlayerID(high: 7, low: 2)),
      .undoSubstitution(match: match, id: SubstitutionID(high: 6, low: 1)),
      .setKeymap(bindings: [KeyBinding(button: 1, gesture: .press, command: .clock(.pause))]),
      .press(button: 1, gesture: .press),
      .scheduleWeekly(
        id: ScheduleID(high: 3, low: 2), workout: .id(other), weekdays: .all, timeOfDay: 0,
        firstDay: today),
      .editSchedule(id: ScheduleID(high: 3, low: 2), ScheduleChange()),
      .logWeight(
        LoggedWeight(
          id: WeightID(high: 26, low: 1), weight: Weight("80.5", unit: .kilograms)!,
          moment: .day(today))),
      .deleteWeight(id: WeightID(high: 26, low: 1)),
      .editLog(log: LogID(high: 1, low: 2), LogChange()), .deleteLog(log: LogID(high: 1, low: 2)),
      .grantFreeze(id: FreezeID(high: 27, low: 1)),
      .pauseStreak(id: PauseID(high: 28, low: 1), from: today), .resumeStreak(from: nil),
    ] + strength
  }()

  /// A session from its routine to its summary, and what is deleted afterwards.
  private static let strength: [Action] = {
    let exercise = Exercise(id: ExerciseID(high: 16, low: 1), name: "Row", equipment: .cable)
    let (routine, session) = (RoutineID(high: 17, low: 1), SessionID(high: 18, low: 1))
    let set = PerformedSet(id: SetID(high: 19, low: 1), position: 0, reps: 5)
    let entry = RoutineEntry(exercise: exercise.id, sets: [TargetSet(reps: 5)])
    let heart = SamplePoint(at: Scene.noon, value: 120)
    return [
      .defineExercise(exercise), .editExercise(id: exercise.id, name: "Cable row", equipment: nil),
      .defineRoutine(id: routine, title: "a", entries: [entry]),
      .editRoutine(id: routine, title: "b", entries: nil),
      .startSession(id: session, plan: .routine(routine)),
      .takeOverSession(session: session), .completeSet(session: session, set: set),
      .editSet(session: session, set: set.id, reps: 6, weight: nil),
      .uncompleteSet(session: session, set: set.id),
      .adjustSet(session: session, position: 0, reps: 1, weight: nil),
      .addSessionExercise(session: session, exercise: exercise.id),
      .selectExercise(session: session, position: 1), .restSession(session: session, seconds: 60),
      .recordSamples(session: session, block: SampleBlock(number: 0, heartRate: [heart])),
      .controlSession(session: session, control: .finish), .dismissSummary(session: session),
      .deleteRoutine(id: routine), .deleteExercise(id: exercise.id),
    ]
  }()

  /// Whether a kind may, as DESIGN section 6 says it; written down a second time on purpose.
  static func isAllowed(_ action: Action, _ kind: DeviceKind) -> Bool {
    switch (kind, action) {
    case (.phone, _): true
    case (.watch, .setSquad), (.watch, .substitute), (.watch, .undoSubstitution): false
    case (.watch, _): true
    case (.health, .logWorkout(let log)): log.sourceName != nil
    case (.controller, .press): true
    default: false
    }
  }

  @Test(arguments: [DeviceKind.phone, .watch, .health, .controller])
  func `a kind that acts may do what its rights say, and nothing else`(kind: DeviceKind)
    async throws
  {
    let fixture = try await Scene.server()
    let device = try await fixture.device(kind)
    try device.connect()
    for action in Self.actions {
      let allowed = Self.isAllowed(action, kind)
      let outcome = try device.perform(action).outcome
      #expect((outcome == .refused(.forbidden)) == !allowed, "\(action): \(outcome)")
      // Nobody has set a keymap where only a controller is.
      let word = kind == .controller ? "refused" : "applied"
      if allowed { #expect(outcome.word == word, "\(action): \(outcome)") }
    }
    await fixture.stop()
  }

  @Test(arguments: [DeviceKind.widget, .activity])
  func `a kind without actions that sends one is shown the door`(kind: DeviceKind) async throws {
    let fixture = try await Scene.server()
    let device = try await fixture.device(kind)
    try device.connect()
    try device.offer(Scene.goal(1))
    let goodbye = try device.goodbye()
    #expect(goodbye.reason == .forbidden)
    #expect(!goodbye.comeBack)
    #expect(device.client?.isClosedByPeer() == true)
    #expect(try await fixture.status().entries == 1, "nothing but the account's making")
    await fixture.stop()
  }

  @Test(arguments: DeviceKind.allCases)
  func `only kinds that show widgets may fetch`(kind: DeviceKind) async throws {
    let fixture = try await Scene.server()
    let device = try await fixture.device(kind)
    try device.connect()
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    try device.send(.fetch(Fetch(view: view)))
    let mayFetch = kind != .health && kind != .controller
    let answer = try device.wait { message -> Bool? in
      switch message {
      case .snapshot(let snapshot): snapshot.view == view
      case .goodbye(let goodbye): goodbye.reason != .forbidden
      default: nil
      }
    }
    #expect(answer == mayFetch)
    await fixture.stop()
  }

  /// What a client may say after its Welcome, by the answer that shows that it was taken.
  static let messages: [(name: String, message: ClientMessage, demand: Demand)] = [
    ("ping", .ping(Ping(nonce: 7)), .converse), ("pong", .pong(Pong(nonce: 7)), .converse),
    ("resume", .resume(nil), .resume),
    (
      "fetch", .fetch(Fetch(view: WidgetView(kind: .streak, family: .small, appearance: .day))),
      .fetch
    ),
    (
      "chunk",
      .chunk(
        Chunk(
          hash: AttachmentHash(bytes: Array(repeating: 1, count: 32))!, totalBytes: 1, offset: 0)),
      .upload
    ),
    (
      "act",
      .act(Act(incarnation: IncarnationID(high: 9, low: 9), number: 1, confirmed: 0, body: [0])),
      .offer
    ),
    ("pulse", .pulse(Scene.pulse(of: SessionID(high: 9, low: 8), 120)), .pulse),
    ("goodbye", .goodbye(Goodbye(.shuttingDown)), .converse),
  ]

  @Test(arguments: DeviceKind.allCases)
  func `every message of every kind goes through the one function`(kind: DeviceKind) async throws {
    let fixture = try await Scene.server()
    let device = try await fixture.device(kind)
    for (name, message, demand) in Self.messages {
      try device.connect()
      let before = try await fixture.status().closed["forbidden"] ?? 0
      try device.send(message)
      if message == .goodbye(Goodbye(.shuttingDown)) {
        #expect(device.client?.isClosedByPeer() == true)
      } else if kind.may(demand) {
        // What comes behind it is answered.
        try device.sync()
      } else {
        #expect(try device.goodbye().reason == .forbidden, "\(name)")
      }
      let after = try await fixture.status().closed["forbidden"] ?? 0
      #expect(after - before == (kind.may(demand) ? 0 : 1), "\(name)")
      device.disconnect()
      try await fixture.connectionsEnded()
    }
    // What a Hello claims of an outbox reaches no ledger that the kind has no right to.
    device.greeted = [
      IncarnationState(
        incarnation: IncarnationID(high: 8, low: 8), confirmed: 3, oldest: 4, next: 5)
    ]
    try device.connect()
    try device.sync()
    #expect(try await fixture.status().missing == (kind.may(.offer) ? 1 : 0))
    await fixture.stop()
  }

  @Test func `an import has the rights of a health source, and no more`() async throws {
    let fixture = try await Scene.server()
    let encoder = MessageEncoder()
    let bodies = Self.actions.map {
      Data(encoder.encode(ActionBody(occurred: DeviceClock(wall: Scene.noon), action: $0)))
    }
    let answer = await fixture.server?.admin.perform(
      .importWorkouts(account: "anna", bodies: bodies))
    guard case .imported(let logged, let known, let refused)? = answer else {
      Issue.record("\(answer as Any)")
      return
    }
    #expect(logged == 1 && known == 0)
    #expect(refused == Array(repeating: "forbidden", count: Self.actions.count - 1))
    await fixture.stop()
  }

  @Test func `one account never sees another`() async throws {
    let fixture = try await Scene.server()
    try await fixture.addAccount("ben")
    let anna = try await fixture.device(.phone)
    let ben = try await fixture.device(.phone, account: "ben")
    try anna.connect()
    try ben.connect()
    let match = MatchID.random()
    try anna.perform(Scene.match(match))
    try anna.perform(Scene.goal(1))
    // The same ids are other things there.
    #expect(
      try ben.perform(.nameTeam(match: match, team: .home, name: "x")).outcome
        == .refused(.notFound))
    #expect(try ben.perform(Scene.match(match)).outcome.word == "applied")
    try ben.sync()
    #expect(try ben.shownGoal == nil)
    #expect(ben.shownPresence?.contains { $0.device == anna.welcome?.device } != true)
    await fixture.stop()
  }
}
