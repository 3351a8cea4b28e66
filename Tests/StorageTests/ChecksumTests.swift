import Testing

@testable import Storage

struct ChecksumTests {
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
    #expect(bytes.withUnsafeBytes { Checksum.of($0, seed: seed) } == value)
  }

  @Test("a row's checksum covers its number and its epoch")
  func row() {
    func sum(_ sequence: Int64, _ epoch: StoredID) -> Int64 {
      [1, 2, 3].withUnsafeBytes { Checksum.row(sequence: sequence, epoch: epoch, bytes: $0) }
    }
    #expect(sum(1, id(1)) == sum(1, id(1)))
    #expect(sum(1, id(1)) != sum(2, id(1)))
    #expect(sum(1, id(1)) != sum(1, id(2)))
  }

  @Test("a checkpoint's checksum covers the account, the row and the part")
  func checkpoint() {
    func sum(_ account: UInt64, _ row: Int64, _ part: UInt64) -> Int64 {
      [1, 2, 3].withUnsafeBytes {
        Checksum.checkpoint(account: id(account), throughRow: row, part: part, bytes: $0)
      }
    }
    let sums = [sum(1, 1, 0), sum(2, 1, 0), sum(1, 2, 0), sum(1, 1, 1)]
    #expect(Set(sums).count == sums.count)
  }
}
