public import WatchTransfer

/// Acts as frames, written by hand into memory that is reused: `setGoal` with a value that grows,
/// which always changes something and meets no cap.
///
/// An act has another number each time, so it cannot be encoded once; encoding it through
/// protobuf-c would cost the tester more than sending it.
public struct ActFrames: Sendable {
  /// The longest frame: two numbers of 53 bits take 8 bytes each.
  public static let frameBytesMax = 4 + 2 + payloadBytesMax
  private static let payloadBytesMax = 18 + 9 + 9 + 2 + bodyBytes
  private static let bodyBytes = 30

  private let incarnation: IncarnationID
  private let goal: Int

  /// Acts of an incarnation on the goal of that number, 0 to 99.
  public init(incarnation: IncarnationID, goal: Int) {
    self.incarnation = incarnation
    self.goal = goal
  }

  /// The name of the goal.
  public var goalName: String { "load-\(goal / 10)\(goal % 10)" }

  /// Writes the frame of one act at `start`, where `frameBytesMax` have room; returns its length.
  ///
  /// The value is the number, begun again below a goal's cap of 1e9. `wall` is milliseconds since
  /// 1970, between 2006 and 2039, where its varint has six bytes.
  public func write(
    number: UInt64, confirmed: UInt64, wall: Int64, to start: UnsafeMutableRawPointer
  ) -> Int {
    var out = FrameCursor(start + 4)
    out.tag(3, 2)  // WatchTransferMessage.act
    let lengthAt = out.skip(1)
    let act = out.position
    out.tag(1, 2)  // Act.incarnation
    out.byte(16)
    out.fixed64(incarnation.high.bigEndian)
    out.fixed64(incarnation.low.bigEndian)
    out.tag(2, 0)
    out.varint(number)
    out.tag(3, 0)
    out.varint(confirmed)
    out.tag(5, 2)
    out.byte(UInt8(Self.bodyBytes))
    writeBody(value: Double(number % 1_000_000_000), wall: wall, to: &out)
    lengthAt.storeBytes(of: UInt8(out.position - act), as: UInt8.self)
    let length = out.position - start
    start.storeBytes(of: UInt32(length - 4).bigEndian, as: UInt32.self)
    return length
  }

  private func writeBody(value: Double, wall: Int64, to out: inout FrameCursor) {
    out.tag(1, 2)  // ActionBody.occurred
    out.byte(7)
    out.tag(1, 0)  // DeviceClock.wall_ms, zigzag
    out.varint(UInt64(bitPattern: wall) << 1)
    out.varint(25 << 3 | 2)  // ActionBody.set_goal
    out.byte(18)
    out.tag(1, 2)  // SetGoal.name
    out.byte(7)
    out.bytes("load-")
    out.byte(UInt8(ascii: "0") + UInt8(goal / 10))
    out.byte(UInt8(ascii: "0") + UInt8(goal % 10))
    out.tag(2, 1)  // SetGoal.value
    out.fixed64(value.bitPattern.littleEndian)
  }
}

/// A place in memory that moves on with what is written there.
private struct FrameCursor {
  private(set) var position: UnsafeMutableRawPointer

  init(_ start: UnsafeMutableRawPointer) {
    position = start
  }

  mutating func byte(_ value: UInt8) {
    position.storeBytes(of: value, as: UInt8.self)
    position += 1
  }

  /// A field's number, below 16, and its wire type.
  mutating func tag(_ number: UInt8, _ wireType: UInt8) {
    byte(number << 3 | wireType)
  }

  mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  mutating func fixed64(_ value: UInt64) {
    position.storeBytes(of: value, as: UInt64.self)
    position += 8
  }

  mutating func bytes(_ text: StaticString) {
    position.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    position += text.utf8CodeUnitCount
  }

  /// Leaves room to be filled later.
  mutating func skip(_ count: Int) -> UnsafeMutableRawPointer {
    defer { position += count }
    return position
  }
}
