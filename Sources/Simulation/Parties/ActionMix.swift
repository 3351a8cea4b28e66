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
    switch world.pick(0...34) {
    case 24: .setPalette(PaletteName.allCases.randomElement(using: &world.random) ?? .classic)
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
    case 12: .newMatch(id: id(3), home: title(), away: "B", halfLengthMilliseconds: 600_000)
    case 13: .nameTeam(match: id(3), team: team(), name: title())
    case 14...18: .addPoint(entry: fresh(), match: id(3), team: team(), insist: flip())
    case 19: .undoPoint(match: id(3), entry: id(4))
    case 25...34: consistency(at: now)
    default:
      .controlClock(
        match: id(3),
        control: ClockControl.allCases.randomElement(using: &world.random) ?? .start)
    }
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
