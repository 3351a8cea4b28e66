internal import WatchTransfer

extension Decider {
  /// Says who may play for a team: an edit of the whole squad.
  func setSquad(
    _ id: MatchID, _ team: Team, _ players: [SquadPlayer]
  ) throws(Rejection) -> [Event] {
    guard players.count <= ActionLimits.playersMax else {
      throw .refused(.limit(of: "players"))
    }
    var seen: Set<PlayerID> = []
    for player in players {
      try requireName(player.name, field: "name")
      if let number = player.number, !ActionLimits.shirtNumbers.contains(number) {
        throw .refused(.invalid(field: "number"))
      }
      // Players are one kind of thing, which a match is not.
      if player.id.retagged() == id { throw .refused(.taken) }
      guard seen.insert(player.id).inserted else { throw .refused(.invalid(field: "players")) }
    }
    for player in players where !state.isPlayer(player.id) { throw .refused(.taken) }
    try requireIdentifiers(for: players.map(\.id))
    let set = Event.squadSet(match: id, team: team, players: players, by: by)
    guard let match = try existing(id) else {
      guard context.isReoffered else { throw .refused(.notFound) }
      return try stub(id) + [set]
    }
    // Nobody plays for both.
    let others = match.lineUp.squad(of: team == .home ? .away : .home).value
    if others.contains(where: { seen.contains($0.id) }) { throw .refused(.taken) }
    try requireWinner(match.lineUp.squad(of: team).yields(to: by.stamp))
    return [set]
  }

  /// Sends one player on for another: a fact, put in at its time, also to a match or of players
  /// that have not arrived.
  func substitute(
    _ entry: SubstitutionID, _ id: MatchID, _ team: Team, off: PlayerID, on: PlayerID
  ) throws(Rejection) -> [Event] {
    if off == on { throw .refused(.invalid(field: "on")) }
    let match = try existing(id)
    let isUndoneAhead = match?.lineUp.undoneAhead.contains(entry) ?? false
    if !(isUndoneAhead && context.isReoffered) { try requireFree(entry, for: .substitution) }
    for player in [off, on] {
      guard state.isPlayer(player), player.retagged() != id else { throw .refused(.notFound) }
      if player.retagged() == entry { throw .refused(.taken) }
    }
    try requireIdentifiers(for: [off, on])
    let substituted = Event.substituted(
      match: id, id: entry, team: team, off: off, on: on, deviceName: context.device.name, by: by)
    guard let match else {
      // The stub takes its id first.
      if entry.retagged() == id { throw .refused(.taken) }
      return try stub(id) + [substituted]
    }
    try requireRoom(
      match.lineUp.substitutions.count, AuthorityLimits.substitutionsMax, of: "substitutions")
    return [substituted]
  }

  /// Takes a substitution back. Offered again, also one that has not come back yet.
  func undoSubstitution(_ id: MatchID, _ entry: SubstitutionID) throws(Rejection) -> [Event] {
    let undone = Event.substitutionUndone(match: id, id: entry, by: by)
    guard let match = try existing(id) else {
      guard context.isReoffered, entry.retagged() != id else { throw .refused(.notFound) }
      return try stub(id) + [undone]
    }
    if let known = match.lineUp.substitutions.first(where: { $0.id == entry }) {
      if known.isUndone { throw .refused(.gone) }
      return [undone]
    }
    if match.lineUp.undoneAhead.contains(entry) { throw .refused(.gone) }
    guard context.isReoffered, state.thing(entry) == nil else { throw .refused(.notFound) }
    try requireRoom(
      match.lineUp.undoneAhead.count, AuthorityLimits.substitutionsMax, of: "substitutions")
    try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    return [undone]
  }

  /// Refuses unless there is room for the ids of players that nothing has named yet.
  private func requireIdentifiers(for players: [PlayerID]) throws(Rejection) {
    let new = players.count { state.thing($0) == nil }
    try requireRoom(
      state.things.count + max(0, new - 1), AuthorityLimits.identifiersMax, of: "ids")
  }
}
