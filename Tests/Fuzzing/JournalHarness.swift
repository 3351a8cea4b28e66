internal import Authority
internal import AuthorityServer
internal import Storage
internal import WatchTransfer
internal import WireFormat

extension Harness {
  /// What a server reads of its own database; each was compared with its checksum before.
  static let journal = Harness(
    "journal", "one byte for the form, then a journal row, an account's columns or its facets",
    bytesMax: 8_192, mutations: 20_000
  ) {
    let encoder = MessageEncoder()
    return { bytes in
      var feed = ByteFeed(bytes)
      switch feed.byte() % 3 {
      case 0: try checkRow(Array(feed.rest()), encoder)
      case 1:
        let ledger = Array(feed.counted())
        try checkRecord(state: Array(feed.rest()), ledger: ledger, encoder)
      default: try checkFacetTable(Array(feed.rest()))
      }
    }
  }
}

private let epoch = EpochID(high: 1, low: 1)

/// A row reads the same again; and whatever its entries say, an account takes them in.
private func checkRow(_ bytes: [UInt8], _ encoder: MessageEncoder) throws(BrokenProperty) {
  guard let entries = Fuzzing.entries(of: bytes) else { return }
  let encoded = encodedRow(entries)
  guard let again = Fuzzing.entries(of: encoded) else {
    throw BrokenProperty("a row that was written does not read")
  }
  try require(encodedRow(again) == encoded, "a row written twice is other bytes")
  var record = AccountRecord()
  for entry in entries.prefix(64) { record.apply(entry, epoch: epoch) }
  try checkWritten(record, encoder)
}

private func entries(of bytes: [UInt8]) -> [JournalEntry]? {
  try? JournalEntry.entries(of: JournalRow(sequence: 1, epoch: epoch, bytes: bytes))
}

private func encodedRow(_ entries: [JournalEntry]) -> [UInt8] {
  var writer = ByteWriter()
  writer.byte(JournalEntry.batchForm)
  for entry in entries { entry.encode(into: &writer) }
  return writer.bytes
}

/// Both columns of a checkpoint read the same again, and can be shown.
private func checkRecord(
  state: [UInt8], ledger: [UInt8], _ encoder: MessageEncoder
) throws(BrokenProperty) {
  guard let record = try? AccountRecord(state: state, ledger: ledger) else { return }
  try checkWritten(record, encoder)
}

private func checkWritten(
  _ record: AccountRecord, _ encoder: MessageEncoder
) throws(BrokenProperty) {
  let (state, ledger) = (record.encodedState, record.encodedLedger)
  guard let again = try? AccountRecord(state: state, ledger: ledger) else {
    throw BrokenProperty("an account that was written does not read")
  }
  try require(again.encodedState == state, "a state written twice is other bytes")
  try require(again.encodedLedger == ledger, "a ledger written twice is other bytes")
  for kind in FacetKind.allCases { _ = encoder.encode(project(again.state, kind)) }
}

/// A facet table reads the same again.
private func checkFacetTable(_ bytes: [UInt8]) throws(BrokenProperty) {
  var reader = ByteReader(bytes)
  guard let build = try? reader.text(),
    let table = (try? FacetTable.decoded(bytes, build: build)) ?? nil
  else { return }
  try require(
    (try? FacetTable.decoded(table.encoded(build: build), build: build)) == table,
    "facets that were written read other")
}
