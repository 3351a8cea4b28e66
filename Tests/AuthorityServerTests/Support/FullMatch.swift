import Authority
import WatchTransfer

/// The events of a running match at every cap, from `start` on; `isOfSquads`: who is substituted is
/// in a squad.
func fullMatchEvents(from start: Instant, isOfSquads: Bool) -> [Event] {
  let name = String(repeating: "\u{1F3C3}", count: 32)
  let device = DeviceID.random()
  let match = MatchID.random()
  func by(_ second: Int) -> Occurrence {
    let at = start.advanced(milliseconds: Int64(second) * 1_000)
    return Occurrence(at: at, raw: at, isFlagged: false, device: device)
  }
  func squad() -> [SquadPlayer] {
    (0..<ActionLimits.playersMax).map { _ in
      SquadPlayer(id: .random(), name: name, number: 999, starts: true)
    }
  }
  let home = squad()
  var events: [Event] = [
    .matchMade(id: match, home: name, away: name, halfLengthMilliseconds: 10_800_000, by: by(0)),
    .extraTimeAgreed(match: match, halfMilliseconds: 10_800_000),
    .squadSet(match: match, team: .home, players: home, by: by(1)),
    .squadSet(match: match, team: .away, players: squad(), by: by(1)),
    .clockControlled(match: match, control: .start, by: by(2)),
  ]
  for index in 0..<AuthorityLimits.substitutionsMax {
    let off = isOfSquads ? home[index % 23].id : .random()
    let on = isOfSquads ? home[(index + 1) % 23].id : .random()
    events.append(
      .substituted(
        match: match, id: .random(), team: .home, off: off, on: on, deviceName: name,
        by: by(100_000 + index)))
  }
  for index in 0..<AuthorityLimits.entriesMax {
    events.append(
      .pointAdded(
        match: match, entry: .random(), team: .home, deviceName: name, by: by(100_000 + index)))
  }
  return events
}
