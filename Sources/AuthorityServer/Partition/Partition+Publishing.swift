internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// From decided to durable to seen.
extension Partition {
  /// Closes a batch that is full, though the committer is busy.
  func closeFullBatch() {
    if open.entries >= limits.batchEntriesMax || open.bytes >= limits.batchBytesMax {
      closeBatch()
    }
  }

  /// Projects what the open batch touched, before anything else is decided, and hands it over.
  func closeBatch() {
    var batch = open
    open = OpenBatch(id: nextBatch)
    nextBatch += 1
    for key in batch.touched.keys {
      guard var touched = batch.touched[key], let record = touched.account.record else { continue }
      project(&touched, of: record)
      batch.touched[key] = touched
    }
    let id = batch.id
    let row = JournalBatch(
      epoch: shared.epoch, bytes: batch.writer.bytes, attachments: batch.takeAttachments())
    shared.counters.entries.add(batch.entries)
    batch.writer = ByteWriter()
    committing.append(batch)
    shared.committer.submit(
      .append(row) { [weak self] sequence in
        self?.enter { $0.durable(id, row: sequence) }
      })
  }

  private func project(_ touched: inout OpenBatch.Touched, of record: HeldRecord) {
    let account = touched.account
    let act = working.flatMap { $0.namesAct && $0.account == account.id ? $0 : nil }
    let outer = begin(act?.projecting ?? AccountWork(.projecting, of: account.id))
    defer { resume(outer) }
    touched.revision = record.revision
    touched.epoch = record.epochs.newest
    for kind in touched.facets {
      let content = encoder.encode(Authority.project(record.state, kind))
      if account.projected.put(kind, content: content, revision: record.revision),
        let facet = account.projected[kind]
      {
        touched.changed.append(facet)
      }
    }
  }

  /// A batch is durable: what it changed is published, and who waited is answered.
  func durable(_ id: UInt64, row: Int64) {
    guard let first = committing.first, first.id == id else { return }
    committing.removeFirst()
    shared.counters.waiting.subtract(first.acts)
    readClocks()
    // In an order that another run of the same events has too.
    for touched in first.touched.sorted(by: { $0.key < $1.key }).map(\.value) {
      publish(touched, row: row, batch: id)
    }
    for (session, answer) in first.answers {
      give(answer, to: session, waited: true)
    }
    for callback in first.callbacks { callback(self) }
    finishRound()
    stopIfDone()
  }

  private func publish(_ touched: OpenBatch.Touched, row: Int64, batch: UInt64) {
    let account = touched.account
    for facet in touched.changed {
      account.published.putRecovered(facet.kind, content: facet.content, revision: facet.revision)
    }
    account.publishedRevision = touched.revision
    account.publishedEpoch = touched.epoch
    account.updateFrames.removeAll(keepingCapacity: true)
    if account.newestBatch == batch { account.newestBatch = nil }
    if account.dirtySinceRow == nil {
      account.dirtySinceRow = row
      account.dirtySince = monotonic
    }
    let live = touched.cues.filter { now.milliseconds(since: $0.at) <= Self.cueMilliseconds }
    for session in account.sessions { sendUpdate(to: session, cues: live) }
    for session in account.sessions { sendLive(to: session) }
    oweReloads(
      of: account, touched.facets, isBigMoment: touched.cues.contains { $0.kind.isBigMoment })
    if touched.facets.contains(.preferences) { noteZone(of: account) }
  }

  /// The list of accounts follows the zone, so that an account the journal lost is made again in
  /// it.
  private func noteZone(of account: Account) {
    guard let zoneID = account.record?.state.zoneID else { return }
    shared.registry.zoneMayHaveChanged(of: account.id, to: zoneID)
  }

  /// A cue rides only on an update sent within 5 s of its event (DESIGN section 3).
  static var cueMilliseconds: Int64 { 5_000 }

  /// Writes an answer.
  func give(_ answer: OpenBatch.Answer, to session: Session, waited: Bool) {
    if waited { session.waiting -= 1 }
    defer { finishAnswered(session) }
    // The client has gone; the answer is in the ledger for when it asks again.
    guard self.session(on: session.connection) === session else { return }
    switch answer {
    case .frame(let frame):
      pool.send(session.connection, frame)
    case .bytes(let frame):
      session.isAwaitingBytes = false
      pool.send(session.connection, frame)
    case .receipt(let receipt):
      if case .applied(let revision) = receipt.outcome, session.sent < revision {
        sendUpdate(to: session, isForced: true)
      }
      send(.receipt(receipt), to: session)
    case .welcome(let frame, let from):
      pool.send(session.connection, frame)
      session.isWelcomed = true
      oweLive(to: session)
      session.sent = from
      sendUpdate(to: session, isForced: true)
      oweAllReadings(to: session)
      sample(session)
    case .readings(let readings):
      session.hasReadingsWaiting = false
      session.readingsSentAt = monotonic
      guard let epoch = session.account.publishedEpoch else { return }
      send(
        .update(Update(epoch: epoch, from: session.sent, to: session.sent, readings: readings)),
        to: session)
    case .reload(let kinds):
      send(.reload(kinds), to: session)
    case .resume(let from):
      session.resumeFrom = min(from, session.resumeFrom ?? from)
      oweLive(to: session)
      sendUpdate(to: session)
      oweAllReadings(to: session)
    }
  }

  private func finishAnswered(_ session: Session) {
    unpauseIfRoom(session)
    guard session.waiting == 0, self.session(on: session.connection) === session else { return }
    if session.dismissal != nil || session.hasEnded { answerLast(session) }
    if let reason = session.dismissal {
      goodbye(reason, to: session)
    } else if session.hasEnded {
      leave(session, "endOfStream")
    }
  }

  /// Sends what a connection that ends is owed for its last resume.
  func answerLast(_ session: Session) {
    if session.resumeFrom != nil { sendUpdate(to: session, isForced: true) }
  }

  /// Encodes a message straight into what the connection is owed.
  func send(_ message: ServerMessage, to session: Session) {
    scratch.removeAll(keepingCapacity: true)
    encoder.append(message, to: &scratch)
    scratch.withUnsafeBytes { pool.send(session.connection, $0) }
  }

  /// Sends every facet that changed since the last revision the session was sent. A connection that
  /// has not taken its last bytes yet, or asked for an interval, is owed it, unless `isForced`.
  func sendUpdate(to session: Session, cues: [Cue] = [], isForced: Bool = false) {
    let account = session.account
    guard session.isWelcomed, account.record != nil || !account.published.isEmpty else { return }
    let kind = session.device.kind
    let isAsked = session.resumeFrom != nil
    if kind.facets.isEmpty && !isForced && !isAsked { return }
    let to = account.publishedRevision
    if session.sent == to && !isForced && !isAsked { return }
    if !isForced {
      let mustWait = monotonic < session.nextUpdateAt && !isAsked
      if mustWait || pool.isBacklogged(session.connection) {
        owed[ObjectIdentifier(session)] = session
        return
      }
      let hasNews = kind.facets.contains { (account.published[$0]?.revision ?? 0) > session.sent }
      if !hasNews && cues.isEmpty && !isAsked {
        owed[ObjectIdentifier(session)] = nil
        return
      }
    }
    owed[ObjectIdentifier(session)] = nil
    guard let epoch = account.publishedEpoch else { return }
    session.sent = session.resumeFrom ?? session.sent
    session.resumeFrom = nil
    shared.counters.updates.add(1)
    let live = takeLive(of: session)
    if cues.isEmpty, live.isEmpty {
      pool.send(session.connection, updateFrame(for: session, epoch: epoch))
    } else {
      send(
        .update(
          Update(
            epoch: epoch, from: session.sent, to: to,
            facets: account.published.changed(since: session.sent, of: kind.facets),
            readings: live, cues: cues)),
        to: session)
    }
    session.sent = to
    session.nextUpdateAt = monotonic + session.minimumInterval
  }

  /// One encoded frame for all connections of one set at one revision.
  private func updateFrame(for session: Session, epoch: EpochID) -> [UInt8] {
    let account = session.account
    let key = UpdateKey(facetSet: session.device.kind.facetSet, from: session.sent)
    if let frame = account.updateFrames[key] { return frame }
    let frame = encoder.frame(
      .update(
        Update(
          epoch: epoch, from: session.sent, to: account.publishedRevision,
          facets: account.published.changed(since: session.sent, of: session.device.kind.facets))))
    if account.updateFrames.count >= Self.updateFramesMax { account.updateFrames.removeAll() }
    account.updateFrames[key] = frame
    return frame
  }

  /// Update frames kept of one account.
  static var updateFramesMax: Int { 64 }
}
