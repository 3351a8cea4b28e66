import Testing
import WatchTransfer

@testable import Authority

/// No text is an age (DESIGN section 7): what is shown changes at moments that are listed, and not
/// by being projected later.
@Suite struct AgelessTextTests {
  /// What makes texts takes no clock. These would not compile if one did: what a surface shows can
  /// depend on time through the newest turn of its account alone.
  private static let projecting: @Sendable (AccountState, FacetKind) -> Facet = project
  private static let drawing: @Sendable (AccountState, WidgetView) -> WidgetTimeline = timeline

  /// From a minute to a week, in milliseconds: within an hour, over midnights, DST and flips.
  private static let laterBy: [Int64] = [
    60_000, 20 * 60_000, 3_600_000, 11 * 3_600_000, 86_400_000, 3 * 86_400_000 + 7_200_000,
    7 * 86_400_000,
  ]

  /// Accounts with a long random history, in which a session runs or is just over.
  private static let accounts: [AccountState] = (UInt64(1)...3).flatMap { seed in
    [false, true].map { richState(seed: seed, isSessionOver: $0) }
  }

  @Test(arguments: FacetKind.allCases)
  func `a facet says the same, projected as of now or later`(kind: FacetKind) {
    for state in Self.accounts {
      let facet = Self.projecting(state, kind)
      for later in Self.laterBy {
        let moved = state.turned(later: later)
        let moment = moved.asOf.advanced(milliseconds: 30_000)
        let differences = ShownValue(facet, at: moment)
          .differences(from: ShownValue(Self.projecting(moved, kind), at: moment))
        #expect(differences.isEmpty, "after \(later) ms: \(differences.prefix(4))")
      }
    }
  }

  @Test(arguments: WidgetKind.allCases, WidgetFamily.allCases)
  func `a snapshot says the same, made now or later`(kind: WidgetKind, family: WidgetFamily) {
    let view = WidgetView(kind: kind, family: family, appearance: .both)
    for state in Self.accounts {
      let entries = Self.drawing(state, view).entries
      for later in Self.laterBy {
        let moved = state.turned(later: later)
        let moment = moved.asOf.advanced(milliseconds: 30_000)
        let early = entries.current(at: moment)
        let late = Self.drawing(moved, view).entries.current(at: moment)
        #expect(
          zip(early?.lines ?? [], late?.lines ?? []).allSatisfy { isSameButForCuts($0, $1) },
          "after \(later) ms: \(early?.lines ?? []) | \(late?.lines ?? [])")
        #expect(
          isSameButForCuts(early?.spoken ?? "", late?.spoken ?? ""),
          "after \(later) ms: \(early?.spoken ?? "") | \(late?.spoken ?? "")")
        #expect(early?.lines.isEmpty == late?.lines.isEmpty && early?.symbol == late?.symbol)
        #expect(early?.number == late?.number && early?.theme == late?.theme)
        #expect(early?.timerSince == late?.timerSince)
      }
    }
  }

  @Test func `what is shown changes at the moments that the design names alone`() {
    for state in Self.accounts {
      let named = state.namedMoments
      for kind in FacetKind.allCases {
        let moments = momentsOfEntries(in: Self.projecting(state, kind))
        #expect(moments.isSubset(of: named), "\(kind)")
      }
      for kind in WidgetKind.allCases {
        for family in WidgetFamily.allCases {
          let view = WidgetView(kind: kind, family: family, appearance: .both)
          let moments = momentsOfEntries(in: Self.drawing(state, view))
          #expect(moments.isSubset(of: named), "\(kind) \(family)")
        }
      }
    }
  }

  @Test func `a page says the same, asked now or later`() {
    for state in Self.accounts {
      for question in questions(to: state) {
        let page = ShownValue(answer(state, question, now: state.asOf), at: nil)
        for later in Self.laterBy {
          let now = state.asOf.advanced(milliseconds: later)
          // What a deletion takes away is what is still to come.
          if case .previewDeletion(let workout) = question,
            state.schedules.all.contains(where: {
              $0.workout == workout && $0.at >= state.asOf && $0.at < now
            })
          {
            continue
          }
          // Which days a trace is of, and whether the last is over, is a matter of today.
          if case .streakTrace = question, state.today(at: now) != state.today(at: state.asOf) {
            continue
          }
          let again = ShownValue(answer(state, question, now: now), at: nil)
          #expect(page == again, "\(question): \(again.differences(from: page).prefix(4))")
        }
      }
    }
  }

  @Test func `readings say what was measured and when, not how old it is`() {
    var state = Self.accounts[0]
    let session = SessionID.test(1)
    let pulse = Pulse(
      session: session, measured: DeviceClock(wall: state.asOf), heartRate: 131.4,
      energyKilocalories: 52, distanceMeters: 7_400)
    var said: Set<[String]> = []
    for later in [0] + Self.laterBy {
      state = Self.accounts[0].turned(later: later)
      var texts: [String] = []
      for copied in ContinuityState.allCases {
        texts.append(state.continuity(copied, copiedAt: Self.accounts[0].asOf).text)
        texts.append(state.continuity(copied, copiedAt: nil).text)
      }
      let live = state.live(pulse, by: .test(2), observedAt: state.asOf)
      texts += [live?.text ?? "", live?.spoken ?? ""]
      said.insert(texts)
    }
    #expect(said.count == 1)
    #expect(said.first?.contains(where: isAge) == false)
  }

  @Test func `no text of a facet, a snapshot or a page is an age`() {
    var texts: Set<String> = []
    for state in Self.accounts {
      for kind in FacetKind.allCases {
        texts.formUnion(ShownValue(Self.projecting(state, kind), at: nil).texts.values)
      }
      for view in WidgetView.all {
        texts.formUnion(ShownValue(Self.drawing(state, view), at: nil).texts.values)
      }
      for question in questions(to: state) {
        texts.formUnion(
          ShownValue(answer(state, question, now: state.asOf), at: nil).texts.values)
      }
    }
    #expect(texts.count > 500, "only \(texts.count) texts")
    for text in texts { #expect(!isAge(text), "\(text)") }
  }

  @Test(arguments: [
    "done at 18:05", "Rest until 18:05", "60 min in 30 days", "Last 30 days", "Ends at midnight",
    "100 kg for one by estimate", "Tomorrow 18:00 Row", "3 days this week, 90 min", "",
  ])
  func `what is no age is not taken for one`(text: String) {
    #expect(!isAge(text))
  }

  @Test(arguments: [
    "5 min ago", "an hour ago", "since 3 h", "in 5 min", "in 2 days", "2 days left", "1 hour left",
    "yesterday", "just now", "3 minutes old", "for 20 minutes now", "last week", "in 5min",
  ])
  func `an age would be noticed`(text: String) {
    #expect(isAge(text))
  }

  @Test func `the accounts have something in every facet`() {
    for kind in FacetKind.allCases {
      let said = Self.accounts.map { ShownValue(Self.projecting($0, kind), at: nil).leaves.count }
      #expect(said.contains { $0 > 3 }, "\(kind)")
    }
    #expect(Self.accounts.contains { $0.sessions.shown?.currentRest != nil })
    #expect(Self.accounts.allSatisfy { $0.matches.shown?.clock.runningSince != nil })
  }
}

/// Whether a text tells how long something has been, or how long until it is. Spans that are facts
/// (`60 min in 30 days` of a trend) are none.
private func isAge(_ text: String) -> Bool {
  let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  let units: Set<String> = [
    "s", "sec", "second", "seconds", "m", "min", "minute", "minutes", "h", "hour", "hours", "d",
    "day", "days", "week", "weeks", "month", "months", "year", "years",
  ]
  for (index, word) in words.enumerated() {
    let next = index + 1 < words.count ? words[index + 1] : ""
    let second = index + 2 < words.count ? words[index + 2] : ""
    let isTrend = word == "in" && next == "30" && index > 0 && words[index - 1] == "min"
    let hasCount = next.allSatisfy(\.isNumber) || ["a", "an", "one"].contains(next)
    // `5min` is one word.
    let hasSpan =
      hasCount && units.contains(second)
      || next.first?.isNumber == true && units.contains(next.drop(while: \.isNumber).description)
    switch word {
    case "ago", "since", "yesterday": return true
    case "in", "for": if hasSpan, !isTrend { return true }
    case "just": if next == "now" { return true }
    case "last": if ["week", "month", "year", "night"].contains(next) { return true }
    default: if units.contains(word), ["left", "old"].contains(next) { return true }
    }
  }
  return false
}

/// Later entries of a timeline are cut shorter than those that are near.
private func isSameButForCuts(_ left: String, _ right: String) -> Bool {
  func isCut(_ text: String, from whole: String) -> Bool {
    text.hasSuffix("…") && whole.hasPrefix(text.dropLast())
  }
  return left == right || isCut(left, from: right) || isCut(right, from: left)
}

/// From when every entry of every list of moments holds.
private func momentsOfEntries(in value: Any) -> Set<Instant> {
  var moments: Set<Instant> = []
  if let timed = value as? [any Timed] { moments.formUnion(timed.map(\.from)) }
  for child in Mirror(reflecting: value).children {
    moments.formUnion(momentsOfEntries(in: child.value))
  }
  return moments
}

/// Questions of every kind to which an account has answers.
private func questions(to state: AccountState) -> [Question] {
  let workouts = state.things.keys.filter { state.workout($0.retagged()) != nil }
  let logs = state.logs.days.flatMap(\.logs).map(\.id)
  return [
    .history(HistoryQuestion()),
    .streakTrace(StreakTraceQuestion(.last(days: 30))),
    .streakTrace(StreakTraceQuestion(.last(days: 7), policy: .weekly(days: 2))),
    .exercises(ExercisesQuestion()), .records(RecordsQuestion()),
    .workouts(WorkoutsQuestion()),
    .attachment(AttachmentQuestion(hash: AttachmentHash(bytes: Array(repeating: 1, count: 32))!)),
  ] + workouts.sorted().prefix(8).map { .previewDeletion(of: $0.retagged()) }
    + logs.prefix(8).map { .previewLogDeletion(of: $0) }
}

extension WidgetView {
  /// Every kind in every family.
  fileprivate static let all: [WidgetView] = WidgetKind.allCases.flatMap { kind in
    WidgetFamily.allCases.map { WidgetView(kind: kind, family: $0, appearance: .both) }
  }
}

extension AccountState {
  /// As of a later turn, with no event between.
  fileprivate func turned(later milliseconds: Int64) -> AccountState {
    let turn = turnEvents(
      self, now: asOf.advanced(milliseconds: milliseconds), zones: TestZones()
    ).prefix(1)
    var state = self
    state.apply(Array(turn), revision: revision + 1)
    return state
  }

  /// When something that is shown may change by itself (DESIGN sections 3 and 7): the newest turn,
  /// midnights, parts of the day, flips of the theme, the streak at risk, a rest or a half that is
  /// over, a session that nothing was heard of, and a snapshot that grows old.
  fileprivate var namedMoments: Set<Instant> {
    var moments: Set<Instant> = [asOf]
    var day = zone.rules.day(at: asOf)
    for _ in 0..<10 {
      for hour: Int64 in [0, 5, 7, 12, 18, 19, 22] {
        if let moment = zone.rules.firstInstant(
          atOrAfter: day, millisecondsOfDay: hour * 3_600_000)
        {
          moments.insert(moment)
        }
      }
      day = day.advanced(days: 1)
    }
    if case .matchClock(let clock) = project(self, .matchClock), let over = clock?.halfOverAt {
      moments.insert(over)
    }
    if let session = sessions.shown {
      moments.insert(session.lastFact.advanced(milliseconds: 12 * 3_600_000))
      if let rest = session.currentRest {
        moments.insert(rest.since.advanced(milliseconds: Int64(rest.seconds) * 1_000))
      }
    }
    for days: Int64 in [2, 7] { moments.insert(asOf.advanced(milliseconds: days * 86_400_000)) }
    return moments
  }
}

/// A random account in which a match runs, and a session, unless it is over by now.
private func richState(seed: UInt64, isSessionOver: Bool) -> AccountState {
  let history = randomHistory(seed: seed, count: 400)
  var account = TestAccount(at: instant("2026-03-20T10:00:00Z"))
  account.state = history.state
  let start = max(account.state.asOf, account.state.newestEdit ?? account.state.asOf)
  var now = start.advanced(milliseconds: 60_000)
  account.turn(at: now)
  for action in everyday(on: account.state.zone.rules.day(at: now), at: now) + matchDay {
    now = now.advanced(milliseconds: 1_000)
    account.act(action, at: now)
  }
  if let running = account.state.sessions.shown {
    account.session(.finish, at: now, of: running.id, by: Devices.phone)
  }
  account.act(.startSession(id: Gym.session, plan: .routine(Gym.routine)), at: now)
  account.set(9_005, at: now, weight: kilograms(100), by: Devices.phone)
  if isSessionOver { account.session(.finish, at: now, by: Devices.phone) }
  return account.state
}

/// What fills the facets of days, goals and routines.
private func everyday(on day: CivilDay, at now: Instant) -> [Action] {
  let weight = LoggedWeight(id: .test(9_001), weight: kilograms(82), moment: .instant(now))
  let squats = RoutineEntry(
    exercise: Gym.squat,
    sets: Array(
      repeating: TargetSet(reps: 5, weight: kilograms(100), restSeconds: 90), count: 3))
  return [
    .setTheme(mode: .auto), .logWeight(weight),
    .defineWorkout(id: .test(9_002), title: "Row", exercises: []),
    .scheduleWeekly(
      id: .test(9_003), workout: .id(.test(9_002)), weekdays: Weekdays([1, 3, 5, 7])!,
      timeOfDay: 64_800_000, firstDay: day),
    .markWorkout(log: .test(9_004), workout: .id(.test(9_002))),
    .defineRoutine(id: Gym.routine, title: "Leg day", entries: [squats]),
  ] + (measurableGoals.map { $0.name } + [weightGoal]).map { Action.setGoal(name: $0, value: 80) }
}

/// What fills the facets of a match.
private let matchDay: [Action] = {
  let match = MatchID.test(9_006)
  let players = (1...3).map {
    SquadPlayer(id: .test(9_010 + UInt64($0)), name: "Ada", number: $0, starts: $0 < 3)
  }
  return [
    .newMatch(
      id: match, home: "Reds", away: "Blues", halfLengthMilliseconds: 2_700_000,
      extraHalfMilliseconds: nil),
    .setSquad(match: match, team: .home, players: players),
    .controlClock(match: match, control: .start),
    .addPoint(entry: .test(9_007), match: match, team: .home, insist: true),
  ]
}()
