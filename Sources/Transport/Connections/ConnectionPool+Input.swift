internal import CLinux
internal import Glibc
internal import Guards

/// From socket to owner: reading, offering, keeping what was not consumed.
extension ConnectionPool {
  /// Switches reading on or off: back-pressure. While off nothing is read or offered, and what the
  /// kernel holds holds up the peer. Switched on, kept input is offered in the next turn.
  ///
  /// A peer that hangs up while reading is off ends the connection at once, since nothing can be
  /// answered any more; what it sent and was not read is dropped.
  public func setReading(_ id: ConnectionID, _ on: Bool) {
    guard let slot = slot(of: id), slot.pointee.flags.contains(.reading) != on else { return }
    if on {
      slot.pointee.flags.insert(.reading)
      slot.pointee.inputKept = now
      if slot.pointee.flags.contains(.readWaitsForRoom) {
        slot.pointee.outputMoved = now
        watch(slot)
      }
      // Within the connection's own `received` it is not known yet whether a rest will be kept.
      let mayBeKept = !slot.pointee.input.isEmpty || offered?.id == id
      if mayBeKept { slot.pointee.flags.insert(.offering) }
      if mayBeKept || slot.pointee.flags.contains(.inputEnded) || hasUnreadInside(slot) {
        markReady(slot, id)
      }
    } else {
      slot.pointee.flags.remove(.reading)
    }
    rearm(slot, id)
  }

  /// Has the kept input offered in the next turn, which comes by itself; also within the
  /// connection's own `received`, for an owner that has done its share for this turn.
  public func offerAgain(_ id: ConnectionID) {
    guard let slot = slot(of: id) else { return }
    slot.pointee.flags.insert(.offering)
    markReady(slot, id)
  }

  /// Bytes offered and not consumed; within the connection's own `received`, those offered now.
  public func keptBytes(_ id: ConnectionID) -> Int {
    guard let slot = slot(of: id) else { return 0 }
    if let offered, offered.id == id { return offered.bytes.count }
    return slot.pointee.input.count
  }

  /// Since when the head of the kept input, a partial frame, waits; nil if none is kept.
  public func inputKeptSince(_ id: ConnectionID) -> MonotonicInstant? {
    guard let slot = slot(of: id), !slot.pointee.input.isEmpty else { return nil }
    return MonotonicInstant(nanoseconds: slot.pointee.inputKept)
  }

  /// When input last arrived, or the connection began; nil for a stale id.
  public func lastReceived(_ id: ConnectionID) -> MonotonicInstant? {
    slot(of: id).map { MonotonicInstant(nanoseconds: $0.pointee.received) }
  }

  /// Who is at the far end; nil for a stale id.
  public func peer(_ id: ConnectionID) -> PeerAddress? {
    slot(of: id)?.pointee.peer
  }

  /// Reads once and offers what came, behind what was kept.
  func readInput(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    let kept = slot.pointee.input.count
    let budget = min(TransportLimits.readBytesPerTurnMax, limits.keptBytesMax - kept)
    let isCopied = kept <= TransportLimits.keptBytesCopiedMax
    let room: UnsafeMutableRawPointer
    let roomBytes: Int
    if isCopied {
      room = scratch + TransportLimits.keptBytesCopiedMax
      roomBytes = budget
    } else {
      roomBytes = min(budget, kept)
      room = slot.pointee.input.reserve(roomBytes, capacityMin: 0, from: chunks)
    }
    let result = receive(slot, room, roomBytes)
    guard result > 0 else {
      stopReading(slot, id, ErrorNumber(rawValue: Int32(-result)), body)
      return
    }
    slot.pointee.received = now
    // A peer that hung up can send no more, and readiness might not come again for the rest.
    if slot.pointee.flags.contains(.hungUp) { markReady(slot, id) }
    if isCopied {
      let start = room - kept
      if let source = slot.pointee.input.bytes.baseAddress { memcpy(start, source, kept) }
      offer(slot, id, UnsafeRawBufferPointer(start: start, count: kept + result), .scratch, body)
    } else {
      slot.pointee.input.commit(result)
      offer(slot, id, slot.pointee.input.bytes, .queue, body)
    }
  }

  /// Offers the kept input once more.
  func offerKept(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    offer(slot, id, slot.pointee.input.bytes, .queue, body)
  }

  /// After a hang-up: reads what is there, a turn's share at a time, then ends the connection.
  func readLast(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    // What the owner deferred comes first; the ready list leads back here.
    if slot.pointee.flags.contains(.offering) { return }
    if slot.pointee.canRead(keptBytesMax: limits.keptBytesMax) {
      readInput(slot, id, body)
    } else if let error = pendingError(slot) {
      end(slot, id, CloseReason(error, call: "recv"))
    } else {
      end(slot, id, .endOfStream)
    }
  }

  /// Tells the owner, once all input was offered, that the peer has finished its side.
  func tellInputEnd(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    let flags = slot.pointee.flags
    guard flags.isSuperset(of: [.inputEnded, .reading]),
      flags.isDisjoint(with: [.inputEndTold, .offering])
    else { return }
    slot.pointee.flags.insert(.inputEndTold)
    _ = body(id, .endOfInput)
  }

  /// The error that waits on the socket, if any.
  func pendingError(_ slot: SlotPointer) -> ErrorNumber? {
    let number = ErrorNumber(rawValue: -clinux_pending_error(slot.pointee.descriptor))
    return number.rawValue == 0 ? nil : number
  }

  private func stopReading(
    _ slot: SlotPointer, _ id: ConnectionID, _ number: ErrorNumber,
    _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    let isHungUp = slot.pointee.flags.contains(.hungUp)
    switch number {
    case ErrorNumber(rawValue: 0):
      if isHungUp {
        end(slot, id, .endOfStream)
      } else {
        slot.pointee.flags.insert(.inputEnded)
        tellInputEnd(slot, id, body)
      }
    case .wouldBlock:
      // A spurious wake-up, unless the connection is over: then this was the last of it.
      if isHungUp, hasUnreadInside(slot) {
        markReady(slot, id)
      } else if isHungUp {
        end(slot, id, .reset)
      }
    default:
      end(slot, id, closeReason(of: slot, number, call: "recv"))
    }
  }

  /// Where offered bytes lie.
  private enum Place {
    case scratch
    case queue
  }

  private func offer(
    _ slot: SlotPointer, _ id: ConnectionID, _ bytes: UnsafeRawBufferPointer, _ place: Place,
    _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    // Detached, because the owner may close the connection while it still looks at the bytes.
    var queue = slot.pointee.input
    slot.pointee.input = ByteQueue()
    offered = (id, bytes)
    let consumed = body(id, .received(bytes))
    offered = nil
    invariant(consumed >= 0 && consumed <= bytes.count, "no more is consumed than was offered")
    let wasKept = !queue.isEmpty
    guard isOpen(id), consumed < bytes.count else {
      queue.removeAll(to: chunks)
      return
    }
    switch place {
    case .queue:
      queue.consume(consumed, to: chunks)
    case .scratch:
      queue.removeAll(to: chunks)
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      queue.append(rest, capacityMin: 0, from: chunks)
    }
    slot.pointee.input = queue
    if consumed > 0 || !wasKept { slot.pointee.inputKept = now }
    watch(slot)
  }
}
