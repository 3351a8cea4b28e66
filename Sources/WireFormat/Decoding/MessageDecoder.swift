import CProtobufC
import CWireProto
public import WatchTransfer

/// Turns bytes into the vocabulary's values: a scan of the raw bytes, an unpack into one reused and
/// capped arena, then every check of values; all of a message or nothing.
///
/// One for each queue that decodes; not Sendable. Nothing it returns refers to its memory.
public final class MessageDecoder {
  private let limits: DecodeLimits
  private let rules = ScanRules.shared
  private let arena: CappedArena
  /// The message types that can be unpacked.
  let roots = RootMessages()

  /// A decoder with an arena of `limits.arenaBytesMax`.
  public init(limits: DecodeLimits = .fromClient) {
    self.limits = limits
    arena = CappedArena(bytes: limits.arenaBytesMax)
  }

  /// The payload of a frame from a client. A body stays opaque, whatever its bytes: what is wrong
  /// with it is a refusal, not an error of the connection; see `decodeActionBody`.
  public func decodeClientMessage(
    _ payload: UnsafeRawBufferPointer
  ) throws(WireError) -> ClientMessage {
    defer { arena.reset() }
    return try clientMessage(try unpack(roots.frame, payload))
  }

  /// The payload of a frame from the server. Facets, readings and cues of unknown kinds are left
  /// out: a newer server may send them.
  public func decodeServerMessage(
    _ payload: UnsafeRawBufferPointer
  ) throws(WireError) -> ServerMessage {
    defer { arena.reset() }
    return try serverMessage(try unpack(roots.frame, payload))
  }

  /// The body of an act. Every error is a refusal that consumes the action's number.
  public func decodeActionBody(_ bytes: [UInt8]) throws(BodyError) -> ActionBody {
    guard !bytes.isEmpty, bytes.count <= FrameLimits.actionBodyBytesMax else {
      throw .invalid(field: "body")
    }
    do throws(WireError) {
      return try checkedBody(bytes)
    } catch {
      switch error {
      case .invalid(let field): throw .invalid(field: field)
      case .emptyMessage: throw .unsupported
      default: throw .invalid(field: "body")
      }
    }
  }

  /// As `decodeActionBody`, with the error that says what is wrong with the bytes.
  package func checkedBody(_ bytes: [UInt8]) throws(WireError) -> ActionBody {
    defer { arena.reset() }
    return try actionBody(try unpack(roots.body, bytes))
  }

  /// The value of a facet; a match facet without bytes is empty.
  public func decodeFacet(_ facet: EncodedFacet) throws(WireError) -> Facet {
    defer { arena.reset() }
    return try facetValue(facet)
  }

  /// A widget's timeline. What an older server did not write takes its default; an entry that makes
  /// no sense is left out, so that one of them does not blank the widget.
  public func decodeTimeline(_ bytes: [UInt8]) throws(WireError) -> WidgetTimeline {
    defer { arena.reset() }
    return try timeline(try unpack(roots.timeline, bytes))
  }

  /// Scans and unpacks into the arena, where the message stays until the public call ends.
  func unpack<Message>(
    _ root: RootMessage<Message>, _ bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> Message {
    do throws(ScanFault) {
      try PreScan.check(bytes, root: root.rules, rules: rules, limits: limits)
    } catch {
      throw error.wireError
    }
    let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    guard
      let message = protobuf_c_message_unpack(root.descriptor, arena.allocator, bytes.count, start)
    else { throw arena.isExhausted ? .tooExpensive : .malformed(.unreadable) }
    return UnsafeMutableRawPointer(message).assumingMemoryBound(to: Message.self).pointee
  }

  /// See the other `unpack`; the message does not refer to `bytes`.
  func unpack<Message>(
    _ root: RootMessage<Message>, _ bytes: [UInt8]
  ) throws(WireError) -> Message {
    try bytes.withUnsafeBufferPointer { (buffer) throws(WireError) in
      try unpack(root, UnsafeRawBufferPointer(buffer))
    }
  }

  /// See the other `unpack`, for bytes that stand in the arena already.
  func unpack<Message>(
    _ root: RootMessage<Message>, _ bytes: ProtobufCBinaryData
  ) throws(WireError) -> Message {
    try unpack(root, UnsafeRawBufferPointer(start: bytes.data, count: bytes.len))
  }
}
