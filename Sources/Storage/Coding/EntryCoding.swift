public import Authority
internal import Guards
internal import WatchTransfer

extension JournalEntry {
  /// Appends the entry's stored form; a batch is such forms one after the other.
  public func encode(into writer: inout ByteWriter) {
    writer.identifier(account)
    writer.unsigned(revision)
    writer.instant(at)
    switch cause {
    case .action(let action):
      writer.byte(1)
      action.encode(into: &writer)
    case .turn:
      writer.byte(2)
    case .missing(let incarnation, let through, let device, let deviceName):
      writer.byte(3)
      writer.identifier(incarnation)
      writer.unsigned(through)
      writer.identifier(device)
      writer.text(deviceName)
    }
    writer.list(events) { $1.encode(into: &$0) }
  }

  /// Reads one stored entry.
  public init(from reader: inout ByteReader) throws(StoredFormError) {
    let account: AccountID = try reader.identifier()
    let revision = try reader.unsigned()
    let at = try reader.instant()
    let cause: Cause
    switch try reader.byte() {
    case 1: cause = .action(try DecidedAction(from: &reader))
    case 2: cause = .turn
    case 3:
      cause = .missing(
        try reader.identifier(), through: try reader.actionNumber(),
        device: try reader.identifier(),
        deviceName: try reader.text())
    case let tag: throw .unknownTag(UInt64(tag), of: "cause")
    }
    self.init(
      account: account, revision: revision, at: at, cause: cause,
      events: try reader.list { (reader) throws(StoredFormError) in try Event(from: &reader) })
  }

  /// The entries of one journal row, in order.
  public static func entries(of row: JournalRow) throws(StoredFormError) -> [JournalEntry] {
    var reader = ByteReader(row.bytes)
    let form = try reader.byte()
    guard form == batchForm else { throw .unknownTag(UInt64(form), of: "batch form") }
    var entries: [JournalEntry] = []
    while !reader.isAtEnd { entries.append(try JournalEntry(from: &reader)) }
    return entries
  }

  /// First byte of every batch: the form of what follows.
  public static var batchForm: UInt8 { 1 }
}

extension JournalRow {
  /// The row without an account's entries; nil when it has none of them.
  func without(_ account: AccountID) throws(StoredFormError) -> JournalRow? {
    var reader = ByteReader(bytes)
    let form = try reader.byte()
    guard form == JournalEntry.batchForm else { throw .unknownTag(UInt64(form), of: "batch form") }
    var rest = [form]
    while !reader.isAtEnd {
      let start = reader.position
      if try JournalEntry(from: &reader).account != account {
        rest.append(contentsOf: bytes[start..<reader.position])
      }
    }
    return rest.count == bytes.count
      ? nil : JournalRow(sequence: sequence, epoch: epoch, bytes: rest)
  }
}

extension DecidedAction {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.identifier(device)
    writer.text(deviceName)
    writer.identifier(incarnation)
    writer.unsigned(number)
    writer.unsigned(confirmed)
    writer.unsigned(bodyHash)
    outcome.encode(into: &writer)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      device: try reader.identifier(), deviceName: try reader.text(),
      incarnation: try reader.identifier(), number: try reader.actionNumber(),
      confirmed: try reader.actionNumber(), bodyHash: try reader.unsigned(),
      outcome: try Outcome(from: &reader))
  }
}

extension Outcome {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .applied(let revision):
      writer.byte(1)
      writer.unsigned(revision)
    case .expired:
      writer.byte(2)
    case .refused(let reason):
      reason.encode(into: &writer)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    switch try reader.byte() {
    case 1: self = .applied(try reader.unsigned())
    case 2: self = .expired
    case let tag: self = .refused(try RefusalReason(tag: tag, from: &reader))
    }
  }
}

extension RefusalReason {
  /// The tag of a reason without detail, from 16 up; below stand the other outcomes.
  private static let plainReasons: [(tag: UInt8, reason: RefusalReason)] = [
    (18, .forbidden), (19, .unsupported), (20, .taken), (21, .notFound), (22, .gone),
    (24, .superseded), (25, .coincides), (26, .ended), (27, .known), (28, .missing), (29, .poison),
    (30, .running),
    (31, .unmapped), (32, .incomplete),
  ]

  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .invalid(let field):
      writer.byte(17)
      writer.text(field)
    case .limit(let what):
      writer.byte(23)
      writer.text(what)
    default:
      let tag = Self.plainReasons.first { $0.reason == self }?.tag
      invariant(tag != nil, "a refusal reason has no stored tag")
      writer.byte(tag ?? 0)
    }
  }

  /// Reads what `encode` wrote.
  init(tag: UInt8, from reader: inout ByteReader) throws(StoredFormError) {
    switch tag {
    case 17: self = .invalid(field: try reader.text())
    case 23: self = .limit(of: try reader.text())
    default:
      guard let plain = Self.plainReasons.first(where: { $0.tag == tag }) else {
        throw .unknownTag(UInt64(tag), of: "outcome")
      }
      self = plain.reason
    }
  }
}
