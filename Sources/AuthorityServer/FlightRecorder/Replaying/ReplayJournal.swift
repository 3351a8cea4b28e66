internal import Glibc
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// What a record has of the journal, and what a replay makes of it.
///
/// Unchecked: one thread runs a replay.
final class ReplayStore: @unchecked Sendable {
  /// What was answered when an account was asked for, in order.
  private var loads: [AccountID: [Result<AccountCheckpoint?, StorageError>]] = [:]
  private var stores: [Bool] = []
  private var ranges: [AskedRange: [Result<[UInt8]?, StorageError>]] = [:]
  private var comparisons: [AttachmentKey: [Result<Bool, StorageError>]] = [:]
  private var hashes: [Int64: UInt64] = [:]
  private var loadsUsed: [AccountID: Int] = [:]
  private var storesUsed = 0
  /// The newest row.
  var row: Int64
  /// Before that every account that is listed counts as there.
  var hasStarted = false
  /// What the batches hash to now.
  private(set) var written: [Int64: UInt64] = [:]
  /// The first row that is another than the record has.
  private(set) var otherRow: Int64?

  init(row: Int64, records: [TapeRecord]) {
    self.row = row
    for record in records {
      switch record {
      case .loaded(let account, let checkpoint):
        // A damaged checkpoint is answered by one that was made again.
        if case .failure? = loads[account]?.last { loads[account]?.removeLast() }
        loads[account, default: []].append(.success(checkpoint))
      case .unreadable(let account):
        loads[account, default: []].append(.failure(.corruptCheckpoint(account: account)))
      case .appended(let first, let list):
        for (offset, hash) in list.enumerated() { hashes[first &+ Int64(offset)] = hash }
      case .checkpointed(let isStored): stores.append(isStored)
      case .attachment(let key, let range, let bytes, let isRead):
        ranges[AskedRange(key: key, range: range), default: []].append(
          isRead ? .success(bytes) : .failure(Self.unread))
      case .compared(let key, let isSame):
        comparisons[key, default: []].append(isSame.map { .success($0) } ?? .failure(Self.unread))
      case .begin, .event, .command, .ended: break
      }
    }
  }

  /// The next answer for an account. One that was not recorded any more is never used.
  func load(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    let number = loadsUsed[account, default: 0]
    loadsUsed[account] = number + 1
    guard let list = loads[account], number < list.count else {
      throw .corruptCheckpoint(account: account)
    }
    return try list[number].get()
  }

  /// What was asked for; exports, which a replay does not make, ask too.
  private struct AskedRange: Hashable {
    let key: AttachmentKey
    let range: Range<Int64>
  }

  private static let unread = StorageError.failed(.journal, code: 0)

  /// The next answer to who asks for a range.
  func range(_ range: Range<Int64>, of key: AttachmentKey) throws(StorageError) -> [UInt8]? {
    let asked = AskedRange(key: key, range: range)
    guard let next = ranges[asked]?.first else { throw Self.unread }
    ranges[asked]?.removeFirst()
    return try next.get()
  }

  /// The next answer to who has bytes compared.
  func comparison(of key: AttachmentKey) throws(StorageError) -> Bool {
    guard let next = comparisons[key]?.first else { throw Self.unread }
    comparisons[key]?.removeFirst()
    return try next.get()
  }

  /// Whether the next checkpoint finds room.
  func storesNext() -> Bool {
    defer { storesUsed += 1 }
    return storesUsed < stores.count ? stores[storesUsed] : true
  }

  /// Takes a batch.
  func append(_ batch: JournalBatch) {
    row += 1
    let hash = contentHash(batch.bytes)
    written[row] = hash
    if let recorded = hashes[row], recorded != hash, otherRow == nil { otherRow = row }
  }
}

/// The journal of a replay: it answers what the record has, and compares what is written.
final class ReplayJournal: Journal {
  private let store: ReplayStore

  init(_ store: ReplayStore) {
    self.store = store
  }

  func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    let first = store.row + 1
    for batch in batches { store.append(batch) }
    return first...max(first, store.row)
  }

  func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    if store.hasStarted, !store.storesNext() { throw .full(.journal) }
  }

  func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {}

  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    guard store.hasStarted else {
      return AccountCheckpoint(account: account, throughRow: 0, state: [], ledger: [], facets: [])
    }
    return try store.load(account)
  }

  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    try store.range(range, of: key)
  }

  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    try store.comparison(of: key)
  }

  func accounts() throws(StorageError) -> [AccountID] { [] }

  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {}

  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    // The rows themselves are not in the record.
    if store.hasStarted { throw StorageError.missingRow(sequence: 1) }
  }

  func findings(replay: StorageCheck.Replay?) -> [Finding] { [] }

  var foldedThrough: Int64 { store.row }

  var lastSequence: Int64 { store.row }

  func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64 { 0 }

  func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64? {
    // The rows themselves are not in the record.
    nil
  }

  func beginCopy(to path: String) throws(StorageError) -> any JournalCopy {
    throw .copyFailed(path: path, .system(errno: ENOTSUP))
  }

  func hasMoved() throws(StorageError) -> Bool { false }

  func checkpointLog() throws(StorageError) {}

  func close() throws(StorageError) {}
}
