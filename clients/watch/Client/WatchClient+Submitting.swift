internal import AuthorityLink
internal import Transport
public import WatchTransfer
internal import WireFormat

/// From a wish to a durable number.
extension WatchClient {
  /// An action on its way to disk.
  struct Submission {
    var body: [UInt8]
    var done: (Result<IncarnationNumber, OutboxError>) -> Void
  }

  /// Takes an action: with its times and zone it is on disk when this returns, and is sent when
  /// connected. Actions submitted together share one fsync.
  ///
  /// `expiresAt` is by the device's wall clock, and only means something for perishable actions.
  @discardableResult
  public func submit(
    _ action: Action, expiresAt: Instant? = nil
  ) async throws(OutboxError) -> IncarnationNumber {
    let result = await withCheckedContinuation { done in
      submit(action, expiresAt: expiresAt) { done.resume(returning: $0) }
    }
    return try result.get()
  }

  /// The same for owners without tasks: `done` is told on the client's queue.
  package func submit(
    _ action: Action, expiresAt: Instant? = nil,
    then done: @escaping (Result<IncarnationNumber, OutboxError>) -> Void
  ) {
    guard !wasStopped else { return done(.failure(.stopped)) }
    let body = encoder.encode(
      ActionBody(
        occurred: configuration.clock.now(), zone: configuration.zone(), expiresAt: expiresAt,
        action: action))
    guard body.count <= OutboxLimits.bodyBytesMax else {
      return done(
        .failure(.actionTooLarge(bytes: body.count, max: OutboxLimits.bodyBytesMax)))
    }
    submissions.append(Submission(body: body, done: done))
    // Behind what waits on the queue already: those submissions go along.
    if submissions.count == 1 {
      executor.queue.async { self.assumeIsolated { $0.commitSubmissions() } }
    }
  }

  /// The person lets go of a quarantined action: it is not listed any more. Durable when it
  /// returns.
  public func discardQuarantined(_ id: IncarnationNumber) throws(OutboxError) {
    guard !wasStopped, outbox != nil else { throw .stopped }
    do throws(OutboxError) {
      try outbox?.discard(id)
    } catch {
      if error == .broken { report(error) }
      throw error
    }
  }

  /// The person offers a quarantined action again, as a new one: what it is called now. Durable
  /// when it returns. Its ids and times are what they were; one that was applied after all is
  /// refused `taken` or changes nothing where it made something, and is done again where it did
  /// not.
  public func releaseQuarantined(
    _ id: IncarnationNumber
  ) throws(OutboxError) -> IncarnationNumber {
    guard !wasStopped, outbox != nil else { throw .stopped }
    do throws(OutboxError) {
      let new = try outbox?.release(id, fresh: fresh) ?? id
      sendActs()
      return new
    } catch {
      if error == .broken { report(error) }
      throw error
    }
  }

  /// Tells the authority when the device is in another zone than it was: the account's zone follows
  /// the person, and only by this action (DESIGN section 6, rule 2). Looked at with every
  /// submission and every greeting; a program calls it when the system says that the zone has
  /// changed.
  public func zoneMayHaveChanged() {
    do throws(OutboxError) {
      try followZone(isActing: false)
    } catch {
      // Nothing that anybody asked for is lost; what has no room now is tried again.
      if error == .broken { report(error) }
    }
    sendActs()
  }

  /// Whether a device may tell is known once it was welcomed, or somebody acts on it: a surface
  /// that only shows would be sent away.
  private func followZone(isActing: Bool) throws(OutboxError) {
    guard let zone = configuration.zone(), let machine = outbox?.machine else { return }
    let id = Array(zone.id.utf8)
    if machine.zone == id { return }
    if machine.zone != nil, kind == nil, !isActing { return }
    let body = ActionBody(
      occurred: configuration.clock.now(), zone: zone, expiresAt: nil, action: .setZone(id: zone.id)
    )
    // Where a device is first seen is where its account was made, or a matter for the person.
    let mayTell = machine.zone != nil && kind?.may(body.action.demand) ?? true
    let telling = mayTell ? encoder.encode(body) : nil
    try outbox?.move(to: id, telling: telling, fresh: fresh)
  }

  /// Makes what was submitted since the last time durable, answers, and sends.
  func commitSubmissions() {
    guard !submissions.isEmpty else { return }
    let committing = submissions
    submissions = []
    do throws(OutboxError) {
      guard outbox != nil else { throw .stopped }
      try followZone(isActing: true)
      let ids =
        try outbox?.submit(committing.map(\.body), fresh: fresh) ?? []
      for (submission, id) in zip(committing, ids) {
        submission.done(.success(id))
      }
      sendActs()
    } catch {
      for submission in committing { submission.done(.failure(error)) }
      report(error)
    }
  }
}
