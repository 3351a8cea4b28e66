internal import Storage
internal import Transport
internal import WatchTransfer

/// Naming what is done to whose account, so that a crash in it is not a crash loop for everyone
/// (see `PoisonGuard`).
extension Partition {
  /// Names work until `resume` is given what this returns: what was named before.
  func begin(_ work: AccountWork) -> AccountWork? {
    let outer = working
    working = work
    shared.poison.slots.write(work, in: PoisonGuard.slot(ofPartition: index))
    return outer
  }

  /// The work that was begun last is done.
  func resume(_ outer: AccountWork?) {
    working = outer
    shared.poison.slots.write(outer, in: PoisonGuard.slot(ofPartition: index))
  }

  /// Closes the open batch before something is decided of an account that the server has crashed
  /// on, and before anything else is decided after it: nobody else's acts die with it.
  func separate(_ account: Account) {
    if shared.poison.suspects.isEmpty || open.isEmpty { return }
    if open.touched.count == 1, open.touched[account.id] != nil { return }
    guard
      shared.poison.isSuspect(account.id)
        || open.touched.keys.contains(where: shared.poison.isSuspect)
    else { return }
    closeBatch()
  }

  /// Closes what is open before an act of an account that the server has crashed on is named: the
  /// batch that is closed under its name has then nothing but what the act did.
  func standAlone(_ account: Account) {
    guard shared.poison.isSuspect(account.id) else { return }
    ensureCurrent(account)
    if !open.isEmpty { closeBatch() }
  }

  /// What an act of such an account changed is projected while the act is named: a trap in that is
  /// the act's, which is refused, and not the account's, which would be set aside.
  func closeNamed(_ work: AccountWork, isPoison: Bool) {
    guard shared.poison.isSuspect(work.account) else { return }
    settle(work, isPoison)
    closeBatch()
  }

  /// Turns a device of an account that is set aside away, for a while.
  func turnAway(_ session: Session) {
    goodbye(.internalError, to: session, retryAfter: Self.setAsideMilliseconds)
    pool.flush()
  }

  /// What such a device waits before it comes back: only a new start can help it.
  private static var setAsideMilliseconds: UInt32 { 600_000 }
}
