internal import CLinux
internal import Glibc

/// Ends of one side only, and rude ones: what a proxy passes on, and a test of peers does.
extension ConnectionPool {
  /// Finishes our side now (SHUT_WR) and goes on reading; what is sent from here on is lost. To be
  /// called when nothing is unsent. When the peer finishes too, `closed` follows.
  public func finishOutput(_ id: ConnectionID) {
    guard let slot = slot(of: id),
      slot.pointee.flags.isDisjoint(with: [.connecting, .closing, .ended, .hungUp])
    else { return }
    // Fails only when the peer is gone, which readiness tells.
    _ = clinux_shutdown_output(slot.pointee.descriptor)
  }

  /// Ends it now by a reset (SO_LINGER with no time, socket(7)): what is unsent, and what the peer
  /// has not read, is lost, and no event follows. On a Unix socket a plain end.
  public func reset(_ id: ConnectionID) {
    if let slot = slot(of: id) {
      slot.pointee.flags.insert(.outputDropped)
      setToReset(slot)
    }
    close(id)
  }

  /// Has the close of the socket be a reset.
  func setToReset(_ slot: SlotPointer) {
    var hard = linger(l_onoff: 1, l_linger: 0)
    let size = socklen_t(MemoryLayout<linger>.size)
    _ = setsockopt(slot.pointee.descriptor, SOL_SOCKET, SO_LINGER, &hard, size)
  }
}
