import CProtobufC
import CWireProto
internal import Guards
public import WatchTransfer

/// Turns the vocabulary's values into bytes: C structs in a reused arena, then protobuf-c's
/// packing.
///
/// One for each queue that encodes; not Sendable. The same value gives the same bytes on any
/// machine. It writes what it is given: bounds are checked by who decodes.
public final class MessageEncoder {
  /// Holds the C structs of the message that is being encoded.
  let arena = GrowingArena()

  /// An encoder with its arena.
  public init() {}

  /// A whole frame: the 4-byte prefix, then the message.
  public func frame(_ message: ServerMessage) -> [UInt8] {
    var buffer: [UInt8] = []
    append(message, to: &buffer)
    return buffer
  }

  /// A whole frame: the 4-byte prefix, then the message.
  public func frame(_ message: ClientMessage) -> [UInt8] {
    var buffer: [UInt8] = []
    append(message, to: &buffer)
    return buffer
  }

  /// Puts a whole frame behind what `buffer` holds.
  public func append(_ message: ServerMessage, to buffer: inout [UInt8]) {
    let frame = arena.make(wristwire__v1__watch_transfer_message__init)
    fill(frame, message)
    buffer.append(contentsOf: packed(frame, prefixBytes: FrameLimits.prefixBytes))
    arena.reset()
  }

  /// Puts a whole frame behind what `buffer` holds.
  public func append(_ message: ClientMessage, to buffer: inout [UInt8]) {
    let frame = arena.make(wristwire__v1__watch_transfer_message__init)
    fill(frame, message)
    buffer.append(contentsOf: packed(frame, prefixBytes: FrameLimits.prefixBytes))
    arena.reset()
  }

  /// The body of an act, as an outbox stores and sends it.
  public func encode(_ body: ActionBody) -> [UInt8] {
    defer { arena.reset() }
    return Array(packed(actionBody(body)))
  }

  /// A facet's content; a match facet that is empty has no bytes.
  public func encode(_ facet: Facet) -> [UInt8] {
    defer { arena.reset() }
    switch facet {
    case .today(let value): return Array(packed(today(value)))
    case .streak(let value): return Array(packed(streak(value)))
    case .goals(let value): return Array(packed(goals(value)))
    case .preferences(let value): return Array(packed(preferences(value)))
    case .theme(let value): return Array(packed(theme(value)))
    case .teams(let value): return value.map { Array(packed(teams($0))) } ?? []
    case .score(let value): return value.map { Array(packed(score($0))) } ?? []
    case .matchClock(let value): return value.map { Array(packed(matchClock($0))) } ?? []
    case .routines(let value): return Array(packed(routines(value)))
    case .session(let value): return value.map { Array(packed(session($0))) } ?? []
    case .lastSession(let value): return value.map { Array(packed(lastSession($0))) } ?? []
    case .squads(let value): return value.map { Array(packed(squads($0))) } ?? []
    case .playTime(let value): return value.map { Array(packed(playTime($0))) } ?? []
    }
  }

  /// A snapshot's content.
  public func encode(_ timeline: WidgetTimeline) -> [UInt8] {
    defer { arena.reset() }
    return Array(packed(self.timeline(timeline)))
  }

  /// The packed message in the arena; behind its length as a big-endian prefix, when one is asked.
  func packed<Message>(
    _ message: UnsafeMutablePointer<Message>, prefixBytes: Int = 0
  ) -> UnsafeRawBufferPointer {
    let base = UnsafeMutableRawPointer(message).assumingMemoryBound(to: ProtobufCMessage.self)
    let length = protobuf_c_message_get_packed_size(base)
    let start = arena.allocate(bytes: prefixBytes + length)
    if prefixBytes > 0 {
      start.storeBytes(of: UInt32(length).bigEndian, as: UInt32.self)
    }
    let payload = (start + prefixBytes).assumingMemoryBound(to: UInt8.self)
    let written = protobuf_c_message_pack(base, payload)
    invariant(written == length, "packed other than the size that was told")
    return UnsafeRawBufferPointer(start: start, count: prefixBytes + length)
  }
}
