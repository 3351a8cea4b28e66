import WatchTransfer

/// Values that the tests show.
enum Samples {
  static let live: LiveReading = {
    var live = LiveReading(
      session: SessionID(high: 8, low: 1), recorder: DeviceID(high: 5, low: 6), observedAt: noon,
      cadenceMilliseconds: 5_000, staleAt: noon.advanced(milliseconds: 15_000),
      expiresAt: noon.advanced(milliseconds: 30_000), text: "142 bpm, 210 kcal",
      spoken: "142 beats a minute, 210 kilocalories")
    live.heartRate = 142
    live.energyKilocalories = 209.5
    return live
  }()

  /// 2026-11-30T12:00:00Z.
  static let noon = instant("2026-11-30T12:00:00Z")
  /// The next midnight in UTC.
  static let midnight = instant("2026-12-01T00:00:00Z")
  static let match = MatchID(high: 1, low: 2)
  static let entry = EntryID(high: 3, low: 4)
  static let device = DeviceID(high: 5, low: 6)
  static let day = Palette(background: 0xFFFFFF, text: 0x101010, secondary: 0x505050, accent: 0xA0)
  static let night = Palette(background: 0, text: 0xEEEEEE, secondary: 0xAAAAAA, accent: 0x80C0FF)

  static func instant(_ text: String) -> Instant {
    Instant(rfc3339: text)!
  }

  static let today = Facet.today(
    TodayFacet(
      days: [
        .init(
          from: instant("2026-11-30T00:00:00Z"), day: CivilDay(year: 2026, month: 11, day: 30)!,
          items: [
            .init(
              id: .init(high: 7, low: 8), title: "Morning \"run\"", kind: .scheduled,
              at: instant("2026-11-30T07:00:00Z"), done: true, text: "done at 07:31")
          ]),
        .init(from: midnight, day: CivilDay(year: 2026, month: 12, day: 1)!, items: []),
      ],
      greetings: [
        .init(from: instant("2026-11-30T00:00:00Z"), text: "Good morning"),
        .init(from: noon, text: "Good afternoon"),
      ]))

  static let streak = Facet.streak(
    StreakFacet(
      policy: .daily,
      entries: [
        .init(
          from: instant("2026-11-30T00:00:00Z"), days: 5, todayDone: true, atRiskAt: nil,
          lostAt: instant("2026-12-02T00:00:00Z"), text: "5 days"),
        .init(
          from: midnight, days: 5, todayDone: false, atRiskAt: instant("2026-12-01T18:00:00Z"),
          lostAt: instant("2026-12-02T00:00:00Z"), text: "5 days, today to do"),
      ]))

  static let weeklyStreak: Facet = {
    var entry = StreakFacet.Entry(
      from: instant("2026-11-30T00:00:00Z"), days: 3, todayDone: false, atRiskAt: nil, lostAt: nil,
      text: "3 weeks, paused")
    entry.freezes = 1
    entry.protected = [CivilDay(year: 2026, month: 11, day: 16)!]
    entry.isPaused = true
    return .streak(StreakFacet(policy: .weekly(days: 2), entries: [entry]))
  }()

  static let theme = Facet.theme(
    ThemeFacet(
      mode: .auto,
      flips: [
        .init(from: instant("2026-11-30T07:00:00Z"), to: .day),
        .init(from: instant("2026-11-30T19:00:00Z"), to: .night),
      ], day: day, night: night))

  static let goals = Facet.goals(
    GoalsFacet(
      goals: [
        .init(
          name: "minutes", target: 150,
          progress: [.init(from: noon, value: 42.5, text: "42 of 150")]),
        .init(name: "smiles", target: 3.5, progress: []),
      ],
      weight: .init(
        id: .init(high: 11, low: 12), weight: Weight(digits: 805, scale: 1, unit: .kilograms)!,
        day: CivilDay(year: 2026, month: 11, day: 30)!, at: nil, text: "80.5 kg on 30 Nov 2026")))

  static let preferences = Facet.preferences(
    PreferencesFacet(
      units: .metric, firstWeekday: 1, onboardingStep: 0, streakPolicy: .daily,
      zoneID: "Europe/Berlin"))

  static let teams = Facet.teams(TeamsFacet(match: match, home: "Red Lions", away: "Blue Stars"))

  static let score = Facet.score(
    ScoreFacet(
      match: match, home: 1, away: 0,
      entries: [.init(id: entry, team: .home, minute: "45+2", by: "Wrist", half: 1)]))

  static let clock = Facet.matchClock(
    MatchClockFacet(
      match: match, phase: .running, half: 2, elapsedMilliseconds: 2_700_000, runningSince: noon,
      halfLengthMilliseconds: 2_700_000, halfOverAt: nil, recorder: device))

  static let stoppage: Facet = {
    var clock = MatchClockFacet(
      match: match, phase: .running, half: 3, elapsedMilliseconds: 5_400_000, runningSince: noon,
      halfLengthMilliseconds: 900_000, halfOverAt: midnight, recorder: nil)
    clock.halves = 4
    clock.stoppage = .init(
      text: "105+", from: midnight, elapsedMilliseconds: 0, runningSince: midnight)
    return .matchClock(clock)
  }()

  static let squads = Facet.squads(
    SquadsFacet(
      match: match,
      home: [
        .init(player: SquadPlayer(id: ada, name: "Ada", number: 7, starts: true), isOnField: false),
        .init(player: SquadPlayer(id: ben, name: "Ben", starts: false), isOnField: true),
      ], away: [],
      substitutions: [
        .init(
          id: entry.retagged(), team: .home, off: ada, on: ben, text: "Ben for Ada",
          minute: "45+2", half: 1, by: "Phone")
      ]))

  static let playTime = Facet.playTime(
    PlayTimeFacet(
      match: match,
      entries: [
        .init(
          player: ada, team: .home, name: "Ada", elapsedMilliseconds: 2_790_000,
          runningSince: nil),
        .init(
          player: ben, team: .home, name: "Ben", elapsedMilliseconds: 60_000, runningSince: noon),
      ]))

  static let ada = PlayerID(high: 7, low: 1)
  static let ben = PlayerID(high: 7, low: 2)

  /// A timeline of two entries, with a title that every format must escape.
  static func timeline(_ family: WidgetFamily, appearance: Appearance = .both) -> WidgetTimeline {
    var first = WidgetTimeline.Entry(
      from: noon,
      lines: Array(
        ["5 days <&> \u{1B}[2J", "Morning run at half past seven, and more", "日本語 🏃🏽"]
          .prefix(family.linesMax)),
      spoken: "Streak: 5 days & \"counting\"", symbol: "flame", stale: 1, theme: .day)
    first.number = 5
    first.progressPermille = 625
    first.timerSince = noon
    first.timerElapsedMilliseconds = 61_000
    let second = WidgetTimeline.Entry(
      from: midnight, lines: ["5 days"], spoken: "5 days", symbol: "flame", stale: 2, theme: .night)
    return WidgetTimeline(
      kind: .streak, family: family, reloadAfter: midnight, day: appearance == .night ? nil : day,
      night: appearance == .day ? nil : night, entries: [first, second])
  }
}
