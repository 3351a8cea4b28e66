internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// A segment of a flight record without what people wrote and without what opens a door.
///
/// What the server was told is redacted; what it did is not touched but made anew, by running the
/// redacted input and taking down what comes out. Facets, journal rows, hashes and frames are many
/// encodings of the same texts, some cut to fit: replacing them one by one would have to know every
/// rule that made them, and would part from a replay at the first it did not know. Each event is
/// compared with the recorded one while it is made, so that the same acts have the same outcomes;
/// where that cannot be kept, the redaction fails and says so.
///
/// A record that itself parts from its replay ends with the event where it does, and its redacted
/// form parts there too.
public struct RedactedRecord: Sendable {
  /// What is in it.
  public struct Report: Sendable, Equatable {
    public var events = 0
    /// Frames whose length is another one than before, since a text was cut at another place.
    public var framesOfOtherLength = 0
    /// Different words that were replaced.
    public var words = 0
    /// Different tokens that were replaced.
    public var tokens = 0
    /// The event at which the record parts from its replay, before and after; nil: it holds.
    public var parting: Int?
  }

  public let report: Report
  /// The bytes of the file.
  let bytes: [UInt8]

  /// Writes it into a new file that nobody else may read.
  ///
  /// - Throws: `RedactionError.exists`, `unwritable`.
  public func write(to path: String) throws(RedactionError) {
    try writeNew(bytes, to: path)
  }
}

extension ServerReplay {
  /// Redacts the segment.
  ///
  /// - Throws: `RedactionError`, and `RecordError` when the state it begins with makes no sense.
  public func redacted() throws -> RedactedRecord {
    try redacted(random: SystemRandomNumberGenerator())
  }

  /// See the other one; `random` draws the placeholders.
  func redacted(random: any RandomNumberGenerator) throws -> RedactedRecord {
    var redaction = try RecordRedaction(of: self, random: random)
    let (records, lengths) = try redaction.records()
    let bytes = RecordFile(records: records).encoded
    let again = try ServerReplay(RecordFile(bytes, path: ""))
    let found = try again.run()
    guard found.difference?.event == redaction.parting?.number else {
      throw RedactionError.notKept(
        event: found.difference?.event ?? redaction.parting?.number ?? 0,
        recorded: found.difference?.expected ?? "another event than before",
        redacted: found.difference?.got ?? "the same")
    }
    if redaction.redactor.placeholders.isExhausted { throw RedactionError.exhausted }
    return RedactedRecord(
      report: RedactedRecord.Report(
        events: found.events, framesOfOtherLength: lengths,
        words: redaction.redactor.placeholders.wordCount,
        tokens: redaction.redactor.tokenCount, parting: redaction.parting?.number),
      bytes: bytes)
  }
}

/// The steps of a redaction.
struct RecordRedaction {
  /// Where the record parts from its replay.
  struct Parting {
    /// Of all records.
    var record: Int
    /// The number of the event, from 1.
    var number: Int
    /// Of the entries of its event; nil: it is a row of the journal.
    var entry: Int?
    var row: Int64?
  }

  let redactor: Redactor
  /// nil: it holds.
  let parting: Parting?
  private let replay: ServerReplay
  private var streams: RedactedStreams
  private let open: [Int: [OpenConnection]]

  /// How often a run may begin again with hashes it has learnt.
  private static let runsMax = 16

  init(of replay: ServerReplay, random: any RandomNumberGenerator) throws {
    self.replay = replay
    redactor = try Redactor(random: random)
    parting = try Self.parting(of: replay)
    let run = try ReplayRun(replay)
    open = run.core.openConnections(entering: run.head)
    let end = parting.map { $0.record + 1 } ?? replay.file.records.count
    streams = try RedactedStreams(of: Array(replay.file.records[..<end]), open: open)
    for state in run.core.accountStates(entering: run.head) { redactor.noteImports(of: state) }
    for record in replay.file.records {
      switch record {
      case .command(.importBodies(_, let bodies)):
        for body in bodies { redactor.noteImports(inBody: body) }
      case .loaded(_, let checkpoint?):
        if let known = try? AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger) {
          redactor.noteImports(of: known.state)
        }
      default: break
      }
    }
    streams.redact(by: redactor)
  }

  private static func parting(of replay: ServerReplay) throws -> Parting? {
    let run = try ReplayRun(replay)
    var number = 0
    for (index, record) in replay.file.records.enumerated() {
      if case .command(let command) = record { run.perform(command) }
      guard case .event(let event) = record else { continue }
      number += 1
      run.run(event)
      if let parting = run.head.parting {
        return Parting(record: index, number: number, entry: parting.entry)
      }
      if let row = run.store.otherRow {
        return Parting(record: index, number: number, row: row)
      }
    }
    return nil
  }

  /// The redacted records, and how many frames have another length.
  mutating func records() throws -> (records: [TapeRecord], framesOfOtherLength: Int) {
    for _ in 0..<Self.runsMax {
      var making = try RemadeRun(self, told: told())
      let records = try making.run()
      // A hash that was learnt on the way was missing before.
      if !making.hasLearnt { return (records, making.framesOfOtherLength) }
    }
    throw RedactionError.notKept(
      event: 0, recorded: "widgets that have their snapshots", redacted: "widgets that have not")
  }

  /// What a record's end is: nothing follows the event at which it parts.
  private var end: Int { parting.map { $0.record + 1 } ?? replay.file.records.count }

  /// The records, with everything redacted that the server is told, but for what peers sent.
  private func told() throws -> [TapeRecord] {
    let run = try ReplayRun(replay)
    // Bodies in commands are known to ledgers by their hashes, too.
    let commands = replay.file.records.map { record -> OutsideCommand? in
      if case .command(let command) = record { redactor.command(command) } else { nil }
    }
    var kept = open
    for (queue, connections) in open {
      kept[queue] = connections.map { connection in
        let place = RedactedStreams.Place(queue: queue, connection: connection.id)
        var connection = connection
        connection.kept = streams.bytes(of: .kept(place), by: redactor) { _, _ in }
        return connection
      }
    }
    let state = try run.core.redactedState(
      replay.head, entering: run.head, by: redactor, kept: kept)
    let build = facetBuild(run.core.shared.zones)
    var records: [TapeRecord] = []
    for (index, record) in replay.file.records.enumerated() {
      switch record {
      case .begin: records.append(.begin(state))
      case .command:
        if index < end, let command = commands[index] { records.append(.command(command)) }
      case .loaded(let account, let checkpoint):
        records.append(
          .loaded(account, try checkpoint.map { try redactor.checkpoint($0, build: build) }))
      case .attachment(let key, let range, let bytes, let isRead):
        records.append(
          .attachment(
            redactor.key(key), range, bytes.map { redactor.placeholders.noise($0) }, isRead: isRead)
        )
      case .compared(let key, let isSame):
        records.append(.compared(redactor.key(key), isSame))
      case .event: if index < end { records.append(record) }
      case .ended: if parting == nil { records.append(record) }
      // What the journal said may stand behind the event that asked.
      case .unreadable, .appended, .checkpointed: records.append(record)
      }
    }
    return records
  }

  /// What a peer sent, in an entry of the record `index`.
  func sent(
    _ index: Int, _ entry: Int,
    unknown: (_ stream: UInt64, _ place: Redactor.HashPlace) -> Void
  ) -> [UInt8] {
    streams.bytes(of: .entry(record: index, entry: entry), by: redactor, unknown: unknown)
  }

  /// The places of the events among the records.
  var events: [Int] {
    replay.file.records[..<end].indices.filter {
      if case .event = replay.file.records[$0] { true } else { false }
    }
  }
}
