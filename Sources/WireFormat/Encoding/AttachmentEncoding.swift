import CProtobufC
import CWireProto
internal import Guards
import WatchTransfer

/// Chunks, the photos of logs, and ranges of their bytes.
extension MessageEncoder {
  /// Some bytes of an attachment.
  func chunk(_ value: Chunk) -> UnsafeMutablePointer<Wristwire__V1__Chunk> {
    let chunk = arena.make(wristwire__v1__chunk__init)
    put(arena.bytes(value.hash.bytes), &chunk.pointee.has_content_hash, &chunk.pointee.content_hash)
    put(
      UInt64(clamping: value.totalBytes), &chunk.pointee.has_total_bytes, &chunk.pointee.total_bytes
    )
    put(UInt64(clamping: value.offset), &chunk.pointee.has_offset, &chunk.pointee.offset)
    if !value.bytes.isEmpty {
      put(arena.bytes(value.bytes), &chunk.pointee.has_bytes, &chunk.pointee.bytes)
    }
    return chunk
  }

  /// How far an upload is.
  func chunkState(_ value: ChunkState) -> UnsafeMutablePointer<Wristwire__V1__ChunkState> {
    let state = arena.make(wristwire__v1__chunk_state__init)
    put(arena.bytes(value.hash.bytes), &state.pointee.has_content_hash, &state.pointee.content_hash)
    put(UInt64(clamping: value.offset), &state.pointee.has_offset, &state.pointee.offset)
    if value.isComplete { put(flag: true, &state.pointee.has_complete, &state.pointee.complete) }
    put(choice: value.refusal, &state.pointee.has_refusal, &state.pointee.refusal)
    if value.retryAfterMilliseconds > 0 {
      put(
        value.retryAfterMilliseconds, &state.pointee.has_retry_after_ms,
        &state.pointee.retry_after_ms)
    }
    return state
  }

  /// Makes `body` carry `action` when it is about a log's photo.
  func fillPhoto(_ body: UnsafeMutablePointer<Wristwire__V1__ActionBody>, _ action: Action) {
    switch action {
    case .attachPhoto(let log, let hash):
      let attach = arena.make(wristwire__v1__attach_photo__init)
      put(arena.id(log), &attach.pointee.has_log_id, &attach.pointee.log_id)
      put(
        arena.bytes(hash.bytes), &attach.pointee.has_content_hash, &attach.pointee.content_hash)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_ATTACH_PHOTO
      body.pointee.attach_photo = attach
    case .removePhoto(let log):
      let remove = arena.make(wristwire__v1__remove_photo__init)
      put(arena.id(log), &remove.pointee.has_log_id, &remove.pointee.log_id)
      body.pointee.action_case = WRISTWIRE__V1__ACTION_BODY__ACTION_REMOVE_PHOTO
      body.pointee.remove_photo = remove
    default:
      invariant(false, "not an action on photos")
    }
  }

  /// What a client asks for of an attachment.
  func attachmentQuestion(
    _ value: AttachmentQuestion
  ) -> UnsafeMutablePointer<Wristwire__V1__AttachmentQuestion> {
    let question = arena.make(wristwire__v1__attachment_question__init)
    put(
      arena.bytes(value.hash.bytes), &question.pointee.has_content_hash,
      &question.pointee.content_hash)
    put(UInt64(clamping: value.offset), &question.pointee.has_offset, &question.pointee.offset)
    put(UInt32(clamping: value.length), &question.pointee.has_length, &question.pointee.length)
    return question
  }

  /// Some bytes of an attachment.
  func attachmentRange(
    _ value: AttachmentRange
  ) -> UnsafeMutablePointer<Wristwire__V1__AttachmentRange> {
    let range = arena.make(wristwire__v1__attachment_range__init)
    put(arena.bytes(value.hash.bytes), &range.pointee.has_content_hash, &range.pointee.content_hash)
    put(
      UInt64(clamping: value.totalBytes), &range.pointee.has_total_bytes, &range.pointee.total_bytes
    )
    put(UInt64(clamping: value.offset), &range.pointee.has_offset, &range.pointee.offset)
    put(arena.bytes(value.bytes), &range.pointee.has_bytes, &range.pointee.bytes)
    return range
  }

  /// The photo of a log.
  func photo(_ value: LogPhoto) -> UnsafeMutablePointer<Wristwire__V1__LogPhoto> {
    let photo = arena.make(wristwire__v1__log_photo__init)
    put(arena.bytes(value.hash.bytes), &photo.pointee.has_content_hash, &photo.pointee.content_hash)
    put(
      value.totalBytes.map { UInt64(clamping: $0) }, &photo.pointee.has_total_bytes,
      &photo.pointee.total_bytes)
    return photo
  }
}
