/// The acts of one outbox that have no receipt yet: each sent under its number until it has exactly
/// one.
public struct OpenActs: Sendable {
  /// What a receipt says that fits nothing.
  public enum Fault: String, Error, Sendable {
    case unexpected = "a receipt that is not the next one's"
    case unapplied = "an act that was not applied"
    case revision = "a revision that went back"
  }

  /// When each was due, the oldest first; nanoseconds.
  private var due: ArraySlice<Int64> = []
  /// Every act up to it has its receipt.
  public private(set) var confirmed: UInt64
  /// The revision of the newest receipt.
  public private(set) var revision: UInt64 = 0
  /// When held acts are sent again; nil: nothing is held.
  public private(set) var resendAt: Int64?

  /// An outbox whose acts up to `confirmed` have their receipts.
  public init(confirmed: UInt64) {
    self.confirmed = confirmed
  }

  /// The highest number that was given.
  public var newest: UInt64 { confirmed + UInt64(due.count) }

  /// How many have no receipt.
  public var count: Int { due.count }

  /// Takes an act in; its number, and whether it is to be sent now: behind a held one it waits.
  public mutating func add(due moment: Int64) -> (number: UInt64, isSent: Bool) {
    due.append(moment)
    return (newest, resendAt == nil)
  }

  /// Takes a receipt; when its act was due.
  public mutating func receipt(
    of number: UInt64, isApplied: Bool, revision: UInt64
  ) throws(Fault) -> Int64 {
    guard number == confirmed + 1, let first = due.first else { throw .unexpected }
    due.removeFirst()
    confirmed = number
    guard isApplied else { throw .unapplied }
    guard revision > self.revision else { throw .revision }
    self.revision = revision
    return first
  }

  /// The server takes none of them now: all are sent again at `moment`.
  public mutating func hold(until moment: Int64) {
    if count > 0 { resendAt = moment }
  }

  /// The numbers to send again, if it is time.
  public mutating func resend(by now: Int64) -> ClosedRange<UInt64>? {
    guard let moment = resendAt, moment <= now else { return nil }
    resendAt = nil
    return count > 0 ? confirmed + 1...newest : nil
  }
}
