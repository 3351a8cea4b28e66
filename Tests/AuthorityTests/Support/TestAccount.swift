import Authority
import WatchTransfer

extension Identifier {
  /// A short id for tests.
  static func test(_ number: UInt64) -> Self { Self(high: 0xA11, low: number) }
}

/// Two devices of every test.
enum Devices {
  static let phone = ActingDevice(id: .test(1), name: "Phone", kind: .phone)
  static let watch = ActingDevice(id: .test(2), name: "Watch", kind: .watch)
  static let health = ActingDevice(id: .test(3), name: "Health", kind: .health)
  static let controller = ActingDevice(id: .test(4), name: "Bar", kind: .controller)
}

/// An account with its journal, driven like the server drives one.
struct TestAccount {
  var state = AccountState()
  var journal: [[Event]] = []
  var zones = TestZones()
  /// The last events.
  var events: [Event] { journal.last ?? [] }

  init(zone: String = "Europe/Berlin", at moment: Instant) {
    let rules = zones.rules(
      for: zone, from: moment.advanced(milliseconds: -400 * 86_400_000),
      to: moment.advanced(milliseconds: horizonMilliseconds))!
    commit(creationEvents(zone: rules, at: moment))
  }

  mutating func commit(_ events: [Event]) {
    journal.append(events)
    state.apply(events, revision: state.revision + 1)
  }

  mutating func turn(at now: Instant) {
    commit(turnEvents(state, now: now, zones: zones))
  }

  /// Decides an action done at `occurred` and received at `now`.
  func decision(
    _ action: Action, by device: ActingDevice = Devices.phone, at occurred: Instant,
    now: Instant? = nil, zone: String? = nil, expiresAt: Instant? = nil, reoffered: Bool = false,
    number: ActionNumber = 1
  ) -> Decision {
    let stamp = zone.map { id in
      ZoneStamp(
        id: id,
        offsetSeconds: TestZones.table.first { $0.id == id }?.offsetSeconds(at: occurred) ?? 0)
    }
    let context = ActionContext(
      now: now ?? occurred, device: device,
      act: IncarnationNumber(incarnation: .test(77), number: number),
      occurred: CorrectedTime(instant: occurred, raw: occurred, isFlagged: false), zone: stamp,
      expiresAt: expiresAt, isReoffered: reoffered, zones: zones)
    return decide(state, action, context)
  }

  /// Decides and applies.
  @discardableResult
  mutating func act(
    _ action: Action, by device: ActingDevice = Devices.phone, at occurred: Instant,
    now: Instant? = nil, zone: String? = nil, expiresAt: Instant? = nil, reoffered: Bool = false,
    number: ActionNumber = 1
  ) -> DecidedOutcome {
    let decision = decision(
      action, by: device, at: occurred, now: now, zone: zone, expiresAt: expiresAt,
      reoffered: reoffered, number: number)
    if decision.outcome == .applied { commit(decision.events) }
    return decision.outcome
  }

  /// Marks a title.
  @discardableResult
  mutating func mark(
    _ title: String = "Legs", log: UInt64, by device: ActingDevice = Devices.watch,
    at occurred: Instant, now: Instant? = nil, zone: String? = nil
  ) -> DecidedOutcome {
    act(
      .markWorkout(log: .test(log), workout: .title(title)), by: device, at: occurred, now: now,
      zone: zone)
  }

  var today: TodayFacet {
    guard case .today(let facet) = project(state, .today) else { fatalError("not today") }
    return facet
  }

  var streak: StreakFacet {
    guard case .streak(let facet) = project(state, .streak) else { fatalError("not streak") }
    return facet
  }

  var theme: ThemeFacet {
    guard case .theme(let facet) = project(state, .theme) else { fatalError("not theme") }
    return facet
  }

  var goals: GoalsFacet {
    guard case .goals(let facet) = project(state, .goals) else { fatalError("not goals") }
    return facet
  }

  var preferences: PreferencesFacet {
    guard case .preferences(let facet) = project(state, .preferences) else {
      fatalError("not preferences")
    }
    return facet
  }

  var teams: TeamsFacet? {
    guard case .teams(let facet) = project(state, .teams) else { fatalError("not teams") }
    return facet
  }

  var score: ScoreFacet? {
    guard case .score(let facet) = project(state, .score) else { fatalError("not score") }
    return facet
  }

  var clock: MatchClockFacet? {
    guard case .matchClock(let facet) = project(state, .matchClock) else {
      fatalError("not matchClock")
    }
    return facet
  }

  var squads: SquadsFacet? {
    guard case .squads(let facet) = project(state, .squads) else { fatalError("not squads") }
    return facet
  }

  var playTime: PlayTimeFacet? {
    guard case .playTime(let facet) = project(state, .playTime) else {
      fatalError("not playTime")
    }
    return facet
  }

  /// The streak at a moment.
  func streak(at moment: Instant) -> StreakFacet.Entry { streak.entries.current(at: moment)! }
}

/// A logged workout of an hour that ends at `end`.
func logged(_ log: UInt64, endingAt end: Instant, zone: String? = nil) -> LoggedWorkout {
  var workout = LoggedWorkout(
    log: .test(log), activityType: "running", start: end.advanced(milliseconds: -3_600_000),
    end: end)
  workout.zoneID = zone
  return workout
}
