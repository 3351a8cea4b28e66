internal import WatchTransfer

extension AccountState {
  /// Squads and substitutions.
  mutating func applyToLineUps(_ event: Event) {
    switch event {
    case .squadSet(let id, let team, let players, let by):
      guard case .match = thing(id) else { return }
      let fitting = players.filter { isPlayer($0.id) }
      for player in fitting { things[player.id.retagged()] = .player }
      let former = matches[id]?.lineUp.squad(of: team).value ?? []
      matches.change(id) { $0.lineUp.edit(team, fitting, by: by.stamp) }
      forgetPlayers((former + fitting).map(\.id))
    case .substituted(let match, let id, let team, let off, let on, let deviceName, let by):
      let entry = SubstitutionEntry(
        id: id, team: team, off: off, on: on, at: by.at, device: by.device,
        deviceName: deviceName, isUndone: false)
      substitute(entry, in: match)
    case .substitutionUndone(let id, let entry, _):
      undoSubstitution(entry, of: id)
    default:
      break
    }
  }

  /// Whether an id names a player, or nothing yet.
  func isPlayer(_ id: PlayerID) -> Bool {
    switch thing(id) {
    case nil, .player: true
    default: false
    }
  }

  /// Frees the ids of those whom no match names any more.
  mutating func forgetPlayers(_ players: [PlayerID]) {
    for player in players where thing(player) == .player {
      if !matches.all.contains(where: { $0.lineUp.names(player) }) {
        things[player.retagged()] = nil
      }
    }
  }

  private mutating func substitute(_ new: SubstitutionEntry, in match: MatchID) {
    guard case .match = thing(match), isPlayer(new.off), isPlayer(new.on),
      new.id.retagged() != new.off, new.id.retagged() != new.on
    else { return }
    var entry = new
    switch thing(entry.id) {
    case nil: break
    case .gone(.substitution):
      guard matches[match]?.lineUp.undoneAhead.contains(entry.id) == true else { return }
      entry.isUndone = true
    default: return
    }
    things[entry.id.retagged()] = .substitution(match: match)
    things[entry.off.retagged()] = .player
    things[entry.on.retagged()] = .player
    matches.change(match) { match in
      match.lineUp.undoneAhead.removeAll { $0 == entry.id }
      match.lineUp.insert(entry)
      match.noteFact(at: entry.at)
    }
  }

  private mutating func undoSubstitution(_ id: SubstitutionID, of match: MatchID) {
    switch thing(id) {
    case .substitution(let home) where home == match:
      matches.change(match) { match in
        if let index = match.lineUp.substitutions.firstIndex(where: { $0.id == id }) {
          match.lineUp.substitutions[index].isUndone = true
        }
      }
    case nil:
      guard case .match = thing(match) else { return }
      things[id.retagged()] = .gone(.substitution)
      matches.change(match) { match in
        let ahead = match.lineUp.undoneAhead
        match.lineUp.undoneAhead.insert(id, at: ahead.partitionIndex { $0 < id })
      }
    default: break
    }
  }
}
