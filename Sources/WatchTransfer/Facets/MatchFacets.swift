/// Who plays.
public struct TeamsFacet: Hashable, Sendable {
  public var match: MatchID
  public var home: String
  public var away: String

  /// The two names.
  public init(match: MatchID, home: String, away: String) {
    self.match = match
    self.home = home
    self.away = away
  }
}

/// The score and its newest entries.
public struct ScoreFacet: Hashable, Sendable {
  /// One point.
  public struct Entry: Hashable, Sendable {
    public var id: EntryID
    public var team: Team
    /// "12", "45+2"; nil: the clock never ran.
    public var minute: String?
    /// Name of the device that pressed.
    public var by: String
    /// 1 to 4.
    public var half: Int

    /// A point.
    public init(id: EntryID, team: Team, minute: String?, by: String, half: Int) {
      self.id = id
      self.team = team
      self.minute = minute
      self.by = by
      self.half = half
    }
  }

  public var match: MatchID
  public var home: Int
  public var away: Int
  /// The newest, oldest of them first.
  public var entries: [Entry]

  /// A score.
  public init(match: MatchID, home: Int, away: Int, entries: [Entry]) {
    self.match = match
    self.home = home
    self.away = away
    self.entries = entries
  }
}

/// What a match clock does.
public enum ClockPhase: UInt8, CaseIterable, Sendable {
  case idle = 1
  case running = 2
  case paused = 3
  case ended = 4

  /// The word used in JSON.
  public var word: String {
    switch self {
    case .idle: "idle"
    case .running: "running"
    case .paused: "paused"
    case .ended: "ended"
    }
  }
}

/// The match clock as an anchor, so that how late it arrives does not matter.
public struct MatchClockFacet: Hashable, Sendable {
  public var match: MatchID
  public var phase: ClockPhase
  /// 1 to `halves`.
  public var half: Int
  /// How many halves there are: 2, with extra time 4.
  public var halves = 2
  /// What the match clock showed when `runningSince` began, or shows.
  public var elapsedMilliseconds: Int64
  /// nil: not running.
  public var runningSince: Instant?
  /// Of the half in play.
  public var halfLengthMilliseconds: Int64
  /// When the half's regular time ends; nil: not running, or past.
  public var halfOverAt: Instant?
  /// The device that drives the clock.
  public var recorder: DeviceID?
  /// What is shown from the half's end on; nil: not in it, and time alone does not lead there.
  public var stoppage: Stoppage?

  /// Stoppage time of the half in play. A surface that is in it shows the text with a timer of its
  /// own behind it, "45+ 1:38", and so computes no minute.
  public struct Stoppage: Hashable, Sendable {
    /// "45+".
    public var text: String
    /// When it begins; nil: it has.
    public var from: Instant?
    /// How long it was when `runningSince` began, or is.
    public var elapsedMilliseconds: Int64
    /// nil: not running.
    public var runningSince: Instant?

    /// Stoppage time as an anchor.
    public init(
      text: String, from: Instant?, elapsedMilliseconds: Int64, runningSince: Instant?
    ) {
      self.text = text
      self.from = from
      self.elapsedMilliseconds = elapsedMilliseconds
      self.runningSince = runningSince
    }

    /// How long it is at `now`, in milliseconds; nil: it has not begun.
    public func elapsedMilliseconds(at now: Instant) -> Int64? {
      if let from, now < from { return nil }
      guard let runningSince else { return elapsedMilliseconds }
      return elapsedMilliseconds + max(0, now.milliseconds(since: runningSince))
    }
  }

  /// A clock.
  public init(
    match: MatchID, phase: ClockPhase, half: Int, elapsedMilliseconds: Int64,
    runningSince: Instant?, halfLengthMilliseconds: Int64, halfOverAt: Instant?,
    recorder: DeviceID?
  ) {
    self.match = match
    self.phase = phase
    self.half = half
    self.elapsedMilliseconds = elapsedMilliseconds
    self.runningSince = runningSince
    self.halfLengthMilliseconds = halfLengthMilliseconds
    self.halfOverAt = halfOverAt
    self.recorder = recorder
  }

  /// What the match clock shows at `now`, in milliseconds.
  public func elapsedMilliseconds(at now: Instant) -> Int64 {
    guard let runningSince else { return elapsedMilliseconds }
    return elapsedMilliseconds + max(0, now.milliseconds(since: runningSince))
  }
}
