import CProtobufC
import CWireProto
internal import Guards

/// What a field of a known number may look like on the wire.
struct FieldRule: Sendable {
  /// How a value is written and bounded.
  enum Form: UInt8, Sendable {
    case unknown
    /// Any 64 bits.
    case varint64
    /// An unsigned or zigzag number of 32 bits.
    case varint32
    /// A signed number of 32 bits, negative ones extended to 64; enums too.
    case signed32
    /// 0 or 1.
    case flag
    case fixed32, fixed64
    /// Text and bytes.
    case bytes
    case message
  }

  var form = Form.unknown
  var isRepeated = false
  /// Index of the sub-message's rules.
  var message: UInt16 = 0
  /// The bit that says that this field, or another member of its oneof, was seen.
  var once: UInt64 = 0
}

/// The rules of one message: where those of its fields stand, by number.
struct MessageRule: Sendable {
  var start = 0
  /// Field numbers from here on are unknown.
  var numberEnd = 0
}

/// The rules of every message, read from the generated descriptors: the .proto files stay the one
/// source of what is known.
struct ScanRules: Sendable {
  private(set) var messages: [MessageRule] = []
  private(set) var fields: [FieldRule] = []

  /// Rules of the messages that stand alone in bytes, in the order of `RootMessages.descriptors`,
  /// and of all that they hold.
  static let shared = ScanRules(roots: RootMessages().descriptors)

  private init(roots: [UnsafePointer<ProtobufCMessageDescriptor>]) {
    var indices: [UnsafePointer<ProtobufCMessageDescriptor>: Int] = [:]
    var queue = roots
    for (index, root) in roots.enumerated() { indices[root] = index }
    var next = 0
    while next < queue.count {
      append(queue[next].pointee) { inner in
        if let known = indices[inner] { return known }
        indices[inner] = queue.count
        queue.append(inner)
        return queue.count - 1
      }
      next += 1
    }
  }

  private mutating func append(
    _ descriptor: ProtobufCMessageDescriptor,
    indexOf: (UnsafePointer<ProtobufCMessageDescriptor>) -> Int
  ) {
    let known = UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields))
    let numberEnd = (known.last.map { Int($0.id) } ?? 0) + 1
    let start = fields.count
    messages.append(MessageRule(start: start, numberEnd: numberEnd))
    fields.append(contentsOf: repeatElement(FieldRule(), count: numberEnd))
    // Singular fields have a bit each. All members of a oneof share the case field, and so its
    // offset, and so one bit.
    var oneofBits: [UInt32: UInt64] = [:]
    var singular = 0
    for field in known {
      let number = Int(field.id)
      var rule = FieldRule()
      rule.form = Self.form(of: field.type)
      rule.isRepeated = field.label == PROTOBUF_C_LABEL_REPEATED
      if !rule.isRepeated {
        let isOfOneof = field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
        if isOfOneof, let bit = oneofBits[field.quantifier_offset] {
          rule.once = bit
        } else {
          invariant(singular < 64, "a message has more than 64 singular fields")
          rule.once = 1 << UInt64(singular)
          singular += 1
          if isOfOneof { oneofBits[field.quantifier_offset] = rule.once }
        }
      }
      if rule.form == .message, let inner = field.descriptor {
        rule.message = UInt16(
          indexOf(inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)))
      }
      fields[start + number] = rule
    }
  }

  private static func form(of type: ProtobufCType) -> FieldRule.Form {
    switch type {
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_UINT64: .varint64
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_SINT32: .varint32
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_ENUM: .signed32
    case PROTOBUF_C_TYPE_BOOL: .flag
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: .fixed32
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: .fixed64
    case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES: .bytes
    case PROTOBUF_C_TYPE_MESSAGE: .message
    default: .unknown
    }
  }
}
