/// Stable 64-bit hash of bytes, the same on any machine: snapshot hashes, body hashes, checksums on
/// disk. It tells different bytes apart and finds decay; it is no defence against somebody who
/// means harm.
///
/// XXH64: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
public func contentHash(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
  XXH64.of(bytes, seed: seed)
}

/// See `contentHash(_:seed:)` for a buffer.
public func contentHash(_ bytes: [UInt8]) -> UInt64 {
  bytes.withUnsafeBytes { contentHash($0) }
}

private enum XXH64 {
  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> UInt64 {
    var offset = 0
    var hash: UInt64
    if bytes.count >= 32 {
      var lane1 = seed &+ prime1 &+ prime2
      var lane2 = seed &+ prime2
      var lane3 = seed
      var lane4 = seed &- prime1
      while offset &+ 32 <= bytes.count {
        lane1 = round(lane1, word(bytes, offset))
        lane2 = round(lane2, word(bytes, offset &+ 8))
        lane3 = round(lane3, word(bytes, offset &+ 16))
        lane4 = round(lane4, word(bytes, offset &+ 24))
        offset &+= 32
      }
      hash = rotated(lane1, 1) &+ rotated(lane2, 7) &+ rotated(lane3, 12) &+ rotated(lane4, 18)
      hash = merged(merged(merged(merged(hash, lane1), lane2), lane3), lane4)
    } else {
      hash = seed &+ prime5
    }
    return finished(hash &+ UInt64(bytes.count), bytes, from: offset)
  }

  private static func finished(
    _ start: UInt64, _ bytes: UnsafeRawBufferPointer, from first: Int
  ) -> UInt64 {
    var hash = start
    var offset = first
    while offset &+ 8 <= bytes.count {
      hash = rotated(hash ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
      offset &+= 8
    }
    if offset &+ 4 <= bytes.count {
      let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      hash = rotated(hash ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
      offset &+= 4
    }
    while offset < bytes.count {
      hash = rotated(hash ^ UInt64(bytes[offset]) &* prime5, 11) &* prime1
      offset &+= 1
    }
    hash = (hash ^ hash >> 33) &* prime2
    hash = (hash ^ hash >> 29) &* prime3
    return hash ^ hash >> 32
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
    value << bits | value >> (64 &- bits)
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotated(lane &+ word &* prime2, 31) &* prime1
  }

  private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
    (hash ^ round(0, lane)) &* prime1 &+ prime4
  }
}
