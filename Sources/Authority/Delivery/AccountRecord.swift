public import WatchTransfer

/// Everything that is true of one account: its state, what was decided of its outboxes, and the
/// starts in which it changed. Live operation and recovery both go through `apply`, so that they
/// cannot differ.
public struct AccountRecord: Equatable, Sendable {
  public private(set) var state: AccountState
  public private(set) var ledger: Ledger
  public private(set) var epochs: EpochLog
  public private(set) var delivery: DeliveryReading

  /// Refused and expired actions that `delivery` names.
  public static let deliveryEntriesMax = 16

  /// An account that nothing has happened to, or as stored.
  public init(
    state: AccountState = AccountState(), ledger: Ledger = Ledger(), epochs: EpochLog = EpochLog(),
    delivery: DeliveryReading = DeliveryReading()
  ) {
    self.state = state
    self.ledger = ledger
    self.epochs = epochs
    self.delivery = delivery
  }

  /// The account's revision.
  public var revision: Revision { state.revision }

  /// Takes an entry in; total, cannot fail. `epoch` is the start of the server that decided it.
  public mutating func apply(_ entry: JournalEntry, epoch: EpochID) {
    if entry.revision > state.revision {
      state.apply(entry.events, revision: entry.revision)
      epochs.changed(in: epoch, revision: entry.revision)
    }
    switch entry.cause {
    case .action(let action):
      ledger.record(
        IncarnationLedger.Entry(bodyHash: action.bodyHash, outcome: action.outcome),
        of: action.incarnation, confirmed: action.confirmed, from: action.device, at: entry.at)
      note(action, at: entry.at)
    case .missing(let incarnation, let through, let device, let deviceName):
      ledger.recordMissing(of: incarnation, through: through, from: device, at: entry.at)
      note(
        DeliveryReading.Entry(
          deviceName: deviceName, number: through, outcome: "missing", reason: "missing",
          at: entry.at))
      delivery.refused += 1
    case .turn:
      ledger.forgetIdle(at: entry.at)
    }
  }

  private mutating func note(_ action: DecidedAction, at now: Instant) {
    let reason: String
    switch action.outcome {
    case .applied:
      return
    case .refused(let refusal):
      delivery.refused += 1
      reason = refusal.word
    case .expired:
      delivery.expired += 1
      reason = "expired"
    }
    note(
      DeliveryReading.Entry(
        deviceName: action.deviceName, number: action.number, outcome: action.outcome.word,
        reason: reason, at: now))
  }

  private mutating func note(_ entry: DeliveryReading.Entry) {
    delivery.newest.append(entry)
    if delivery.newest.count > Self.deliveryEntriesMax { delivery.newest.removeFirst() }
  }
}
