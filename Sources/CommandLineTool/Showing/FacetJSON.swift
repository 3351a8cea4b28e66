public import WatchTransfer

/// Facets as JSON at a moment: of a timed list, the entry current then.
///
/// What is absent is null; instants are RFC 3339 in UTC. Without a match the match's facets keep
/// their members, all null (`entries` empty), so that a reader needs no second shape.
public enum FacetJSON {
  /// All of `facets`, by name, in the order of their kinds.
  public static func object(of facets: [FacetKind: Facet], at now: Instant) -> JSONValue {
    .object(
      FacetKind.allCases.compactMap { kind in
        facets[kind].map { (kind.word, value(of: $0, at: now)) }
      })
  }

  /// One facet at `now`.
  public static func value(of facet: Facet, at now: Instant) -> JSONValue {
    switch facet {
    case .today(let today): value(of: today, at: now)
    case .streak(let streak): value(of: streak, at: now)
    case .goals(let goals): value(of: goals, at: now)
    case .preferences(let preferences): value(of: preferences)
    case .theme(let theme): value(of: theme, at: now)
    case .teams(let teams): value(of: teams)
    case .score(let score): value(of: score)
    case .matchClock(let clock): value(of: clock)
    case .routines(let routines): value(of: routines)
    case .session(let session): value(of: session)
    case .lastSession(let summary): value(of: summary)
    case .squads(let squads): value(of: squads)
    case .playTime(let time): value(of: time)
    }
  }

  private static func value(of today: TodayFacet, at now: Instant) -> JSONValue {
    let day = today.days.current(at: now)
    return .object([
      ("day", .optional(day?.day.description)),
      ("greeting", .optional(today.greetings.current(at: now)?.text)),
      ("items", .array((day?.items ?? []).map(value))),
    ])
  }

  private static func value(of item: TodayFacet.Item) -> JSONValue {
    .object([
      ("title", .string(item.title)), ("kind", .string(item.kind.word)), ("at", .instant(item.at)),
      ("done", .bool(item.done)), ("id", .string(item.id.description)),
      ("text", .string(item.text)),
    ])
  }

  private static func value(of streak: StreakFacet, at now: Instant) -> JSONValue {
    let entry = streak.entries.current(at: now)
    return .object([
      ("policy", .string(streak.policy.word)), ("days", .optional(entry?.days)),
      ("todayDone", entry.map { .bool($0.todayDone) } ?? .null),
      ("atRiskAt", .instant(entry?.atRiskAt)), ("lostAt", .instant(entry?.lostAt)),
      ("daysAWeek", .optional(streak.policy.daysAWeek)), ("freezes", .optional(entry?.freezes)),
      ("protected", .array((entry?.protected ?? []).map { .string($0.description) })),
      ("paused", entry.map { .bool($0.isPaused) } ?? .null),
    ])
  }

  /// `value` and `text` are null for a goal that the authority cannot measure.
  private static func value(of goals: GoalsFacet, at now: Instant) -> JSONValue {
    let values: [JSONValue] = goals.goals.map { goal in
      let progress = goal.progress.current(at: now)
      return .object([
        ("name", .string(goal.name)), ("target", .number(goal.target)),
        ("value", progress.map { .number($0.value) } ?? .null), ("text", .optional(progress?.text)),
      ])
    }
    return .object([("goals", .array(values)), ("weight", value(of: goals.weight))])
  }

  /// `value` is the decimal as it was entered.
  private static func value(of weight: GoalsFacet.LatestWeight?) -> JSONValue {
    guard let weight else { return .null }
    return .object([
      ("text", .string(weight.text)), ("entered", .string(weight.weight.text)),
      ("kilograms", .number(weight.weight.kilograms)), ("day", .string(weight.day.description)),
      ("at", .instant(weight.at)), ("id", .string(weight.id.description)),
    ])
  }

  private static func value(of preferences: PreferencesFacet) -> JSONValue {
    .object([
      ("units", .string(preferences.units.word)),
      ("firstWeekday", .whole(preferences.firstWeekday)),
      ("onboardingStep", .whole(preferences.onboardingStep)),
      ("streakPolicy", .string(preferences.streakPolicy.word)),
      ("streakDays", .optional(preferences.streakPolicy.daysAWeek)),
      ("zone", .string(preferences.zoneID)),
    ])
  }

  /// `flips` is the whole list: its first entry is what held at the newest turn.
  private static func value(of theme: ThemeFacet, at now: Instant) -> JSONValue {
    let flips: [JSONValue] = theme.flips.map { flip in
      .object([("at", .instant(flip.from)), ("to", .string(flip.to.word))])
    }
    return .object([
      ("mode", .string(theme.mode.word)),
      ("now", .optional(theme.flips.current(at: now)?.to.word)), ("flips", .array(flips)),
      ("palette", .string(theme.palette.word)),
      ("palettes", .object([("day", .palette(theme.day)), ("night", .palette(theme.night))])),
    ])
  }

  private static func value(of teams: TeamsFacet?) -> JSONValue {
    .object([
      ("home", .optional(teams?.home)), ("away", .optional(teams?.away)),
      ("match", .optional(teams?.match.description)),
    ])
  }

  private static func value(of score: ScoreFacet?) -> JSONValue {
    let entries: [JSONValue] = (score?.entries ?? []).map { entry in
      .object([
        ("id", .string(entry.id.description)), ("team", .string(entry.team.word)),
        ("minute", .optional(entry.minute)), ("by", .string(entry.by)),
      ])
    }
    return .object([
      ("home", .optional(score?.home)), ("away", .optional(score?.away)),
      ("entries", .array(entries)), ("match", .optional(score?.match.description)),
    ])
  }

  /// `elapsedMs` belongs to the anchor: a reader adds the time since `runningSince`, if any.
  private static func value(of clock: MatchClockFacet?) -> JSONValue {
    .object([
      ("phase", .optional(clock?.phase.word)), ("half", .optional(clock?.half)),
      ("elapsedMs", .optional(clock?.elapsedMilliseconds)),
      ("runningSince", .instant(clock?.runningSince)),
      ("halfLengthMs", .optional(clock?.halfLengthMilliseconds)),
      ("match", .optional(clock?.match.description)),
      ("recorder", .optional(clock?.recorder?.description)),
      ("halves", .optional(clock?.halves)), ("stoppage", value(of: clock?.stoppage)),
    ])
  }

  /// Shown from `from` on, or now if that is null: `text` and the timer behind it.
  private static func value(of stoppage: MatchClockFacet.Stoppage?) -> JSONValue {
    guard let stoppage else { return .null }
    return .object([
      ("text", .string(stoppage.text)), ("from", .instant(stoppage.from)),
      ("elapsedMs", .whole(stoppage.elapsedMilliseconds)),
      ("runningSince", .instant(stoppage.runningSince)),
    ])
  }
}

extension JSONValue {
  /// RFC 3339 in UTC, or null.
  public static func instant(_ instant: Instant?) -> JSONValue {
    .optional(instant?.rfc3339)
  }

  /// The four colours as `#RRGGBB`, or null.
  public static func palette(_ palette: Palette?) -> JSONValue {
    guard let palette else { return .null }
    return .object([
      ("background", .string(hexColour(palette.background))),
      ("text", .string(hexColour(palette.text))),
      ("secondary", .string(hexColour(palette.secondary))),
      ("accent", .string(hexColour(palette.accent))),
    ])
  }
}

extension TodayFacet.ItemKind {
  /// The word used in JSON.
  var word: String { self == .scheduled ? "scheduled" : "logged" }
}

/// 0xRRGGBB as `#RRGGBB`.
func hexColour(_ colour: UInt32) -> String {
  let digits = String(colour & 0xFF_FFFF, radix: 16, uppercase: true)
  return "#" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
}
