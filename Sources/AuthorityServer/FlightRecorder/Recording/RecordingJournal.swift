internal import Storage
internal import WatchTransfer
internal import WireFormat

/// A journal whose answers are taken down.
final class RecordingJournal: Journal {
  private let journal: any Journal
  private let tape: Tape

  init(_ journal: sending any Journal, tape: Tape) {
    self.journal = journal
    self.tape = tape
  }

  func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64> {
    let rows = try journal.append(batches)
    tape.note(journal: .appended(first: rows.lowerBound, batches.map { contentHash($0.bytes) }))
    tape.newestRow = rows.upperBound
    return rows
  }

  func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError) {
    do throws(StorageError) {
      try journal.storeCheckpoints(checkpoints, foldedThrough: foldedThrough)
      tape.note(journal: .checkpointed(true))
    } catch {
      tape.note(journal: .checkpointed(false))
      throw error
    }
  }

  func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError) {
    // What was asked for is answered with these, whether or not they could be stored.
    for checkpoint in checkpoints {
      tape.note(journal: .loaded(checkpoint.account, checkpoint))
    }
    try journal.replaceDamaged(checkpoints)
  }

  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint? {
    do throws(StorageError) {
      let found = try journal.loadAccount(account)
      tape.note(journal: .loaded(account, found))
      return found
    } catch {
      tape.note(journal: .unreadable(account))
      throw error
    }
  }

  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]? {
    do throws(StorageError) {
      let bytes = try journal.attachment(key, range)
      tape.note(journal: .attachment(key, range, bytes, isRead: true))
      return bytes
    } catch {
      tape.note(journal: .attachment(key, range, nil, isRead: false))
      throw error
    }
  }

  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool {
    do throws(StorageError) {
      let isSame = try journal.isWhole(key, totalBytes: totalBytes)
      tape.note(journal: .compared(key, isSame))
      return isSame
    } catch {
      tape.note(journal: .compared(key, nil))
      throw error
    }
  }

  func accounts() throws(StorageError) -> [AccountID] { try journal.accounts() }

  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws {
    try journal.eachCheckpoint(body)
  }

  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws {
    try journal.eachRow(after: after, body)
  }

  func findings(replay: StorageCheck.Replay?) -> [Finding] { journal.findings(replay: replay) }

  var foldedThrough: Int64 { get throws(StorageError) { try journal.foldedThrough } }

  var lastSequence: Int64 {
    get throws(StorageError) {
      let last = try journal.lastSequence
      tape.newestRow = last
      return last
    }
  }

  func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64 {
    try journal.dropRows(through: through, rowsMax: rowsMax)
  }

  func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64? {
    try journal.erase(account, after: after, rowsMax: rowsMax)
  }

  func beginCopy(to path: String) throws(StorageError) -> any JournalCopy {
    try journal.beginCopy(to: path)
  }

  func hasMoved() throws(StorageError) -> Bool { try journal.hasMoved() }

  func checkpointLog() throws(StorageError) { try journal.checkpointLog() }

  func close() throws(StorageError) { try journal.close() }
}

/// Free space whose answers are taken down.
struct RecordingSpace: SpaceGauge {
  let space: any SpaceGauge
  let tape: Tape

  var acceptsActs: Bool {
    let accepts = space.acceptsActs
    tape.note(.accepts(accepts))
    return accepts
  }

  var freeBytes: Int64 { space.freeBytes }
}
