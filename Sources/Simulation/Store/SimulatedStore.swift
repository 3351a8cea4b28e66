internal import Authority
internal import Storage
internal import WatchTransfer

/// What is on the server's disk: it outlives every start, and knows of each decision when it became
/// durable.
final class SimulatedStore {
  var rows: [JournalRow] = []
  var checkpoints: [AccountID: AccountCheckpoint] = [:]
  var foldedThrough: Int64 = 0
  /// The bytes of attachments, where there is no disk.
  private(set) var shelf = AttachmentShelf()
  /// What the durable rows say.
  private(set) var history = DurableHistory()
  /// What they said before each restore: frames of that time may still be on their way.
  private(set) var formerHistories: [DurableHistory] = []
  /// Told each entry as it becomes durable, with the account as it was before.
  var onDurable: (JournalEntry, AccountRecord?) -> Void = { _, _ in }
  /// How the next write goes; asked each time.
  var fate: (Write) -> WriteFate = { _ in .done }
  /// The disk under a real database; nil: the journal is kept in memory.
  var disk: SimulatedDisk?
  /// Rows of a commit that nobody knows the outcome of.
  private var unsure: [JournalRow] = []
  /// What is wrong with the disk, to see whether the checker notices.
  var flaw: Flaw?

  /// What is written.
  enum Write { case rows, checkpoints }

  /// Whether a commit is known to have happened.
  enum WriteFate {
    case done
    /// The process hears of a failure, and the write did not happen.
    case lost
    /// The process hears of a failure, and the write did happen.
    case kept
    case full
  }

  /// What is wrong with the next write.
  enum WriteFault: CaseIterable {
    /// It does not happen, and its process hears of a failure.
    case lost
    /// It happens, and its process hears of a failure.
    case kept
    /// A checkpoint finds no room.
    case full
    /// The process dies in the middle of it.
    case halfWritten

    /// For stories.
    var words: String {
      switch self {
      case .lost: "write lost"
      case .kept: "write kept, said lost"
      case .full: "no room"
      case .halfWritten: "death in a write"
      }
    }
  }

  /// Something is wrong with the `nth` write from now on, from 1.
  func failWrite(_ fault: WriteFault, nth: Int64) {
    if let disk { return disk.failWrite(fault, nth: nth) }
    var isOver = false
    fate = { write in
      if isOver || fault == .full && write == .rows { return .done }
      isOver = true
      switch fault {
      case .lost, .halfWritten: return .lost
      case .kept: return .kept
      case .full: return .full
      }
    }
  }

  /// Nothing is wrong any more.
  func heal() {
    fate = { _ in .done }
    disk?.heal()
  }

  /// Opens the journal, as a start of the server does.
  func open(epoch: EpochID, at milliseconds: Int64) throws -> any Journal {
    guard let disk else { return SimulatedJournal(self) }
    let journal = try disk.open(epoch: epoch, at: milliseconds)
    try compare(journal)
    return DiskJournal(journal, self)
  }

  /// What is on the disk must be what is known to be durable, and maybe more of the commit that
  /// nobody knew the outcome of: all of it or nothing.
  private func compare(_ journal: any Journal) throws {
    var count = 0
    var more: [JournalRow] = []
    try journal.eachRow(after: 0) { row in
      if count < rows.count {
        if row != rows[count] { throw StoreFailure.changed(row.sequence) }
      } else {
        more.append(row)
      }
      count += 1
    }
    if count < rows.count { throw StoreFailure.lost(rows[count].sequence) }
    if !more.isEmpty, more != unsure { throw StoreFailure.invented(rows.count + 1) }
    unsure = []
    append(more)
  }

  /// The journal and its disk have drifted apart.
  enum StoreFailure: Error, CustomStringConvertible {
    case lost(Int64)
    case changed(Int64)
    case invented(Int)

    var description: String {
      switch self {
      case .lost(let row): "row \(row) was durable and is gone"
      case .changed(let row): "row \(row) is another than what was durable"
      case .invented(let row): "row \(row) is nothing that anybody wrote"
      }
    }
  }

  /// Nobody knows whether these are durable.
  func isUnsure(of added: [JournalRow]) { unsure = added }

  /// Bytes of attachments become durable with the rows of their batches.
  func keep(_ batches: [JournalBatch]) {
    for batch in batches { shelf.take(batch.attachments) }
  }

  /// Rows become durable.
  func append(_ added: [JournalRow]) {
    rows += added
    for row in added { history.take(row) { onDurable($0, $1) } }
  }

  /// A copy of everything, as a backup has it.
  func backUp() -> Backup {
    Backup(
      rows: rows, checkpoints: checkpoints, foldedThrough: foldedThrough, image: disk?.image(),
      unsure: unsure, shelf: shelf)
  }

  /// Everything is as a backup had it; the server must not run.
  func restore(_ backup: Backup) {
    rows = backup.rows
    checkpoints = backup.checkpoints
    foldedThrough = backup.foldedThrough
    if let image = backup.image { disk?.put(back: image) }
    unsure = backup.unsure
    shelf = backup.shelf
    formerHistories.append(history)
    history = DurableHistory()
    for row in rows { history.take(row) }
  }

  /// See `backUp`.
  struct Backup {
    let rows: [JournalRow]
    let checkpoints: [AccountID: AccountCheckpoint]
    let foldedThrough: Int64
    let image: SimulatedDisk.Image?
    let unsure: [JournalRow]
    let shelf: AttachmentShelf
  }

  /// The process has died: what a lying disk had not written is gone, and, if the power went, what
  /// was not synced.
  func crash(losesPower: Bool) {
    disk?.crash(losesPower: losesPower)
    guard flaw == .fsyncSkipped, let last = rows.last else { return }
    rows.removeLast()
    foldedThrough = min(foldedThrough, last.sequence - 1)
    for (id, checkpoint) in checkpoints where checkpoint.throughRow >= last.sequence {
      checkpoints[id] = nil
    }
  }
}
