internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What both ends of a segment know of what went before: clocks are stored as differences, and a
/// frame that was sent before as its number.
struct TapeContext {
  /// Frames shorter than this are not remembered.
  static let frameBytesMin = 48
  /// Frames that are remembered; what comes later is stored whole each time.
  static let framesMax = 8_192

  var now: Int64 = 0
  var wall: Int64 = 0
  /// For writing: the number of a remembered frame, by its hash.
  var numbers: [UInt64: Int] = [:]
  /// For reading.
  var frames: [[UInt8]] = []
}

/// First byte of an entry; 0 ends the list.
private enum EntryTag: UInt8 {
  case end, now, wall, random, accepts, adopted, released, unsent, backlogged, count, received
  case endOfInput, drained, closed, turnEnded, consumed, sent, sentKept, sentAgain, close
  case closeAfterSending, setReading, securing, offerAgain
}

extension TapeEvent {
  /// Appends its fields: queue, cause, entries.
  func encode(into writer: inout ByteWriter, _ context: inout TapeContext) {
    writer.count(queue)
    switch cause {
    case .ready: writer.byte(0)
    case .work(nil): writer.byte(1)
    case .work(let source?):
      writer.byte(2)
      writer.count(source)
    case .tick(let number):
      writer.byte(3)
      writer.count(number)
    }
    for entry in entries { entry.encode(into: &writer, &context) }
    writer.byte(EntryTag.end.rawValue)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader, _ context: inout TapeContext) throws(StoredFormError) {
    queue = try reader.whole()
    switch try reader.byte() {
    case 0: cause = .ready
    case 1: cause = .work(from: nil)
    case 2: cause = .work(from: try reader.whole())
    case 3: cause = .tick(try reader.whole())
    case let other: throw .unknownTag(UInt64(other), of: "cause")
    }
    entries = []
    while let entry = try TapeEntry(from: &reader, &context) { entries.append(entry) }
  }
}

extension TapeEntry {
  /// Appends a tag and its fields.
  func encode(into writer: inout ByteWriter, _ context: inout TapeContext) {
    func put(_ tag: EntryTag, _ id: ConnectionID? = nil) {
      writer.byte(tag.rawValue)
      if let id { writer.connection(id) }
    }
    switch self {
    case .now(let value):
      put(.now)
      writer.signed(value &- context.now)
      context.now = value
    case .wall(let value):
      put(.wall)
      writer.signed(value &- context.wall)
      context.wall = value
    case .random(let value):
      put(.random)
      writer.unsigned(value)
    case .accepts(let accepts):
      put(.accepts)
      writer.flag(accepts)
    case .adopted(let id, let stream):
      put(.adopted, id)
      writer.unsigned(stream)
    case .released(let id, let isDone):
      put(.released, id)
      writer.flag(isDone)
    case .unsent(let id, let bytes):
      put(.unsent, id)
      writer.count(bytes)
    case .backlogged(let id, let isBacklogged):
      put(.backlogged, id)
      writer.flag(isBacklogged)
    case .securing(let id, let isSecuring):
      put(.securing, id)
      writer.flag(isSecuring)
    case .count(let count):
      put(.count)
      writer.count(count)
    case .received(let id, let bytes):
      put(.received, id)
      writer.blob(bytes)
    case .endOfInput(let id): put(.endOfInput, id)
    case .drained(let id): put(.drained, id)
    case .closed(let id, let reason):
      put(.closed, id)
      writer.byte(reason.rawValue)
    case .turnEnded: put(.turnEnded)
    case .consumed(let id, let bytes):
      put(.consumed, id)
      writer.count(bytes)
    case .sent(let id, let frame): Self.sent(id, frame, into: &writer, &context)
    case .close(let id): put(.close, id)
    case .closeAfterSending(let id): put(.closeAfterSending, id)
    case .offerAgain(let id): put(.offerAgain, id)
    case .setReading(let id, let isOn):
      put(.setReading, id)
      writer.flag(isOn)
    }
  }

  private static func sent(
    _ id: ConnectionID, _ frame: [UInt8], into writer: inout ByteWriter,
    _ context: inout TapeContext
  ) {
    func put(_ tag: EntryTag) {
      writer.byte(tag.rawValue)
      writer.connection(id)
    }
    guard frame.count >= TapeContext.frameBytesMin else {
      put(.sent)
      return writer.blob(frame)
    }
    let hash = contentHash(frame)
    if let number = context.numbers[hash] {
      put(.sentAgain)
      return writer.count(number)
    }
    let isRemembered = context.numbers.count < TapeContext.framesMax
    if isRemembered { context.numbers[hash] = context.numbers.count }
    put(isRemembered ? .sentKept : .sent)
    writer.blob(frame)
  }

  /// Reads what `encode` wrote; nil at the end of the list.
  init?(from reader: inout ByteReader, _ context: inout TapeContext) throws(StoredFormError) {
    let tag: EntryTag = try reader.choice(of: "entry")
    switch tag {
    case .end: return nil
    case .now:
      context.now &+= try reader.signed()
      self = .now(context.now)
    case .wall:
      context.wall &+= try reader.signed()
      self = .wall(context.wall)
    case .random: self = .random(try reader.unsigned())
    case .accepts: self = .accepts(try reader.flag())
    case .adopted: self = .adopted(try reader.connection(), stream: try reader.unsigned())
    case .released: self = .released(try reader.connection(), try reader.flag())
    case .unsent: self = .unsent(try reader.connection(), try reader.whole())
    case .backlogged: self = .backlogged(try reader.connection(), try reader.flag())
    case .securing: self = .securing(try reader.connection(), try reader.flag())
    case .count: self = .count(try reader.whole())
    case .received: self = .received(try reader.connection(), try reader.blob())
    case .endOfInput: self = .endOfInput(try reader.connection())
    case .drained: self = .drained(try reader.connection())
    case .closed: self = .closed(try reader.connection(), try reader.choice(of: "reason"))
    case .turnEnded: self = .turnEnded
    case .consumed: self = .consumed(try reader.connection(), try reader.whole())
    case .sent: self = .sent(try reader.connection(), try reader.blob())
    case .sentKept:
      let id = try reader.connection()
      let frame = try reader.blob()
      context.frames.append(frame)
      self = .sent(id, frame)
    case .sentAgain:
      let id = try reader.connection()
      let number = try reader.whole()
      guard number < context.frames.count else { throw .outOfRange(of: "frame") }
      self = .sent(id, context.frames[number])
    case .close: self = .close(try reader.connection())
    case .closeAfterSending: self = .closeAfterSending(try reader.connection())
    case .offerAgain: self = .offerAgain(try reader.connection())
    case .setReading: self = .setReading(try reader.connection(), try reader.flag())
    }
  }
}

extension ByteWriter {
  /// Slot and generation.
  mutating func connection(_ id: ConnectionID) {
    unsigned(UInt64(id.slot))
    unsigned(UInt64(id.generation))
  }
}

extension ByteReader {
  /// What `connection` wrote.
  mutating func connection() throws(StoredFormError) -> ConnectionID {
    guard let slot = UInt32(exactly: try unsigned()), slot < 1 << 24,
      let generation = UInt32(exactly: try unsigned())
    else { throw .outOfRange(of: "connection") }
    return ConnectionID(slot: slot, generation: generation)
  }

  /// A number >= 0 that counts nothing that follows.
  mutating func whole() throws(StoredFormError) -> Int {
    guard let value = Int(exactly: try unsigned()) else { throw .outOfRange(of: "number") }
    return value
  }
}
