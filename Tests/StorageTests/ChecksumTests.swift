import Testing
import WatchTransfer

@testable import Storage

struct ChecksumTests {
  @Test("a row's checksum covers its number and its epoch")
  func row() {
    func sum(_ sequence: Int64, _ epoch: EpochID) -> Int64 {
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
