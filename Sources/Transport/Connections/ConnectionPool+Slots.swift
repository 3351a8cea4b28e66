internal import Glibc

/// The table of connections: where one begins, and the one place where it ends.
extension ConnectionPool {
  /// A connection in the table; valid as long as the pool.
  typealias SlotPointer = UnsafeMutablePointer<ConnectionSlot>

  /// The slot of a connection, nil if the id is stale. Slots do not move.
  func slot(of id: ConnectionID) -> SlotPointer? {
    guard id.slot < slotsUsed else { return nil }
    let slot = slots + Int(id.slot)
    return slot.pointee.generation == id.generation && slot.pointee.flags.contains(.live)
      ? slot : nil
  }

  /// The id of the connection in this slot.
  func id(at index: Int) -> ConnectionID {
    ConnectionID(slot: UInt32(truncatingIfNeeded: index), generation: slots[index].generation)
  }

  /// Finds a slot; nil when the pool is full.
  func place(_ socket: AcceptedSocket) -> (ConnectionID, SlotPointer)? {
    let index: Int
    var generation: UInt32 = 0
    if let free = slotsFree.popLast() {
      index = Int(free)
      generation = slots[index].generation
    } else {
      guard slotsUsed < limits.connectionsMax else { return nil }
      index = slotsUsed
      slotsUsed += 1
    }
    if !isInTurn { now = MonotonicInstant.now().nanoseconds }
    let slot = slots + index
    slot.initialize(
      to: ConnectionSlot(
        descriptor: socket.descriptor, peer: socket.peer, generation: generation, now: now))
    slot.pointee.flags = [.live, .reading]
    let id = id(at: index)
    if let session = socket.session { secure(slot, id, by: session) }
    return (id, slot)
  }

  /// Begins to watch the socket.
  func register(_ slot: SlotPointer, _ id: ConnectionID) {
    let interest = slot.pointee.interest(keptBytesMax: limits.keptBytesMax)
    slot.pointee.armed = interest
    do throws(SystemError) {
      try readiness.add(slot.pointee.descriptor, interest, token: id.token)
    } catch {
      end(slot, id, .failed(error))
    }
  }

  /// Has the socket watched for what the connection waits for now.
  func rearm(_ slot: SlotPointer, _ id: ConnectionID) {
    guard !slot.pointee.flags.contains(.ended) else { return }
    let interest = slot.pointee.interest(keptBytesMax: limits.keptBytesMax)
    guard interest != slot.pointee.armed else { return }
    slot.pointee.armed = interest
    readiness.modify(slot.pointee.descriptor, interest, token: id.token)
  }

  /// Puts it on the ready list and sees to it that a turn comes.
  func markReady(_ slot: SlotPointer, _ id: ConnectionID) {
    if !slot.pointee.flags.contains(.ready) {
      slot.pointee.flags.insert(.ready)
      ready.append(id)
    }
    scheduleTurn()
  }

  /// Has `sweep` check it.
  func watch(_ slot: SlotPointer) {
    guard !slot.pointee.flags.contains(.watched) else { return }
    slot.pointee.flags.insert(.watched)
    watched.append(id(at: slot - slots))
  }

  /// Marks it as over; the owner is told in this turn, or in the next when outside one.
  func end(_ slot: SlotPointer, _ id: ConnectionID, _ reason: CloseReason) {
    guard !slot.pointee.flags.contains(.ended) else { return }
    slot.pointee.flags.insert(.ended)
    ended.append((id, reason))
    scheduleTurn()
  }

  /// The one end of every connection: no more events, closed (unless handed over), memory back, the
  /// id stale from here on.
  func retire(_ slot: SlotPointer, _ id: ConnectionID, closing: Bool = true) {
    readiness.remove(slot.pointee.descriptor)
    if slot.pointee.flags.contains(.secured) {
      // As much as the socket takes now: a peer that is told need not fear for what is missing. So
      // it is not told when something is: what was dropped must look cut off.
      let isWhole =
        slot.pointee.output.isEmpty && !slot.pointee.flags.contains(.outputDropped)
      if closing, isWhole { _ = sessions[slot - slots]?.finish() }
      sessions[slot - slots] = nil
    }
    if closing { _ = Glibc.close(slot.pointee.descriptor) }
    slot.pointee.input.removeAll(to: chunks)
    slot.pointee.output.removeAll(to: chunks)
    slot.pointee.flags = []
    slot.pointee.descriptor = -1
    slot.pointee.generation &+= 1
    slotsFree.append(id.slot)
  }
}
