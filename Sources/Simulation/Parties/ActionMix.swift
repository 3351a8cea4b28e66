internal import WatchTransfer

/// Random actions over few ids and titles, so that those of several devices meet.
struct ActionMix {
  let world: World
  /// Ids of this account's things.
  private let salt: UInt64

  private static let titles = ["Legs", "Morning run", "Row", "Caf\u{E9}", "Cafe\u{301}"]
  /// Texts that no action may carry.
  private static let refused = [
    "", "a\u{0}b", "\u{202E}right to left", String(repeating: "long ", count: 200),
  ]
  private static let zones = ["Europe/Berlin", "Asia/Tokyo", "America/New_York", "Pacific/Apia"]

  /// One of few zones, far from each other.
  static func zone(_ world: World) -> String { zones[Int(world.pick(0...3))] }

  init(_ world: World) {
    self.world = world
    salt = world.random.next() | 1
  }

  /// What somebody does with a device of a kind when the clock shows `now`; now and then what the
  /// kind may not.
  func next(at now: Instant, on kind: DeviceKind) -> Action {
    kind == .controller && !world.chance(oneIn: 4) ? press() : next(at: now)
  }

  private func press() -> Action {
    .press(button: UInt8(world.pick(0...2)), gesture: world.chance(oneIn: 3) ? .double : .press)
  }

  private func next(at now: Instant) -> Action {
    switch world.pick(0...63) {
    case 32: .setPalette(PaletteName.allCases.randomElement(using: &world.random) ?? .classic)
    case 33...48: session(now)
    case 49...58: consistency(at: now)
    case 59, 60:
      .attachPhoto(
        log: log(),
        SimulatedPhotos.all[Int(world.pick(0...Int64(SimulatedPhotos.all.count - 1)))].hash)
    case 61...63: .removePhoto(log: log())
    case 0: .defineWorkout(id: id(4), title: title(), exercises: flip() ? ["Squat"] : [])
    case 1: .editWorkout(id: id(4), title: flip() ? title() : nil, exercises: flip() ? [] : nil)
    case 2: world.chance(oneIn: 4) ? .deleteWorkout(id: id(4)) : .unscheduleWorkout(id: id(5))
    case 3: .scheduleWorkout(id: id(5), workout: .title(title()), at: near(now))
    case 4, 5: .markWorkout(log: flip() ? fresh() : id(4), workout: .title(title()))
    case 6: .unmarkWorkout(workout: .title(title()))
    case 7: .logWorkout(logged(now))
    case 8: .setTheme(mode: ThemeMode.allCases.randomElement(using: &world.random) ?? .auto)
    case 9: .setGoal(name: flip() ? "minutes-per-week" : title(), value: goal())
    case 10: .setPreferences(preferences())
    case 11: .setZone(id: Self.zone(world))
    case 12:
      .newMatch(
        id: id(3), home: title(), away: "B", halfLengthMilliseconds: 600_000,
        extraHalfMilliseconds: flip() ? 60_000 : nil)
    case 13: .nameTeam(match: id(3), team: team(), name: title())
    case 14...18:
      .addPoint(entry: flip() ? fresh() : id(4), match: id(3), team: team(), insist: flip())
    case 19: .undoPoint(match: id(3), entry: id(4))
    case 20: .takeOverMatch(match: id(3))
    case 21, 22: .setSquad(match: id(3), team: team(), players: squad())
    case 23, 24: .substitute(id: id(5), match: id(3), team: team(), off: player(), on: player())
    case 25: .undoSubstitution(match: id(3), id: id(5))
    case 26: .setKeymap(bindings: keymap())
    case 27: press()
    default:
      .controlClock(
        match: id(3),
        control: ClockControl.allCases.randomElement(using: &world.random) ?? .start)
    }
  }

  /// What somebody does with exercises, routines and sessions; mostly within few sessions, so that
  /// several devices meet there.
  private func session(_ now: Instant) -> Action {
    switch world.pick(0...27) {
    case 0: return .defineExercise(Exercise(id: id(4), name: title(), equipment: .barbell))
    case 1: return .editExercise(id: id(4), name: flip() ? title() : nil, equipment: .band)
    case 2:
      return world.chance(oneIn: 3) ? .deleteExercise(id: id(4)) : .deleteRoutine(id: id(3))
    case 3: return .defineRoutine(id: id(3), title: title(), entries: entries())
    case 4:
      return .editRoutine(
        id: id(3), title: flip() ? title() : nil, entries: flip() ? entries() : nil)
    case 5...7:
      return .startSession(
        id: id(4), plan: flip() ? .routine(id(3)) : .activity(title()))
    case 8...12:
      return .completeSet(
        session: id(4),
        set: PerformedSet(
          id: flip() ? fresh() : id(4), position: place(), reps: Int(world.pick(0...12)),
          weight: weight(), isWarmUp: world.chance(oneIn: 5)))
    case 13, 27:
      return .editSet(
        session: id(4), set: id(4), reps: flip() ? Int(world.pick(0...12)) : nil,
        weight: weight())
    case 14, 26: return .uncompleteSet(session: id(4), set: id(4))
    case 15: return .adjustSet(session: id(4), position: place(), reps: 5, weight: weight())
    case 16: return .selectExercise(session: id(4), position: place())
    case 17: return .restSession(session: id(4), seconds: flip() ? 90 : nil)
    case 18: return .addSessionExercise(session: id(4), exercise: exercise())
    case 19: return .dismissSummary(session: id(4))
    case 20: return .recordSamples(session: id(4), block: block(now))
    case 21: return .takeOverSession(session: id(4))
    default:
      let controls: [SessionControl] = [.pause, .resume, .finish, .finish]
      return .controlSession(
        session: id(4),
        control: world.chance(oneIn: 12) ? .discard : controls[Int(world.pick(0...3))])
    }
  }

  /// One of few, or of the library's own.
  func exercise() -> ExerciseID {
    flip() ? id(4) : ExerciseLibrary.starter[Int(world.pick(0...5))].id
  }

  private func entries() -> [RoutineEntry] {
    (0..<world.pick(0...3)).map { _ in
      RoutineEntry(
        exercise: exercise(),
        sets: [TargetSet(reps: Int(world.pick(0...5)), weight: weight(), restSeconds: 60)])
    }
  }

  private func place() -> Int { Int(world.pick(0...3)) }

  private func weight() -> Weight? {
    flip() ? nil : Weight(digits: world.pick(-300...2_000), scale: 1, unit: .kilograms)
  }

  private func block(_ now: Instant) -> SampleBlock {
    let points = (0..<world.pick(0...4)).map { second in
      SamplePoint(
        at: now.advanced(milliseconds: -1_000 * second), value: Double(world.pick(0...180)))
    }
    return SampleBlock(number: UInt32(world.pick(0...9)), heartRate: points, energy: points)
  }

  private func player() -> PlayerID { id(7) }

  private func squad() -> [SquadPlayer] {
    (0..<world.pick(0...3)).map { _ in
      SquadPlayer(
        id: player(), name: title(), number: flip() ? Int(world.pick(0...99)) : nil,
        starts: flip())
    }
  }

  private func keymap() -> [KeyBinding] {
    [
      KeyBinding(button: 0, gesture: .press, command: .point(team())),
      KeyBinding(button: 1, gesture: .press, command: flip() ? .undoPoint : .clock(.start)),
      KeyBinding(button: 2, gesture: .double, command: .markWorkout(title: title())),
    ]
  }

  /// One of two.
  func flip() -> Bool { world.chance(oneIn: 2) }

  private func team() -> Team { flip() ? .home : .away }

  /// One of few titles.
  func title() -> String {
    world.chance(oneIn: 40)
      ? Self.refused[Int(world.pick(0...3))] : Self.titles[Int(world.pick(0...4))]
  }

  /// One of few ids; now and then one that a thing of another kind may have.
  func id<Tag>(_ count: Int64) -> Identifier<Tag> {
    let room = world.chance(oneIn: 30) ? 0 : Self.rooms[ObjectIdentifier(Tag.self)] ?? 0
    return Identifier(high: salt, low: room + UInt64(world.pick(1...count)))
  }

  /// Where the ids of each kind of thing lie; only looked up.
  private static let rooms: [ObjectIdentifier: UInt64] = {
    let kinds: [Any.Type] = [
      WorkoutTag.self, ScheduleTag.self, LogTag.self, MatchTag.self, EntryTag.self,
      ExerciseTag.self, RoutineTag.self, SessionTag.self, SetTag.self, PlayerTag.self,
      SubstitutionTag.self, WeightTag.self, FreezeTag.self, PauseTag.self,
    ]
    return Dictionary(
      uniqueKeysWithValues: kinds.enumerated().map {
        (ObjectIdentifier($1), UInt64($0 + 1) * 100)
      })
  }()

  /// A log: a session's now and then.
  func log() -> LogID {
    guard world.chance(oneIn: 4) else { return id(4) }
    let session: SessionID = id(4)
    return session.retagged()
  }

  /// What somebody has there before anything else happens.
  func opening() -> [Action] {
    [
      .defineWorkout(id: id(1), title: Self.titles[0], exercises: ["Squat"]),
      .defineWorkout(id: id(4), title: Self.titles[1], exercises: []),
      .defineExercise(Exercise(id: id(4), name: Self.titles[2], equipment: .barbell)),
      .defineRoutine(id: id(1), title: title(), entries: entries()),
      .startSession(id: id(1), plan: flip() ? .routine(id(1)) : .activity(title())),
      .newMatch(
        id: id(1), home: "A", away: "B", halfLengthMilliseconds: 600_000,
        extraHalfMilliseconds: nil),
      .setKeymap(bindings: keymap()),
    ]
  }

  private func fresh<Tag>() -> Identifier<Tag> {
    Identifier(high: world.random.next() | 1, low: world.random.next())
  }

  /// A moment of these days.
  func near(_ now: Instant) -> Instant {
    now.advanced(milliseconds: world.pick(-86_400_000...3 * 86_400_000))
  }

  private func goal() -> Double? {
    switch world.pick(0...39) {
    case 0: .nan
    case 1: -.infinity
    case 2: -1e300
    case 3..<10: nil
    default: Double(world.pick(0...9))
    }
  }

  private func logged(_ now: Instant) -> LoggedWorkout {
    let end = now.advanced(milliseconds: -world.pick(0...2 * 86_400_000))
    var log = LoggedWorkout(
      log: flip() ? fresh() : id(4), activityType: flip() ? "running" : "rowing",
      start: end.advanced(milliseconds: -world.pick(0...5_400_000)), end: end)
    if flip() { log.energyKilocalories = Double(world.pick(0...900)) }
    if flip() { log.averageHeartRate = Double(world.pick(60...180)) }
    if world.chance(oneIn: 3) {
      // Another source may say the same again.
      log.sourceName = flip() ? "Watch" : title()
      log.externalUUID = "\(world.pick(0...5))"
    }
    return log
  }

  private func preferences() -> PreferenceChange {
    var change = PreferenceChange()
    if flip() { change.firstWeekday = Int(world.pick(1...7)) }
    if world.chance(oneIn: 3) { change.units = flip() ? .metric : .imperial }
    if world.chance(oneIn: 3) { change.streakPolicy = policy() }
    if flip() { change.onboardingStep = Int(world.pick(0...9)) }
    return change
  }
}
