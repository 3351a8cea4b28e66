internal import Authority
internal import Storage
internal import WatchTransfer

/// What is true of an account that is in memory, changed in place. Held by reference: asking for
/// it, or whether it is there, copies nothing of it.
final class HeldRecord {
  private var record: AccountRecord
  /// From when to when nothing has to be turned; nil: not looked at since something happened.
  private var current: ClosedRange<Instant>?

  init(_ record: AccountRecord) {
    self.record = record
  }

  var state: AccountState { record.state }
  var ledger: Ledger { record.ledger }
  var epochs: EpochLog { record.epochs }
  var delivery: DeliveryReading { record.delivery }
  var revision: Revision { record.state.revision }
  /// The stored forms.
  var encodedState: [UInt8] { record.encodedState }
  var encodedLedger: [UInt8] { record.encodedLedger }

  /// Takes an entry in.
  func apply(_ entry: JournalEntry, epoch: EpochID) {
    record.apply(entry, epoch: epoch)
    // A turn moves it, and a stub that was opened brings its end nearer.
    if !entry.events.isEmpty { current = nil }
  }

  /// Whether a turn must be made before anybody is answered. The zone data of one server never
  /// changes, so only a turn, and the clock, change the answer.
  func isTurnDue(at now: Instant, zoneDataVersion: String) -> Bool {
    if let current, current.contains(now) { return false }
    current = spanWithoutTurn(record.state, zoneDataVersion: zoneDataVersion)
    return current.map { !$0.contains(now) } ?? true
  }
}
