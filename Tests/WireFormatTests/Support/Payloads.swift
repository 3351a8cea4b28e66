import WatchTransfer

@testable import WireFormat

/// The payload of a frame that this build encoded.
func payload(_ message: ClientMessage) -> [UInt8] {
  Array(MessageEncoder().frame(message).dropFirst(FrameLimits.prefixBytes))
}

/// The payload of a frame that this build encoded.
func payload(_ message: ServerMessage) -> [UInt8] {
  Array(MessageEncoder().frame(message).dropFirst(FrameLimits.prefixBytes))
}

/// What a server makes of a client's payload.
func fromClient(
  _ payload: [UInt8], _ decoder: MessageDecoder = MessageDecoder()
) -> Result<ClientMessage, WireError> {
  payload.withUnsafeBytes { bytes in
    Result { () throws(WireError) in try decoder.decodeClientMessage(bytes) }
  }
}

/// What a client makes of a server's payload.
func fromServer(
  _ payload: [UInt8], _ decoder: MessageDecoder = MessageDecoder(limits: .fromServer)
) -> Result<ServerMessage, WireError> {
  payload.withUnsafeBytes { bytes in
    Result { () throws(WireError) in try decoder.decodeServerMessage(bytes) }
  }
}

/// What a server makes of a body.
func body(_ bytes: [UInt8]) -> Result<ActionBody, BodyError> {
  Result { () throws(BodyError) in try MessageDecoder().decodeActionBody(bytes) }
}

/// What stands first in `bytes`.
func scan(_ bytes: [UInt8], max: Int = FrameLimits.clientFrameBytesMax) -> FrameScan {
  bytes.withUnsafeBytes { scanFrame($0, payloadBytesMax: max) }
}

/// Hand-written encodings, for what the encoder never writes.
enum Wire {
  static func varint(_ value: UInt64) -> [UInt8] {
    var rest = value
    var bytes: [UInt8] = []
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

  static func tag(_ field: UInt64, _ wireType: UInt64) -> [UInt8] {
    varint(field << 3 | wireType)
  }

  static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] {
    tag(field, 0) + varint(value)
  }

  static func signed(_ field: UInt64, _ value: Int64) -> [UInt8] { number(field, zigzag(value)) }

  static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    tag(field, 2) + varint(UInt64(content.count)) + content
  }

  static func text(_ field: UInt64, _ content: String) -> [UInt8] {
    bytes(field, Array(content.utf8))
  }

  static func double(_ field: UInt64, _ value: Double) -> [UInt8] {
    tag(field, 1)
      + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(8 * $0)) }
  }

  static let id = [UInt8](1...16)

  /// A clock that is whole.
  static let clock = signed(1, 1_000)

  /// A body with a good clock around the action in `field`.
  static func body(_ field: UInt64, _ action: [UInt8]) -> [UInt8] {
    bytes(1, clock) + bytes(field, action)
  }

  /// A fetch that is whole.
  static let fetch = number(1, 2) + number(2, 1) + number(3, 3)
}

/// Repeats `element` `count` times and joins.
func repeated(_ count: Int, _ element: [UInt8]) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(count * element.count)
  for _ in 0..<count { bytes += element }
  return bytes
}
