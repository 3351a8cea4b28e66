internal import Guards

/// One round: what is ready is read and offered, what was answered is written, what is over is
/// told.
extension ConnectionPool {
  /// Handles one bounded round and calls `body` for each event.
  ///
  /// The ready list, for 250 µs, and up to 512 readiness events, at most 32 of them of peers that
  /// have gone, for 500 µs: the owner's other work does not wait longer than that, and the next
  /// turn goes on where this one ended. Each connection is read once, at most 64 KiB. For
  /// `received`, `body` returns how many bytes it consumed; for other events its result does not
  /// matter. It may call anything on any connection, also on the one the event is about, but not
  /// `turn`. `waiting` is for owners without a queue, who drive the pool from a loop of their own:
  /// how long to wait if nothing is ready.
  public func turn(
    waiting: Duration, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    invariant(!isInTurn, "a turn does not begin within another")
    isInTurn = true
    isTurnScheduled = false
    if events.isEmpty {
      let mustWait = ready.isEmpty && ended.isEmpty && waiting > .zero
      let milliseconds = mustWait ? Int32(clamping: waiting.wholeNanoseconds / 1_000_000) : 0
      events = 0..<readiness.wait(milliseconds: milliseconds)
    }
    now = MonotonicInstant.now().nanoseconds
    serveReadyList(body)
    handleEvents(body)
    repeat {
      writeOwed()
      keepToBudget()
      tellEnded(body)
    } while !ended.isEmpty || !owed.isEmpty
    isInTurn = false
    if !ready.isEmpty || !events.isEmpty { scheduleTurn() }
  }

  /// Handles the events of the last wait, as far as the turn's time lasts.
  private func handleEvents(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    if events.isEmpty { return }
    let deadline = MonotonicInstant.now().nanoseconds + TransportLimits.eventsNanosecondsMax
    while let index = events.popFirst() {
      handleEvent(index, body)
      if MonotonicInstant.now().nanoseconds >= deadline { break }
    }
  }

  private func handleEvent(_ index: Int, _ body: (ConnectionID, ConnectionEvent) -> Int) {
    let event = readiness[index]
    let id = ConnectionID(token: event.token)
    // Stale: an earlier event of this round ended the connection.
    guard let slot = slot(of: id), !slot.pointee.flags.contains(.ended) else { return }
    handle(slot, id, event.readiness, body)
    finishEvent(id)
  }

  private func serveReadyList(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    // What becomes ready meanwhile stands behind, for the next turn.
    let count = ready.count
    if count == 0 { return }
    let deadline = now + TransportLimits.readyNanosecondsMax
    var served = 0
    while served < count {
      let id = ready[served]
      served += 1
      guard let slot = slot(of: id) else { continue }
      slot.pointee.flags.remove(.ready)
      serve(slot, id, body)
      finishEvent(id)
      if MonotonicInstant.now().nanoseconds >= deadline { break }
    }
    ready.removeFirst(served)
  }

  /// What waits for no socket: a connect that succeeded at once, kept input, input inside TLS, the
  /// end of it.
  private func serve(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    guard slot.pointee.flags.isDisjoint(with: [.ended, .closing]) else { return }
    if slot.pointee.flags.contains(.connectedUntold) {
      slot.pointee.flags.remove(.connectedUntold)
      tellConnected(slot, id, body)
      guard isOpen(id) else { return }
    }
    if slot.pointee.flags.contains(.securing) { return }
    var hasOffered = false
    if slot.pointee.flags.contains(.offering) {
      slot.pointee.flags.remove(.offering)
      if slot.pointee.flags.contains(.reading), !slot.pointee.input.isEmpty {
        offerKept(slot, id, body)
        guard isOpen(id) else { return }
        hasOffered = true
      }
    }
    if slot.pointee.flags.contains(.hungUp) {
      readLast(slot, id, body)
    } else {
      if !hasOffered, hasUnreadInside(slot), slot.pointee.canRead(keptBytesMax: limits.keptBytesMax)
      {
        readInput(slot, id, body)
        guard isOpen(id) else { return }
      }
      tellInputEnd(slot, id, body)
    }
  }

  private func handle(
    _ slot: SlotPointer, _ id: ConnectionID, _ readiness: Readiness,
    _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    if slot.pointee.flags.contains(.connecting) {
      finishConnect(slot, id, body)
      return
    }
    if slot.pointee.flags.contains(.securing) {
      continueSecuring(slot, id, body)
      return
    }
    if slot.pointee.flags.contains(.closing) {
      continueClosing(slot, id, readiness)
      return
    }
    if readiness.isHangUp {
      slot.pointee.flags.insert(.hungUp)
      readLast(slot, id, body)
      return
    }
    if readiness.isWritable, slot.pointee.flags.contains(.backlogged) {
      writeOutput(slot, id)
      if slot.pointee.flags.isDisjoint(with: [.backlogged, .ended, .hungUp]) {
        _ = body(id, .drained)
        guard isOpen(id) else { return }
      }
    }
    // One that has input enough already is not read further; the ready list comes back to it.
    let mayRead =
      slot.pointee.flags.contains(.readWaitsForRoom)
      ? readiness.isWritable : readiness.isReadable
    if mayRead, !slot.pointee.flags.contains(.offering),
      slot.pointee.canRead(keptBytesMax: limits.keptBytesMax)
    {
      readInput(slot, id, body)
    }
  }

  /// Writes what the event added, while it is in the cache, and watches for what is waited for now.
  private func finishEvent(_ id: ConnectionID) {
    guard let slot = slot(of: id) else { return }
    if slot.pointee.flags.contains(.owed) { writeOutput(slot, id) }
    if slot.pointee.flags.contains(.secured) { markReadyIfUnreadInside(slot, id) }
    rearm(slot, id)
  }

  /// Retires what is over and tells the owners.
  private func tellEnded(_ body: (ConnectionID, ConnectionEvent) -> Int) {
    guard !ended.isEmpty else { return }
    var telling: ContiguousArray<(id: ConnectionID, reason: CloseReason)> = []
    swap(&telling, &ended)
    for (id, reason) in telling {
      if let slot = slot(of: id) {
        retire(slot, id)
      } else if id.slot < limits.connectionsMax {
        // The owner closed it meanwhile, and expects nothing more.
        continue
      }
      _ = body(id, .closed(reason))
    }
  }

  /// Whether it still is a connection that events are for: `body` may have done anything.
  func isOpen(_ id: ConnectionID) -> Bool {
    guard let slot = slot(of: id) else { return false }
    return slot.pointee.flags.isDisjoint(with: [.ended, .closing])
  }

  private func finishConnect(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    if let error = pendingError(slot) {
      end(slot, id, .connectFailed(SystemError(error, call: "connect")))
      return
    }
    slot.pointee.flags.remove(.connecting)
    slot.pointee.outputMoved = now
    tellConnected(slot, id, body)
  }

  /// The socket is connected: the owner is told, or TLS begins, after which it is.
  private func tellConnected(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    if slot.pointee.flags.contains(.securing) {
      continueSecuring(slot, id, body)
    } else {
      _ = body(id, .connected)
    }
  }
}
