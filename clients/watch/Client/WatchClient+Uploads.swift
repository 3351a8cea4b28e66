internal import AuthorityLink
internal import Transport
public import WatchTransfer

/// An upload and who waits for it.
struct Upload {
  var machine: UploadMachine
  /// By their tickets. Nobody: it was given up, and goes when its last chunk is answered; who asks
  /// for it again by then goes on from there.
  var waiting: [UInt64: (Result<AttachmentHash, UploadError>) -> Void] = [:]

  /// Tells all who wait what came of it, in the order in which they came.
  func tell(_ result: Result<AttachmentHash, UploadError>) {
    for (_, done) in waiting.sorted(by: { $0.key < $1.key }) { done(result) }
  }
}

/// Photos on their way to the authority, over as many connections as it takes.
extension WatchClient {
  /// Uploads that may wait at once: as many as an account may have unfinished, of up to 4 MiB each.
  public static var uploadsMax: Int { 4 }

  /// Sends the bytes of a photo, over as many connections as it takes; what was sent of it before
  /// is not sent again, and two uploads of the same bytes are one. Its hash is for `attachPhoto`.
  ///
  /// It waits while the device is not connected and while the authority has no room on its disk;
  /// who does not want to wait so long cancels the task.
  public func upload(_ bytes: [UInt8]) async throws(UploadError) -> AttachmentHash {
    let ticket = nextTicket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { done in
        upload(bytes, ticket) { done.resume(returning: $0) }
      }
    } onCancel: {
      executor.queue.async { [weak self] in self?.assumeIsolated { $0.cancelUpload(ticket) } }
    }
    return try result.get()
  }

  /// The same for owners without tasks: `done` is told on the client's queue, once.
  package func upload(
    _ bytes: [UInt8], then done: @escaping (Result<AttachmentHash, UploadError>) -> Void
  ) {
    upload(bytes, nextTicket(), then: done)
  }

  /// Gives up every upload; what was sent is kept at the authority for a day.
  public func cancelUploads() { failUploads(.cancelled) }

  private func nextTicket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  private func upload(
    _ bytes: [UInt8], _ ticket: UInt64,
    then done: @escaping (Result<AttachmentHash, UploadError>) -> Void
  ) {
    let sizes = AttachmentLimits.totalBytes
    guard sizes.contains(Int64(bytes.count)),
      let hash = AttachmentHash(bytes: ContentDigest.sha256(of: bytes))
    else { return done(.failure(.size(bytes: bytes.count, max: sizes.upperBound))) }
    if Task.isCancelled { return done(.failure(.cancelled)) }
    if let ending { return done(.failure(ending)) }
    // One that was given up still has its bytes.
    guard uploads.values.reduce(0, { $0 + max(1, $1.waiting.count) }) < Self.uploadsMax
    else { return done(.failure(.tooMany(max: Self.uploadsMax))) }
    let isNew = uploads[hash] == nil
    uploads[hash, default: Upload(machine: UploadMachine(hash: hash, bytes: bytes))]
      .waiting[ticket] = done
    if isNew, mayAsk { beginUpload(hash) }
  }

  /// Why nothing more is sent, until the client is started again or made anew; nil: something may
  /// be, now or on a later connection.
  var ending: UploadError? {
    if wasStopped { return .stopped }
    if outbox?.isBroken ?? true { return .broken }
    return refusal.map { .ended($0) }
  }

  /// Tells everybody who waits that there will be no answer.
  func failUploads(_ error: UploadError) {
    for hash in uploads.keys.sorted() {
      let given = uploads[hash]
      giveUp(hash)
      given?.tell(.failure(error))
    }
  }

  private func cancelUpload(_ ticket: UInt64) {
    for hash in uploads.keys.sorted() {
      guard let done = uploads[hash]?.waiting.removeValue(forKey: ticket) else { continue }
      if uploads[hash]?.waiting.isEmpty ?? false { giveUp(hash) }
      done(.failure(.cancelled))
    }
  }

  /// Nobody waits for it any more. While a chunk of it is to be answered it stays: the answer would
  /// be taken for that of the next upload with its hash.
  private func giveUp(_ hash: AttachmentHash) {
    uploads[hash]?.waiting = [:]
    if !mayAsk || uploads[hash]?.machine.pausedUntil != nil { uploads[hash] = nil }
  }

  /// The connection is welcomed: every upload asks how far it is.
  func resumeUploads(frameBytesMax: UInt32) {
    // The frame holds a hash and three numbers besides.
    chunkBytesMax = Int(frameBytesMax) - 128
    for hash in uploads.keys.sorted() { beginUpload(hash) }
  }

  /// The connection is gone, and nothing more is answered on it.
  func pauseUploads() {
    uploads = uploads.filter { !$0.value.waiting.isEmpty }
  }

  /// When the next upload's wait is over; nil: it does not depend on time.
  var uploadDeadline: MonotonicInstant? {
    mayAsk ? uploads.values.compactMap(\.machine.pausedUntil).min() : nil
  }

  /// Goes on with what has waited long enough.
  func wakeUploads() {
    guard let due = uploadDeadline else { return }
    let now = configuration.link.machine.now()
    guard now >= due else { return }
    for hash in uploads.keys.sorted() {
      if let until = uploads[hash]?.machine.pausedUntil, now >= until { beginUpload(hash) }
    }
  }

  private func beginUpload(_ hash: AttachmentHash) {
    if let chunk = uploads[hash]?.machine.begin(chunkBytesMax: chunkBytesMax) {
      send(.chunk(chunk))
    }
  }

  /// The server has said how far an upload is; one that nobody waits for ends there.
  func received(_ state: ChunkState) {
    let hash = state.hash
    guard uploads[hash]?.waiting.isEmpty == false else {
      uploads[hash] = nil
      return
    }
    let now = configuration.link.machine.now()
    switch uploads[hash]?.machine.received(state, at: now) {
    case .send(let chunk): send(.chunk(chunk))
    case .wait, nil: break
    case .done: uploads.removeValue(forKey: hash)?.tell(.success(hash))
    case .refused(let refusal):
      uploads.removeValue(forKey: hash)?.tell(.failure(.refused(refusal)))
    case .failed: uploads.removeValue(forKey: hash)?.tell(.failure(.unexpected))
    }
  }
}
