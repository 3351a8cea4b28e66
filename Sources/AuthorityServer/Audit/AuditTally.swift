internal import Transport

/// Counts what anybody can cause as often as he likes, so that it fills no disk: of each sort,
/// reason and address one line at once, and then one a minute while more comes. Bounded.
struct AuditTally {
  /// What is counted apart.
  struct Key: Hashable, Sendable {
    let sort: Sort
    let reason: String
    /// nil: all those for whom there is no room.
    let peer: PeerAddress?
  }

  /// What is counted.
  enum Sort: String, Sendable {
    /// A connection was told why it ends.
    case goodbye
    /// An action was refused.
    case refused
  }

  private struct Entry {
    var count = 0
    var since: Int64
  }

  private var entries: [Key: Entry] = [:]

  /// Keys that are told apart; further addresses are counted together.
  static let keysMax = 1_024
  /// Between two lines of one key, in milliseconds.
  static let windowMilliseconds: Int64 = 60_000

  /// Counts one more; the key to write a line of now, if one is due.
  mutating func count(
    _ sort: Sort, _ reason: String, from peer: PeerAddress, at now: Int64
  ) -> Key? {
    var key = Key(sort: sort, reason: reason, peer: peer.network)
    if entries[key] == nil, entries.count >= Self.keysMax {
      key = Key(sort: sort, reason: reason, peer: nil)
    }
    if entries[key] != nil {
      entries[key]?.count += 1
      return nil
    }
    entries[key] = Entry(since: now)
    return key
  }

  /// What was counted since its last line, a minute ago or longer; in the end (`.max`),
  /// however long ago.
  mutating func due(at now: Int64) -> [(key: Key, count: Int)] {
    var due: [(key: Key, count: Int)] = []
    for (key, entry) in entries where now &- Self.windowMilliseconds >= entry.since {
      if entry.count > 0 { due.append((key, entry.count)) }
      entries[key] = entry.count > 0 ? Entry(since: now) : nil
    }
    return due
  }
}
