internal import AuthorityLink
internal import WatchTransfer

/// Whose outbox and state it is: what belongs to another account is neither sent nor shown.
extension WatchClient {
  /// What the device was paired as; nil: it was never welcomed.
  var kind: DeviceKind? {
    welcomedKind ?? surface.state.cursor.flatMap { DeviceKind(facetSet: $0.facetSet) }
  }

  /// Makes sure that outbox and state are `account`'s; false when the greeting spoke of others:
  /// they were set aside, or incarnations were taken over whose numbers the server must tell.
  func settleAccount(_ account: AccountID) throws(OutboxError) -> Bool {
    guard let directory, let stamped = outbox?.machine.account else {
      // The stamp comes last: until then a start after a kill looks into the other rooms again.
      let hasMore = try absorbOtherRooms(of: account)
      try outbox?.stamp(account)
      return !hasMore
    }
    guard stamped != account else { return true }
    outbox = nil
    try directory.setAside(account: stamped)
    outbox = try Outbox(path: directory.outbox, fresh: fresh())
    _ = try absorbOtherRooms(of: account)
    try outbox?.stamp(account)
    surface = SurfaceMachine()
    stateBroadcast.send(surface.state)
    return false
  }

  /// Takes over what this device queued for the same account under an earlier token: the server's
  /// ledger survives a new pairing (DESIGN section 4). Whether there was anything.
  private func absorbOtherRooms(of account: AccountID) throws(OutboxError) -> Bool {
    var hasMore = false
    for room in directory?.otherRooms() ?? [] {
      guard let other = Outbox.peek(path: ClientDirectory.outbox(in: room)),
        other.account == account
      else { continue }
      try outbox?.absorb(other)
      hasMore = true
      directory?.removeOutbox(in: room)
    }
    return hasMore
  }
}
