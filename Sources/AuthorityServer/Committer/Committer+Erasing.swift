internal import Storage
internal import WatchTransfer

/// An account that is to be taken out of the journal.
struct AccountErasure: Sendable {
  let account: AccountID
  /// The row to go on after.
  var after: Int64 = 0
  /// Told at the end; an error: something of the account is left, and goes at the next start.
  let done: @Sendable (StorageError?) -> Void

  /// Rows of one slice.
  static let sliceRowsMax = 64
}

extension Committer {
  /// One slice of the first erasure; the next one stands behind what waits by then.
  func eraseMore(on desk: Desk) throws(StorageError) {
    guard desk.copy == nil, let erasure = desk.erasures.first else { return }
    do throws(StorageError) {
      let last = try desk.journal.erase(
        erasure.account, after: erasure.after, rowsMax: AccountErasure.sliceRowsMax)
      if let last {
        desk.erasures[0].after = last
        return submit(.eraseMore)
      }
    } catch {
      if case .outcomeUnknown = error { throw error }
      desk.erasures.removeFirst()
      erasure.done(error)
      return submit(.eraseMore)
    }
    desk.erasures.removeFirst()
    do throws(StorageError) {
      // What was deleted must not stand in the log either.
      try desk.journal.checkpointLog()
      erasure.done(nil)
    } catch {
      erasure.done(error)
      if case .outcomeUnknown = error { throw error }
    }
    submit(.eraseMore)
  }

  /// Gives up what is left: the next start finds and erases it.
  func endErasures(on desk: Desk, _ error: StorageError) {
    for erasure in desk.erasures { erasure.done(error) }
    desk.erasures = []
  }
}

/// Takes an account out of a journal that nobody else uses.
func erase(_ account: AccountID, from journal: any Journal) throws(StorageError) {
  var after: Int64 = 0
  while let last = try journal.erase(
    account, after: after, rowsMax: AccountErasure.sliceRowsMax)
  {
    after = last
  }
}
