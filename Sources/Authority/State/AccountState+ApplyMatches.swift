internal import WatchTransfer

extension AccountState {
  /// Matches, points and clocks.
  mutating func applyToMatches(_ event: Event) {
    switch event {
    case .matchMade(let id, let home, let away, let halfLength, let by):
      openMatch(id, at: by.at)
      matches.change(id) { match in
        guard match.isStub else { return }
        match.isStub = false
        match.madeAt = by.at
        match.closedAt = nil
        match.halves = HalfLengths(regular: halfLength)
        match.home.edit(home, by: by.stamp)
        match.away.edit(away, by: by.stamp)
        match.noteFact(at: by.at)
      }
    case .matchStubOpened(let id, let by):
      openMatch(id, at: by.at)
    case .matchStubClosed(let id, let at):
      matches.change(id) { match in
        if match.isStub { match.closedAt = at }
      }
    case .matchDropped(let id):
      drop(id)
    case .teamNamed(let id, let team, let name, let by):
      matches.change(id) { match in
        switch team {
        case .home: match.home.edit(name, by: by.stamp)
        case .away: match.away.edit(name, by: by.stamp)
        }
      }
    case .pointAdded(let id, let entry, let team, let deviceName, let by):
      addPoint(entry, to: id, team: team, deviceName: deviceName, by: by)
    case .pointUndone(let id, let entry, _):
      undoPoint(entry, of: id)
    case .clockControlled(let id, let control, let by):
      matches.change(id) { $0.insert(ControlEntry(control: control, stamp: by.stamp)) }
    case .extraTimeAgreed(let id, let halfMilliseconds):
      matches.change(id) { $0.halves.extra = halfMilliseconds }
    case .clockTakenOver(let id, let by):
      matches.change(id) { $0.insert(takeover: by.stamp) }
    default:
      break
    }
  }

  private mutating func openMatch(_ id: MatchID, at moment: Instant) {
    guard thing(id) == nil else { return }
    matches[id] = Match(stub: id, at: moment)
    things[id.retagged()] = .match
  }

  /// Its id stays used; its entries' ids, which nothing can name without the match, are forgotten.
  private mutating func drop(_ id: MatchID) {
    guard let match = matches[id] else { return }
    for entry in match.entries { things[entry.id.retagged()] = nil }
    for entry in match.undoneAhead { things[entry.retagged()] = nil }
    for entry in match.lineUp.substitutions { things[entry.id.retagged()] = nil }
    for entry in match.lineUp.undoneAhead { things[entry.retagged()] = nil }
    matches[id] = nil
    things[id.retagged()] = .gone(.match)
    forgetPlayers(match.lineUp.named)
  }

  private mutating func addPoint(
    _ id: EntryID, to match: MatchID, team: Team, deviceName: String, by: Occurrence
  ) {
    guard case .match = thing(match) else { return }
    var isUndone = false
    switch thing(id) {
    case nil: break
    case .gone(.entry):
      guard matches[match]?.undoneAhead.contains(id) == true else { return }
      isUndone = true
    default: return
    }
    things[id.retagged()] = .entry(match: match)
    let entry = PointEntry(
      id: id, team: team, at: by.at, device: by.device, deviceName: deviceName,
      isUndone: isUndone)
    matches.change(match) { match in
      match.undoneAhead.removeAll { $0 == id }
      match.insert(entry)
    }
  }

  private mutating func undoPoint(_ id: EntryID, of match: MatchID) {
    switch thing(id) {
    case .entry(let home) where home == match:
      matches.change(match) { match in
        if let index = match.entries.firstIndex(where: { $0.id == id }) {
          match.entries[index].isUndone = true
        }
      }
    case nil:
      guard case .match = thing(match) else { return }
      things[id.retagged()] = .gone(.entry)
      matches.change(match) { match in
        match.undoneAhead.insert(id, at: match.undoneAhead.partitionIndex { $0 < id })
      }
    default: break
    }
  }
}
