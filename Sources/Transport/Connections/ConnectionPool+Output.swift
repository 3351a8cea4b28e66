internal import CLinux

/// From owner to socket: collecting, writing, the graceful end.
extension ConnectionPool {
  /// Adds bytes to what the connection owes. They are written at the end of the event or the turn,
  /// or by ``flush()`` when sent outside one. Dropped if the connection is over or closing.
  ///
  /// Beyond ``ConnectionLimits/unsentBytesMax`` the connection ends (`outputOverflow`).
  public func send(_ id: ConnectionID, _ bytes: UnsafeRawBufferPointer) {
    guard let slot = slot(of: id),
      slot.pointee.flags.isDisjoint(with: [.ended, .closing, .hungUp]), bytes.count > 0
    else { return }
    guard slot.pointee.output.count + bytes.count <= limits.unsentBytesMax else {
      slot.pointee.flags.insert(.outputDropped)
      end(slot, id, .outputOverflow)
      return
    }
    let capacity =
      slot.pointee.output.isEmpty ? TransportLimits.chunkBytes : TransportLimits.largeChunkBytes
    slot.pointee.output.append(bytes, capacityMin: capacity, from: chunks)
    if slot.pointee.flags.isDisjoint(with: [.owed, .backlogged]) {
      slot.pointee.flags.insert(.owed)
      owed.append(id)
    }
  }

  /// Adds bytes to what the connection owes, like the other `send`.
  public func send(_ id: ConnectionID, _ bytes: [UInt8]) {
    bytes.withUnsafeBytes { send(id, $0) }
  }

  /// Writes everything owed by connections sent to since the last time: after a commit, for
  /// example. What a full socket does not take is written when it can be, and told by `drained`.
  public func flush() {
    if !isInTurn { now = MonotonicInstant.now().nanoseconds }
    writeOwed()
    if !isInTurn { keepToBudget() }
  }

  /// Bytes sent and not yet in the socket; 0 for a stale id.
  public func unsentBytes(_ id: ConnectionID) -> Int {
    slot(of: id)?.pointee.output.count ?? 0
  }

  /// Whether output waits for the peer: the socket did not take all of it. `drained` tells when
  /// that is over. What was sent since the last flush does not count.
  public func isBacklogged(_ id: ConnectionID) -> Bool {
    slot(of: id).map { $0.pointee.flags.contains(.backlogged) } ?? false
  }

  /// When the socket last took some of the output that had to wait; nil if none waits for the peer.
  public func lastProgress(_ id: ConnectionID) -> MonotonicInstant? {
    guard let slot = slot(of: id), slot.pointee.flags.contains(.backlogged) else { return nil }
    return MonotonicInstant(nanoseconds: slot.pointee.outputMoved)
  }

  /// Ends it so that the peer gets everything: writes what is owed, finishes our side (SHUT_WR),
  /// and discards what the peer still sends until it finishes too, at most
  /// ``ConnectionLimits/linger``. Closing with input unread would reset the connection and could
  /// destroy the last answer, RFC 9112 section 9.6.
  ///
  /// Nothing is offered from here on; one `closed` follows, `finished` if all went well.
  public func closeAfterSending(_ id: ConnectionID) {
    guard let slot = slot(of: id),
      slot.pointee.flags.isDisjoint(with: [.closing, .ended])
    else { return }
    slot.pointee.flags.insert(.closing)
    slot.pointee.input.removeAll(to: chunks)
    // Nothing can be said before the connection stands.
    if !slot.pointee.flags.isDisjoint(with: [.connecting, .securing]) {
      end(slot, id, .finished)
      return
    }
    if !slot.pointee.output.isEmpty, !slot.pointee.flags.contains(.backlogged) {
      writeOutput(slot, id)
    }
    finishSendingIfDone(slot, id)
    rearm(slot, id)
  }

  /// Writes to each connection on the list once.
  func writeOwed() {
    guard !owed.isEmpty else { return }
    var writing: ContiguousArray<ConnectionID> = []
    swap(&writing, &owed)
    for id in writing {
      guard let slot = slot(of: id), slot.pointee.flags.contains(.owed) else { continue }
      writeOutput(slot, id)
      rearm(slot, id)
    }
    writing.removeAll(keepingCapacity: true)
    if owed.isEmpty { swap(&writing, &owed) }
  }

  /// Writes first; only what the socket does not take waits for it to become writable.
  func writeOutput(_ slot: SlotPointer, _ id: ConnectionID) {
    slot.pointee.flags.remove(.owed)
    guard slot.pointee.flags.isDisjoint(with: [.ended, .connecting, .securing]) else {
      // A connect or handshake in progress: its output waits like that of a full socket.
      if !slot.pointee.flags.contains(.ended) { slot.pointee.flags.insert(.backlogged) }
      return
    }
    let bytes = slot.pointee.output.bytes
    guard !bytes.isEmpty else { return }
    let result = write(slot, bytes)
    if result == bytes.count {
      slot.pointee.output.removeAll(to: chunks)
      slot.pointee.flags.remove(.backlogged)
      slot.pointee.outputMoved = now
      return
    }
    let number = ErrorNumber(rawValue: result < 0 ? Int32(-result) : 0)
    guard result >= 0 || number == .wouldBlock else {
      failOutput(slot, id, number)
      return
    }
    if result > 0 { slot.pointee.output.consume(result, to: chunks) }
    if result > 0 || !slot.pointee.flags.contains(.backlogged) { slot.pointee.outputMoved = now }
    slot.pointee.flags.insert(.backlogged)
    watch(slot)
  }

  /// The steps of `closeAfterSending` that wait for the socket.
  func continueClosing(_ slot: SlotPointer, _ id: ConnectionID, _ readiness: Readiness) {
    let isFinished = slot.pointee.flags.contains(.outputEnded)
    if readiness.isHangUp {
      end(slot, id, isFinished ? .finished : .reset)
      return
    }
    if readiness.isWritable, !slot.pointee.output.isEmpty { writeOutput(slot, id) }
    if readiness.isReadable, !slot.pointee.flags.contains(.inputEnded) { discardInput(slot, id) }
    finishSendingIfDone(slot, id)
  }

  private func discardInput(_ slot: SlotPointer, _ id: ConnectionID) {
    let result = clinux_receive(
      slot.pointee.descriptor, scratch, TransportLimits.readBytesPerTurnMax)
    if result == 0 { slot.pointee.flags.insert(.inputEnded) }
    guard result < 0 else { return }
    let number = ErrorNumber(rawValue: Int32(-result))
    guard number != .wouldBlock else { return }
    let isFinished = slot.pointee.flags.contains(.outputEnded)
    end(slot, id, isFinished ? .finished : CloseReason(number, call: "recv"))
  }

  private func finishSendingIfDone(_ slot: SlotPointer, _ id: ConnectionID) {
    guard slot.pointee.output.isEmpty, !slot.pointee.flags.contains(.ended) else { return }
    if slot.pointee.flags.contains(.secured), !finishSecured(slot) { return }
    if !slot.pointee.flags.isDisjoint(with: [.inputEnded, .hungUp]) {
      end(slot, id, .finished)
    } else if !slot.pointee.flags.contains(.outputEnded) {
      slot.pointee.flags.insert(.outputEnded)
      slot.pointee.outputMoved = now
      watch(slot)
      if clinux_shutdown_output(slot.pointee.descriptor) < 0 { end(slot, id, .finished) }
    }
  }

  /// What the peer is owed will not leave.
  func dropOutput(_ slot: SlotPointer) {
    if !slot.pointee.output.isEmpty { slot.pointee.flags.insert(.outputDropped) }
    slot.pointee.output.removeAll(to: chunks)
    slot.pointee.flags.remove([.backlogged, .owed])
  }

  /// The peer takes nothing any more. What it sent before may still be read.
  private func failOutput(_ slot: SlotPointer, _ id: ConnectionID, _ number: ErrorNumber) {
    dropOutput(slot)
    let reason = closeReason(of: slot, number, call: "send")
    if reason == .reset, !slot.pointee.flags.contains(.closing) {
      slot.pointee.flags.insert(.hungUp)
      markReady(slot, id)
    } else {
      end(slot, id, reason)
    }
  }
}
