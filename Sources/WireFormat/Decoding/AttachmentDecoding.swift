import CProtobufC
import CWireProto
import WatchTransfer

/// Chunks, the photos of logs, and ranges of their bytes.
extension MessageDecoder {
  /// Some bytes of an attachment; whether there may be so many in all is the server's to say.
  func chunk(_ chunk: Wristwire__V1__Chunk) throws(WireError) -> Chunk {
    guard chunk.has_bytes == 0 || chunk.bytes.len <= AttachmentLimits.chunkBytesMax else {
      throw Check.invalid("bytes")
    }
    return Chunk(
      hash: try Check.attachment(chunk.has_content_hash, chunk.content_hash),
      totalBytes: try Check.byteCount(chunk.has_total_bytes, chunk.total_bytes, "total_bytes"),
      offset: try Check.byteCount(chunk.has_offset, chunk.offset, "offset"),
      bytes: Check.bytes(chunk.has_bytes, chunk.bytes))
  }

  /// How far an upload is.
  func chunkState(_ state: Wristwire__V1__ChunkState) throws(WireError) -> ChunkState {
    ChunkState(
      hash: try Check.attachment(state.has_content_hash, state.content_hash),
      offset: try Check.byteCount(state.has_offset, state.offset, "offset"),
      isComplete: state.has_complete != 0 && state.complete != 0,
      refusal: try Check.optionalChoice(state.has_refusal, state.refusal.rawValue, "refusal"),
      retryAfterMilliseconds: state.has_retry_after_ms == 0 ? 0 : state.retry_after_ms)
  }

  /// The action of a body that is about a log's photo.
  func photoAction(_ body: Wristwire__V1__ActionBody) throws(WireError) -> Action {
    if body.action_case == WRISTWIRE__V1__ACTION_BODY__ACTION_ATTACH_PHOTO {
      let attach = try Check.message(body.attach_photo, "attach_photo")
      return .attachPhoto(
        log: try Check.id(attach.has_log_id, attach.log_id, "log_id"),
        try Check.attachment(attach.has_content_hash, attach.content_hash))
    }
    let remove = try Check.message(body.remove_photo, "remove_photo")
    return .removePhoto(log: try Check.id(remove.has_log_id, remove.log_id, "log_id"))
  }

  /// What a client asks for of an attachment.
  func attachmentQuestion(
    _ question: Wristwire__V1__AttachmentQuestion
  ) throws(WireError) -> AttachmentQuestion {
    AttachmentQuestion(
      hash: try Check.attachment(question.has_content_hash, question.content_hash),
      offset: try Check.byteCount(question.has_offset, question.offset, "offset"),
      length: try Check.within(
        AttachmentLimits.rangeBytes, question.has_length, Int64(question.length), "length"))
  }

  /// Some bytes of an attachment.
  func attachmentRange(
    _ range: Wristwire__V1__AttachmentRange
  ) throws(WireError) -> AttachmentRange {
    guard range.has_bytes == 0 || range.bytes.len <= AttachmentLimits.rangeBytes.upperBound else {
      throw Check.invalid("bytes")
    }
    return AttachmentRange(
      hash: try Check.attachment(range.has_content_hash, range.content_hash),
      totalBytes: try Check.byteCount(range.has_total_bytes, range.total_bytes, "total_bytes"),
      offset: try Check.byteCount(range.has_offset, range.offset, "offset"),
      bytes: Check.bytes(range.has_bytes, range.bytes))
  }

  /// The photo of a log, if there is one.
  func optionalPhoto(
    _ pointer: UnsafeMutablePointer<Wristwire__V1__LogPhoto>?
  ) throws(WireError) -> LogPhoto? {
    guard let photo = pointer?.pointee else { return nil }
    return LogPhoto(
      hash: try Check.attachment(photo.has_content_hash, photo.content_hash),
      totalBytes: photo.has_total_bytes == 0
        ? nil : try Check.byteCount(1, photo.total_bytes, "total_bytes"))
  }
}

extension Check {
  /// SHA-256 of an attachment: 32 bytes, not all zero.
  static func attachment(
    _ has: protobuf_c_boolean, _ data: ProtobufCBinaryData
  ) throws(WireError) -> AttachmentHash {
    guard has != 0, data.len == AttachmentHash.byteCount,
      let hash = AttachmentHash(bytes: bytes(has, data))
    else { throw invalid("content_hash") }
    return hash
  }

  /// A number of bytes: below 2^53, as every number.
  static func byteCount(
    _ has: protobuf_c_boolean, _ value: UInt64, _ field: StaticString
  ) throws(WireError) -> Int64 {
    Int64(try number(has, value, field))
  }
}
