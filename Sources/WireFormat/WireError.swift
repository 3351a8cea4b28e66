public import WatchTransfer

/// Why a payload is not a message. No text of the payload is kept, only names of fields.
public enum WireError: Error, Sendable, Hashable {
  /// The bytes are not the encoding that this protocol accepts.
  case malformed(Malformation)
  /// More fields, or more unknown fields, than a frame may have.
  case tooManyFields
  /// Messages nested deeper than the protocol ever does.
  case tooDeep
  /// A singular field twice, or two members of one oneof.
  case duplicateField
  /// Unpacking would take more memory than a frame may cost.
  case tooExpensive
  /// A message of the other side: a server's from a client, or the reverse.
  case unexpectedMessage
  /// A frame without a message that this version knows, such as one of a newer peer.
  case emptyMessage
  /// A field that is missing, out of range or not allowed; the name as in the .proto files.
  case invalid(field: String)

  /// What is wrong with an encoding.
  public enum Malformation: Sendable, Hashable {
    /// A field or a length reaches past the end.
    case truncated
    /// A varint that is longer than it needs to be, or than 64 bits.
    case varint
    /// A known field with another wire type, or a wire type that does not exist.
    case wireType
    /// Groups are not spoken here.
    case group
    /// Field number 0, or one past 2^29 - 1.
    case fieldNumber
    /// A number that does not fit its field's type.
    case number
    /// The unpacker refused what the scan let pass.
    case unreadable
  }

  /// The reason to give when closing the connection for it.
  public var goodbye: Goodbye.Reason {
    switch self {
    case .unexpectedMessage: .protocolError
    case .malformed, .tooManyFields, .tooDeep, .duplicateField, .tooExpensive, .emptyMessage,
      .invalid:
      .malformed
    }
  }
}
