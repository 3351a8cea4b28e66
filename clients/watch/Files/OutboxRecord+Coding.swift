internal import AuthorityLink
internal import WatchTransfer

/// Records as bytes of the outbox file; the numbers here never change their meaning.
extension OutboxRecord {
  private enum Tag {
    static let account: UInt8 = 1
    static let lane: UInt8 = 2
    static let submitted: UInt8 = 3
    static let receipted: UInt8 = 4
    static let quarantined: UInt8 = 5
    static let dismissed: UInt8 = 6
    static let zone: UInt8 = 7
  }

  /// The bytes of one record.
  package var encoded: [UInt8] {
    var writer = FieldWriter()
    switch self {
    case .account(let account):
      writer.put(Tag.account)
      writer.put(account)
    case .zone(let id):
      writer.put(Tag.zone)
      writer.put(counted: id)
    case .lane(let incarnation, let oldest):
      writer.put(Tag.lane)
      writer.put(incarnation)
      writer.put(oldest)
    case .submitted(let id, let body):
      writer.put(Tag.submitted)
      Self.put(id, &writer)
      writer.put(counted: body)
    case .receipted(let receipt):
      writer.put(Tag.receipted)
      Self.put(
        IncarnationNumber(incarnation: receipt.incarnation, number: receipt.number), &writer)
      OutcomeCoding.put(receipt.outcome, &writer)
    case .quarantined(let id, let reason):
      writer.put(Tag.quarantined)
      Self.put(id, &writer)
      writer.put(reason.rawValue)
    case .dismissed(let id):
      writer.put(Tag.dismissed)
      Self.put(id, &writer)
    }
    return writer.bytes
  }

  /// Reads one record; nil when the bytes are none.
  package init?(encoded bytes: some Collection<UInt8>) {
    var reader = FieldReader(bytes)
    guard let tag = reader.number(UInt8.self),
      let record = Self.record(tag, &reader), reader.isAtEnd
    else { return nil }
    self = record
  }

  private static func record(_ tag: UInt8, _ reader: inout FieldReader) -> OutboxRecord? {
    switch tag {
    case Tag.account:
      return reader.id(AccountTag.self).map { .account($0) }
    case Tag.zone:
      return reader.counted().map { .zone(Array($0)) }
    case Tag.lane:
      guard let id = number(&reader) else { return nil }
      return .lane(id.incarnation, oldest: id.number)
    case Tag.submitted:
      // The number behind it must be one, too: it is what a greeting names as the next.
      guard let id = number(&reader), id.number < ActionLimits.numberEnd - 1,
        let body = reader.counted()
      else { return nil }
      return .submitted(id, body: body)
    case Tag.receipted:
      guard let id = number(&reader), let outcome = OutcomeCoding.outcome(&reader) else {
        return nil
      }
      return .receipted(
        Receipt(incarnation: id.incarnation, number: id.number, outcome: outcome))
    case Tag.quarantined:
      guard let id = number(&reader), let raw = reader.number(UInt8.self),
        let reason = QuarantineReason(rawValue: raw)
      else { return nil }
      return .quarantined(id, reason)
    case Tag.dismissed:
      return number(&reader).map { .dismissed($0) }
    default:
      return nil
    }
  }

  private static func put(_ id: IncarnationNumber, _ writer: inout FieldWriter) {
    writer.put(id.incarnation)
    writer.put(id.number)
  }

  private static func number(_ reader: inout FieldReader) -> IncarnationNumber? {
    guard let incarnation = reader.id(IncarnationTag.self),
      let number = reader.number(UInt64.self), (1..<ActionLimits.numberEnd).contains(number)
    else { return nil }
    return IncarnationNumber(incarnation: incarnation, number: number)
  }
}
