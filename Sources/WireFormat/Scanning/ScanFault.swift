/// What the scan of an encoding found wrong; one byte, so that it costs the hot path nothing.
enum ScanFault: Error {
  case truncated, varint, wireType, group, fieldNumber, number
  case tooManyFields, tooDeep, duplicateField

  /// The error it becomes at the edge.
  var wireError: WireError {
    switch self {
    case .truncated: .malformed(.truncated)
    case .varint: .malformed(.varint)
    case .wireType: .malformed(.wireType)
    case .group: .malformed(.group)
    case .fieldNumber: .malformed(.fieldNumber)
    case .number: .malformed(.number)
    case .tooManyFields: .tooManyFields
    case .tooDeep: .tooDeep
    case .duplicateField: .duplicateField
    }
  }
}
