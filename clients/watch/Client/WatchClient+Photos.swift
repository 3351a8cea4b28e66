internal import Transport
public import WatchTransfer

/// The photos of logs: bytes first, then the action that names them.
extension WatchClient {
  /// Gives a log its photo, whose bytes were uploaded before.
  public func attachPhoto(
    _ hash: AttachmentHash, to log: LogID
  ) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.attachPhoto(log: log, hash))
  }

  /// Takes a log's photo away.
  public func removePhoto(of log: LogID) async throws(OutboxError) -> IncarnationNumber {
    try await submit(.removePhoto(log: log))
  }

  /// The bytes of a photo. When the connection ends in the middle, what was read is kept and the
  /// rest is read once the client is welcomed again; who does not want to wait so long cancels the
  /// task.
  ///
  /// Throws `mismatch` when the bytes are not those that the hash names.
  public func photo(_ hash: AttachmentHash) async throws(QueryError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let range: AttachmentRange
      do throws(QueryError) {
        range = try await attachment(
          AttachmentQuestion(hash: hash, offset: Int64(bytes.count)))
      } catch {
        // As for any question, there must be a connection to begin with.
        guard error == .notConnected, !bytes.isEmpty else { throw error }
        try await awaitWelcome()
        continue
      }
      bytes += range.bytes
      if bytes.count >= range.totalBytes { break }
      if range.bytes.isEmpty { throw .unexpected }
    }
    guard ContentDigest.sha256(of: bytes) == hash.bytes else { throw .mismatch }
    return bytes
  }

  /// Waits until the client may ask again; throws when it never will.
  private func awaitWelcome() async throws(QueryError) {
    let events = events()
    if mayAsk { return }
    if ending == nil {
      for await event in events {
        if case .connected = event { return }
        if ending != nil { break }
      }
    }
    throw Task.isCancelled && !wasStopped ? .cancelled : unanswered
  }

  /// Some bytes of a photo.
  public func attachment(
    _ question: AttachmentQuestion
  ) async throws(QueryError) -> AttachmentRange {
    guard case .attachment(let range) = try await ask(.attachment(question)),
      range.hash == question.hash, range.offset == question.offset,
      AttachmentLimits.totalBytes.contains(range.totalBytes)
    else { throw .unexpected }
    return range
  }

  /// What deleting a log would take away, and what would stay.
  public func previewDeletion(of log: LogID) async throws(QueryError) -> DeletionPreview {
    guard case .deletion(let preview) = try await ask(.previewLogDeletion(of: log)) else {
      throw .unexpected
    }
    return preview
  }
}
