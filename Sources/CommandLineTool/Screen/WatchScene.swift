public import WatchTransfer

/// All that a watch's screen shows, as of a moment.
public struct WatchScene: Sendable {
  /// Where the connection stands.
  public enum Link: Hashable, Sendable {
    /// The person wants none.
    case offline
    /// There is none; why.
    case connecting(String?)
    case connected
    /// The authority does not want this watch, or the outbox is broken; why.
    case ended(String)
  }

  /// An action of the outbox.
  public struct Kept: Hashable, Sendable {
    public var id: IncarnationNumber
    /// What it asks for.
    public var kind: String
    /// How far it has come.
    public var stage: String
    /// Whether its outcome is unknown, so that the person decides.
    public var isQuarantined: Bool

    /// An action.
    public init(id: IncarnationNumber, kind: String, stage: String, isQuarantined: Bool) {
      self.id = id
      self.kind = kind
      self.stage = stage
      self.isQuarantined = isQuarantined
    }
  }

  public var link = Link.offline
  /// What is shown is not confirmed by the authority.
  public var isStale = true
  public var revision: Revision = 0
  /// Actions on this watch alone, on their way, and set aside.
  public var queued = 0
  public var received = 0
  public var quarantined = 0
  public var facets: [FacetKind: Facet] = [:]
  /// What is shown that is no part of the truth: who is there, what did not arrive, live values.
  public var readings: [ReadingKind: Reading] = [:]
  /// The newest actions, oldest first.
  public var kept: [Kept] = []
  /// What facets are read by.
  public var now: Instant
  /// What was said last.
  public var message = ""

  /// A watch that knows nothing.
  public init(now: Instant) {
    self.now = now
  }
}

extension WatchScene {
  /// The match that a key acts on: the one that is shown.
  public var match: MatchID? { teams?.match }
  /// What a key acts on: what is shown, and nothing that is pending.
  public var strength: StrengthScene {
    StrengthScene(routines: routines, session: session, lastSession: lastSession)
  }

  var today: TodayFacet? { if case .today(let facet) = facets[.today] { facet } else { nil } }
  var streak: StreakFacet? { if case .streak(let facet) = facets[.streak] { facet } else { nil } }
  var goals: GoalsFacet? { if case .goals(let facet) = facets[.goals] { facet } else { nil } }
  var routines: RoutinesFacet? {
    if case .routines(let facet) = facets[.routines] { facet } else { nil }
  }
  var session: SessionFacet? {
    if case .session(let facet) = facets[.session] { facet } else { nil }
  }
  var lastSession: LastSessionFacet? {
    if case .lastSession(let facet) = facets[.lastSession] { facet } else { nil }
  }
  /// What is measured in the session; nil: nothing, or not any more.
  var live: LiveReading? {
    guard case .live(let live?) = readings[.live], !live.isExpired(at: now) else { return nil }
    return live
  }
  var teams: TeamsFacet? { if case .teams(let facet) = facets[.teams] { facet } else { nil } }
  var score: ScoreFacet? { if case .score(let facet) = facets[.score] { facet } else { nil } }
  var clock: MatchClockFacet? {
    if case .matchClock(let facet) = facets[.matchClock] { facet } else { nil }
  }
}
