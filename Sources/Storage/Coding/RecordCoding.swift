public import Authority
internal import WatchTransfer

/// First byte of a checkpoint's ledger column: the form of what follows.
private let ledgerForm: UInt8 = 1

extension AccountRecord {
  /// The stored form of the state: one column of a checkpoint.
  public var encodedState: [UInt8] {
    var writer = ByteWriter()
    state.encode(into: &writer)
    return writer.bytes
  }

  /// The stored form of ledger, epochs and delivery: another column.
  public var encodedLedger: [UInt8] {
    var writer = ByteWriter()
    writer.byte(ledgerForm)
    // In order of ids: the same ledger gives the same bytes in every process.
    writer.list(ledger.incarnations.sorted { $0.key < $1.key }) { writer, element in
      writer.identifier(element.key)
      element.value.encode(into: &writer)
    }
    writer.list(epochs.entries) { writer, entry in
      writer.identifier(entry.epoch)
      writer.unsigned(entry.first)
    }
    delivery.encode(into: &writer)
    return writer.bytes
  }

  /// Reads both columns.
  public init(state: [UInt8], ledger: [UInt8]) throws(StoredFormError) {
    var stateReader = ByteReader(state)
    let accountState = try AccountState(from: &stateReader)
    try stateReader.expectEnd()
    var reader = ByteReader(ledger)
    let form = try reader.byte()
    guard form == ledgerForm else { throw .unknownTag(UInt64(form), of: "ledger form") }
    var incarnations: [IncarnationID: IncarnationLedger] = [:]
    for _ in 0..<(try reader.count()) {
      let id: IncarnationID = try reader.identifier()
      incarnations[id] = try IncarnationLedger(from: &reader)
    }
    let epochs = try reader.list { (reader) throws(StoredFormError) in
      EpochLog.Entry(epoch: try reader.identifier(), first: try reader.unsigned())
    }
    let delivery = try DeliveryReading(from: &reader)
    try reader.expectEnd()
    self.init(
      state: accountState, ledger: Ledger(incarnations: incarnations),
      epochs: EpochLog(entries: epochs), delivery: delivery)
  }
}

extension IncarnationLedger {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.unsigned(last)
    writer.unsigned(confirmed)
    writer.identifier(device)
    writer.instant(since)
    writer.instant(lastUsed)
    writer.optional(lost) { writer, lost in
      writer.unsigned(lost.lowerBound)
      writer.unsigned(lost.upperBound)
    }
    // What is above 256 awaits its trimming and answers nothing.
    writer.list(entries.suffix(Self.entriesMax)) { writer, entry in
      writer.unsigned(entry.bodyHash)
      entry.outcome.encode(into: &writer)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let last = try reader.actionNumber()
    let confirmed = try reader.actionNumber()
    let device: DeviceID = try reader.identifier()
    let since = try reader.instant()
    let lastUsed = try reader.instant()
    let lost = try reader.optional { (reader) throws(StoredFormError) in
      let first = try reader.actionNumber()
      let end = try reader.actionNumber()
      guard first <= end else { throw .outOfRange(of: "lost numbers") }
      return first...end
    }
    let entries = try reader.list { (reader) throws(StoredFormError) in
      Entry(bodyHash: try reader.unsigned(), outcome: try Outcome(from: &reader))
    }
    guard UInt64(entries.count) <= last, confirmed <= last else {
      throw .outOfRange(of: "incarnation")
    }
    self.init(
      last: last, confirmed: confirmed, entries: entries, lost: lost, device: device, since: since,
      lastUsed: lastUsed)
  }
}

extension DeliveryReading {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.unsigned(refused)
    writer.unsigned(expired)
    writer.unsigned(quarantined)
    writer.list(newest) { writer, entry in
      writer.text(entry.deviceName)
      writer.unsigned(entry.number)
      writer.text(entry.outcome)
      writer.text(entry.reason)
      writer.instant(entry.at)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init(
      refused: try reader.unsigned(), expired: try reader.unsigned(),
      quarantined: try reader.unsigned(),
      newest: try reader.list { (reader) throws(StoredFormError) in
        DeliveryReading.Entry(
          deviceName: try reader.text(), number: try reader.unsigned(),
          outcome: try reader.text(), reason: try reader.text(), at: try reader.instant())
      })
  }
}
