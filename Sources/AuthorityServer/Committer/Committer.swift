internal import Guards
internal import Storage
internal import Transport
internal import WatchTransfer

/// The one writer of the journal: takes batches from all partitions, makes all that wait durable
/// with one transaction and one fsync, and says so (DESIGN section 8).
///
/// Work runs in the order it was handed over, so that a checkpoint handed over after a batch is
/// stored behind that batch.
final class Committer: Sendable {
  /// What the committer is asked to do.
  enum Job: Sendable {
    /// Make a batch durable; told its row.
    case append(JournalBatch, @Sendable (Int64) -> Void)
    /// Store accounts as of everything handed over before; told the newest row they include, or nil
    /// when there was no room.
    case checkpoint([AccountCheckpoint], foldedThrough: Int64, @Sendable (Int64?) -> Void)
    /// Read an account's checkpoint; told why when it cannot be read, which concerns that account
    /// alone.
    case load(AccountID, @Sendable (Result<AccountCheckpoint?, StorageError>) -> Void)
    /// Read a range of an attachment; nil: it is not there.
    case readAttachment(
      AttachmentKey, Range<Int64>, @Sendable (Result<[UInt8]?, StorageError>) -> Void)
    /// Compare an attachment of so many bytes with its hash.
    case compareAttachment(
      AttachmentKey, totalBytes: Int64, @Sendable (Result<Bool, StorageError>) -> Void)
    /// Look at the journal, for as long as it takes: commits wait. nil: it is closed already.
    case inspect(@Sendable ((any JournalReading)?) -> Void)
    /// Copy the journal into a file, some pages between two rounds of commits.
    case copy(CopyOrder)
    /// The next pages of the copy under way.
    case copyMore
    /// Drop a slice of the oldest rows.
    case dropRows(RowDrop)
    /// Take an account out of everything, some rows between two rounds of commits; behind a copy
    /// under way, which has to be of one piece.
    case erase(AccountErasure)
    /// The next rows of the erasure that is first.
    case eraseMore
    /// Copy the log into the database.
    case checkpointLog
    /// Make sure that what is written can be found: that the file is where it was.
    case expectInPlace
    /// Say when everything before is done.
    case barrier(@Sendable () -> Void)
    /// Checkpoint, close, and say so.
    case close(@Sendable () -> Void)
  }

  private struct Inbox {
    var jobs: [Job] = []
    var isScheduled = false
  }

  /// The journal, confined to `queue`.
  final class Desk {
    let journal: any Journal
    /// The copy under way; the journal is not closed before it has ended.
    var copy: (any JournalCopy, CopyOrder)?
    /// Erasures in order; the first is under way unless there is a copy.
    var erasures: [AccountErasure] = []
    var isOver = false

    init(_ journal: any Journal) {
      self.journal = journal
    }
  }

  /// What its queue is called.
  static let queueLabel = "wristwire.committer"

  private let queue: any WorkQueue
  /// What facets are made by.
  private let build: String
  private let poison: PoisonGuard
  private let inbox = Lock(Inbox())
  private let desk: Lock<Desk>
  private let counters: Counters
  private let onFailure: @Sendable (StorageError) -> Void

  /// - Parameter onFailure: called when a commit's outcome is unknown; the process must end. After
  ///   it nothing is answered any more.
  init(
    journal: sending any Journal, build: String, poison: PoisonGuard = PoisonGuard(),
    on queue: any WorkQueue, counters: Counters,
    onFailure: @escaping @Sendable (StorageError) -> Void
  ) {
    self.queue = queue
    self.build = build
    self.poison = poison
    desk = Lock(Desk(journal))
    self.counters = counters
    self.onFailure = onFailure
  }

  /// Hands work over; returns at once.
  func submit(_ job: Job) {
    let schedules = inbox.withLock { inbox in
      inbox.jobs.append(job)
      defer { inbox.isScheduled = true }
      return !inbox.isScheduled
    }
    if schedules { queue.async { self.drain() } }
  }

  /// One round: what waits now, then a new round if more came meanwhile.
  private func drain() {
    let jobs = inbox.withLock { inbox in
      defer { inbox.jobs = [] }
      return inbox.jobs
    }
    desk.withLock { desk in
      if desk.isOver { return jobs.forEach(dropped) }
      do throws(StorageError) {
        try perform(jobs, on: desk)
      } catch {
        desk.isOver = true
        endCopy(on: desk, error)
        endErasures(on: desk, error)
        onFailure(error)
      }
    }
    let continues = inbox.withLock { inbox in
      inbox.isScheduled = !inbox.jobs.isEmpty
      return inbox.isScheduled
    }
    if continues { queue.async { self.drain() } }
  }

  private func perform(_ jobs: [Job], on desk: Desk) throws(StorageError) {
    var index = 0
    while index < jobs.count, !desk.isOver {
      var batches: [JournalBatch] = []
      var answers: [@Sendable (Int64) -> Void] = []
      while index < jobs.count, case .append(let batch, let answer) = jobs[index] {
        batches.append(batch)
        answers.append(answer)
        index += 1
      }
      if !batches.isEmpty {
        let rows = try desk.journal.append(batches)
        counters.commits.add(1)
        for (row, answer) in zip(rows, answers) { answer(row) }
      }
      if index < jobs.count {
        try performOther(jobs[index], on: desk)
        index += 1
      }
    }
    jobs[index...].forEach(dropped)
  }

  /// Answers what came behind the end: nobody waits for ever. An append is never durable then.
  private func dropped(_ job: Job) {
    switch job {
    case .append, .checkpointLog, .expectInPlace, .copyMore, .eraseMore: break
    case .checkpoint(_, _, let done): done(nil)
    case .load(_, let answer): answer(.failure(.outcomeUnknown(code: 0)))
    case .readAttachment(_, _, let answer): answer(.failure(.outcomeUnknown(code: 0)))
    case .compareAttachment(_, _, let answer): answer(.failure(.outcomeUnknown(code: 0)))
    case .inspect(let look): look(nil)
    case .copy(let order): _ = order.tell(.failure(.outcomeUnknown(code: 0)))
    case .dropRows(let drop): drop.done(.failure(.outcomeUnknown(code: 0)))
    case .erase(let erasure): erasure.done(.outcomeUnknown(code: 0))
    case .barrier(let done), .close(let done): done()
    }
  }

  /// Makes an account whose checkpoint is damaged again from its rows. Rare, and worth that all
  /// others wait for it; fails with `error`, or with what says that its rows are in backups alone.
  private func rebuild(
    _ account: AccountID, in journal: any Journal, insteadOf error: StorageError
  ) throws(StorageError) -> Result<AccountCheckpoint?, StorageError> {
    let recovery = Recovery(journal: journal, build: build, poison: poison)
    guard let rebuilt = try? recovery.rebuild([account]) else { return .failure(error) }
    guard let found = rebuilt.checkpoints.first else {
      let dropped = rebuilt.droppedThrough
      return .failure(
        dropped > 0 ? .rowsDropped(account: account, through: dropped) : error)
    }
    counters.rebuilt(account)
    do throws(StorageError) {
      try journal.replaceDamaged([found])
    } catch {
      if case .outcomeUnknown = error { throw error }
    }
    return .success(found)
  }

  /// What came of reading; only what ends the process is thrown.
  private func reading<Value>(
    _ read: () throws(StorageError) -> Value
  ) throws(StorageError) -> Result<Value, StorageError> {
    do throws(StorageError) {
      return .success(try read())
    } catch {
      if case .outcomeUnknown = error { throw error }
      return .failure(error)
    }
  }

  private func performOther(_ job: Job, on desk: Desk) throws(StorageError) {
    let journal = desk.journal
    switch job {
    case .append:
      break
    case .checkpoint(var checkpoints, let foldedThrough, let done):
      let newest = try journal.lastSequence
      for index in checkpoints.indices { checkpoints[index].throughRow = newest }
      do throws(StorageError) {
        // Partitions may have handed over in another order than they looked how far it is.
        let folded = max(try journal.foldedThrough, min(foldedThrough, newest))
        try journal.storeCheckpoints(checkpoints, foldedThrough: folded)
        done(newest)
      } catch {
        // A checkpoint that found no room loses nothing: the rows are there.
        if case .outcomeUnknown = error { throw error }
        counters.alarm("a checkpoint was not stored: \(error)")
        done(nil)
      }
    case .load(let account, let answer):
      do throws(StorageError) {
        answer(.success(try journal.loadAccount(account)))
      } catch {
        if case .outcomeUnknown = error { throw error }
        answer(try rebuild(account, in: journal, insteadOf: error))
      }
    case .readAttachment(let key, let range, let answer):
      answer(try reading { () throws(StorageError) in try journal.attachment(key, range) })
    case .compareAttachment(let key, let totalBytes, let answer):
      answer(
        try reading { () throws(StorageError) in
          try journal.isWhole(key, totalBytes: totalBytes)
        })
    case .inspect(let look):
      look(journal)
    case .copy(let order):
      beginCopy(order, on: desk)
    case .copyMore:
      copyMore(on: desk)
    case .dropRows(let drop):
      try self.drop(drop, from: journal)
    case .erase(let erasure):
      desk.erasures.append(erasure)
      if desk.erasures.count == 1 { try eraseMore(on: desk) }
    case .eraseMore:
      try eraseMore(on: desk)
    case .checkpointLog:
      do throws(StorageError) {
        try journal.checkpointLog()
      } catch {
        if case .outcomeUnknown = error { throw error }
      }
    case .expectInPlace:
      // A question that fails says nothing of where the file is.
      if (try? journal.hasMoved()) == true { throw .moved(.journal) }
    case .barrier(let done):
      done()
    case .close(let done):
      endCopy(on: desk, .outcomeUnknown(code: 0))
      endErasures(on: desk, .outcomeUnknown(code: 0))
      desk.isOver = true
      try journal.close()
      done()
    }
  }
}
