internal import WatchTransfer

extension Weight {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.signed(digits)
    writer.count(scale)
    writer.byte(unit.rawValue)
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    let digits = try reader.signed()
    let scale = try reader.number(in: 0...Weight.scaleMax, of: "scale")
    guard let weight = Weight(digits: digits, scale: scale, unit: try reader.choice(of: "unit"))
    else { throw .outOfRange(of: "weight") }
    self = weight
  }
}
