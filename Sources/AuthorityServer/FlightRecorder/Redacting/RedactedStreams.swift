internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What every peer sent, put together over all the pieces in which it came and the two pools it
/// went through, and redacted frame by frame.
struct RedactedStreams {
  /// A connection of one queue's pool.
  struct Place: Hashable {
    var queue: Int
    var connection: ConnectionID
  }

  /// A piece of a stream: an entry of a record, or what was kept when the record began.
  enum Piece: Hashable {
    case entry(record: Int, entry: Int)
    case kept(Place)
  }

  private struct Stream {
    var bytes: [UInt8] = []
    var hashes: [Redactor.HashPlace] = []
  }

  private var streams: [UInt64: Stream] = [:]
  private var pieces: [Piece: (stream: UInt64, range: Range<Int>)] = [:]

  /// Takes the streams out of a record. `open` is who was there when it began, by queue.
  init(
    of records: [TapeRecord], open: [Int: [OpenConnection]]
  ) throws(RedactionError) {
    var current: [Place: UInt64] = [:]
    for (queue, connections) in open {
      for connection in connections {
        let place = Place(queue: queue, connection: connection.id)
        current[place] = connection.stream
        add(connection.kept, to: connection.stream, as: .kept(place))
      }
    }
    var events = 0
    for (number, record) in records.enumerated() {
      guard case .event(let event) = record else { continue }
      events += 1
      for (index, entry) in event.entries.enumerated() {
        switch entry {
        case .adopted(let id, let stream):
          current[Place(queue: event.queue, connection: id)] = stream
        case .received(let id, let bytes):
          guard let stream = current[Place(queue: event.queue, connection: id)] else {
            throw .unknownConnection(event: events)
          }
          add(bytes, to: stream, as: .entry(record: number, entry: index))
        default: break
        }
      }
    }
  }

  private mutating func add(_ bytes: [UInt8], to stream: UInt64, as piece: Piece) {
    let start = streams[stream]?.bytes.count ?? 0
    streams[stream, default: Stream()].bytes += bytes
    pieces[piece] = (stream, start..<start + bytes.count)
  }

  /// Overwrites what has to go.
  mutating func redact(by redactor: Redactor) {
    for stream in streams.values {
      for frame in Self.frames(in: stream.bytes).frames {
        redactor.noteImports(inFrame: Array(stream.bytes[frame.range]))
      }
    }
    for number in streams.keys.sorted() {
      guard let stream = streams[number] else { continue }
      streams[number] = Self.redacted(stream, by: redactor)
    }
  }

  /// The payloads of the frames in a stream, how many bytes the last one lacks, and from where on
  /// there are none, because a length makes no sense: the server looks at nothing that follows.
  private static func frames(
    in bytes: [UInt8]
  ) -> (frames: [(range: Range<Int>, missing: Int)], end: Int) {
    var frames: [(range: Range<Int>, missing: Int)] = []
    var position = 0
    while bytes.count - position > FrameLimits.prefixBytes {
      let start = position + FrameLimits.prefixBytes
      let length = bytes[position..<start].reduce(0) { $0 << 8 | Int($1) }
      guard 1...FrameLimits.clientFrameBytesMax ~= length else { return (frames, position) }
      position = min(start + length, bytes.count)
      frames.append((start..<position, start + length - position))
    }
    return (frames, bytes.count)
  }

  private static func redacted(_ stream: Stream, by redactor: Redactor) -> Stream {
    var result = stream
    let (frames, end) = frames(in: stream.bytes)
    for (range, missing) in frames {
      // What is not there reads as zeros, and is cut off again.
      let redacted = redactor.frame(
        Array(stream.bytes[range]) + [UInt8](repeating: 0, count: missing), isCutOff: missing > 0)
      result.bytes.replaceSubrange(range, with: redacted.bytes[..<range.count])
      if var place = redacted.hash {
        place.offset += range.lowerBound
        if place.offset + 8 <= range.upperBound { result.hashes.append(place) }
      }
    }
    // A length of 0 is another error than one that is too large, which may be any text.
    for index in end..<min(end + FrameLimits.prefixBytes, stream.bytes.count)
    where stream.bytes[end..<end + FrameLimits.prefixBytes] != [0, 0, 0, 0] {
      result.bytes[index] = 0xFF
    }
    let rest = min(end + FrameLimits.prefixBytes, stream.bytes.count)
    result.bytes.replaceSubrange(
      rest..., with: redactor.placeholders.noise(Array(stream.bytes[rest...])))
    return result
  }

  /// A piece, redacted, with the hashes of snapshots that are known by now. `unknown` is told of a
  /// hash that is not, and of the stream.
  func bytes(
    of piece: Piece, by redactor: Redactor,
    unknown: (_ stream: UInt64, _ place: Redactor.HashPlace) -> Void
  ) -> [UInt8] {
    guard let (number, range) = pieces[piece], let stream = streams[number] else { return [] }
    var bytes = Array(stream.bytes[range])
    for place in stream.hashes
    where place.offset < range.upperBound && place.offset + 8 > range.lowerBound {
      let known = redactor.snapshotHash(place.hash)
      if known == nil { unknown(number, place) }
      let hash = known ?? redactor.placeholders.number(place.hash)
      for index in 0..<8 where range.contains(place.offset + index) {
        bytes[place.offset + index - range.lowerBound] =
          UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * index))
      }
    }
    return bytes
  }
}
