public import WatchTransfer

/// What was decided of one outbox: every number up to `last`, each once (DESIGN section 4, "Exactly
/// once, without a window").
public struct IncarnationLedger: Hashable, Sendable {
  /// How one number was decided.
  public struct Entry: Hashable, Sendable {
    /// Hash of the body it was decided with.
    public var bodyHash: UInt64
    public var outcome: Outcome

    /// A decided number.
    public init(bodyHash: UInt64, outcome: Outcome) {
      self.bodyHash = bodyHash
      self.outcome = outcome
    }
  }

  /// The number decided last; 0: none.
  public private(set) var last: ActionNumber
  /// Every number up to it has its receipt on the client.
  public private(set) var confirmed: ActionNumber
  /// The newest decisions, those of the numbers up to `last`.
  public private(set) var entries: [Entry]
  /// Numbers that are lost on both sides after a restore; ranges are merged.
  public private(set) var lost: ClosedRange<ActionNumber>?
  /// Who offered the first act.
  public let device: DeviceID
  /// When the first act was decided.
  public let since: Instant
  /// When the newest act was decided.
  public private(set) var lastUsed: Instant

  /// Decisions kept for repeats; a client has at most as many unconfirmed (DESIGN section 4).
  public static let entriesMax = 256

  /// An incarnation that nothing was decided of yet.
  public init(device: DeviceID, since: Instant) {
    self.init(
      last: 0, confirmed: 0, entries: [], lost: nil, device: device, since: since,
      lastUsed: since)
  }

  /// An incarnation as it was stored.
  public init(
    last: ActionNumber, confirmed: ActionNumber, entries: [Entry],
    lost: ClosedRange<ActionNumber>?, device: DeviceID, since: Instant, lastUsed: Instant
  ) {
    self.last = last
    self.confirmed = confirmed
    self.entries = entries
    self.lost = lost
    self.device = device
    self.since = since
    self.lastUsed = lastUsed
  }

  /// How `number` was decided; nil when it was not, or when that is no longer kept.
  public func entry(of number: ActionNumber) -> Entry? {
    guard number <= last, last - number < UInt64(entries.count) else { return nil }
    return entries[entries.count - 1 - Int(last - number)]
  }

  /// Takes down the decision of the number after `last`.
  public mutating func record(_ entry: Entry, confirmed: ActionNumber, at now: Instant) {
    last += 1
    entries.append(entry)
    confirm(confirmed)
    lastUsed = now
    // Trimmed by halves, so that an append stays O(1).
    if entries.count >= 2 * Self.entriesMax {
      entries.removeFirst(entries.count - Self.entriesMax)
    }
  }

  /// Takes down that every number up to `number` is lost on both sides. Decisions before them are
  /// forgotten: the outbox has let go of those too.
  public mutating func recordMissing(through number: ActionNumber, at now: Instant) {
    guard number > last else { return }
    lost = (lost?.lowerBound ?? last + 1)...number
    entries = []
    last = number
    lastUsed = now
  }

  /// Takes down what the client has receipts of.
  public mutating func confirm(_ number: ActionNumber) {
    confirmed = min(max(confirmed, number), last)
  }

  /// Forgets receipts that the client has: an incarnation idle for 30 days keeps its last number
  /// and what is above `confirmed`.
  public mutating func forgetConfirmed() {
    let keep = Int(min(last - confirmed, UInt64(Self.entriesMax)))
    if entries.count > keep { entries.removeFirst(entries.count - keep) }
  }
}
