/// Checks an encoding before protobuf-c sees it. Unpacking believes its input: one 64 KiB frame can
/// cost it 6 MB, 33,000 allocations or 43 ms, it merges repeated singular messages, and it accepts
/// many encodings of one value. This pass reads each byte once, allocates nothing, and lets only
/// the plain encoding through.
struct PreScan {
  private let bytes: UnsafePointer<UInt8>
  private let messages: UnsafeBufferPointer<MessageRule>
  private let fields: UnsafeBufferPointer<FieldRule>
  private let unknownFieldsMax: Int
  private let depthMax: Int
  private var fieldsLeft: Int
  private var position = 0

  /// Throws unless `bytes` are a plain encoding of the message whose rules have the index `root`.
  static func check(
    _ bytes: UnsafeRawBufferPointer, root: Int, rules: ScanRules, limits: DecodeLimits
  ) throws(ScanFault) {
    guard let start = bytes.baseAddress else { return }
    try rules.messages.withUnsafeBufferPointer { (messages) throws(ScanFault) in
      try rules.fields.withUnsafeBufferPointer { (fields) throws(ScanFault) in
        var scan = PreScan(
          bytes: start.assumingMemoryBound(to: UInt8.self), messages: messages, fields: fields,
          unknownFieldsMax: limits.unknownFieldsMax, depthMax: limits.depthMax,
          fieldsLeft: limits.fieldsMax)
        try scan.message(messages[root], end: bytes.count, depth: 1)
      }
    }
  }

  private init(
    bytes: UnsafePointer<UInt8>, messages: UnsafeBufferPointer<MessageRule>,
    fields: UnsafeBufferPointer<FieldRule>, unknownFieldsMax: Int, depthMax: Int, fieldsLeft: Int
  ) {
    self.bytes = bytes
    self.messages = messages
    self.fields = fields
    self.unknownFieldsMax = unknownFieldsMax
    self.depthMax = depthMax
    self.fieldsLeft = fieldsLeft
  }

  private mutating func message(
    _ rule: MessageRule, end: Int, depth: Int
  ) throws(ScanFault) {
    if depth > depthMax { throw .tooDeep }
    var seen: UInt64 = 0
    var unknown = 0
    while position < end {
      try countField()
      let tag = try varint(end: end)
      guard tag >= 8, tag <= UInt64(UInt32.max) else { throw .fieldNumber }
      let number = Int(tag >> 3)
      let wireType = UInt8(truncatingIfNeeded: tag & 7)
      let field = number < rule.numberEnd ? fields[rule.start + number] : FieldRule()
      if field.form == .unknown {
        unknown += 1
        if unknown > unknownFieldsMax { throw .tooManyFields }
        try skip(wireType: wireType, end: end)
        continue
      }
      if seen & field.once != 0 { throw .duplicateField }
      seen |= field.once
      try value(of: field, wireType: wireType, end: end, depth: depth)
    }
  }

  private mutating func countField() throws(ScanFault) {
    if fieldsLeft == 0 { throw .tooManyFields }
    fieldsLeft -= 1
  }

  private mutating func value(
    of field: FieldRule, wireType: UInt8, end: Int, depth: Int
  ) throws(ScanFault) {
    switch (wireType, field.form) {
    case (2, .message):
      let length = try length(end: end)
      try message(messages[Int(field.message)], end: position + length, depth: depth + 1)
    case (2, .bytes):
      try advance(try length(end: end), end: end)
    case (0, .varint64), (0, .varint32), (0, .signed32), (0, .flag):
      try number(field.form, end: end)
    case (1, .fixed64):
      try advance(8, end: end)
    case (5, .fixed32):
      try advance(4, end: end)
    case (2, .varint64), (2, .varint32), (2, .signed32), (2, .flag), (2, .fixed32), (2, .fixed64):
      guard field.isRepeated else { throw .wireType }
      try packed(field.form, end: end)
    case (3, _), (4, _):
      throw .group
    default:
      throw .wireType
    }
  }

  /// Numbers of a repeated field in one run; each counts as a field, as if it stood alone.
  private mutating func packed(_ form: FieldRule.Form, end: Int) throws(ScanFault) {
    let length = try length(end: end)
    let runEnd = position + length
    while position < runEnd {
      try countField()
      switch form {
      case .fixed32: try advance(4, end: runEnd)
      case .fixed64: try advance(8, end: runEnd)
      default: try number(form, end: runEnd)
      }
    }
  }

  private mutating func number(_ form: FieldRule.Form, end: Int) throws(ScanFault) {
    let value = try varint(end: end)
    switch form {
    case .varint32:
      if value > UInt64(UInt32.max) { throw .number }
    case .signed32:
      if Int32(exactly: Int64(bitPattern: value)) == nil { throw .number }
    case .flag:
      if value > 1 { throw .number }
    default:
      break
    }
  }

  private mutating func skip(wireType: UInt8, end: Int) throws(ScanFault) {
    switch wireType {
    case 0: _ = try varint(end: end)
    case 1: try advance(8, end: end)
    case 2: try advance(try length(end: end), end: end)
    case 3, 4: throw .group
    case 5: try advance(4, end: end)
    default: throw .wireType
    }
  }

  private mutating func length(end: Int) throws(ScanFault) -> Int {
    let length = try varint(end: end)
    guard length <= UInt64(end - position) else { throw .truncated }
    return Int(length)
  }

  private mutating func advance(_ count: Int, end: Int) throws(ScanFault) {
    guard count <= end - position else { throw .truncated }
    position += count
  }

  /// A varint in its shortest form, at most 10 bytes. Most have one.
  @inline(__always)
  private mutating func varint(end: Int) throws(ScanFault) -> UInt64 {
    guard position < end else { throw .truncated }
    let first = bytes[position]
    position += 1
    return first < 0x80 ? UInt64(first) : try longVarint(first, end: end)
  }

  @inline(never)
  private mutating func longVarint(_ first: UInt8, end: Int) throws(ScanFault) -> UInt64 {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while position < end {
      let byte = bytes[position]
      position += 1
      if byte < 0x80 {
        // A last byte of 0 adds nothing; a tenth byte has room for one bit.
        if byte == 0 || (shift == 63 && byte > 1) { throw .varint }
        return value | UInt64(byte) << shift
      }
      if shift == 63 { throw .varint }
      value |= UInt64(byte & 0x7F) << shift
      shift += 7
    }
    throw .truncated
  }
}
