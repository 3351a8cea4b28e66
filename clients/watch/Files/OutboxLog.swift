internal import AuthorityLink
internal import WireFormat

/// The bytes of the outbox file: a header, then sealed records.
///
/// A record that is not whole at the end is a write that a kill or a power cut has torn: it is cut
/// off, nobody was told of it. One that is not whole in the middle is damage: what follows is still
/// good.
package enum OutboxLog {
  /// First bytes of every file; the last one is the version.
  package static let header = Array("WWOUTBX".utf8) + [1]
  /// Marks a record's start, so that the next one is found behind damage.
  private static let mark: UInt16 = 0xC3A5
  /// Mark, length, checksum.
  private static let prefixBytes = 14
  /// No record is longer; what claims to be is damaged.
  private static let recordBytesMax = OutboxLimits.bodyBytesMax + 1_024

  /// What a file came to.
  package struct Content {
    package var records: [OutboxRecord] = []
    /// Up to where the file is good; behind it stands a torn write.
    package var length: Int
    /// Whether records in the middle were lost.
    package var isDamaged = false
  }

  /// One record, sealed.
  package static func sealed(_ record: OutboxRecord) -> [UInt8] {
    let content = record.encoded
    var writer = FieldWriter()
    writer.put(mark)
    writer.put(UInt32(content.count))
    writer.put(contentHash(content))
    return writer.bytes + content
  }

  /// Reads a file; nil when it is not an outbox of this version. A file that was torn in its header
  /// is an empty one: it holds nothing that was acknowledged.
  package static func read(_ bytes: [UInt8]) -> Content? {
    guard bytes.count >= header.count else {
      return header.starts(with: bytes) ? Content(length: 0) : nil
    }
    guard bytes.starts(with: header) else { return nil }
    var content = Content(length: header.count)
    var offset = header.count
    while offset < bytes.count {
      if let (record, end) = record(in: bytes, at: offset) {
        content.isDamaged = content.isDamaged || offset > content.length
        content.records.append(record)
        content.length = end
        offset = end
      } else {
        offset += 1
      }
    }
    return content
  }

  private static func record(in bytes: [UInt8], at offset: Int) -> (OutboxRecord, end: Int)? {
    guard offset + prefixBytes <= bytes.count else { return nil }
    var reader = FieldReader(bytes[offset..<(offset + prefixBytes)])
    guard reader.number(UInt16.self) == mark, let length = reader.number(UInt32.self),
      let checksum = reader.number(UInt64.self)
    else { return nil }
    let end = offset + prefixBytes + Int(length)
    guard length <= recordBytesMax, end <= bytes.count else { return nil }
    let content = Array(bytes[(offset + prefixBytes)..<end])
    guard contentHash(content) == checksum, let record = OutboxRecord(encoded: content) else {
      return nil
    }
    return (record, end)
  }
}
