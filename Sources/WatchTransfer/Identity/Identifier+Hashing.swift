extension Identifier {
  /// An id made of bytes instead of drawn, for who has no place to keep one: FNV-1a with 128 bits
  /// (http://www.isthe.com/chongo/tech/comp/fnv/). The same bytes give the same id anywhere; that
  /// others give it is as unlikely as with drawn ids, unless somebody looks for such bytes.
  public init(hashing bytes: some Sequence<UInt8>) {
    let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
    var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
    for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime }
    self.init(
      high: UInt64(truncatingIfNeeded: hash >> 64), low: UInt64(truncatingIfNeeded: hash))
  }
}
