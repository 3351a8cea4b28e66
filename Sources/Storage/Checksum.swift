internal import WatchTransfer
internal import WireFormat

/// Checksums against decay on disk; SQLite has none of its own.
enum Checksum {
  /// The checksum of a journal row; it covers where the row stands and its epoch too, so that one
  /// row's bytes under another's number do not pass.
  static func row(sequence: Int64, epoch: EpochID, bytes: UnsafeRawBufferPointer) -> Int64 {
    Int64(bitPattern: contentHash(bytes, seed: mixed(epoch, UInt64(bitPattern: sequence))))
  }

  /// The checksum of one part of a checkpoint; `part` keeps two parts from changing places.
  static func checkpoint(
    account: AccountID, throughRow: Int64, part: UInt64, bytes: UnsafeRawBufferPointer
  ) -> Int64 {
    let seed = mixed(account, UInt64(bitPattern: throughRow)) &+ part
    return Int64(bitPattern: contentHash(bytes, seed: seed))
  }

  private static func mixed(_ id: Identifier<some Any>, _ number: UInt64) -> UInt64 {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian, number.littleEndian)) {
      contentHash($0)
    }
  }
}
