internal import AuthorityLink
internal import WatchTransfer

/// Outcomes as bytes of the outbox file; the numbers are those of `Outcome` and `RefusalReason` in
/// proto/wristwire/v1/transfer.proto.
enum OutcomeCoding {
  /// Writes an outcome.
  static func put(_ outcome: Outcome, _ writer: inout FieldWriter) {
    switch outcome {
    case .applied(let revision):
      writer.put(UInt8(1))
      writer.put(revision)
    case .refused(let reason):
      writer.put(UInt8(2))
      writer.put(number(of: reason))
      writer.put(counted: Array((reason.detail ?? "").utf8))
    case .expired:
      writer.put(UInt8(3))
    }
  }

  /// Reads an outcome; nil when the bytes are none.
  static func outcome(_ reader: inout FieldReader) -> Outcome? {
    switch reader.number(UInt8.self) {
    case 1:
      return reader.number(UInt64.self).map { .applied($0) }
    case 2:
      guard let number = reader.number(UInt8.self), let detail = reader.counted() else {
        return nil
      }
      return reason(number, String(decoding: detail, as: UTF8.self)).map { .refused($0) }
    case 3:
      return .expired
    default:
      return nil
    }
  }

  private static func number(of reason: RefusalReason) -> UInt8 {
    switch reason {
    case .invalid: 1
    case .forbidden: 2
    case .unsupported: 3
    case .taken: 4
    case .notFound: 5
    case .gone: 6
    case .limit: 7
    case .superseded: 8
    case .coincides: 9
    case .ended: 10
    case .known: 11
    case .missing: 12
    case .poison: 13
    case .running: 14
    case .unmapped: 15
    case .incomplete: 16
    }
  }

  private static func reason(_ number: UInt8, _ detail: String) -> RefusalReason? {
    switch number {
    case 1: .invalid(field: detail)
    case 2: .forbidden
    case 3: .unsupported
    case 4: .taken
    case 5: .notFound
    case 6: .gone
    case 7: .limit(of: detail)
    case 8: .superseded
    case 9: .coincides
    case 10: .ended
    case 11: .known
    case 12: .missing
    case 13: .poison
    case 14: .running
    case 15: .unmapped
    case 16: .incomplete
    default: nil
    }
  }
}
