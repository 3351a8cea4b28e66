internal import Authority
internal import Foundation
internal import Guards
internal import Storage
internal import WatchTransfer

/// When backups are made by themselves, and where.
public struct BackupPlan: Sendable, Equatable {
  /// The directory that they are put into; it must be there.
  public var target: String
  /// From one to the next.
  public var everyMilliseconds: Int64
  /// How many are kept.
  public var keep: Int

  /// A plan.
  public init(target: String, everyMilliseconds: Int64, keep: Int) {
    self.target = target
    self.everyMilliseconds = everyMilliseconds
    self.keep = keep
  }
}

/// What the server knows of its off-machine copies: what sessions are told, and when the next is
/// due. Asked from every queue, changed by the backup's.
package final class Continuity: Sendable {
  /// What the reading `continuity` says, the text left out.
  struct Status: Equatable, Sendable {
    var state: ContinuityState
    var copiedAt: Instant?
  }

  /// What the newest verified copy holds of an account.
  private struct Promise {
    let epoch: EpochID
    let revision: Revision
    let numbers: [IncarnationID: ActionNumber]
    /// When that copy was made.
    let made: Instant
    /// Whether newer copies leave the account out, and the one that has it may be gone.
    let isCarried: Bool
  }

  private struct State {
    let book: BackupBook
    let promises: [AccountID: Promise]
    /// Accounts that the newest copy could not take in, or has without a replay.
    let leftOut: Set<AccountID>

    init(_ book: BackupBook) {
      self.book = book
      promises = Continuity.promises(of: book)
      leftOut = Set((book.newest?.contents.leftOut ?? []).compactMap { AccountID(hex: $0) })
    }
  }

  /// What a record has of it: what sessions are told depends on no more.
  private struct Recorded: Codable {
    /// nil: none are made by themselves.
    var everyMilliseconds: Int64?
    var book: BackupBook
  }

  /// nil: none are made by themselves.
  let plan: BackupPlan?
  /// What takes down changes; nil: nothing.
  let tape = Lock<Tape?>(nil)
  private let state: Lock<State>
  /// Where the book is kept; nil: nowhere.
  private let path: String?

  /// How old an unscheduled copy gets before it is overdue.
  static let unscheduledMilliseconds: Int64 = 7 * 86_400_000
  /// The longest that a scheduled copy may be late, or tried again after a failure.
  static let graceMilliseconds: Int64 = 3_600_000

  /// What the book of a directory says.
  init(plan: BackupPlan?, directory: DataDirectory, counters: Counters) {
    self.plan = plan
    path = directory.path(of: .backups)
    var (book, isDamaged) = BackupBook.read(in: directory)
    book.takeUnfinished()
    if isDamaged {
      counters.alarm("backups.json cannot be read: devices are told of no backup until the next")
    }
    if let restore = book.restore, restore.brokenPromises > 0 {
      counters.alarm(
        "restored from \(restore.name), which is older than \(restore.brokenPromises) outboxes "
          + "were told: what they no longer keep is lost; see their delivery")
    }
    if let unfinished = book.unfinished {
      counters.alarm(
        "the server ended in a backup, \(unfinished.count) times in a row: no planned one is begun "
          + "for \(unfinished.waitMilliseconds / 60_000) min from then")
    }
    state = Lock(State(book))
  }

  /// A server without backups.
  package init() {
    plan = nil
    path = nil
    state = Lock(State(BackupBook()))
  }

  /// What was recorded; nil when that makes no sense.
  init?(recorded bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(Recorded.self, from: Data(bytes)) else {
      return nil
    }
    plan = found.everyMilliseconds.map { BackupPlan(target: "", everyMilliseconds: $0, keep: 1) }
    path = nil
    state = Lock(State(found.book))
  }

  /// What a record has of it, in JSON: no files, no paths, nothing of older backups.
  var recorded: [UInt8] { recorded(state.withLock { $0.book }) }

  private func recorded(_ book: BackupBook) -> [UInt8] {
    var book = book
    book.marks = []
    book.newest?.files = []
    book.failure?.words = ""
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let found = Recorded(everyMilliseconds: plan?.everyMilliseconds, book: book)
    return (try? encoder.encode(found)).map { Array($0) } ?? []
  }

  /// Takes in what changed while it was recorded.
  func take(recorded bytes: [UInt8]) {
    guard let found = try? JSONDecoder().decode(Recorded.self, from: Data(bytes)) else { return }
    take(found.book)
  }

  private func take(_ book: BackupBook) {
    let fresh = State(book)
    let change = { self.state.withLock { $0 = fresh } }
    guard let tape = tape.withLock({ $0 }) else { return change() }
    tape.outside(.backups(recorded(book)), change)
  }

  /// What backups call this data directory.
  var source: String { state.withLock { $0.book.source } }

  /// The name of the newest verified backup.
  var newestName: String? { state.withLock { $0.book.newest?.name } }

  /// Whether there are backups: clients keep more for them.
  var isConfigured: Bool { plan != nil || state.withLock { $0.book.newest != nil } }

  /// What a person should know at `now` whose account is in the newest copy. It changes whenever
  /// that of any account does.
  func status(at now: Instant) -> Status {
    let book = state.withLock { $0.book }
    let copiedAt = book.newest?.made
    if let failure = book.failure {
      return Status(state: failure.isRefusal ? .restricted : .failing, copiedAt: copiedAt)
    }
    guard let copiedAt else { return Status(state: plan == nil ? .notConfigured : .overdue) }
    let every = plan?.everyMilliseconds ?? Self.unscheduledMilliseconds
    let late = now.milliseconds(since: copiedAt) - every
    return Status(
      state: late > min(every, Self.graceMilliseconds) ? .overdue : .fresh, copiedAt: copiedAt)
  }

  /// What the person of an account should know at `now`: if the newest verified copy leaves it out,
  /// that this failed, and the moment of the copy that has it.
  func status(of account: AccountID, at now: Instant) -> Status {
    var status = status(at: now)
    let (isLeftOut, promise) = state.withLock {
      ($0.leftOut.contains(account), $0.promises[account])
    }
    guard isLeftOut else { return status }
    status.copiedAt = promise.flatMap { $0.isCarried ? $0.made : nil }
    if status.state != .restricted { status.state = .failing }
    return status
  }

  /// What whoever runs the server should know at `now`: a copy that could not take everybody in is
  /// a failure.
  func statusOfAll(at now: Instant) -> Status {
    var status = status(at: now)
    if !damaged.isEmpty, status.state != .restricted { status.state = .failing }
    return status
  }

  /// Whether a planned backup should be made now; `triedAt`: when the last try of this start began.
  func isDue(at now: Instant, triedAt: Instant?) -> Bool {
    guard let plan else { return false }
    let book = state.withLock { $0.book }
    if let unfinished = book.unfinished,
      (0..<unfinished.waitMilliseconds).contains(now.milliseconds - unfinished.atMilliseconds)
    {
      return false
    }
    if let triedAt, book.failure != nil {
      // A clock that was set back must not hold the next try up.
      let waited = now.milliseconds(since: triedAt)
      return !(0..<min(plan.everyMilliseconds, Self.graceMilliseconds / 4)).contains(waited)
    }
    guard let newest = book.newest?.made else { return true }
    return !(-60_000..<plan.everyMilliseconds).contains(now.milliseconds(since: newest))
  }

  /// The newest number of each incarnation that is in a verified copy of this history, and whether
  /// the account has gone back behind what its devices were told.
  func backedUp(
    _ incarnations: [IncarnationID], of account: AccountID, _ record: HeldRecord
  ) -> (numbers: [IncarnationNumber], isBroken: Bool) {
    guard let promise = state.withLock({ $0.promises[account] }) else { return ([], false) }
    // As a cursor: it holds in the history that goes on from where the copy was made, and in no
    // other.
    let basis = record.epochs.basis(
      of: Cursor(epoch: promise.epoch, revision: promise.revision, facetSet: 0),
      at: record.revision, facetSet: 0)
    if basis == .whole {
      let isBroken =
        record.epochs.lists(promise.epoch) || record.revision < promise.revision
      return ([], isBroken)
    }
    var isBroken = false
    let numbers = incarnations.compactMap { incarnation -> IncarnationNumber? in
      guard let promised = promise.numbers[incarnation] else { return nil }
      let last = record.ledger.expected(of: incarnation) - 1
      if last < promised { isBroken = true }
      let number = min(promised, last)
      return number == 0 ? nil : IncarnationNumber(incarnation: incarnation, number: number)
    }
    return (promise.isCarried ? [] : numbers, isBroken)
  }

  /// Takes down, durably, that a backup is begun: the server may end in it.
  func begin(at now: Instant) throws(BackupError) {
    var book = state.withLock { $0.book }
    book.begunMilliseconds = now.milliseconds
    try save(book)
  }

  /// Takes down that the server has outlived the backup under way, whatever came of it.
  func end() {
    var book = state.withLock { $0.book }
    guard book.begunMilliseconds != nil else { return }
    book.begunMilliseconds = nil
    do throws(BackupError) {
      try save(book)
    } catch {
      // Not written: the next start waits for nothing, once.
      take(book)
    }
  }

  /// Takes a verified backup in, durably.
  func note(_ manifest: BackupManifest) throws(BackupError) {
    var book = state.withLock { $0.book }
    book.note(manifest)
    try save(book)
  }

  /// The backup before whose last row the journal need not keep any; nil: all are kept.
  func droppable(
    at now: Instant, rowsKeptMilliseconds: Int64, present: Set<String>
  ) -> BackupBook.Mark? {
    let book = state.withLock { $0.book }
    // Whoever the newest leaves out may need every row there is.
    guard book.newest?.contents.leftOut.isEmpty == true else { return nil }
    return book.droppable(at: now, olderThan: rowsKeptMilliseconds, present: present)
  }

  /// Accounts that the newest verified backup could not take in.
  var damaged: Set<AccountID> {
    Set(
      state.withLock { $0.book.newest?.contents.damaged ?? [] }.compactMap { AccountID(hex: $0) })
  }

  /// Takes down that a planned backup failed.
  func note(_ error: BackupError, at now: Instant) throws(BackupError) {
    var book = state.withLock { $0.book }
    book.failure = BackupBook.Failure(
      atMilliseconds: now.milliseconds, isRefusal: error.isRefusal, words: error.description)
    // Known at once, whether or not it can be written down.
    take(book)
    try save(book)
  }

  private func save(_ book: BackupBook) throws(BackupError) {
    if let path { try book.write(to: path) }
    take(book)
  }

  private static func promises(of book: BackupBook) -> [AccountID: Promise] {
    var promises: [AccountID: Promise] = [:]
    for carried in book.carried ?? [] {
      if let (id, promise) = promise(of: carried.account, carried.madeMilliseconds, isCarried: true)
      {
        promises[id] = promise
      }
    }
    let made = book.newest?.madeMilliseconds ?? 0
    for account in book.newest?.contents.accounts ?? [] {
      if let (id, promise) = promise(of: account, made, isCarried: false) { promises[id] = promise }
    }
    return promises
  }

  private static func promise(
    of account: BackupContents.Account, _ madeMilliseconds: Int64, isCarried: Bool
  ) -> (AccountID, Promise)? {
    guard let id = AccountID(hex: account.id), let epoch = EpochID(hex: account.epoch) else {
      return nil
    }
    var numbers: [IncarnationID: ActionNumber] = [:]
    for (incarnation, number) in account.outboxes {
      if let incarnation = IncarnationID(hex: incarnation) { numbers[incarnation] = number }
    }
    return (
      id,
      Promise(
        epoch: epoch, revision: account.revision, numbers: numbers,
        made: Instant(milliseconds: madeMilliseconds), isCarried: isCarried)
    )
  }
}
