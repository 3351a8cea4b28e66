public import WatchTransfer

/// Facets as lines for a person, at a moment; safe to print on a terminal.
public enum SurfaceText {
  /// One line or more for each of `facets`, in the order of their kinds.
  public static func lines(of facets: [FacetKind: Facet], at now: Instant) -> [String] {
    FacetKind.allCases.flatMap { kind in
      facets[kind].map { lines(of: $0, at: now) } ?? []
    }
  }

  /// One facet at `now`.
  public static func lines(of facet: Facet, at now: Instant) -> [String] {
    let lines =
      switch facet {
      case .today(let today): self.lines(of: today, at: now)
      case .streak(let streak): ["streak: \(text(of: streak.entries.current(at: now)))"]
      case .goals(let goals):
        goals.goals.map { line(of: $0, at: now) }
          + (goals.weight.map { ["weight: \($0.text) (\($0.id))"] } ?? [])
      case .preferences(let preferences):
        ["preferences: \(preferences.units.word), zone \(preferences.zoneID)"]
      case .theme(let theme):
        [
          "theme: \(theme.mode.word), now \(theme.flips.current(at: now)?.to.word ?? "unknown"), "
            + theme.palette.word
        ]
      case .teams(let teams): teams.map { ["teams: \($0.home) – \($0.away)"] } ?? []
      case .score(let score): score.map { self.lines(of: $0) } ?? []
      case .matchClock(let clock): clock.map { [line(of: $0, at: now)] } ?? []
      case .routines(let routines): self.lines(of: routines)
      case .session(let session): session.map { self.lines(of: $0, at: now) } ?? []
      case .lastSession(let summary): summary.map { self.lines(of: $0) } ?? []
      case .squads(let squads): squads.map { self.lines(of: $0) } ?? []
      case .playTime(let time): time.map { self.lines(of: $0, at: now) } ?? []
      }
    return lines.map(printable)
  }

  private static func lines(of today: TodayFacet, at now: Instant) -> [String] {
    guard let day = today.days.current(at: now) else { return ["today: unknown"] }
    let greeting = today.greetings.current(at: now).map { " · \($0.text)" } ?? ""
    return ["today: \(day.day)\(greeting)"]
      + day.items.map { "  [\($0.done ? "x" : " ")] \($0.title), \($0.text) (\($0.id))" }
  }

  private static func text(of entry: StreakFacet.Entry?) -> String {
    guard let entry else { return "unknown" }
    var text = entry.text
    if entry.freezes > 0 { text += ", \(entry.freezes) freeze\(entry.freezes == 1 ? "" : "s")" }
    if !entry.protected.isEmpty {
      text += ", protected \(entry.protected.map(\.description).joined(separator: " "))"
    }
    return text
  }

  private static func line(of goal: GoalsFacet.Goal, at now: Instant) -> String {
    let progress = goal.progress.current(at: now)
    return "goal: \(goal.name) \(JSONValue.number(goal.target).json)"
      + (progress.map { ", \($0.text)" } ?? "")
  }

  private static func lines(of score: ScoreFacet) -> [String] {
    ["score: \(score.home) – \(score.away)"]
      + score.entries.map { entry in
        "  \(entry.minute.map { "\($0)′" } ?? "–") \(entry.team.word) by \(entry.by) (\(entry.id))"
      }
  }

  static func line(of clock: MatchClockFacet, at now: Instant) -> String {
    let shown: String
    if let stoppage = clock.stoppage, let over = stoppage.elapsedMilliseconds(at: now) {
      shown = "\(stoppage.text) \(timerText(milliseconds: over))"
    } else {
      shown = timerText(milliseconds: clock.elapsedMilliseconds(at: now))
    }
    return "clock: \(clock.phase.word), half \(clock.half), \(shown)"
  }

  private static func lines(of squads: SquadsFacet) -> [String] {
    [("home", squads.home), ("away", squads.away)].flatMap { team, members in
      members.isEmpty
        ? []
        : ["squad \(team):"]
          + members.map { member in
            let number = member.player.number.map { "\($0) " } ?? ""
            let place = member.isOnField ? "on the field" : "off"
            return "  \(number)\(member.player.name), \(place)"
          }
    }
      + squads.substitutions.map { entry in
        "sub: \(entry.minute.map { "\($0)′" } ?? "–") \(entry.team.word), \(entry.text), "
          + "by \(entry.by) (\(entry.id))"
      }
  }

  private static func lines(of time: PlayTimeFacet, at now: Instant) -> [String] {
    time.entries.map { entry in
      let played = timerText(milliseconds: entry.elapsedMilliseconds(at: now))
      return "played: \(entry.name) (\(entry.team.word)) \(played)"
    }
  }
}

/// Minutes and seconds, rounded down: `47:05`.
func timerText(milliseconds: Int64) -> String {
  let seconds = max(0, milliseconds) / 1_000
  let rest = seconds % 60
  return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
}
