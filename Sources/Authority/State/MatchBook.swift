package import WatchTransfer

/// All matches, in order of id.
package struct MatchBook: Sendable, Equatable {
  /// At most `AuthorityLimits.matchesMax`.
  package private(set) var all: [Match] = []

  /// No matches.
  package init() {}

  /// A match by its id; nil leaves it out.
  package subscript(id: MatchID) -> Match? {
    get {
      let position = position(of: id)
      return position < all.count && all[position].id == id ? all[position] : nil
    }
    set {
      let position = position(of: id)
      let isKnown = position < all.count && all[position].id == id
      switch (isKnown, newValue) {
      case (true, let match?): all[position] = match
      case (true, nil): all.remove(at: position)
      case (false, let match?): all.insert(match, at: position)
      case (false, nil): break
      }
    }
  }

  /// Changes a match in place; nothing happens when there is none.
  mutating func change(_ id: MatchID, _ change: (inout Match) -> Void) {
    let position = position(of: id)
    if position < all.count, all[position].id == id { change(&all[position]) }
  }

  /// The clock went back to `moment`: nothing in a match is later than that. Which match is the
  /// newest, and in which order controls and points came, stays as it was.
  mutating func bringBack(to moment: Instant) {
    for index in all.indices { all[index].bringBack(to: moment) }
    let late = all.indices.filter { all[$0].madeAt > moment }
      .sorted { Self.isEarlier(all[$0], all[$1]) }
    for (rank, index) in late.enumerated() {
      all[index].madeAt = moment.advanced(milliseconds: Int64(rank - late.count + 1))
    }
  }

  /// The match that surfaces show: the newest made; a stub only while no real match is open
  /// (DESIGN section 4, Late facts).
  package var shown: Match? {
    let newest = newest { !$0.isStub }
    if all.contains(where: { !$0.isStub && $0.isOpen }) { return newest }
    return self.newest { $0.isStub && $0.isOpen } ?? newest
  }

  /// The match that makes room for another: the first made of those that are over, else of those
  /// without a fact for as long as closes a stub; never the shown one.
  func expendable(now: Instant) -> Match? {
    let shown = shown?.id
    let idleSince = now.advanced(milliseconds: -AuthorityLimits.stubIdleMilliseconds)
    return oldest { $0.id != shown && !$0.isOpen }
      ?? oldest { $0.id != shown && $0.lastFact <= idleSince }
  }

  private func newest(where isWanted: (Match) -> Bool) -> Match? {
    all.lazy.filter(isWanted).max { Self.isEarlier($0, $1) }
  }

  private func oldest(where isWanted: (Match) -> Bool) -> Match? {
    all.lazy.filter(isWanted).min { Self.isEarlier($0, $1) }
  }

  private static func isEarlier(_ left: Match, _ right: Match) -> Bool {
    left.madeAt == right.madeAt ? left.id < right.id : left.madeAt < right.madeAt
  }

  private func position(of id: MatchID) -> Int {
    all.partitionIndex { $0.id < id }
  }
}
