public import WatchTransfer

/// From where an update goes.
public enum UpdateBasis: Hashable, Sendable {
  /// Everything: the client's state is replaced.
  case whole
  /// What changed after a revision.
  case since(Revision)

  /// The `from` of the update: 0 for the whole state.
  public var revision: Revision {
    switch self {
    case .whole: 0
    case .since(let revision): revision
    }
  }
}

/// The starts of the server in which an account changed, with the first revision changed in each:
/// what tells an ordinary restart from a server that went back in time (DESIGN section 4,
/// "Cursor").
public struct EpochLog: Hashable, Sendable {
  /// One start.
  public struct Entry: Hashable, Sendable {
    public var epoch: EpochID
    public var first: Revision

    /// The start `epoch`, whose first change made revision `first`.
    public init(epoch: EpochID, first: Revision) {
      self.epoch = epoch
      self.first = first
    }
  }

  /// Oldest first.
  public private(set) var entries: [Entry]

  /// Starts that are kept.
  public static let entriesMax = 16

  /// No change yet, or as stored.
  public init(entries: [Entry] = []) {
    self.entries = entries
  }

  /// The newest start in which the account changed.
  public var newest: EpochID? { entries.last?.epoch }

  /// Whether the account changed in this start.
  public func lists(_ epoch: EpochID) -> Bool {
    entries.contains { $0.epoch == epoch }
  }

  /// Takes down that `revision` was made in `epoch`.
  public mutating func changed(in epoch: EpochID, revision: Revision) {
    if newest == epoch { return }
    entries.append(Entry(epoch: epoch, first: revision))
    if entries.count > Self.entriesMax { entries.removeFirst() }
  }

  /// What a client with this cursor is sent, when the account is at `revision` and the connection's
  /// set is `facetSet`.
  public func basis(of cursor: Cursor?, at revision: Revision, facetSet: UInt32) -> UpdateBasis {
    guard let cursor, cursor.facetSet == facetSet, cursor.revision > 0,
      cursor.revision <= revision,
      let index = entries.firstIndex(where: { $0.epoch == cursor.epoch })
    else { return .whole }
    let next = index + 1
    if next < entries.count, cursor.revision >= entries[next].first { return .whole }
    return .since(cursor.revision)
  }
}
