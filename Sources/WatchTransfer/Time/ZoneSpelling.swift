/// Whether `id` is spelt like an IANA zone id: 1 to 64 bytes of letters, digits and `_+-/`, no
/// empty part. It may become part of a path, so nothing else is let through.
public func isZoneSpelling(_ id: some StringProtocol) -> Bool {
  guard (1...ActionLimits.zoneBytesMax).contains(id.utf8.count) else { return false }
  let slash = UInt8(ascii: "/")
  var previous = slash
  for byte in id.utf8 {
    guard isZoneByte(byte), byte != slash || previous != slash else { return false }
    previous = byte
  }
  return previous != slash
}

private func isZoneByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
    UInt8(ascii: "-"), UInt8(ascii: "/"):
    true
  default: false
  }
}
