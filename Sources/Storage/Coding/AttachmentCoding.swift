internal import Authority
internal import WatchTransfer

// Event tags 129 to 139, and section 11 of a stored state: attachments, and the photos of logs.

extension AttachmentEvent {
  /// Appends a tag and the event's fields.
  func encode(into writer: inout ByteWriter) {
    switch self {
    case .chunkStored(let hash, let totalBytes, let offset, let count, let at):
      writer.byte(129)
      writer.attachment(hash)
      writer.signed(totalBytes)
      writer.signed(offset)
      writer.signed(count)
      writer.instant(at)
    case .uploadCompleted(let hash, let at):
      writer.byte(130)
      writer.attachment(hash)
      writer.instant(at)
    case .attachmentDropped(let hash):
      writer.byte(131)
      writer.attachment(hash)
    case .photoAttached(let log, let hash, let by):
      writer.byte(132)
      writer.identifier(log)
      writer.attachment(hash)
      by.encode(into: &writer)
    case .photoRemoved(let log, let by):
      writer.byte(133)
      writer.identifier(log)
      by.encode(into: &writer)
    }
  }

  /// Reads the fields that belong to a tag.
  init(tag: UInt8, from reader: inout ByteReader) throws(StoredFormError) {
    switch tag {
    case 129:
      self = .chunkStored(
        try reader.attachment(), totalBytes: try reader.attachmentBytes(),
        offset: try reader.attachmentBytes(), count: try reader.attachmentBytes(),
        at: try reader.instant())
    case 130: self = .uploadCompleted(try reader.attachment(), at: try reader.instant())
    case 131: self = .attachmentDropped(try reader.attachment())
    case 132:
      self = .photoAttached(
        log: try reader.identifier(), try reader.attachment(), by: try Occurrence(from: &reader))
    case 133:
      self = .photoRemoved(log: try reader.identifier(), by: try Occurrence(from: &reader))
    default: throw .unknownTag(UInt64(tag), of: "event")
    }
  }
}

extension AttachmentBook {
  /// Appends its fields.
  func encode(into writer: inout ByteWriter) {
    writer.list(all) { writer, attachment in
      writer.attachment(attachment.hash)
      writer.signed(attachment.totalBytes)
      writer.signed(attachment.storedBytes)
      writer.flag(attachment.isComplete)
      writer.instant(attachment.touchedAt)
    }
    writer.list(photos) { writer, photo in
      writer.identifier(photo.log)
      writer.attachment(photo.hash)
      photo.stamp.encode(into: &writer)
    }
  }

  /// Reads what `encode` wrote.
  init(from reader: inout ByteReader) throws(StoredFormError) {
    self.init()
    for _ in 0..<(try reader.count()) {
      add(
        Attachment(
          hash: try reader.attachment(), totalBytes: try reader.attachmentBytes(),
          storedBytes: try reader.attachmentBytes(), isComplete: try reader.flag(),
          touchedAt: try reader.instant()))
    }
    for _ in 0..<(try reader.count()) {
      attach(
        PhotoOfLog(
          log: try reader.identifier(), hash: try reader.attachment(),
          stamp: try FieldStamp(from: &reader)))
    }
  }
}

extension ByteWriter {
  /// The 32 bytes of a hash.
  mutating func attachment(_ hash: AttachmentHash) { for byte in hash.bytes { self.byte(byte) } }
}

extension ByteReader {
  /// The 32 bytes of a hash.
  mutating func attachment() throws(StoredFormError) -> AttachmentHash {
    var bytes: [UInt8] = []
    for _ in 0..<AttachmentHash.byteCount { bytes.append(try byte()) }
    guard let hash = AttachmentHash(bytes: bytes) else { throw .outOfRange(of: "hash") }
    return hash
  }

  /// A number of bytes of one attachment.
  mutating func attachmentBytes() throws(StoredFormError) -> Int64 {
    let count = try signed()
    guard 0...AttachmentLimits.totalBytes.upperBound ~= count else {
      throw .outOfRange(of: "bytes")
    }
    return count
  }
}
