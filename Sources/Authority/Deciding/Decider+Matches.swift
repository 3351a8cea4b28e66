internal import WatchTransfer

extension Decider {
  /// Makes a match; fills the stub that a fact of it has opened.
  func newMatch(
    _ id: MatchID, home: String, away: String, halves: HalfLengths
  ) throws(Rejection) -> [Event] {
    try requireName(home, field: "home")
    try requireName(away, field: "away")
    guard ActionLimits.halfLengthMilliseconds.contains(halves.regular) else {
      throw .refused(.invalid(field: "half_length_ms"))
    }
    var made: [Event] = [
      .matchMade(id: id, home: home, away: away, halfLengthMilliseconds: halves.regular, by: by)
    ]
    if let extra = halves.extra {
      guard ActionLimits.halfLengthMilliseconds.contains(extra) else {
        throw .refused(.invalid(field: "extra_half_ms"))
      }
      made.append(.extraTimeAgreed(match: id, halfMilliseconds: extra))
    }
    if let stub = state.matches[id], stub.isStub { return made }
    try requireFree(id, for: .match)
    return try room() + made
  }

  /// Names a team.
  func nameTeam(_ id: MatchID, _ team: Team, _ name: String) throws(Rejection) -> [Event] {
    try requireName(name, field: "name")
    let named = Event.teamNamed(match: id, team: team, name: name, by: by)
    guard let match = try existing(id) else {
      guard context.isReoffered else { throw .refused(.notFound) }
      return try stub(id) + [named]
    }
    let current = team == .home ? match.home : match.away
    try requireWinner(current.yields(to: by.stamp))
    return [named]
  }

  /// Adds a point: a fact, put in at its time, also to a match that has not arrived or has ended.
  /// Unless it insists, one that another referee has just pressed for is the same point.
  func addPoint(
    _ entry: EntryID, _ id: MatchID, _ team: Team, insist: Bool
  ) throws(Rejection) -> [Event] {
    let match = try existing(id)
    let isUndoneAhead = match?.undoneAhead.contains(entry) ?? false
    if !(isUndoneAhead && context.isReoffered) { try requireFree(entry, for: .entry) }
    let added = Event.pointAdded(
      match: id, entry: entry, team: team, deviceName: context.device.name, by: by)
    guard let match else {
      // The stub takes its id first.
      if entry.retagged() == id { throw .refused(.taken) }
      return try stub(id) + [added]
    }
    try requireRoom(match.entries.count, AuthorityLimits.entriesMax, of: "entries")
    if !insist, !context.isReoffered,
      match.coincides(team: team, at: by.at, device: by.device)
    {
      throw .refused(.coincides)
    }
    return [added]
  }

  /// Takes a point back. Offered again, also one that has not come back yet.
  func undoPoint(_ id: MatchID, _ entry: EntryID) throws(Rejection) -> [Event] {
    let undone = Event.pointUndone(match: id, entry: entry, by: by)
    guard let match = try existing(id) else {
      guard context.isReoffered else { throw .refused(.notFound) }
      return try stub(id) + [undone]
    }
    if let known = match.entries.first(where: { $0.id == entry }) {
      if known.isUndone { throw .refused(.gone) }
      return [undone]
    }
    if match.undoneAhead.contains(entry) { throw .refused(.gone) }
    guard context.isReoffered, state.thing(entry) == nil else { throw .refused(.notFound) }
    // Any client can claim to offer again: what was never there must not grow without bound.
    try requireRoom(match.undoneAhead.count, AuthorityLimits.entriesMax, of: "entries")
    try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    return [undone]
  }

  /// The match that `id` names; nil when it names nothing yet.
  func existing(_ id: MatchID) throws(Rejection) -> Match? {
    if let match = state.matches[id] { return match }
    switch state.thing(id) {
    case nil: return nil
    case .gone(.match): throw .refused(.gone)
    default: throw .refused(.notFound)
    }
  }

  /// Opens a stub under an id that names nothing yet.
  func stub(_ id: MatchID) throws(Rejection) -> [Event] {
    try requireRoom(state.things.count, AuthorityLimits.identifiersMax, of: "ids")
    let stubs = state.matches.all.count { $0.isStub && $0.isOpen }
    try requireRoom(stubs, AuthorityLimits.openMatchStubsMax, of: "matches")
    return try room() + [.matchStubOpened(id: id, by: by)]
  }

  /// Makes room for one more match.
  private func room() throws(Rejection) -> [Event] {
    guard state.matches.all.count >= AuthorityLimits.matchesMax else { return [] }
    guard let expendable = state.matches.expendable(now: context.now) else {
      try requireRoom(
        state.matches.all.count, AuthorityLimits.matchesMax, of: "matches")
      return []
    }
    return [.matchDropped(id: expendable.id)]
  }
}
