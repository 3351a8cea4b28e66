public import WatchTransfer

/// Facts about uploaded bytes and the photos of logs.
public enum AttachmentEvent: Sendable, Equatable {
  /// Bytes were kept, from `offset` on; they are rows of the same transaction.
  case chunkStored(
    AttachmentHash, totalBytes: Int64, offset: Int64, count: Int64, at: Instant)
  /// All bytes are there, and are those of the hash.
  case uploadCompleted(AttachmentHash, at: Instant)
  /// Its bytes are gone with this event.
  case attachmentDropped(AttachmentHash)
  case photoAttached(log: LogID, AttachmentHash, by: Occurrence)
  case photoRemoved(log: LogID, by: Occurrence)

  /// The moment of an edit that later ones compete with; nil where nothing competes.
  var competingMoment: Instant? {
    switch self {
    case .photoAttached(_, _, let by), .photoRemoved(_, let by): by.at
    // When an upload ends by itself is counted from here.
    case .chunkStored(_, _, _, _, let at), .uploadCompleted(_, let at): at
    case .attachmentDropped: nil
    }
  }
}

extension AccountState {
  /// Uploaded bytes and the photos of logs.
  mutating func apply(_ event: AttachmentEvent) {
    switch event {
    case .chunkStored(let hash, let totalBytes, let offset, let count, let at):
      attachments.store(hash, totalBytes: totalBytes, offset: offset, count: count, at: at)
    case .uploadCompleted(let hash, let at):
      attachments.complete(hash, at: at)
    case .attachmentDropped(let hash):
      attachments.drop(hash)
    case .photoAttached(let log, let hash, let by):
      attachments.attach(PhotoOfLog(log: log, hash: hash, stamp: by.stamp))
    case .photoRemoved(let log, _):
      attachments.removePhoto(of: log)
    }
  }
}
