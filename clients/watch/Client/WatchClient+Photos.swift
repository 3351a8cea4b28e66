internal import Transport
public import WatchTransfer

/// Why a photo was not uploaded.
public enum UploadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It has no bytes, or more than `AttachmentLimits` allows.
  case size(bytes: Int, max: Int64)
  /// The authority does not take it.
  case refused(ChunkRefusal)
  /// The same photo is on its way already.
  case underWay
  /// The client was stopped, or the upload given up.
  case stopped
  /// The authority's answers brought it no further.
  case unexpected

  /// One line.
  public var description: String {
    switch self {
    case .size(let bytes, let max): "a photo has 1 to \(max) bytes, this one has \(bytes)"
    case .refused(let refusal): "the authority does not take the photo: \(refusal.word)"
    case .underWay: "this photo is being uploaded already"
    case .stopped: "the upload was given up; what was sent is kept for a day"
    case .unexpected: "the authority's answers brought the upload no further"
    }
  }
}

/// An upload and who waits for it.
struct Upload {
  var machine: UploadMachine
  let done: (Result<AttachmentHash, UploadError>) -> Void
}

/// The photos of logs: bytes first, then the action that names them.
extension WatchClient {
  /// Sends the bytes of a photo, over as many connections as it takes; what was sent of it before
  /// is not sent again. Its hash is for `attachPhoto`.
  public func upload(_ bytes: [UInt8]) async throws(UploadError) -> AttachmentHash {
    let result = await withCheckedContinuation { done in
      upload(bytes) { done.resume(returning: $0) }
    }
    return try result.get()
  }

  /// The same for owners without tasks: `done` is told on the client's queue, once.
  package func upload(
    _ bytes: [UInt8], then done: @escaping (Result<AttachmentHash, UploadError>) -> Void
  ) {
    let sizes = AttachmentLimits.totalBytes
    guard sizes.contains(Int64(bytes.count)),
      let hash = AttachmentHash(bytes: ContentDigest.sha256(of: bytes))
    else { return done(.failure(.size(bytes: bytes.count, max: sizes.upperBound))) }
    if wasStopped { return done(.failure(.stopped)) }
    if uploads[hash] != nil { return done(.failure(.underWay)) }
    uploads[hash] = Upload(
      machine: UploadMachine(hash: hash, bytes: bytes, chunkBytesMax: chunkBytesMax), done: done)
    if mayAsk { beginUpload(hash) }
  }

  /// Gives up every upload; what was sent is kept at the authority for a day.
  public func cancelUploads() {
    let ended = uploads.sorted { $0.key < $1.key }
    uploads = [:]
    for (_, upload) in ended { upload.done(.failure(.stopped)) }
  }

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

  /// The bytes of a photo.
  public func photo(_ hash: AttachmentHash) async throws(QueryError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let range = try await attachment(AttachmentQuestion(hash: hash, offset: Int64(bytes.count)))
      bytes += range.bytes
      if bytes.count >= range.totalBytes { return bytes }
      if range.bytes.isEmpty { throw .unexpected }
    }
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

  /// The connection is welcomed: every upload asks how far it is.
  func resumeUploads(frameBytesMax: UInt32) {
    // The frame holds a hash and three numbers besides.
    chunkBytesMax = Int(frameBytesMax) - 128
    for hash in uploads.keys.sorted() { beginUpload(hash) }
  }

  private func beginUpload(_ hash: AttachmentHash) {
    if let chunk = uploads[hash]?.machine.begin() { send(.chunk(chunk)) }
  }

  /// The server has said how far an upload is; one that nobody waits for is none.
  func received(_ state: ChunkState) {
    guard let step = uploads[state.hash]?.machine.received(state) else { return }
    switch step {
    case .send(let chunk): return send(.chunk(chunk))
    case .done: uploads.removeValue(forKey: state.hash)?.done(.success(state.hash))
    case .refused(let refusal):
      uploads.removeValue(forKey: state.hash)?.done(.failure(.refused(refusal)))
    case .failed: uploads.removeValue(forKey: state.hash)?.done(.failure(.unexpected))
    }
  }
}
