import Authority
import WatchTransfer

/// A small seeded generator (SplitMix64, https://prng.di.unimi.it/splitmix64.c).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Random actions over few ids and titles, so that they meet each other.
struct ActionGenerator {
  var random: SeededGenerator
  /// Values beyond what `WireFormat` would let through, too.
  var isAdversarial = false

  private static let titles = ["Legs", "Arms", "Morning run", "Caf\u{E9}", "Cafe\u{301}", "R"]

  mutating func id<Tag>() -> Identifier<Tag> { .test(UInt64.random(in: 0..<150, using: &random)) }

  mutating func title() -> String {
    if isAdversarial, chance(8) {
      return ["", String(repeating: "x", count: 129), "\u{0}", "\u{202E}"].randomElement(
        using: &random)!
    }
    return Self.titles.randomElement(using: &random)!
  }

  mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

  mutating func moment(around now: Instant) -> Instant {
    if isAdversarial, chance(6) {
      let extremes: [Int64] = [.min, .max, 0, -1, 253_402_300_799_999, -62_135_596_800_000]
      return Instant(milliseconds: extremes.randomElement(using: &random)!)
    }
    return now.advanced(milliseconds: .random(in: -3 * 86_400_000...86_400_000, using: &random))
  }

  mutating func figure() -> Double? {
    if chance(3) { return nil }
    if isAdversarial, chance(3) {
      return [Double.nan, .infinity, -1, -0.0, 1e300, .leastNonzeroMagnitude]
        .randomElement(using: &random)!
    }
    return Double(Int.random(in: 0...3, using: &random))
  }

  mutating func reference() -> WorkoutReference {
    chance(2) ? .id(id()) : .title(title())
  }

  mutating func loggedWorkout(around now: Instant) -> LoggedWorkout {
    let end = moment(around: now)
    var workout = LoggedWorkout(
      log: id(), activityType: title(),
      start: isAdversarial && chance(4)
        ? moment(around: now)
        : end.advanced(milliseconds: -.random(in: 0...9_000_000, using: &random)),
      end: end)
    if chance(2) { workout.title = title() }
    if chance(2) { workout.zoneID = zone() }
    if chance(2) { workout.activeMilliseconds = isAdversarial ? .min : 0 }
    workout.energyKilocalories = figure()
    workout.distanceMeters = figure()
    workout.averageHeartRate = figure()
    if chance(2) { workout.sourceName = "Ring" }
    if chance(2) { workout.externalUUID = "A-B" }
    return workout
  }

  mutating func zone() -> String {
    if isAdversarial, chance(3) {
      return ["", "Mars/Phobos", "UTC"].randomElement(using: &random)!
    }
    return TestZones.table.randomElement(using: &random)!.id
  }

  mutating func preferences() -> PreferenceChange {
    var change = PreferenceChange()
    if chance(2) { change.units = Units.allCases.randomElement(using: &random) }
    if chance(2) {
      change.firstWeekday = isAdversarial ? .min : Int.random(in: 1...7, using: &random)
    }
    if chance(2) { change.onboardingStep = isAdversarial ? .max : 3 }
    if chance(2) {
      change.streakPolicy =
        [
          .daily, .scheduled,
          .weekly(days: isAdversarial ? .max : 1 + Int.random(in: 0..<7, using: &random)),
        ]
        .randomElement(using: &random)!
    }
    return change
  }

  mutating func team() -> Team { chance(2) ? .home : .away }

  mutating func squad() -> [SquadPlayer] {
    (0..<Int.random(in: 0...(isAdversarial ? 30 : 4), using: &random)).map { _ in
      SquadPlayer(
        id: id(), name: title(), number: chance(2) ? (isAdversarial ? .min : 7) : nil,
        starts: chance(2))
    }
  }

  mutating func keymap() -> [KeyBinding] {
    let commands: [KeyCommand] =
      [.point(.home), .point(.away), .undoPoint, .markWorkout(title: title())]
      + ClockControl.allCases.map { .clock($0) }
    return (0..<Int.random(in: 0...(isAdversarial ? 40 : 4), using: &random)).map { index in
      KeyBinding(
        button: UInt8(truncatingIfNeeded: index), gesture: chance(4) ? .hold : .press,
        command: commands.randomElement(using: &random)!)
    }
  }

  /// One of few hashes; no generated history uploads bytes, so most are missing.
  mutating func photo() -> AttachmentHash {
    AttachmentHash(bytes: Array(repeating: UInt8.random(in: 1...3, using: &random), count: 32))!
  }

  mutating func action(around now: Instant) -> Action {
    switch Int.random(in: 0..<60, using: &random) {
    case 31: .setPalette(PaletteName.allCases.randomElement(using: &random)!)
    case 32..<46: strengthAction(around: now)
    case 46..<57: consistency(around: now)
    case 57, 58: .attachPhoto(log: id(), photo())
    case 59: .removePhoto(log: id())
    case 0: .defineWorkout(id: id(), title: title(), exercises: chance(2) ? ["Squat"] : [])
    case 1:
      .editWorkout(id: id(), title: chance(2) ? title() : nil, exercises: chance(2) ? [] : nil)
    case 2: .deleteWorkout(id: id())
    case 3, 4: .scheduleWorkout(id: id(), workout: reference(), at: moment(around: now))
    case 5: .unscheduleWorkout(id: id())
    case 6, 7, 8: .markWorkout(log: id(), workout: reference())
    case 9: .unmarkWorkout(workout: reference())
    case 10, 11: .logWorkout(loggedWorkout(around: now))
    case 12: .setTheme(mode: ThemeMode.allCases.randomElement(using: &random)!)
    case 13: .setGoal(name: chance(2) ? "minutes-per-week" : title(), value: figure())
    case 14: .setPreferences(preferences())
    case 15: .setZone(id: zone())
    case 16:
      .newMatch(
        id: id(), home: title(), away: title(),
        halfLengthMilliseconds: isAdversarial && chance(2) ? .max : 2_700_000,
        extraHalfMilliseconds: chance(2) ? (isAdversarial && chance(2) ? .min : 900_000) : nil)
    case 17: .nameTeam(match: id(), team: chance(2) ? .home : .away, name: title())
    case 18: .addPoint(entry: id(), match: id(), team: chance(2) ? .home : .away, insist: chance(4))
    case 19: .undoPoint(match: id(), entry: id())
    case 20, 21: .setSquad(match: id(), team: team(), players: squad())
    case 22, 23: .substitute(id: id(), match: id(), team: team(), off: id(), on: id())
    case 24: .undoSubstitution(match: id(), id: id())
    case 25: .takeOverMatch(match: id())
    case 26: .setKeymap(bindings: keymap())
    case 27, 28:
      .press(
        button: UInt8.random(in: 0...2, using: &random),
        gesture: Gesture.allCases.randomElement(using: &random)!)
    default:
      .controlClock(match: id(), control: ClockControl.allCases.randomElement(using: &random)!)
    }
  }

  mutating func context(now: Instant) -> ActionContext {
    let device = [
      Devices.phone, Devices.watch, Devices.phone, Devices.watch, Devices.health,
      ActingDevice(id: .test(9), name: title(), kind: .widget), Devices.controller,
    ].randomElement(using: &random)!
    let occurred = min(moment(around: now), now)
    let stamp = ZoneStamp(id: zone(), offsetSeconds: isAdversarial ? .min : 3_600)
    return ActionContext(
      now: now, device: device,
      act: IncarnationNumber(incarnation: .test(78), number: .random(in: 1...99, using: &random)),
      occurred: CorrectedTime(
        instant: isAdversarial ? moment(around: now) : occurred, raw: moment(around: now),
        isFlagged: chance(2)),
      zone: chance(2) ? stamp : nil, expiresAt: chance(3) ? moment(around: now) : nil,
      isReoffered: chance(6), zones: TestZones())
  }
}

/// A journal of `count` random actions with turns between, and the state it adds up to.
func randomHistory(
  seed: UInt64, count: Int, adversarial: Bool = false
) -> (journal: [[Event]], state: AccountState) {
  var account = TestAccount(at: instant("2026-03-20T10:00:00Z"))
  var generator = ActionGenerator(random: SeededGenerator(seed: seed), isAdversarial: adversarial)
  var now = instant("2026-03-20T10:00:00Z")
  for _ in 0..<count {
    now = now.advanced(milliseconds: .random(in: 0...3_600_000, using: &generator.random))
    if turnIsDue(account.state, now: now, zoneDataVersion: "test-1") { account.turn(at: now) }
    let decision = decide(
      account.state, generator.action(around: now), generator.context(now: now))
    if decision.outcome == .applied { account.commit(decision.events) }
  }
  return (account.journal, account.state)
}

/// Every facet and every widget of a state.
func everything(_ state: AccountState) -> ([Facet], [WidgetTimeline]) {
  let facets = FacetKind.allCases.map { project(state, $0) }
  var timelines: [WidgetTimeline] = []
  for kind in WidgetKind.allCases {
    for family in WidgetFamily.allCases {
      timelines.append(timeline(state, WidgetView(kind: kind, family: family, appearance: .both)))
    }
  }
  return (facets, timelines)
}
