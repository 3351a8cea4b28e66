public import WatchTransfer

/// What a frame of the server is, told by the first byte of its payload, so that what is not needed
/// is never decoded.
public enum AnswerKind: Sendable {
  /// A snapshot, or the word that nothing has changed.
  case widget
  case receipt
  /// Sent unasked, and skipped: an update or a reload.
  case news
  case ping
  case pong
  /// Anything else: seldom, so it is decoded.
  case other

  /// Reads the tag of the oneof: the field's number, and wire type 2.
  public init(payloadStart byte: UInt8) {
    switch byte {
    case 11 << 3 | 2, 12 << 3 | 2: self = .widget
    case 4 << 3 | 2: self = .receipt
    case 8 << 3 | 2, 13 << 3 | 2: self = .news
    case 14 << 3 | 2: self = .ping
    case 15 << 3 | 2: self = .pong
    default: self = .other
    }
  }
}

/// The two fields of a receipt that a load tester needs.
public struct ReceiptScan: Hashable, Sendable {
  public private(set) var number: UInt64 = 0
  public private(set) var isApplied = false

  /// Reads the payload of a frame that holds a receipt; nil when it cannot be read.
  public init?(_ payload: UnsafeRawBufferPointer) {
    var scan = FieldScan(payload)
    guard let tag = scan.varint(), tag == 4 << 3 | 2, let length = scan.varint(),
      length == scan.left
    else { return nil }
    while scan.left > 0 {
      guard let tag = scan.varint() else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = scan.varint() else { return nil }
        if tag >> 3 == 2 { number = value }
        if tag >> 3 == 3 { isApplied = value == 1 }
      case 2:
        guard let length = scan.varint(), scan.skip(length) else { return nil }
      default:
        return nil
      }
    }
  }
}

/// The fields of an update that say what it does to a cursor.
public struct UpdateScan: Hashable, Sendable {
  public private(set) var epoch: EpochID?
  public private(set) var from: UInt64 = 0
  public private(set) var to: UInt64 = 0

  /// Reads the payload of a frame that holds an update; nil when it cannot be read.
  public init?(_ payload: UnsafeRawBufferPointer) {
    var scan = FieldScan(payload)
    guard let tag = scan.varint(), tag == 8 << 3 | 2, let length = scan.varint(),
      length == scan.left
    else { return nil }
    while scan.left > 0 {
      guard let tag = scan.varint() else { return nil }
      switch tag & 7 {
      case 0:
        guard let value = scan.varint() else { return nil }
        if tag >> 3 == 2 { from = value }
        if tag >> 3 == 3 { to = value }
      case 2:
        guard let length = scan.varint(), let bytes = scan.take(length) else { return nil }
        if tag >> 3 == 1, bytes.count == EpochID.byteCount {
          epoch = EpochID(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
      default:
        return nil
      }
    }
    if epoch == nil { return nil }
  }
}

/// Reads fields one after the other, within bounds.
private struct FieldScan {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var left: Int { bytes.count - position }

  mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  mutating func skip(_ count: UInt64) -> Bool { take(count) != nil }

  mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
    guard count <= UInt64(left) else { return nil }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
  }
}
