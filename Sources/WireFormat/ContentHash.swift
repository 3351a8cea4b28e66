/// Stable 64-bit hash of bytes, the same on any machine: snapshot hashes, body hashes. It tells
/// different bytes apart, it does not authenticate.
///
/// XXH64 with seed 0: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
public func contentHash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  var offset = 0
  var hash = stripes(of: bytes, upTo: &offset) &+ UInt64(bytes.count)
  while offset + 8 <= bytes.count {
    hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* Prime.p1 &+ Prime.p4
    offset += 8
  }
  if offset + 4 <= bytes.count {
    let half = UInt64(
      UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    hash = rotated(hash ^ (half &* Prime.p1), 23) &* Prime.p2 &+ Prime.p3
    offset += 4
  }
  while offset < bytes.count {
    hash = rotated(hash ^ (UInt64(bytes[offset]) &* Prime.p5), 11) &* Prime.p1
    offset += 1
  }
  hash = (hash ^ (hash >> 33)) &* Prime.p2
  hash = (hash ^ (hash >> 29)) &* Prime.p3
  return hash ^ (hash >> 32)
}

/// See `contentHash(_:)` for a buffer.
public func contentHash(_ bytes: [UInt8]) -> UInt64 {
  bytes.withUnsafeBytes { contentHash($0) }
}

private enum Prime {
  static let p1: UInt64 = 0x9E37_79B1_85EB_CA87
  static let p2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  static let p3: UInt64 = 0x1656_67B1_9E37_79F9
  static let p4: UInt64 = 0x85EB_CA77_C2B2_AE63
  static let p5: UInt64 = 0x27D4_EB2F_1656_67C5
}

/// The accumulator after all whole 32-byte stripes; moves `offset` behind them.
private func stripes(of bytes: UnsafeRawBufferPointer, upTo offset: inout Int) -> UInt64 {
  guard bytes.count >= 32 else { return Prime.p5 }
  var lanes = (Prime.p1 &+ Prime.p2, Prime.p2, UInt64(0), 0 &- Prime.p1)
  while offset + 32 <= bytes.count {
    lanes.0 = round(lanes.0, word(bytes, offset))
    lanes.1 = round(lanes.1, word(bytes, offset + 8))
    lanes.2 = round(lanes.2, word(bytes, offset + 16))
    lanes.3 = round(lanes.3, word(bytes, offset + 24))
    offset += 32
  }
  var hash =
    rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12)
    &+ rotated(lanes.3, 18)
  for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
    hash = (hash ^ round(0, lane)) &* Prime.p1 &+ Prime.p4
  }
  return hash
}

private func round(_ accumulator: UInt64, _ word: UInt64) -> UInt64 {
  rotated(accumulator &+ word &* Prime.p2, 31) &* Prime.p1
}

private func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
  value << bits | value >> (64 - bits)
}

private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
  UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
}
