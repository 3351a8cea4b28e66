internal import WatchTransfer

/// Who plays in a match, as the phone sees it.
struct LineUpProjection {
  let match: Match
  private let time: PlayTime

  /// What is called who is in no squad.
  private static let stranger = "Player"

  init(match: Match) {
    self.match = match
    time = PlayTime(match)
  }

  /// The squads, and the newest substitutions that count, each with its minute at its time.
  var squads: SquadsFacet {
    let shown = match.lineUp.substitutions.filter { !$0.isUndone }
      .suffix(AuthorityLimits.substitutionsShown)
    var walk = ClockWalk(match)
    let substitutions = shown.map { entry in
      walk.advance(to: entry.at)
      return SquadsFacet.Substitution(
        id: entry.id, team: entry.team, off: entry.off, on: entry.on,
        text: "\(name(of: entry.on)) for \(name(of: entry.off))",
        minute: walk.clock.minute(at: entry.at), half: walk.clock.half, by: entry.deviceName)
    }
    return SquadsFacet(
      match: match.id, home: members(of: .home), away: members(of: .away),
      substitutions: substitutions)
  }

  /// How long each has played, who is in no squad last.
  var playTime: PlayTimeFacet {
    var entries: [PlayTimeFacet.Entry] = []
    for team in Team.allCases {
      entries += match.lineUp.squad(of: team).value.map { entry(of: $0.id, team) }
    }
    var strangers: [PlayerID: Team] = [:]
    for substitution in match.lineUp.substitutions where !substitution.isUndone {
      for player in [substitution.off, substitution.on] where match.lineUp.player(player) == nil {
        strangers[player] = strangers[player] ?? substitution.team
      }
    }
    entries += strangers.sorted { $0.key < $1.key }.prefix(AuthorityLimits.strangersShown)
      .map { entry(of: $0.key, $0.value) }
    return PlayTimeFacet(match: match.id, entries: entries)
  }

  private func members(of team: Team) -> [SquadsFacet.Member] {
    match.lineUp.squad(of: team).value.map {
      SquadsFacet.Member(player: $0, isOnField: time.isOnField($0.id))
    }
  }

  private func entry(of player: PlayerID, _ team: Team) -> PlayTimeFacet.Entry {
    let anchor = time.anchor(of: player)
    return PlayTimeFacet.Entry(
      player: player, team: team, name: name(of: player),
      elapsedMilliseconds: anchor.elapsedMilliseconds, runningSince: anchor.runningSince)
  }

  private func name(of player: PlayerID) -> String {
    match.lineUp.player(player)?.name ?? Self.stranger
  }
}
