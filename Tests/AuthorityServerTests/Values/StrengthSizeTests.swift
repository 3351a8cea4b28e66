import Testing
import WatchTransfer
import WireFormat

@testable import Authority

/// Routines and sessions at every cap, as bytes (DESIGN section 5).
@Suite struct StrengthSizeTests {
  /// No zone but UTC.
  private struct Zones: ZoneRulesSource {
    let version = "1"
    func rules(for id: String, from start: Instant, to end: Instant) -> ZoneRules? { .utc }
  }

  private static let noon = Instant(milliseconds: 1_780_000_000_000)
  private static let longName = String(repeating: "é", count: 64)
  private static let widest = Weight("-1234.5678", unit: .pounds)!

  private var state = AccountState()

  private static func id<Tag>(_ kind: UInt64, _ number: Int) -> Identifier<Tag> {
    Identifier(high: 0xFFFF_FFFF_FFFF_FF00 | kind, low: UInt64(number) | 1 << 63)
  }

  init() {
    let created = creationEvents(zone: .utc, at: Self.noon.advanced(milliseconds: -86_400_000))
    state.apply(created, revision: 1)
  }

  private mutating func act(
    _ action: Action, _ minutes: Int64, reoffered: Bool = false
  ) -> DecidedOutcome {
    let at = Self.noon.advanced(milliseconds: minutes * 60_000)
    let context = ActionContext(
      now: at, device: ActingDevice(id: Self.id(9, 1), name: Self.longName, kind: .watch),
      occurred: CorrectedTime(instant: at, raw: at, isFlagged: false), zone: nil, expiresAt: nil,
      isReoffered: reoffered, zones: Zones())
    let decision = decide(state, action, context)
    if decision.outcome == .applied {
      state.apply(decision.events, revision: state.revision + 1)
    }
    return decision.outcome
  }

  private func bytes(_ kind: FacetKind) -> Int {
    MessageEncoder().encode(project(state, kind)).count
  }

  /// Exercises, routines and a session with as much as there may be of everything; the last time's
  /// sets, too.
  private mutating func fill() {
    for index in 0..<ActionLimits.routineEntriesMax {
      let exercise = Exercise(id: Self.id(1, index), name: Self.longName, equipment: .kettlebell)
      #expect(act(.defineExercise(exercise), -300) == .applied)
    }
    let entries = (0..<ActionLimits.routineEntriesMax).map { index in
      RoutineEntry(
        exercise: Self.id(1, index),
        sets: Array(
          repeating: TargetSet(reps: 1_000, weight: Self.widest, restSeconds: 3_600), count: 12))
    }
    var count = 0
    for isReoffered in [false, true] {
      while act(
        .defineRoutine(id: Self.id(2, count), title: Self.longName, entries: entries), -200,
        reoffered: isReoffered) == .applied, count < 200
      {
        let before = state.revision
        count += 1
        // Offered again what has no room is applied, and changes nothing.
        if isReoffered, state.revision == before, count > 50 { break }
      }
    }
    for run in 0..<2 {
      let session: SessionID = Self.id(3, run)
      let start = Int64(run) * 400
      #expect(act(.startSession(id: session, plan: .routine(Self.id(2, 0))), start) == .applied)
      for index in 0..<AuthorityLimits.setsMax {
        let set = PerformedSet(
          id: Self.id(4, run * 1_000 + index), position: index < 200 ? 31 : index % 31,
          reps: 1_000, weight: Self.widest, isWarmUp: run == 1 && index % 8 == 0)
        #expect(act(.completeSet(session: session, set: set), start + 1) == .applied)
      }
      let one = PerformedSet(id: Self.id(5, run), position: 0, reps: 1)
      #expect(
        act(.completeSet(session: session, set: one), start + 2) == .refused(.limit(of: "sets")))
      #expect(
        act(.addSessionExercise(session: session, exercise: Self.id(1, 0)), start + 2)
          == .refused(.limit(of: "exercises")))
      _ = act(.selectExercise(session: session, position: 31), start + 3)
      _ = act(.restSession(session: session, seconds: 3_600), start + 3)
      var moves = 1
      while act(
        .controlSession(session: session, control: moves % 2 == 1 ? .pause : .resume), start + 4)
        == .applied, moves < 500
      { moves += 1 }
      #expect(moves == AuthorityLimits.movesMax - 1)
      if run == 0 {
        #expect(act(.controlSession(session: session, control: .finish), start + 5) == .applied)
      }
    }
  }

  @Test func `at every cap each facet stays under 32 KiB, and a watch's share under 40 KiB`() {
    var full = self
    full.fill()
    let sizes = [FacetKind.routines, .session].map { full.bytes($0) }
    #expect(sizes[0] > 8_000 && sizes[0] <= AuthorityLimits.routineBytesShown, "\(sizes)")
    #expect(sizes[1] > 5_000 && sizes[1] < 12_288, "\(sizes)")
    #expect(
      full.act(
        .controlSession(session: Self.id(3, 1), control: .finish), 900) == .applied)
    let last = full.bytes(.lastSession)
    #expect(last > 5_000 && last < 12_288, "\(last)")
    #expect(sizes.reduce(last, +) < 40_960)
  }

  /// Days with as many plans and logs as there may be, and as many goals with the longest names.
  private mutating func fillDays() {
    #expect(
      act(.defineWorkout(id: Self.id(6, 0), title: Self.longName, exercises: []), 0) == .applied)
    let workout = WorkoutReference.id(Self.id(6, 0))
    for index in 0..<AuthorityLimits.weekliesPerDayMax {
      let weekly = Action.scheduleWeekly(
        id: Self.id(7, 1_000 + index), workout: workout, weekdays: .all, timeOfDay: 3_600_000,
        firstDay: CivilDay(number: 0))
      #expect(act(weekly, 0) == .applied)
    }
    for day in 0..<8 {
      for index in 0..<AuthorityLimits.schedulesPerDayMax {
        let at = Self.noon.advanced(milliseconds: Int64(day) * 86_400_000)
        let plan = Action.scheduleWorkout(
          id: Self.id(7, day * 100 + index), workout: workout, at: at)
        _ = act(plan, 0)
      }
    }
    for (day, index) in (0..<2).flatMap({ day in (0..<70).map { (day, $0) } }) {
      let end = Self.noon.advanced(milliseconds: Int64(day) * -86_400_000)
      let log = LoggedWorkout(
        log: Self.id(8, day * 100 + index), activityType: Self.longName,
        start: end.advanced(milliseconds: -3_599_999), end: end)
      _ = act(.logWorkout(log), 0)
    }
    for index in 0..<AuthorityLimits.goalsMax {
      let name = "\(Self.longName.dropLast(2))\(index + 10)"
      #expect(act(.setGoal(name: name, value: 123_456.789), 0) == .applied)
    }
    for index in 0..<2 { _ = act(.grantFreeze(id: Self.id(10, index)), 0) }
  }

  @Test func `with every book of an account full a watch starts with at most 100 KiB`() {
    var full = self
    full.fill()
    full.fillDays()
    full.state.apply(
      fullMatchEvents(from: Self.noon.advanced(milliseconds: 60_000), isOfSquads: true),
      revision: full.state.revision + 1)
    func share(_ kind: DeviceKind) -> Int { kind.facets.reduce(0) { $0 + full.bytes($1) } }
    for kind in FacetKind.allCases { #expect(full.bytes(kind) <= 32_768, "\(kind)") }
    // Near the bound, or the caps are not what is tested here.
    #expect((50_000...102_400).contains(share(.watch)), "\(share(.watch))")
    #expect((80_000...524_288).contains(share(.phone)), "\(share(.phone))")
    for kind in WidgetKind.allCases {
      for family in WidgetFamily.allCases {
        let view = WidgetView(kind: kind, family: family, appearance: .both)
        let bytes = MessageEncoder().encode(timeline(full.state, view)).count
        #expect(bytes <= snapshotBytesMax, "\(view)")
      }
    }
    print("claim: bytes of a watch's state with every book full: \(share(.watch))")
  }

  @Test func `a routine never takes more bytes than its room is reckoned with`() {
    var full = self
    full.fill()
    guard case .routines(let facet) = project(full.state, .routines) else { return }
    #expect(facet.routines.count > 1)
    let reckoned = full.state.routines.all.prefix(facet.routines.count).reduce(0) {
      $0 + RoutineSize.bytes(title: $1.title.value, entries: $1.entries.value)
    }
    let shown = full.bytes(.routines)
    #expect(shown <= reckoned && 2 * shown > reckoned, "\(shown) of \(reckoned)")
    // The smallest one, too: short names weigh least against what is fixed.
    var small = self
    let entry = RoutineEntry(exercise: Self.id(1, 0), sets: [TargetSet(reps: 1)])
    #expect(
      small.act(
        .defineExercise(Exercise(id: Self.id(1, 0), name: "x", equipment: .body)), 0) == .applied)
    #expect(
      small.act(.defineRoutine(id: Self.id(2, 0), title: "y", entries: [entry]), 0) == .applied)
    #expect(
      small.bytes(.routines)
        <= RoutineSize.bytes(title: "y", entries: small.state.routines.all[0].entries.value))
  }

  @Test func `a full session block and a full routine fit into one body`() throws {
    let encoder = MessageEncoder()
    let decoder = MessageDecoder()
    let clock = DeviceClock(wall: Self.noon, boot: nil)
    let points = (0..<ActionLimits.samplePointsMax).map { index in
      SamplePoint(at: Self.noon.advanced(milliseconds: Int64(index)), value: 199.5)
    }
    let groups = (0..<ActionLimits.setGroupsMax).map { index in
      TargetSet(reps: 1 + index, weight: Self.widest, restSeconds: 3_600)
    }
    let entries = (0..<ActionLimits.routineEntriesMax).map { index in
      RoutineEntry(
        exercise: Self.id(1, index),
        sets: index < 4 ? Array(groups[index * 12..<index * 12 + 12]) : [])
    }
    let actions: [Action] = [
      .recordSamples(
        session: Self.id(3, 0), block: SampleBlock(number: .max, heartRate: points)),
      .defineRoutine(id: Self.id(2, 0), title: Self.longName, entries: entries),
    ]
    for action in actions {
      let body = ActionBody(
        occurred: clock, zone: ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600),
        expiresAt: Self.noon, action: action)
      let bytes = encoder.encode(body)
      #expect(bytes.count <= 32_768)
      #expect(try decoder.decodeActionBody(bytes) == body)
    }
  }
}
