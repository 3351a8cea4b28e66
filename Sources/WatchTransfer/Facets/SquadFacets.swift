/// Who may play, and who came for whom; for the phone only.
public struct SquadsFacet: Hashable, Sendable {
  /// A player of a squad.
  public struct Member: Hashable, Sendable {
    public var player: SquadPlayer
    /// Whether they are on the field, after all substitutions.
    public var isOnField: Bool

    /// A player, on the field or not.
    public init(player: SquadPlayer, isOnField: Bool) {
      self.player = player
      self.isOnField = isOnField
    }
  }

  /// A substitution that counts.
  public struct Substitution: Hashable, Sendable {
    public var id: SubstitutionID
    public var team: Team
    public var off: PlayerID
    public var on: PlayerID
    /// "Ada for Ben".
    public var text: String
    /// "12", "45+2"; nil: the clock never ran.
    public var minute: String?
    /// 1 to 4.
    public var half: Int
    /// Name of the device it was entered on.
    public var by: String

    /// A substitution.
    public init(
      id: SubstitutionID, team: Team, off: PlayerID, on: PlayerID, text: String, minute: String?,
      half: Int, by: String
    ) {
      self.id = id
      self.team = team
      self.off = off
      self.on = on
      self.text = text
      self.minute = minute
      self.half = half
      self.by = by
    }
  }

  public var match: MatchID
  /// In the order of the squad, as in `away`.
  public var home: [Member]
  public var away: [Member]
  /// The newest, oldest of them first.
  public var substitutions: [Substitution]

  /// Two squads.
  public init(
    match: MatchID, home: [Member], away: [Member], substitutions: [Substitution]
  ) {
    self.match = match
    self.home = home
    self.away = away
    self.substitutions = substitutions
  }
}

/// How long each player has played: anchors, never ages; for the phone only.
public struct PlayTimeFacet: Hashable, Sendable {
  /// One player's time.
  public struct Entry: Hashable, Sendable {
    public var player: PlayerID
    public var team: Team
    /// As in the squad; of somebody who is in none, a word for that.
    public var name: String
    /// What was played when `runningSince` began, or in all.
    public var elapsedMilliseconds: Int64
    /// nil: not playing now.
    public var runningSince: Instant?

    /// A player's time as an anchor.
    public init(
      player: PlayerID, team: Team, name: String, elapsedMilliseconds: Int64,
      runningSince: Instant?
    ) {
      self.player = player
      self.team = team
      self.name = name
      self.elapsedMilliseconds = elapsedMilliseconds
      self.runningSince = runningSince
    }

    /// What was played at `now`, in milliseconds.
    public func elapsedMilliseconds(at now: Instant) -> Int64 {
      guard let runningSince else { return elapsedMilliseconds }
      return elapsedMilliseconds + max(0, now.milliseconds(since: runningSince))
    }
  }

  public var match: MatchID
  /// Home before away, in the order of the squads; then who is in none.
  public var entries: [Entry]

  /// The times of a match.
  public init(match: MatchID, entries: [Entry]) {
    self.match = match
    self.entries = entries
  }
}
