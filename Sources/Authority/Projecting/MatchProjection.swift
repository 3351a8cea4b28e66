internal import WatchTransfer

/// A match as surfaces see it.
struct MatchProjection {
  let match: Match

  /// Who plays.
  var teams: TeamsFacet {
    TeamsFacet(match: match.id, home: match.name(of: .home), away: match.name(of: .away))
  }

  /// The score and the newest points that count, each with its minute by the clock at its time.
  var score: ScoreFacet {
    let shown = match.entries.filter { !$0.isUndone }.suffix(AuthorityLimits.entriesShown)
    var walk = ClockWalk(match)
    let entries = shown.map { entry in
      walk.advance(to: entry.at)
      return ScoreFacet.Entry(
        id: entry.id, team: entry.team, minute: walk.clock.minute(at: entry.at),
        by: entry.deviceName, half: walk.clock.half)
    }
    return ScoreFacet(
      match: match.id, home: match.score(of: .home), away: match.score(of: .away),
      entries: entries)
  }

  /// The clock as an anchor.
  var clock: MatchClockFacet {
    let clock = match.clock
    var halfOverAt: Instant?
    let left = clock.halfEndMilliseconds &- clock.elapsedMilliseconds
    if let since = clock.runningSince, left > 0 { halfOverAt = since.advanced(milliseconds: left) }
    var facet = MatchClockFacet(
      match: match.id, phase: clock.phase, half: clock.half,
      elapsedMilliseconds: clock.elapsedMilliseconds, runningSince: clock.runningSince,
      halfLengthMilliseconds: clock.halves.length(of: clock.half), halfOverAt: halfOverAt,
      recorder: clock.recorder)
    facet.halves = clock.halves.count
    // Running, the half will be over.
    if clock.runningSince != nil || left <= 0 {
      facet.stoppage = MatchClockFacet.Stoppage(
        text: clock.halves.stoppageText(of: clock.half), from: halfOverAt,
        elapsedMilliseconds: max(0, 0 &- left), runningSince: halfOverAt ?? clock.runningSince)
    }
    return facet
  }
}
