/// The closed set of facets.
public enum FacetKind: UInt8, CaseIterable, Sendable {
  case today = 1
  case streak = 2
  case goals = 3
  case preferences = 4
  case theme = 5
  case teams = 6
  case score = 7
  case matchClock = 8
  case routines = 9
  case session = 10
  case lastSession = 11
  case squads = 12
  case playTime = 13

  /// The name used in JSON.
  public var word: String {
    switch self {
    case .today: "today"
    case .streak: "streak"
    case .goals: "goals"
    case .preferences: "preferences"
    case .theme: "theme"
    case .teams: "teams"
    case .score: "score"
    case .matchClock: "matchClock"
    case .routines: "routines"
    case .session: "session"
    case .lastSession: "lastSession"
    case .squads: "squads"
    case .playTime: "playTime"
    }
  }
}

/// One facet's value.
public enum Facet: Hashable, Sendable {
  case today(TodayFacet)
  case streak(StreakFacet)
  case goals(GoalsFacet)
  case preferences(PreferencesFacet)
  case theme(ThemeFacet)
  case teams(TeamsFacet?)
  case score(ScoreFacet?)
  case matchClock(MatchClockFacet?)
  case routines(RoutinesFacet)
  case session(SessionFacet?)
  case lastSession(LastSessionFacet?)
  case squads(SquadsFacet?)
  case playTime(PlayTimeFacet?)

  /// Which facet it is.
  public var kind: FacetKind {
    switch self {
    case .today: .today
    case .streak: .streak
    case .goals: .goals
    case .preferences: .preferences
    case .theme: .theme
    case .teams: .teams
    case .score: .score
    case .matchClock: .matchClock
    case .routines: .routines
    case .session: .session
    case .lastSession: .lastSession
    case .squads: .squads
    case .playTime: .playTime
    }
  }
}

/// A value that holds from a moment until the next one of its list.
public protocol Timed {
  /// First moment it holds.
  var from: Instant { get }
}

extension Sequence where Element: Timed {
  /// The entry current at `now`: the last one whose moment has passed, else the first.
  public func current(at now: Instant) -> Element? {
    var found: Element?
    for entry in self {
      if found != nil, entry.from > now { break }
      found = entry
    }
    return found
  }
}
