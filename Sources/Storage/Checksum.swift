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

  /// The checksum of a piece of an attachment; it covers whose it is and where it begins.
  static func piece(
    of account: AccountID, _ hash: AttachmentHash, start: Int64, bytes: UnsafeRawBufferPointer
  ) -> Int64 {
    let seed = hash.bytes.withUnsafeBytes {
      contentHash($0, seed: mixed(account, UInt64(bitPattern: start)))
    }
    return Int64(bitPattern: contentHash(bytes, seed: seed))
  }

  /// The checksum of an account of the list, in every field.
  static func account(_ account: StoredAccount) -> Int64 {
    var writer = ByteWriter()
    writer.identifier(account.id)
    writer.blob(account.name)
    writer.text(account.zone)
    writer.signed(account.createdMilliseconds)
    writer.flag(account.isErased)
    return of(writer, seed: 0x6163_636f_756e_7431)
  }

  /// The checksum of a device of the list, in every field: a flipped bit must make neither another
  /// account's device of it, nor one of another kind, nor a good token of a revoked one.
  static func device(_ device: StoredDevice) -> Int64 {
    var writer = ByteWriter()
    writer.identifier(device.id)
    writer.identifier(device.account)
    writer.byte(device.kind)
    writer.blob(device.name)
    writer.blob(device.tokenHash)
    writer.signed(device.createdMilliseconds)
    writer.optional(device.revokedMilliseconds) { $0.signed($1) }
    return of(writer, seed: 0x6465_7669_6365_7331)
  }

  private static func of(_ writer: ByteWriter, seed: UInt64) -> Int64 {
    Int64(bitPattern: writer.bytes.withUnsafeBytes { contentHash($0, seed: seed) })
  }

  private static func mixed(_ id: Identifier<some Any>, _ number: UInt64) -> UInt64 {
    withUnsafeBytes(of: (id.high.bigEndian, id.low.bigEndian, number.littleEndian)) {
      contentHash($0)
    }
  }
}
