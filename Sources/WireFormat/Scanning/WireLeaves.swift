import CProtobufC
import CWireProto

/// A run of bytes in an encoding that is neither tag nor length nor number: text, an id, a secret.
package struct WireLeaf: Hashable, Sendable {
  /// What stands there.
  package enum Kind: Hashable, Sendable {
    /// A field of bytes, by its name in the .proto files.
    case field(String)
    /// What a field holds that this version does not know.
    case unknown
    /// Everything behind the place at which the encoding breaks.
    case broken
  }

  package let kind: Kind
  package let range: Range<Int>
}

/// What stands alone in bytes that a client sends.
package enum WireRoot: Sendable {
  case frame, body
}

/// The leaves of an encoding, in order. Whoever overwrites them, byte for byte, leaves the shape of
/// the encoding as it is: a sound one stays sound, and a broken one breaks at the same place.
package func wireLeaves(of bytes: [UInt8], as root: WireRoot) -> [WireLeaf] {
  let roots = RootMessages()
  var walk = LeafWalk(bytes: bytes)
  let descriptor = root == .frame ? roots.frame.descriptor : roots.body.descriptor
  if !walk.message(descriptor, end: bytes.count) { walk.breakOff() }
  return walk.leaves
}

/// The names of all fields of the .proto files.
package let wireFieldNames: Set<String> = {
  var names: Set<String> = []
  var seen: Set<UnsafePointer<ProtobufCMessageDescriptor>> = []
  var waiting = RootMessages().descriptors
  while let next = waiting.popLast() {
    guard seen.insert(next).inserted else { continue }
    for field in knownFields(of: next) {
      if let name = field.name { names.insert(String(cString: name)) }
      if field.type == PROTOBUF_C_TYPE_MESSAGE, let inner = field.descriptor {
        waiting.append(inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
      }
    }
  }
  return names
}()

private func knownFields(
  of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
) -> UnsafeBufferPointer<ProtobufCFieldDescriptor> {
  UnsafeBufferPointer(
    start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
}

/// Goes over an encoding as `PreScan` does, and stops where that would find bytes that make no
/// sense.
private struct LeafWalk {
  let bytes: [UInt8]
  var leaves: [WireLeaf] = []
  private var position = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// What is left makes no sense.
  mutating func breakOff() { add(.broken, bytes.count - position) }

  /// Whether the message could be read up to its end.
  mutating func message(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, end: Int
  ) -> Bool {
    while position < end {
      guard let tag = varint(end: end), tag >= 8, tag <= UInt64(UInt32.max) else { return false }
      let field = knownFields(of: descriptor).first { UInt64($0.id) == tag >> 3 }
      guard value(of: field, wireType: UInt8(truncatingIfNeeded: tag & 7), end: end) else {
        return false
      }
    }
    return true
  }

  private mutating func value(
    of field: ProtobufCFieldDescriptor?, wireType: UInt8, end: Int
  ) -> Bool {
    switch wireType {
    case 0:
      if let field, Self.holdsBytes(field) { return false }
      return varint(end: end) != nil
    case 1, 5:
      let count = wireType == 1 ? 8 : 4
      guard count <= end - position else { return false }
      if let field {
        if Self.holdsBytes(field) { return false }
        position += count
      } else {
        add(.unknown, count)
      }
      return true
    case 2: return lengthDelimited(field, end: end)
    default: return false
    }
  }

  private mutating func lengthDelimited(_ field: ProtobufCFieldDescriptor?, end: Int) -> Bool {
    guard let field else {
      guard let length = length(end: end) else { return false }
      add(.unknown, length)
      return true
    }
    if !Self.holdsBytes(field), field.label != PROTOBUF_C_LABEL_REPEATED { return false }
    guard let length = length(end: end) else { return false }
    if field.type == PROTOBUF_C_TYPE_MESSAGE, let inner = field.descriptor {
      return message(
        inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), end: position + length)
    }
    if Self.holdsBytes(field) {
      add(.field(field.name.map { String(cString: $0) } ?? ""), length)
    } else {
      // Numbers in one run.
      position += length
    }
    return true
  }

  private static func holdsBytes(_ field: ProtobufCFieldDescriptor) -> Bool {
    field.type == PROTOBUF_C_TYPE_MESSAGE || field.type == PROTOBUF_C_TYPE_BYTES
      || field.type == PROTOBUF_C_TYPE_STRING
  }

  private mutating func add(_ kind: WireLeaf.Kind, _ count: Int) {
    if count > 0 { leaves.append(WireLeaf(kind: kind, range: position..<position + count)) }
    position += count
  }

  private mutating func length(end: Int) -> Int? {
    guard let length = varint(end: end), length <= UInt64(end - position) else { return nil }
    return Int(length)
  }

  /// A varint of at most 10 bytes.
  private mutating func varint(end: Int) -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end, shift < 70 {
      let byte = bytes[position]
      position += 1
      if shift < 64 { value |= UInt64(byte & 0x7F) << shift }
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
