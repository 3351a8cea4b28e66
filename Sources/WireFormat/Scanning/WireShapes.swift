import CProtobufC
import CWireProto

/// A field of a message as the .proto files have it, for whoever makes up bytes of every message
/// that there is.
package struct WireField: Hashable, Sendable {
  /// What may stand in a field.
  package enum Content: Hashable, Sendable {
    /// A number that is never negative, of so many bits.
    case unsigned(bits: Int)
    /// A zigzag number of so many bits.
    case signed(bits: Int)
    case flag
    case double
    /// The numbers of an enum's cases.
    case choice([Int32])
    /// Text, ids, hashes.
    case bytes
    case message([WireField])
    /// What no message has so far.
    case other
  }

  package let number: UInt64
  package let name: String
  package let content: Content
  package let isRepeated: Bool
  /// Equal for the members of one oneof, nil for other fields.
  package let oneof: UInt32?
}

/// The actions of a body: the members of its oneof, each with all that it holds.
package let wireActions: [WireField] = wireFields(of: RootMessages().body.descriptor)
  .filter { $0.oneof != nil }

/// The fields of a message, by their numbers. No message holds itself, so this comes to an end.
private func wireFields(
  of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
) -> [WireField] {
  let fields = UnsafeBufferPointer(
    start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
  return fields.map { field in
    WireField(
      number: UInt64(field.id), name: field.name.map { String(cString: $0) } ?? "",
      content: content(of: field), isRepeated: field.label == PROTOBUF_C_LABEL_REPEATED,
      // Members of a oneof share the field that says which of them is there.
      oneof: field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue == 0
        ? nil : field.quantifier_offset)
  }
}

private func content(of field: ProtobufCFieldDescriptor) -> WireField.Content {
  switch field.type {
  case PROTOBUF_C_TYPE_UINT32: return .unsigned(bits: 32)
  case PROTOBUF_C_TYPE_UINT64: return .unsigned(bits: 64)
  case PROTOBUF_C_TYPE_SINT32: return .signed(bits: 32)
  case PROTOBUF_C_TYPE_SINT64: return .signed(bits: 64)
  case PROTOBUF_C_TYPE_BOOL: return .flag
  case PROTOBUF_C_TYPE_DOUBLE: return .double
  case PROTOBUF_C_TYPE_BYTES: return .bytes
  case PROTOBUF_C_TYPE_ENUM:
    guard let cases = field.descriptor?.assumingMemoryBound(to: ProtobufCEnumDescriptor.self)
    else { return .other }
    let values = UnsafeBufferPointer(
      start: cases.pointee.values, count: Int(cases.pointee.n_values))
    return .choice(values.map(\.value))
  case PROTOBUF_C_TYPE_MESSAGE:
    guard let inner = field.descriptor?.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
    else { return .other }
    return .message(wireFields(of: inner))
  default: return .other
  }
}
