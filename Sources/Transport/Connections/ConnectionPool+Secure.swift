internal import CLinux
internal import Glibc

/// The one seam between a connection and its socket: as it is, or through TLS. A plain connection
/// pays one test of a flag for it.
///
/// A secured connection is not read and not written before its handshake is done. Then TLS holds
/// bytes of its own: whatever may be inside it stands on the ready list, since the socket does not
/// report it.
extension ConnectionPool {
  /// Whether the handshake of TLS is not done yet.
  public func isSecuring(_ id: ConnectionID) -> Bool {
    slot(of: id)?.pointee.flags.contains(.securing) ?? false
  }

  /// Puts TLS between a connection and its socket.
  func secure(_ slot: SlotPointer, _ id: ConnectionID, by session: TLSSession) {
    let index = slot - slots
    while sessions.count <= index { sessions.append(nil) }
    sessions[index] = session
    slot.pointee.flags.insert(.secured)
    if session.isEstablished {
      if session.readWaitsForRoom {
        slot.pointee.flags.insert(.readWaitsForRoom)
        slot.pointee.outputMoved = now
        watch(slot)
      }
      if session.hasUnread { markReady(slot, id) }
    } else {
      slot.pointee.flags.insert(.securing)
      slot.pointee.outputMoved = now
      watch(slot)
    }
  }

  /// The connection's session, if it has one.
  func session(of slot: SlotPointer) -> TLSSession? {
    slot.pointee.flags.contains(.secured) ? sessions[slot - slots] : nil
  }

  /// Reads what there is, at most `count` bytes; a negative errno value when there is nothing.
  @inline(__always)
  func receive(_ slot: SlotPointer, _ room: UnsafeMutableRawPointer, _ count: Int) -> Int {
    if slot.pointee.flags.contains(.secured) { return receiveSecured(slot, room, count) }
    return clinux_receive(slot.pointee.descriptor, room, count)
  }

  /// Writes what the socket takes; a negative errno value when it takes nothing.
  @inline(__always)
  func write(_ slot: SlotPointer, _ bytes: UnsafeRawBufferPointer) -> Int {
    if slot.pointee.flags.contains(.secured) { return writeSecured(slot, bytes) }
    return clinux_send(slot.pointee.descriptor, bytes.baseAddress, bytes.count)
  }

  /// Why a read or write failed.
  func closeReason(
    of slot: SlotPointer, _ number: ErrorNumber, call: StaticString
  ) -> CloseReason {
    if number == .protocolError, let failure = session(of: slot)?.failure {
      return .secureFailed(failure)
    }
    return CloseReason(number, call: call)
  }

  /// Goes on with the handshake; once it is done the connection is like any other.
  func continueSecuring(
    _ slot: SlotPointer, _ id: ConnectionID, _ body: (ConnectionID, ConnectionEvent) -> Int
  ) {
    guard let session = session(of: slot) else { return }
    switch session.handshake() {
    case .waits(let forRoom):
      if forRoom {
        slot.pointee.flags.insert(.readWaitsForRoom)
      } else {
        slot.pointee.flags.remove(.readWaitsForRoom)
      }
    case .established:
      slot.pointee.flags.remove([.securing, .readWaitsForRoom])
      slot.pointee.outputMoved = now
      slot.pointee.received = now
      if session.isClient { _ = body(id, .connected) }
    case .failed(let number):
      let isLost = number != .protocolError
      end(
        slot, id, isLost ? .secureFailed(.abandoned) : closeReason(of: slot, number, call: "recv"))
    }
  }

  /// Whether reading would yield something, although the socket may have nothing.
  func hasUnreadInside(_ slot: SlotPointer) -> Bool {
    guard slot.pointee.flags.contains(.secured) else { return false }
    return sessions[slot - slots]?.hasUnread ?? false
  }

  /// Puts a secured connection on the ready list if there may be input inside TLS that may be read.
  func markReadyIfUnreadInside(_ slot: SlotPointer, _ id: ConnectionID) {
    guard hasUnreadInside(slot), slot.pointee.canRead(keptBytesMax: limits.keptBytesMax),
      !slot.pointee.flags.contains(.offering)
    else { return }
    markReady(slot, id)
  }

  /// Tells the peer that nothing more comes, where TLS has a word for that; false when the socket
  /// has no room for it, which is then waited for.
  func finishSecured(_ slot: SlotPointer) -> Bool {
    guard let session = session(of: slot) else { return true }
    if session.finish() {
      slot.pointee.flags.remove(.backlogged)
      return true
    }
    if !slot.pointee.flags.contains(.backlogged) { slot.pointee.outputMoved = now }
    slot.pointee.flags.insert(.backlogged)
    watch(slot)
    return false
  }

  private func receiveSecured(
    _ slot: SlotPointer, _ room: UnsafeMutableRawPointer, _ count: Int
  ) -> Int {
    guard let session = sessions[slot - slots] else { return -Int(EBADF) }
    let result = session.receive(room, count)
    if !session.readWaitsForRoom {
      slot.pointee.flags.remove(.readWaitsForRoom)
    } else if !slot.pointee.flags.contains(.readWaitsForRoom) {
      slot.pointee.flags.insert(.readWaitsForRoom)
      slot.pointee.outputMoved = now
      watch(slot)
    }
    return result
  }

  private func writeSecured(_ slot: SlotPointer, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let session = sessions[slot - slots], let start = bytes.baseAddress else {
      return -Int(EBADF)
    }
    return session.send(start, bytes.count)
  }
}
