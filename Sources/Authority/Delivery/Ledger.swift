public import WatchTransfer

/// What the ledger says of an offered act.
public enum LedgerVerdict: Hashable, Sendable {
  /// It is the next number: decide it.
  case decide
  /// It was decided with these bytes.
  case repeated(Outcome)
  /// It was decided with other bytes.
  case conflict(Outcome)
  /// It was decided, and its receipt is no longer kept.
  case settled
  /// Numbers before it are missing.
  case gap(expected: ActionNumber)
  /// Too many unconfirmed, or too many new incarnations of this device today.
  case busy
}

/// The decided acts of one account, by incarnation: it survives re-pairing, never loses a last
/// number, and is stored in the transaction of the effects.
public struct Ledger: Hashable, Sendable {
  /// Each outbox that ever had an act decided.
  public private(set) var incarnations: [IncarnationID: IncarnationLedger]

  /// New incarnations a device may bring within 24 hours (DESIGN section 4).
  public static let newIncarnationsADayMax = 8
  /// After which an unused incarnation forgets confirmed receipts.
  public static let idleMilliseconds: Int64 = 30 * 86_400_000

  /// No incarnations yet, or as stored.
  public init(incarnations: [IncarnationID: IncarnationLedger] = [:]) {
    self.incarnations = incarnations
  }

  /// The number that is decided next.
  public func expected(of incarnation: IncarnationID) -> ActionNumber {
    (incarnations[incarnation]?.last ?? 0) + 1
  }

  /// Whether the incarnation is known, or `device` may bring it now.
  public func admits(_ incarnation: IncarnationID, of device: DeviceID, at now: Instant) -> Bool {
    incarnations[incarnation] != nil
      || newIncarnations(of: device, at: now) < Self.newIncarnationsADayMax
  }

  /// What to do with an offered act. `confirmed` is what its envelope says.
  public func verdict(
    on incarnation: IncarnationID, number: ActionNumber, confirmed: ActionNumber,
    bodyHash: UInt64, from device: DeviceID, at now: Instant
  ) -> LedgerVerdict {
    guard let known = incarnations[incarnation] else {
      if number > 1 { return .gap(expected: 1) }
      return admits(incarnation, of: device, at: now) ? .decide : .busy
    }
    // A lost number has no body to compare with.
    if known.lost?.contains(number) == true { return .repeated(.refused(.missing)) }
    if number <= known.last {
      guard known.last - number < UInt64(IncarnationLedger.entriesMax),
        let entry = known.entry(of: number)
      else { return .settled }
      return entry.bodyHash == bodyHash ? .repeated(entry.outcome) : .conflict(entry.outcome)
    }
    if number > known.last + 1 { return .gap(expected: known.last + 1) }
    if number > confirmed + UInt64(IncarnationLedger.entriesMax) { return .busy }
    return .decide
  }

  /// Takes down a decision.
  public mutating func record(
    _ entry: IncarnationLedger.Entry, of incarnation: IncarnationID, confirmed: ActionNumber,
    from device: DeviceID, at now: Instant
  ) {
    incarnations[incarnation, default: IncarnationLedger(device: device, since: now)]
      .record(entry, confirmed: confirmed, at: now)
  }

  /// Takes down numbers that are lost on both sides.
  public mutating func recordMissing(
    of incarnation: IncarnationID, through number: ActionNumber, from device: DeviceID,
    at now: Instant
  ) {
    incarnations[incarnation, default: IncarnationLedger(device: device, since: now)]
      .recordMissing(through: number, at: now)
  }

  /// Lets long unused incarnations forget what their clients have receipts of.
  public mutating func forgetIdle(at now: Instant) {
    for (id, incarnation) in incarnations
    where now.milliseconds(since: incarnation.lastUsed) > Self.idleMilliseconds {
      incarnations[id]?.forgetConfirmed()
    }
  }

  private func newIncarnations(of device: DeviceID, at now: Instant) -> Int {
    // One that seems to come from the future was brought before the clock was set back.
    incarnations.values.count {
      $0.device == device && (0..<86_400_000).contains(now.milliseconds(since: $0.since))
    }
  }
}
