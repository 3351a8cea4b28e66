import Testing
import WireFormat

@Suite struct ContentHashTests {
  /// Values of the reference implementation (xxHash 0.8).
  @Test(
    "it is XXH64",
    arguments: [
      ([], 0, 0xef46_db37_51d8_e999),
      ([UInt8]("a".utf8), 0, 0xd24e_c4f1_a98c_6e5b),
      ([UInt8]("abc".utf8), 0, 0x44bc_2cf5_ad77_0999),
      ([UInt8]("xxhash".utf8), 20_141_025, 0xb559_b98d_844e_0635),
      (
        [UInt8]("Nobody inspects the spammish repetition".utf8), 0, 0xfbce_a83c_8a37_8bf1
      ),
      ([UInt8](0...31), .max, 0x3522_0dfd_b7d4_d7c9),
      ([UInt8](0...46), 1, 0x4a62_e7eb_7d41_dc14),
      ((0..<1_280).map { UInt8(truncatingIfNeeded: $0) }, 7, 0x133c_f6ca_9d1c_1256),
    ] as [([UInt8], UInt64, UInt64)])
  func reference(bytes: [UInt8], seed: UInt64, value: UInt64) {
    #expect(bytes.withUnsafeBytes { contentHash($0, seed: seed) } == value)
  }
}
