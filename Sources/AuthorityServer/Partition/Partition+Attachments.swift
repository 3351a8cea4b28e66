internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Bytes of attachments: kept with the events that say so, compared with their hash, read by range.
///
/// A connection is not read while a chunk or a range of it is on its way to or from the disk: one
/// of each is in memory.
extension Partition {
  /// Takes a chunk; its answer leaves when what it says is durable.
  func take(_ chunk: Chunk, by session: Session) {
    let account = session.account
    account.usedAt = monotonic
    guard shared.space.acceptsActs else {
      shared.counters.reached(.freeSpaceReserveBytes)
      let state = account.record.map { chunkState($0.state, chunk.hash) }
      return answer(
        ChunkState(
          hash: chunk.hash, offset: state?.offset ?? 0, isComplete: state?.isComplete ?? false,
          refusal: .storageUnavailable, retryAfterMilliseconds: 5_000), to: session)
    }
    ensureCurrent(account)
    guard let record = account.record else { return }
    switch Authority.judge(record.state, chunk, now: now) {
    case .answered(let state):
      answer(state, to: session)
    case .stored(let events, let state):
      keep(chunk, with: events, of: account)
      wait(session)
      open.answers.append((session, .bytes(encoder.frame(.chunkState(state)))))
    case .complete(let events, let totalBytes):
      if !events.isEmpty { keep(chunk, with: events, of: account) }
      wait(session)
      compare(chunk.hash, totalBytes: totalBytes, of: account, for: session.connection)
    }
    closeFullBatch()
  }

  /// Answers a range of an attachment, whose bytes are read first.
  func read(_ query: UInt64, _ question: AttachmentQuestion, by session: Session) {
    let account = session.account
    guard let record = account.record else { return }
    func refuse() {
      let page = Page(id: query, revision: record.revision, answer: .refused(.notFound))
      answer(.frame(encoder.frame(.page(page))), to: session)
    }
    guard let total = record.state.wholeBytes(of: question.hash), question.offset <= total else {
      return refuse()
    }
    let end = min(total, question.offset + question.length)
    let key = AttachmentKey(account: account.id, hash: question.hash)
    let connection = session.connection
    let revision = record.revision
    wait(session)
    readsOfBytes += 1
    shared.committer.submit(
      .readAttachment(key, question.offset..<end) { [weak self] found in
        self?.enter { partition in
          partition.readsOfBytes -= 1
          partition.readClocks()
          guard !partition.isStopping, let account = partition.accounts[key.account] else { return }
          let answer = partition.answer(of: found, question, totalBytes: total, of: account)
          let page = Page(id: query, revision: revision, answer: answer)
          let frame = partition.encoder.frame(.page(page))
          // What it is as of may not be durable yet.
          partition.onDurable(account) { $0.giveBytes(frame, to: connection) }
          partition.finishRound()
        }
      })
  }

  private func answer(
    of found: Result<[UInt8]?, StorageError>, _ question: AttachmentQuestion, totalBytes: Int64,
    of account: Account
  ) -> Page.Answer {
    let id = account.id
    switch found {
    case .success(let bytes?):
      return .attachment(
        AttachmentRange(
          hash: question.hash, totalBytes: totalBytes, offset: question.offset, bytes: bytes))
    case .success(nil):
      shared.counters.alarm(
        "bytes of a photo of account \(id) are gone: it is missing until it is sent again")
      let hash = question.hash
      load(account) { partition in
        guard let account = partition.accounts[id], let record = account.record else { return }
        partition.appendOwn(eventsOfLoss(record.state, hash), to: account)
      }
      return .refused(.notFound)
    case .failure(let error):
      shared.counters.alarm("a photo of account \(id) cannot be read: \(error)")
      return .refused(.notFound)
    }
  }

  /// Keeps a chunk's bytes, with the events that say so.
  private func keep(_ chunk: Chunk, with events: [Event], of account: Account) {
    // What is given up goes first.
    appendOwn(events, to: account)
    open.keep(
      AttachmentPiece(
        account: account.id, hash: chunk.hash, offset: chunk.offset, bytes: chunk.bytes))
  }

  /// Has the bytes of an upload compared with its hash, once they are durable.
  private func compare(
    _ hash: AttachmentHash, totalBytes: Int64, of account: Account, for connection: ConnectionID
  ) {
    let key = AttachmentKey(account: account.id, hash: hash)
    readsOfBytes += 1
    let work: Work = { partition in
      partition.shared.committer.submit(
        .compareAttachment(key, totalBytes: totalBytes) { [weak partition] found in
          partition?.enter { $0.compared(key, found, for: connection) }
        })
    }
    // What is closed is handed over already, and so comes before the comparison.
    if account.newestBatch == open.id { open.callbacks.append(work) } else { work(self) }
  }

  private func compared(
    _ key: AttachmentKey, _ found: Result<Bool, StorageError>, for connection: ConnectionID
  ) {
    readsOfBytes -= 1
    readClocks()
    guard !isStopping, let account = accounts[key.account] else { return }
    load(account) { partition in
      guard let account = partition.accounts[key.account], let record = account.record else {
        return
      }
      var refusal: ChunkRefusal?
      switch found {
      case .success(let isSame):
        if !isSame { refusal = .mismatch }
        partition.appendOwn(
          eventsOfComparison(record.state, key.hash, isSame: isSame, now: partition.now),
          to: account)
      case .failure: refusal = .storageUnavailable
      }
      var state = chunkState(record.state, key.hash)
      state.refusal = state.isComplete ? nil : refusal
      if refusal == .storageUnavailable { state.retryAfterMilliseconds = 5_000 }
      let frame = partition.encoder.frame(ServerMessage.chunkState(state))
      partition.onDurable(account) { $0.giveBytes(frame, to: connection) }
    }
    finishRound()
  }

  private func answer(_ state: ChunkState, to session: Session) {
    answer(.frame(encoder.frame(.chunkState(state))), to: session)
  }

  /// The session is not read until its bytes were answered.
  private func wait(_ session: Session) {
    session.isAwaitingBytes = true
    session.waiting += 1
    pause(session)
  }

  /// Answers what a session waited for, if it is still there.
  private func giveBytes(_ frame: [UInt8], to connection: ConnectionID) {
    if let session = session(on: connection) { give(.bytes(frame), to: session, waited: true) }
    flush()
  }
}
