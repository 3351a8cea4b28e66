public import WatchTransfer

/// What becomes of a chunk.
public enum ChunkVerdict: Sendable, Equatable {
  /// Nothing of it is kept: it asks, is known already or is refused.
  case answered(ChunkState)
  /// It is kept with these events, and answered when that is durable.
  case stored([Event], ChunkState)
  /// It is kept with these events, if there are any; then all bytes are there, and are compared
  /// with the hash.
  case complete([Event], totalBytes: Int64)
}

/// What becomes of a chunk in a state as of `now`: pure.
public func judge(_ state: AccountState, _ chunk: Chunk, now: Instant) -> ChunkVerdict {
  let book = state.attachments
  let known = book.find(chunk.hash)
  func answer(_ refusal: ChunkRefusal?, at offset: Int64 = 0) -> ChunkVerdict {
    .answered(ChunkState(hash: chunk.hash, offset: offset, refusal: refusal))
  }
  if let known, known.isComplete {
    return .answered(ChunkState(hash: chunk.hash, offset: known.totalBytes, isComplete: true))
  }
  // Nothing takes its place before it was compared: what is compared is what is there.
  if let known, known.storedBytes == known.totalBytes {
    return .complete([], totalBytes: known.totalBytes)
  }
  guard AttachmentLimits.totalBytes.contains(chunk.totalBytes) else { return answer(.tooLarge) }
  let upload = known.flatMap { $0.totalBytes == chunk.totalBytes ? $0 : nil }
  let stored = upload?.storedBytes ?? 0
  if chunk.bytes.isEmpty || chunk.offset < stored { return answer(nil, at: stored) }
  if chunk.offset > stored { return answer(.wrongOffset, at: stored) }
  let count = Int64(chunk.bytes.count)
  if count > chunk.totalBytes - stored { return answer(.tooLarge, at: stored) }
  if count < AttachmentLimits.chunkBytesMin, stored + count < chunk.totalBytes {
    return answer(.tooSmall, at: stored)
  }
  var events: [Event] = []
  if upload == nil {
    // One of another size is given up for this one.
    if known != nil { events.append(.attachment(.attachmentDropped(chunk.hash))) }
    if book.unfinished - (known == nil ? 0 : 1) >= AuthorityLimits.uploadsMax {
      return answer(.uploads)
    }
    let bytes = book.bytes - (known?.totalBytes ?? 0)
    guard book.all.count < AuthorityLimits.attachmentsMax,
      bytes + chunk.totalBytes <= AuthorityLimits.attachmentBytesMax
    else { return answer(.quota) }
  }
  events.append(
    .attachment(
      .chunkStored(
        chunk.hash, totalBytes: chunk.totalBytes, offset: stored, count: count, at: now)))
  if stored + count == chunk.totalBytes { return .complete(events, totalBytes: chunk.totalBytes) }
  return .stored(events, ChunkState(hash: chunk.hash, offset: stored + count))
}

/// The events of an upload whose bytes were compared with its hash; those of another one go.
public func eventsOfComparison(
  _ state: AccountState, _ hash: AttachmentHash, isSame: Bool, now: Instant
) -> [Event] {
  guard let upload = state.attachments.find(hash), !upload.isComplete,
    upload.storedBytes == upload.totalBytes
  else { return [] }
  return [
    .attachment(isSame ? .uploadCompleted(hash, at: now) : .attachmentDropped(hash))
  ]
}

/// How far an upload is.
public func chunkState(_ state: AccountState, _ hash: AttachmentHash) -> ChunkState {
  let known = state.attachments.find(hash)
  return ChunkState(
    hash: hash, offset: known?.storedBytes ?? 0, isComplete: known?.isComplete ?? false)
}

/// The events of an attachment whose bytes turn out to be gone: whoever has them may offer them
/// again.
public func eventsOfLoss(_ state: AccountState, _ hash: AttachmentHash) -> [Event] {
  state.wholeBytes(of: hash) == nil ? [] : [.attachment(.attachmentDropped(hash))]
}
