internal import Authority
internal import Guards
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// From bytes to messages, and each to its place.
extension Partition {
  /// Takes whole frames off the front of `bytes`; returns how many bytes they were.
  func receive(_ bytes: UnsafeRawBufferPointer, on connection: ConnectionID) -> Int {
    guard let session = session(on: connection) else { return bytes.count }
    heard(session)
    var consumed = 0
    var handled = 0
    while !session.isPaused {
      // The others' turn: one connection's pipeline is not worked off while they wait.
      if handled >= Self.framesPerTurnMax, consumed < bytes.count {
        pool.offerAgain(connection)
        return consumed
      }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      switch scanFrame(rest, payloadBytesMax: limits.clientFrameBytesMax) {
      case .incomplete:
        return consumed
      case .failed(let error):
        dismiss(session, error.goodbye)
        return bytes.count
      case .frame(let length):
        let payload = UnsafeRawBufferPointer(rebasing: rest[4..<4 + length])
        let message: ClientMessage
        do throws(WireError) {
          message = try decoder.decodeClientMessage(payload)
        } catch {
          dismiss(session, error.goodbye)
          return bytes.count
        }
        guard session.device.kind.may(message.demand) else {
          dismiss(session, .forbidden)
          return bytes.count
        }
        guard isReady(session, for: message), hasRate(for: message, of: session) else {
          return consumed
        }
        handle(message, of: session)
        if self.session(on: connection) == nil { return bytes.count }
        consumed += 4 + length
        handled += Self.weight(of: message)
        pauseIfFull(session)
      }
    }
    return consumed
  }

  private func handle(_ message: ClientMessage, of session: Session) {
    switch message {
    case .act(let act): offered(act, by: session)
    case .fetch(let fetch): self.fetch(fetch, by: session)
    case .query(let query): ask(query, by: session)
    case .chunk(let chunk): take(chunk, by: session)
    case .resume(let cursor): resume(after: cursor, by: session)
    case .ping(let ping): answer(ping, of: session)
    case .pong(let pong): measured(pong, of: session)
    case .pulse(let pulse): take(pulse, from: session)
    case .goodbye:
      end(session, "goodbye")
      pool.close(session.connection)
    case .hello:
      dismiss(session, .protocolError)
    }
  }

  /// Whether the account is in memory, where the message needs it; otherwise it is being loaded,
  /// and the connection waits.
  private func isReady(_ session: Session, for message: ClientMessage) -> Bool {
    switch message {
    case .act, .fetch, .query, .chunk, .resume, .pulse:
      if session.account.record != nil { return true }
      pause(session)
      let connection = session.connection
      load(session.account) { partition in
        guard let session = partition.session(on: connection) else { return }
        partition.unpause(session)
      }
      return false
    case .hello, .ping, .pong, .goodbye:
      return true
    }
  }

  func heard(_ session: Session) {
    session.heardAt = monotonic
    let device = session.deviceState
    device.heardAt = monotonic
    if !device.isShownPresent { presenceMayHaveChanged(session.account) }
  }

  /// Stops reading a session that has too much in flight (DESIGN section 9).
  func pauseIfFull(_ session: Session) {
    if hasRoom(session) { return }
    shared.counters.reached(.inFlightMax)
    pause(session)
    full.append(session)
  }

  /// A client may have `inFlightMax` acts on the way; behind as many that wait for a sample of its
  /// clock, the sample itself is still read.
  private func hasRoom(_ session: Session) -> Bool {
    session.waiting < limits.inFlightMax && session.unmeasured.count <= limits.inFlightMax
      && pool.unsentBytes(session.connection) < limits.unsentBytesMax
  }

  /// Frames of one connection that are handled before others have their turn.
  static var framesPerTurnMax: Int { 32 }

  /// For how many frames this one counts there: the whole state, a page, or what is sent to every
  /// surface, is some eight times as much work as an answer that is ready.
  private static func weight(of message: ClientMessage) -> Int {
    switch message {
    case .resume, .query, .chunk, .pulse: 8
    case .hello, .act, .fetch, .ping, .pong, .goodbye: 1
    }
  }

  func pause(_ session: Session) {
    session.isPaused = true
    pool.setReading(session.connection, false)
  }

  func unpause(_ session: Session) {
    // Nothing more is decided once it stops.
    guard session.isPaused, !session.isThrottled, !session.isAwaitingBytes,
      session.dismissal == nil, !isStopping
    else { return }
    session.isPaused = false
    pool.setReading(session.connection, true)
  }

  /// Reads a session again once there is room.
  func unpauseIfRoom(_ session: Session) {
    guard session.isPaused, session.account.onLoaded == nil else { return }
    if hasRoom(session) { unpause(session) }
  }

  /// Ends a session for what its peer sent: nothing more is read, what it asked before is answered
  /// first.
  func dismiss(_ session: Session, _ reason: Goodbye.Reason) {
    // The sample of the clock that acts wait for is not read any more.
    if !session.unmeasured.isEmpty { decideUnmeasured(of: session) }
    session.dismissal = reason
    if session.waiting == 0 {
      answerLast(session)
      return goodbye(reason, to: session)
    }
    pause(session)
  }

  /// Says why, and closes once that is sent.
  func goodbye(_ reason: Goodbye.Reason, to session: Session, retryAfter: UInt32 = 0) {
    if reason == .frameTooLarge { shared.counters.reached(.clientFrameBytesMax) }
    shared.noteGoodbye(reason, to: session.peer)
    // But for a device that was replaced, such things are told to many at once.
    let wait =
      reason == .replaced ? retryAfter : spreadWait(retryAfter, by: session.device.id.low)
    pool.send(
      session.connection,
      encoder.frame(
        ServerMessage.goodbye(
          Goodbye(reason, retryAfterMilliseconds: wait, comeBack: reason.comesBack))))
    leave(session, reason.word)
  }

  /// Ends a session whose connection is closed once what it is owed has left.
  func leave(_ session: Session, _ reason: String) {
    end(session, reason)
    pool.closeAfterSending(session.connection)
    if pool.unsentBytes(session.connection) > 0 {
      leaving[session.connection] = session.device.id
    }
  }

  /// The peer has finished its side: what it is owed still leaves.
  func endOfInput(_ connection: ConnectionID) {
    guard let session = session(on: connection) else {
      pool.closeAfterSending(connection)
      return
    }
    // The sample of the clock that acts wait for cannot come any more.
    if !session.unmeasured.isEmpty { decideUnmeasured(of: session) }
    if session.waiting == 0 {
      answerLast(session)
      leave(session, "endOfStream")
    } else {
      session.hasEnded = true
    }
  }

  func closed(_ connection: ConnectionID, _ reason: String) {
    if !leaving.isEmpty { leaving[connection] = nil }
    guard let session = session(on: connection) else { return }
    end(session, reason)
  }

  /// All that was owed has left: what changed meanwhile follows.
  func drained(_ connection: ConnectionID) {
    guard let session = session(on: connection) else { return }
    sendUpdate(to: session)
    sendLive(to: session)
    unpauseIfRoom(session)
  }

  /// Forgets a session; its connection is closed by the caller or already.
  func end(_ session: Session, _ reason: String) {
    let slot = Int(session.connection.slot)
    guard slot < sessions.count, sessions[slot] === session else { return }
    sessions[slot] = nil
    owed[ObjectIdentifier(session)] = nil
    if let address = limitedPeers.removeValue(forKey: session.connection) {
      shared.addresses.withLock { $0.left(address) }
    }
    session.isPaused = false
    let account = session.account
    account.sessions.removeAll { $0 === session }
    if let device = account.devices[session.device.id], device.session === session {
      device.session = nil
    }
    shared.counters.connections.subtract(1)
    shared.counters.closed(reason)
    presenceMayHaveChanged(account)
  }
}
