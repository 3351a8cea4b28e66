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
    var clock = MatchClock(halfLengthMilliseconds: match.halfLengthMilliseconds)
    var controls = match.controls[...]
    let entries = shown.map { entry in
      while let next = controls.first, next.stamp.at <= entry.at {
        clock.take(next)
        controls.removeFirst()
      }
      return Self.entry(entry, clock)
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
    return MatchClockFacet(
      match: match.id, phase: clock.phase, half: clock.half,
      elapsedMilliseconds: clock.elapsedMilliseconds, runningSince: clock.runningSince,
      halfLengthMilliseconds: clock.halfLengthMilliseconds, halfOverAt: halfOverAt,
      recorder: clock.recorder)
  }

  private static func entry(_ entry: PointEntry, _ clock: MatchClock) -> ScoreFacet.Entry {
    let minute: String? =
      if clock.recorder == nil {
        nil
      } else {
        minuteLabel(
          clock: clock.elapsedMilliseconds(at: entry.at), half: clock.half,
          halfLength: clock.halfLengthMilliseconds)
      }
    return ScoreFacet.Entry(
      id: entry.id, team: entry.team, minute: minute, by: entry.deviceName, half: clock.half)
  }
}
