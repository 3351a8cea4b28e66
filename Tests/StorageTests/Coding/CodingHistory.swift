import Authority
import WatchTransfer

/// A seeded history of an account: actions of every kind over few ids, offers after a restore and
/// turns among them, so that every part of the state gets filled.
struct CodingHistory {
  var state = AccountState()
  var journal: [[Event]] = []
  private var now = Instant(milliseconds: 1_780_000_000_000)
  /// How many kinds of actions are done; the first 18 are those of the first release.
  var kinds: UInt64 = 58
  private var random: UInt64

  init(seed: UInt64) {
    random = seed
    commit(creationEvents(zone: Zones.rules("A"), at: now))
  }

  /// Decides `count` actions.
  mutating func run(_ count: Int) {
    for _ in 0..<count {
      now = now.advanced(milliseconds: Int64(number(below: 7_200_000)))
      if turnIsDue(state, now: now, zoneDataVersion: "1") {
        commit(turnEvents(state, now: now, zones: Zones()))
      }
      let at = now.advanced(milliseconds: -Int64(number(below: 400_000)))
      let isWatch = number(below: 2) == 0
      let context = ActionContext(
        now: now,
        device: ActingDevice(
          id: .sample(isWatch ? 900 : 901), name: isWatch ? "Watch" : "Phone",
          kind: isWatch ? .watch : .phone),
        act: IncarnationNumber(incarnation: .sample(700), number: number(below: 1_000) + 1),
        occurred: CorrectedTime(
          instant: at, raw: at.advanced(milliseconds: 5), isFlagged: number(below: 2) == 0),
        zone: number(below: 2) == 0 ? ZoneStamp(id: "B", offsetSeconds: 7_200) : nil,
        expiresAt: nil, isReoffered: number(below: 4) == 0, zones: Zones())
      if number(below: 4) == 0, let told = reload() { commit([told]) }
      let decision = decide(state, action(), context)
      if decision.outcome == .applied { commit(decision.events) }
    }
  }

  /// A widget is told to fetch.
  private mutating func reload() -> Event? {
    state.reload(
      of: .sample(950 + number(below: 3)), at: now, isBigMoment: number(below: 2) == 0, perDay: 5)
  }

  /// Takes out what the first release could not store.
  mutating func forgetWhatCameLater() {
    state.reloads = ReloadBook()
    var schedules = ScheduleBook()
    for var schedule in state.schedules.all {
      schedule.day = nil
      schedule.plannedStamp = nil
      schedule.atStamp = nil
      schedules.insert(schedule)
    }
    state.schedules = schedules
    var logs = LogBook()
    for var log in state.logs.days.flatMap(\.logs) {
      log.notes = ""
      log.tags = []
      log.edits = []
      logs.insert(log)
    }
    state.logs = logs
    state.weeklies = WeeklyBook()
    state.weights = WeightBook()
    state.streaks = StreakBook()
    state.waiting = []
    state.attachments = AttachmentBook()
    state.settings.streakPolicy.value = .daily
  }

  private mutating func commit(_ events: [Event]) {
    journal.append(events)
    state.apply(events, revision: state.revision + 1)
  }

  /// Xorshift (Marsaglia 2003).
  private mutating func number(below bound: UInt64) -> UInt64 {
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    return random % bound
  }

  private mutating func id<Tag>() -> Identifier<Tag> { .sample(number(below: 200)) }

  private mutating func title() -> String { ["Legs", "Arms", "Run é"][Int(number(below: 3))] }

  private mutating func reference() -> WorkoutReference {
    number(below: 2) == 0 ? .id(id()) : .title(title())
  }

  private mutating func action() -> Action {
    switch number(below: kinds) {
    case 27: .nameTeam(match: id(), team: .home, name: title())
    case 26: .setPalette(.forest)
    case 28..<42: strength()
    case 42..<54: consistency()
    case 54, 55:
      .attachPhoto(
        log: id(), AttachmentHash(bytes: Array(repeating: UInt8(number(below: 3)) + 1, count: 32))!)
    case 56: .removePhoto(log: id())
    case 57: .editLog(log: id(), LogChange())
    case 0: .defineWorkout(id: id(), title: title(), exercises: ["Squat", title()])
    case 1: .editWorkout(id: id(), title: title(), exercises: number(below: 2) == 0 ? [] : nil)
    case 2: .deleteWorkout(id: id())
    case 3, 4:
      .scheduleWorkout(
        id: id(), workout: reference(),
        at: now.advanced(milliseconds: Int64(number(below: 100_000_000))))
    case 5: .unscheduleWorkout(id: id())
    case 6, 7: .markWorkout(log: id(), workout: reference())
    case 8: .unmarkWorkout(workout: reference())
    case 9: .logWorkout(loggedWorkout())
    case 10: .setTheme(mode: .night)
    case 11: .setGoal(name: title(), value: number(below: 2) == 0 ? 3.5 : nil)
    case 12: .setPreferences(preferences())
    case 13: .setZone(id: number(below: 2) == 0 ? "A" : "B")
    case 14:
      .newMatch(
        id: id(), home: title(), away: title(), halfLengthMilliseconds: 2_700_000,
        extraHalfMilliseconds: number(below: 2) == 0 ? 900_000 : nil)
    case 15: .addPoint(entry: id(), match: id(), team: .away, insist: number(below: 2) == 0)
    case 16: .undoPoint(match: id(), entry: id())
    case 18, 19: .setSquad(match: id(), team: .home, players: squad())
    case 20, 21: .substitute(id: id(), match: id(), team: .away, off: id(), on: id())
    case 22: .undoSubstitution(match: id(), id: id())
    case 23: .takeOverMatch(match: id())
    case 24: .setKeymap(bindings: keymap())
    case 25: .press(button: UInt8(number(below: 4)), gesture: .press)
    default:
      .controlClock(
        match: id(), control: ClockControl.allCases[Int(number(below: 5))])
    }
  }

  private mutating func strength() -> Action {
    let session: SessionID = .sample(300 + number(below: 4))
    let set: SetID = .sample(310 + number(below: 12))
    let exercise: ExerciseID =
      number(below: 2) == 0 ? ExerciseLibrary.starter[3].id : .sample(330 + number(below: 3))
    let routine: RoutineID = .sample(340 + number(below: 3))
    let weight = Weight(digits: Int64(number(below: 900)) - 100, scale: 1, unit: .pounds)
    let place = Int(number(below: 3))
    let entry = RoutineEntry(
      exercise: exercise, sets: [TargetSet(reps: 5, weight: weight, restSeconds: 60)])
    switch number(below: 20) {
    case 0:
      return .defineExercise(Exercise(id: exercise, name: title(), equipment: .machine))
    case 1: return .editExercise(id: exercise, name: title(), equipment: nil)
    case 2: return .deleteExercise(id: exercise)
    case 3: return .defineRoutine(id: routine, title: title(), entries: [entry, entry])
    case 4: return .editRoutine(id: routine, title: nil, entries: [entry])
    case 5: return .deleteRoutine(id: routine)
    case 6, 7:
      return .startSession(
        id: session, plan: number(below: 2) == 0 ? .routine(routine) : .activity("rowing"))
    case 8, 9, 10:
      return .completeSet(
        session: session,
        set: PerformedSet(
          id: set, position: place, reps: 5, weight: place == 0 ? nil : weight,
          isWarmUp: number(below: 3) == 0))
    case 11: return .editSet(session: session, set: set, reps: 3, weight: weight)
    case 12: return .uncompleteSet(session: session, set: set)
    case 13: return .adjustSet(session: session, position: place, reps: 8, weight: weight)
    case 14: return .selectExercise(session: session, position: place)
    case 15: return .restSession(session: session, seconds: place == 0 ? nil : 60)
    case 16: return .addSessionExercise(session: session, exercise: exercise)
    case 17:
      let points = [SamplePoint(at: now, value: 120)]
      return .recordSamples(
        session: session,
        block: SampleBlock(number: UInt32(place), heartRate: points, energy: points))
    case 18:
      return number(below: 2) == 0
        ? .takeOverSession(session: session) : .dismissSummary(session: session)
    default:
      return .controlSession(
        session: session, control: SessionControl.allCases[Int(number(below: 4))])
    }
  }

  private mutating func squad() -> [SquadPlayer] {
    [
      SquadPlayer(id: id(), name: title(), number: Int(number(below: 1_000)), starts: true),
      SquadPlayer(id: id(), name: title(), starts: number(below: 2) == 0),
    ]
  }

  private mutating func keymap() -> [KeyBinding] {
    [
      KeyBinding(button: 0, gesture: .press, command: .point(.home)),
      KeyBinding(button: 1, gesture: .press, command: .undoPoint),
      KeyBinding(button: 2, gesture: .press, command: .markWorkout(title: title())),
      KeyBinding(
        button: 3, gesture: .press, command: .clock(ClockControl.allCases[Int(number(below: 5))])),
    ]
  }

  private mutating func loggedWorkout() -> LoggedWorkout {
    var workout = LoggedWorkout(
      log: id(), activityType: "running", start: now.advanced(milliseconds: -3_600_000), end: now)
    if number(below: 2) == 0 { workout.title = title() }
    if number(below: 2) == 0 { workout.energyKilocalories = 250 }
    if number(below: 2) == 0 { workout.sourceName = "Ring" }
    return workout
  }

  private mutating func preferences() -> PreferenceChange {
    var change = PreferenceChange()
    change.firstWeekday = Int(number(below: 7)) + 1
    if number(below: 2) == 0 { change.units = .imperial }
    switch number(below: 4) {
    case 0: change.streakPolicy = .weekly(days: Int(number(below: 7)) + 1)
    case 1: change.streakPolicy = .scheduled
    case 2: change.streakPolicy = .daily
    default: break
    }
    return change
  }

  private mutating func consistency() -> Action {
    switch number(below: 12) {
    case 0, 1:
      return .scheduleWeekly(
        id: id(), workout: reference(), weekdays: Weekdays(bits: UInt8(number(below: 127)) + 1)!,
        timeOfDay: Int64(number(below: 86_400_000)), firstDay: civilDay())
    case 2, 3:
      var change = ScheduleChange()
      if number(below: 2) == 0 { change.workout = reference() }
      switch number(below: 3) {
      case 0: change.at = now.advanced(milliseconds: Int64(number(below: 100_000_000)))
      case 1: change.timeOfDay = Int64(number(below: 86_400_000))
      default: change.weekdays = .all
      }
      return .editSchedule(id: id(), change)
    case 4:
      return .logWeight(
        LoggedWeight(
          id: id(),
          weight: Weight(digits: 801 + Int64(number(below: 9)), scale: 1, unit: .kilograms)!,
          moment: number(below: 2) == 0 ? .day(civilDay()) : .instant(now)))
    case 5: return .deleteWeight(id: id())
    case 6, 7:
      var change = LogChange()
      change.notes = number(below: 2) == 0 ? "Felt é" : ""
      if number(below: 2) == 0 { change.tags = ["hill"] }
      if number(below: 2) == 0 { change.title = title() }
      if number(below: 2) == 0 { change.end = .timeOfDay(Int64(number(below: 86_400_000))) }
      if number(below: 2) == 0 { change.energyKilocalories = .cleared }
      return .editLog(log: id(), change)
    case 8: return .deleteLog(log: id())
    case 9: return .grantFreeze(id: id())
    case 10: return .pauseStreak(id: id(), from: civilDay())
    default: return .resumeStreak(from: number(below: 2) == 0 ? civilDay() : nil)
    }
  }

  private mutating func civilDay() -> CivilDay {
    CivilDay(localMilliseconds: now.milliseconds).advanced(days: Int32(number(below: 9)) - 4)
  }

  /// Two zones, one with a change of offset, one with a day left out.
  private struct Zones: ZoneRulesSource {
    let version = "1"

    func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules? {
      Self.rules(id)
    }

    static func rules(_ id: String) -> ZoneRules {
      ZoneRules(
        id: id, initialOffsetSeconds: id.utf8.first == 65 ? 3_600 : -36_000,
        transitions: [
          .init(
            at: Instant(milliseconds: 1_780_300_000_000),
            offsetSeconds: id.utf8.first == 65 ? 7_200 : 50_400)
        ])
    }
  }
}
