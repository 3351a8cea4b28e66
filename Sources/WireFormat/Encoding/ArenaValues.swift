import CProtobufC
import CWireProto
import WatchTransfer

/// Values as the generated C structs hold them; all memory is the arena's.
extension GrowingArena {
  /// A fresh message of the type that `initialize` makes.
  func make<Message>(
    _ initialize: (UnsafeMutablePointer<Message>?) -> Void
  ) -> UnsafeMutablePointer<Message> {
    let message = allocate(bytes: MemoryLayout<Message>.size)
      .bindMemory(to: Message.self, capacity: 1)
    initialize(message)
    return message
  }

  /// A copy of `bytes`.
  func bytes(_ bytes: UnsafeRawBufferPointer) -> ProtobufCBinaryData {
    let copy = allocate(bytes: bytes.count)
    UnsafeMutableRawBufferPointer(start: copy, count: bytes.count).copyMemory(from: bytes)
    return ProtobufCBinaryData(
      len: bytes.count, data: copy.assumingMemoryBound(to: UInt8.self))
  }

  /// A copy of `bytes`.
  func bytes(_ bytes: [UInt8]) -> ProtobufCBinaryData {
    bytes.withUnsafeBytes { self.bytes($0) }
  }

  /// UTF-8.
  func text(_ text: String) -> ProtobufCBinaryData {
    var text = text
    return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  /// 16 bytes.
  func id(_ id: Identifier<some Any>) -> ProtobufCBinaryData {
    let copy = allocate(bytes: 16)
    copy.storeBytes(of: id.high.bigEndian, as: UInt64.self)
    copy.storeBytes(of: id.low.bigEndian, toByteOffset: 8, as: UInt64.self)
    return ProtobufCBinaryData(len: 16, data: copy.assumingMemoryBound(to: UInt8.self))
  }

  /// 8 bytes, big-endian.
  func hash(_ hash: UInt64) -> ProtobufCBinaryData {
    let copy = allocate(bytes: 8)
    copy.storeBytes(of: hash.bigEndian, as: UInt64.self)
    return ProtobufCBinaryData(len: 8, data: copy.assumingMemoryBound(to: UInt8.self))
  }

  /// An array of what `make` makes of each value.
  func list<Value, Element>(
    _ values: [Value], _ make: (Value) -> Element
  ) -> UnsafeMutablePointer<Element> {
    let list = allocate(bytes: values.count * MemoryLayout<Element>.stride)
      .bindMemory(to: Element.self, capacity: values.count)
    for (index, value) in values.enumerated() {
      (list + index).initialize(to: make(value))
    }
    return list
  }

  /// An array of pointers to the messages that `make` makes of the values.
  func messages<Value, Message>(
    _ values: [Value], _ make: (Value) -> UnsafeMutablePointer<Message>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<Message>?> {
    list(values) { Optional(make($0)) }
  }
}

/// Sets an optional field and its flag when there is a value.
@inline(__always)
func put<Value>(
  _ value: Value?, _ has: inout protobuf_c_boolean, _ field: inout Value
) {
  guard let value else { return }
  has = 1
  field = value
}

/// Sets an optional enum and its flag when there is a choice.
@inline(__always)
func put<Choice: RawRepresentable, Field: RawRepresentable>(
  choice: Choice?, _ has: inout protobuf_c_boolean, _ field: inout Field
) where Choice.RawValue == UInt8, Field.RawValue == UInt32 {
  guard let choice, let value = Field(rawValue: UInt32(choice.rawValue)) else { return }
  has = 1
  field = value
}

/// Sets a flag that is written also when it is false.
@inline(__always)
func put(
  flag: Bool, _ has: inout protobuf_c_boolean, _ field: inout protobuf_c_boolean
) {
  has = 1
  field = flag ? 1 : 0
}
