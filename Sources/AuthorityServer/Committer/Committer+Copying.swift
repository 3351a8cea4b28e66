internal import Glibc
internal import Storage
internal import WatchTransfer

/// A copy of the journal that is asked for.
struct CopyOrder: Sendable {
  /// The file that is made.
  let path: String
  /// Pages of one step; between two steps everything that waits is committed.
  let pages: Int
  /// Told after each step, and of the failure that ends it; answers whether to go on.
  let tell: @Sendable (Result<CopyProgress, StorageError>) -> Bool
}

/// Old rows that may go.
struct RowDrop: Sendable {
  /// Rows before this one go, if it is still the one that `epoch` wrote; it stays.
  let before: Int64
  let epoch: EpochID
  /// Told how many of a slice went; 0: there are no more.
  let done: @Sendable (Result<Int64, StorageError>) -> Void

  /// Rows of one slice.
  static let sliceRowsMax: Int64 = 64
}

/// Long work in slices between batches: the copy of a backup, and rows that a backup has.
extension Committer {
  /// Makes the file; the first step stands behind what waits by then.
  func beginCopy(_ order: CopyOrder, on desk: Desk) {
    guard desk.copy == nil, desk.erasures.isEmpty else {
      _ = order.tell(.failure(.copyFailed(path: order.path, .system(errno: EBUSY))))
      return
    }
    do throws(StorageError) {
      desk.copy = (try desk.journal.beginCopy(to: order.path), order)
      submit(.copyMore)
    } catch {
      _ = order.tell(.failure(error))
    }
  }

  /// One step; the next one stands behind what waits by then.
  func copyMore(on desk: Desk) {
    guard let (copy, order) = desk.copy else { return }
    do throws(StorageError) {
      let progress = try copy.step(pages: order.pages)
      if order.tell(.success(progress)), progress.remaining > 0 { return submit(.copyMore) }
      desk.copy = nil
      copy.end()
      if !desk.erasures.isEmpty { submit(.eraseMore) }
    } catch {
      endCopy(on: desk, error)
    }
  }

  /// Gives a copy up: the journal cannot be closed under it.
  func endCopy(on desk: Desk, _ error: StorageError) {
    guard let (copy, order) = desk.copy else { return }
    desk.copy = nil
    copy.end()
    _ = order.tell(.failure(error))
    if !desk.erasures.isEmpty { submit(.eraseMore) }
  }

  /// One slice of rows, if they are those of the history that a backup has.
  func drop(_ drop: RowDrop, from journal: any Journal) throws(StorageError) {
    guard isThere(drop, in: journal) else { return drop.done(.success(0)) }
    do throws(StorageError) {
      let through = min(drop.before - 1, try journal.foldedThrough)
      drop.done(.success(try journal.dropRows(through: through, rowsMax: RowDrop.sliceRowsMax)))
    } catch {
      drop.done(.failure(error))
      if case .outcomeUnknown = error { throw error }
    }
  }

  private func isThere(_ drop: RowDrop, in journal: any Journal) -> Bool {
    struct Seen: Error {}
    var isThere = false
    do {
      try journal.eachRow(after: drop.before - 1) { row in
        isThere = row.sequence == drop.before && row.epoch == drop.epoch
        throw Seen()
      }
    } catch {
      // One row is enough; a row that cannot be read is no reason to drop others.
    }
    return isThere
  }
}
