internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Runs redacted input and takes down what comes out, next to what came out before.
struct RemadeRun {
  /// Snapshot hashes that clients named and nobody knew, by the stream and what was fetched.
  private struct Unknown: Hashable {
    var stream: UInt64
    var view: WidgetView
  }

  /// What the run finds out while the head asks.
  private final class Notes {
    var framesOfOtherLength = 0
    var hasLearnt = false
    var unknown: [Unknown: UInt64] = [:]
    /// The stream of each connection of a queue.
    var streams: [RedactedStreams.Place: UInt64] = [:]
  }

  private let redaction: RecordRedaction
  private var records: [TapeRecord]
  private let replay: ReplayRun
  private let notes = Notes()
  private let words = ReplayWords()

  /// Whether it has to run again, since a client named a snapshot that was only made now.
  var hasLearnt: Bool { notes.hasLearnt }
  /// Frames whose length is another one than before.
  var framesOfOtherLength: Int { notes.framesOfOtherLength }

  init(_ redaction: RecordRedaction, told: [TapeRecord]) throws {
    self.redaction = redaction
    records = told
    replay = try ReplayRun(ServerReplay(RecordFile(records: told)))
    for (queue, connections) in replay.core.openConnections(entering: replay.head) {
      for connection in connections {
        let place = RedactedStreams.Place(queue: queue, connection: connection.id)
        notes.streams[place] = connection.stream
      }
    }
  }

  /// The records as they come out.
  ///
  /// - Throws: `RedactionError.notKept` where something else comes out.
  mutating func run() throws -> [TapeRecord] {
    var places = redaction.events.makeIterator()
    var number = 0
    for index in records.indices {
      switch records[index] {
      case .command(let command): replay.perform(command)
      case .event(let event):
        guard let place = places.next() else { continue }
        number += 1
        records[index] = .event(try remade(event, number: number, record: place))
      default: break
      }
    }
    rehash()
    return records
  }

  private func remade(_ event: TapeEvent, number: Int, record: Int) throws -> TapeEvent {
    let parting = redaction.parting.flatMap { $0.record == record ? $0 : nil }
    var event = event
    for (index, entry) in event.entries.enumerated() {
      switch entry {
      case .adopted(let id, let stream):
        notes.streams[RedactedStreams.Place(queue: event.queue, connection: id)] = stream
      case .received(let id, _):
        let bytes = redaction.sent(record, index) { stream, place in
          notes.unknown[Unknown(stream: stream, view: place.view)] = place.hash
        }
        event.entries[index] = .received(id, bytes)
      default: break
      }
    }
    var expected: TapeEntry?
    if let entry = parting?.entry {
      // Up to there it holds; what the record has next is not what the core does.
      if entry < event.entries.count { expected = event.entries[entry] }
      event.entries = Array(event.entries.prefix(entry))
    }
    let queue = event.queue
    replay.head.accepts = { [notes, redaction] did, recorded in
      Self.accepts(did, recorded, queue: queue, notes, redaction)
    }
    replay.run(event)
    if let found = replay.head.parting, found.entry != parting?.entry {
      throw RedactionError.notKept(
        event: number, recorded: found.expected.map { words.text($0) } ?? "nothing more",
        redacted: words.text(found.got))
    }
    event.entries = replay.head.entries
    switch expected {
    case .sent(let id, let frame)?: event.entries.append(.sent(id, redaction.redactor.sent(frame)))
    case let entry?: event.entries.append(entry)
    case nil: break
    }
    return event
  }

  private static func accepts(
    _ did: TapeEntry, _ recorded: TapeEntry, queue: Int, _ notes: Notes,
    _ redaction: RecordRedaction
  ) -> Bool {
    guard case .sent(let id, let made) = did, case .sent(id, let frame) = recorded else {
      return false
    }
    if made.count != frame.count { notes.framesOfOtherLength += 1 }
    let redactor = redaction.redactor
    switch FrameShape().compare(recorded: frame, made: made, by: redactor) {
    case .same: return true
    case .snapshot(let hash, let made):
      redactor.learn(snapshot: hash, is: made)
      return true
    case .unknownHash(let view, let made):
      let place = RedactedStreams.Place(queue: queue, connection: id)
      guard let stream = notes.streams[place],
        let hash = notes.unknown[Unknown(stream: stream, view: view)]
      else { return false }
      redactor.learn(snapshot: hash, is: made)
      notes.hasLearnt = true
      return true
    case .other: return false
    }
  }

  /// Rows hash to what was written now; a row that was another one before still is.
  private mutating func rehash() {
    let other = redaction.parting?.row
    for index in records.indices {
      guard case .appended(let first, let hashes) = records[index] else { continue }
      let now = hashes.enumerated().map { offset, hash -> UInt64 in
        let row = first &+ Int64(offset)
        guard let written = replay.store.written[row] else {
          return redaction.redactor.placeholders.number(hash)
        }
        return row == other ? ~written : written
      }
      records[index] = .appended(first: first, now)
    }
  }
}
