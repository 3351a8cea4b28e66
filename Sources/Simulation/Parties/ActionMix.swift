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

  /// What somebody does when the clock shows `now`.
  func next(at now: Instant) -> Action {
    switch world.pick(0...61) {
    case 32: .setPalette(PaletteName.allCases.randomElement(using: &world.random) ?? .classic)
    case 33...48: session(now)
    case 49...58: consistency(at: now)
    case 59, 60:
      .attachPhoto(
        log: id(8),
        SimulatedPhotos.all[Int(world.pick(0...Int64(SimulatedPhotos.all.count - 1)))].hash)
    case 61: .removePhoto(log: id(8))
    case 0: .defineWorkout(id: id(6), title: title(), exercises: flip() ? ["Squat"] : [])
    case 1: .editWorkout(id: id(6), title: flip() ? title() : nil, exercises: flip() ? [] : nil)
    case 2: world.chance(oneIn: 4) ? .deleteWorkout(id: id(6)) : .unscheduleWorkout(id: id(8))
    case 3: .scheduleWorkout(id: id(8), workout: .title(title()), at: near(now))
    case 4, 5: .markWorkout(log: flip() ? fresh() : id(8), workout: .title(title()))
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
    case 14...18: .addPoint(entry: fresh(), match: id(3), team: team(), insist: flip())
    case 19: .undoPoint(match: id(3), entry: id(4))
    case 20: .takeOverMatch(match: id(3))
    case 21, 22: .setSquad(match: id(3), team: team(), players: squad())
    case 23, 24: .substitute(id: id(9), match: id(3), team: team(), off: player(), on: player())
    case 25: .undoSubstitution(match: id(3), id: id(9))
    case 26: .setKeymap(bindings: keymap())
    case 27: .press(button: UInt8(world.pick(0...2)), gesture: flip() ? .press : .double)
    default:
      .controlClock(
        match: id(3),
        control: ClockControl.allCases.randomElement(using: &world.random) ?? .start)
    }
  }

  /// What somebody does with exercises, routines and sessions; mostly within few sessions, so that
  /// several devices meet there.
  private func session(_ now: Instant) -> Action {
    switch world.pick(0...25) {
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
          id: flip() ? fresh() : id(9), position: place(), reps: Int(world.pick(0...12)),
          weight: weight(), isWarmUp: world.chance(oneIn: 5)))
    case 13:
      return .editSet(
        session: id(4), set: id(9), reps: flip() ? Int(world.pick(0...12)) : nil,
        weight: weight())
    case 14: return .uncompleteSet(session: id(4), set: id(9))
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

  private func exercise() -> ExerciseID {
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

  /// Players have ids that no other thing of the mix has, but for one.
  private func player() -> PlayerID {
    PlayerID(high: salt, low: UInt64(world.pick(world.chance(oneIn: 20) ? 1...1 : 20...26)))
  }

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

  /// One of few ids.
  func id<Tag>(_ count: Int64) -> Identifier<Tag> {
    Identifier(high: salt, low: UInt64(world.pick(1...count)))
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
    return LoggedWorkout(
      log: fresh(), activityType: flip() ? "running" : "rowing",
      start: end.advanced(milliseconds: -world.pick(0...5_400_000)), end: end)
  }

  private func preferences() -> PreferenceChange {
    var change = PreferenceChange()
    if flip() { change.firstWeekday = Int(world.pick(1...7)) }
    if flip() { change.onboardingStep = Int(world.pick(0...9)) }
    return change
  }
}
