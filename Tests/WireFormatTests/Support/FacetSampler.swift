import WatchTransfer

extension Sampler {
  mutating func facet(_ kind: FacetKind) -> Facet {
    switch kind {
    case .today: .today(today())
    case .streak:
      .streak(
        StreakFacet(
          policy: streakPolicy(),
          entries: list(upTo: 9) {
            var entry = StreakFacet.Entry(
              from: $0.anyInstant(), days: $0.upTo(5_000), todayDone: $0.flip(),
              atRiskAt: $0.maybe { $0.anyInstant() }, lostAt: $0.maybe { $0.anyInstant() },
              text: $0.text())
            entry.freezes = $0.upTo(2)
            entry.protected = $0.list(upTo: 8) { CivilDay(number: Int32($0.upTo(60_000)) - 30_000) }
            entry.isPaused = $0.flip()
            return entry
          }))
    case .goals: .goals(goals())
    case .preferences:
      .preferences(
        PreferencesFacet(
          units: pick(Units.allCases), firstWeekday: 1 + upTo(6), onboardingStep: upTo(100),
          streakPolicy: streakPolicy(), zoneID: zone()))
    case .theme: .theme(theme())
    case .teams: .teams(maybe { TeamsFacet(match: $0.id(), home: $0.name(), away: $0.name()) })
    case .score: .score(maybe { $0.score() })
    case .matchClock: .matchClock(maybe { $0.matchClock() })
    case .routines: .routines(routines())
    case .session: .session(maybe { $0.session() })
    case .lastSession: .lastSession(maybe { $0.lastSession() })
    case .squads: .squads(maybe { $0.squads() })
    case .playTime: .playTime(maybe { $0.playTime() })
    }
  }

  mutating func today() -> TodayFacet {
    TodayFacet(
      days: list(upTo: 9) { sampler in
        TodayFacet.Day(
          from: sampler.anyInstant(), day: CivilDay(number: Int32(sampler.upTo(60_000)) - 30_000),
          items: sampler.list(upTo: 5) {
            TodayFacet.Item(
              id: $0.id(), title: $0.name(), kind: $0.flip() ? .scheduled : .logged,
              at: $0.anyInstant(), done: $0.flip(), text: $0.text())
          })
      },
      greetings: list(upTo: 20) { TodayFacet.Greeting(from: $0.anyInstant(), text: $0.text()) })
  }

  mutating func theme() -> ThemeFacet {
    var facet = ThemeFacet(
      mode: pick(ThemeMode.allCases),
      flips: list(upTo: 17) {
        ThemeFacet.Flip(from: $0.anyInstant(), to: $0.flip() ? .day : .night)
      }, day: palette(), night: palette())
    facet.palette = pick(PaletteName.allCases)
    return facet
  }

  mutating func goals() -> GoalsFacet {
    GoalsFacet(
      goals: list(upTo: 4) { sampler in
        GoalsFacet.Goal(
          name: sampler.name(), target: sampler.figure(),
          progress: sampler.list(upTo: 9) {
            GoalsFacet.Progress(
              from: $0.anyInstant(), value: $0.pick([-1.5, 0, 1e300, 3]), text: $0.text())
          })
      },
      weight: maybe {
        GoalsFacet.LatestWeight(
          id: $0.id(), weight: $0.weight(), day: CivilDay(number: Int32($0.upTo(60_000)) - 30_000),
          at: $0.maybe { $0.anyInstant() }, text: $0.text())
      })
  }

  mutating func score() -> ScoreFacet {
    ScoreFacet(
      match: id(), home: upTo(200), away: upTo(200),
      entries: list(upTo: 12) {
        ScoreFacet.Entry(
          id: $0.id(), team: $0.pick(Team.allCases), minute: $0.maybe { $0.pick(["12", "45+2"]) },
          by: $0.text(), half: 1 + $0.upTo(3))
      })
  }

  mutating func squads() -> SquadsFacet {
    SquadsFacet(
      match: id(), home: list(upTo: 23) { $0.member() }, away: list(upTo: 3) { $0.member() },
      substitutions: list(upTo: 9) {
        SquadsFacet.Substitution(
          id: $0.id(), team: $0.pick(Team.allCases), off: $0.id(), on: $0.id(), text: $0.text(),
          minute: $0.maybe { $0.pick(["12", "45+2"]) }, half: 1 + $0.upTo(3), by: $0.text())
      })
  }

  mutating func member() -> SquadsFacet.Member {
    SquadsFacet.Member(player: player(), isOnField: flip())
  }

  mutating func playTime() -> PlayTimeFacet {
    PlayTimeFacet(
      match: id(),
      entries: list(upTo: 46) {
        PlayTimeFacet.Entry(
          player: $0.id(), team: $0.pick(Team.allCases), name: $0.text(),
          elapsedMilliseconds: Int64($0.number()), runningSince: $0.maybe { $0.anyInstant() })
      })
  }

  mutating func matchClock() -> MatchClockFacet {
    var clock = MatchClockFacet(
      match: id(), phase: pick(ClockPhase.allCases), half: 1 + upTo(3),
      elapsedMilliseconds: Int64(number()), runningSince: maybe { $0.anyInstant() },
      halfLengthMilliseconds: Int64(number()), halfOverAt: maybe { $0.anyInstant() },
      recorder: maybe { $0.id() })
    clock.halves = pick([2, 4])
    clock.stoppage = maybe {
      MatchClockFacet.Stoppage(
        text: $0.text(), from: $0.maybe { $0.anyInstant() },
        elapsedMilliseconds: Int64($0.number()), runningSince: $0.maybe { $0.anyInstant() })
    }
    return clock
  }

  mutating func timeline() -> WidgetTimeline {
    var timeline = WidgetTimeline(
      kind: pick(WidgetKind.allCases), family: pick(WidgetFamily.allCases),
      reloadAfter: anyInstant(), day: maybe { $0.palette() }, night: maybe { $0.palette() },
      entries: list(upTo: 30) { sampler in
        var entry = WidgetTimeline.Entry(
          from: sampler.anyInstant(), lines: sampler.list(upTo: 8) { $0.text() },
          spoken: sampler.text(), symbol: sampler.text(), stale: sampler.upTo(2),
          theme: sampler.flip() ? .day : .night)
        entry.number = sampler.maybe { $0.pick([Int.min, -1, 0, 12, Int.max]) }
        entry.progressPermille = sampler.maybe { $0.upTo(1_000) }
        entry.timerSince = sampler.maybe { $0.anyInstant() }
        entry.timerElapsedMilliseconds = sampler.maybe { Int64($0.number()) }
        entry.points = sampler.list(upTo: 30) { $0.upTo(1_000) }
        return entry
      })
    timeline.domainMaximum = maybe { $0.upTo(1_440) }
    return timeline
  }
}
