public import WatchTransfer

/// One closed batch: the actions and turns decided since the last commit, encoded.
public struct JournalBatch: Sendable, Equatable {
  /// The start of the server that decided it.
  public var epoch: EpochID
  /// At most `StorageLimits.rowBytesMax`.
  public var bytes: [UInt8]
  /// What becomes of bytes of attachments, in order.
  public var attachments: [AttachmentWrite]

  /// A batch from its parts.
  public init(epoch: EpochID, bytes: [UInt8], attachments: [AttachmentWrite] = []) {
    self.epoch = epoch
    self.bytes = bytes
    self.attachments = attachments
  }
}

/// A batch as the journal keeps it.
public struct JournalRow: Sendable, Equatable {
  /// From 1, without gaps.
  public let sequence: Int64
  /// The start of the server that decided it.
  public let epoch: EpochID
  /// The batch, as it was handed over.
  public let bytes: [UInt8]

  /// A row from its parts.
  public init(sequence: Int64, epoch: EpochID, bytes: [UInt8]) {
    self.sequence = sequence
    self.epoch = epoch
    self.bytes = bytes
  }
}

/// A whole account as of one row of the journal.
public struct AccountCheckpoint: Sendable, Equatable {
  /// Whose it is.
  public var account: AccountID
  /// The newest journal row it includes; 0 for none.
  public var throughRow: Int64
  /// The entities.
  public var state: [UInt8]
  /// The numbers and receipts of its incarnations.
  public var ledger: [UInt8]
  /// The encoded facets. The three together have at most `StorageLimits.checkpointBytesMax`.
  public var facets: [UInt8]

  /// A checkpoint from its parts.
  public init(
    account: AccountID, throughRow: Int64, state: [UInt8], ledger: [UInt8], facets: [UInt8]
  ) {
    self.account = account
    self.throughRow = throughRow
    self.state = state
    self.ledger = ledger
    self.facets = facets
  }
}

/// Reading what was kept. Every row and checkpoint is compared with its checksum on the way.
public protocol JournalReading: AnyObject {
  /// The checkpoint of one account, nil if it has none.
  ///
  /// - Throws: `corruptCheckpoint`, `corrupt`, `failed`.
  func loadAccount(_ account: AccountID) throws(StorageError) -> AccountCheckpoint?

  /// Every account that has a checkpoint, in the order of their bytes.
  ///
  /// - Throws: `corrupt`, `failed`.
  func accounts() throws(StorageError) -> [AccountID]

  /// Calls `body` with every checkpoint, in the order of the accounts' bytes, one at a time.
  ///
  /// - Throws: `corruptCheckpoint`, and whatever `body` throws, which ends the reading.
  func eachCheckpoint(_ body: (AccountCheckpoint) throws -> Void) throws

  /// Calls `body` with every row above `after`, in order, one at a time.
  ///
  /// - Throws: `corruptRow`; `missingRow` for a gap above the rows that may have been dropped; and
  ///   whatever `body` throws, which ends the reading.
  func eachRow(after: Int64, _ body: (JournalRow) throws -> Void) throws

  /// Bytes of an attachment that was kept; nil: not all of the range is there, or it is damaged.
  ///
  /// - Throws: `corrupt`, `failed`.
  func attachment(
    _ key: AttachmentKey, _ range: Range<Int64>
  ) throws(StorageError) -> [UInt8]?

  /// Whether an attachment has `totalBytes` bytes that hash to its hash.
  ///
  /// - Throws: `corrupt`, `failed`.
  func isWhole(_ key: AttachmentKey, totalBytes: Int64) throws(StorageError) -> Bool

  /// Everything that is wrong with the journal, damage of the database included; `replay` compares
  /// what its rows yield with the checkpoints, when nothing else is wrong. As long as it takes.
  func findings(replay: StorageCheck.Replay?) -> [Finding]

  /// The row up to which the checkpoints of all accounts include every row that touches them:
  /// recovery starts after it. 0 for none.
  var foldedThrough: Int64 { get throws(StorageError) }

  /// The newest row's sequence; 0 for none. It never goes back, even when rows are dropped.
  var lastSequence: Int64 { get throws(StorageError) }
}

/// What the server keeps its decisions in. Owned by the committer's queue; not `Sendable`.
///
/// `outcomeUnknown` from any call means: end the process at once, without calling `close()`.
public protocol Journal: JournalReading {
  /// Appends the batches, one row each, with their bytes of attachments, in one transaction and one
  /// fsync; they are durable when it
  /// returns, under the sequences it returns.
  ///
  /// - Parameter batches: at least one.
  /// - Throws: `tooLarge` before anything is written; otherwise `outcomeUnknown`, a full disk
  ///   included, as memory is ahead of disk by then.
  func append(_ batches: [JournalBatch]) throws(StorageError) -> ClosedRange<Int64>

  /// Stores whole accounts in one transaction, each in place of its older checkpoint.
  ///
  /// - Parameter checkpoints: of rows that are in the journal, and not older than what is stored.
  /// - Parameter foldedThrough: every row up to it is included in the checkpoints of all accounts
  ///   it touches, these included; nil leaves it as it is; it never goes back.
  /// - Throws: `tooLarge`, `full`: nothing was stored, and nothing is lost by that;
  ///   `outcomeUnknown`.
  func storeCheckpoints(
    _ checkpoints: [AccountCheckpoint], foldedThrough: Int64?
  ) throws(StorageError)

  /// Stores accounts whose checkpoint, or its key in an index, is damaged, in place of whatever is
  /// there; the indexes are made again from the tables.
  ///
  /// - Throws: as `storeCheckpoints`; `corrupt` when the damage reaches further.
  func replaceDamaged(_ checkpoints: [AccountCheckpoint]) throws(StorageError)

  /// Drops the oldest rows, in slices so that commits are not held up: at most `rowsMax` of those
  /// up to `through`, which must be folded; how many went. The newest row stays.
  ///
  /// - Throws: `full`: nothing went; `outcomeUnknown`.
  func dropRows(through: Int64, rowsMax: Int64) throws(StorageError) -> Int64

  /// Takes an account out: out of at most `rowsMax` of the rows after `after`, in slices so that
  /// commits are not held up, its checkpoint, and the bytes of its attachments. What other accounts
  /// have in a row stays byte for byte, and the row its number. The row to go on after; nil:
  /// nothing is left.
  ///
  /// - Throws: `corruptRow`, `full`: nothing of the slice went; `outcomeUnknown`.
  func erase(
    _ account: AccountID, after: Int64, rowsMax: Int
  ) throws(StorageError) -> Int64?

  /// Begins to copy the whole journal into a new file, which is made; nothing is copied yet. The
  /// journal cannot be closed before the copy has ended.
  ///
  /// - Throws: `copyFailed`; the journal itself is as it was.
  func beginCopy(to path: String) throws(StorageError) -> any JournalCopy

  /// Whether the file was renamed, replaced or removed under the server, which must end then: what
  /// it writes nobody would find.
  func hasMoved() throws(StorageError) -> Bool

  /// Copies the write-ahead log into the database and empties it: at idle and at the end.
  ///
  /// - Throws: `full`, `logBusy`: the log keeps everything; `outcomeUnknown`.
  func checkpointLog() throws(StorageError)

  /// Empties the write-ahead log and lets go of the file; nothing may be called afterwards.
  func close() throws(StorageError)
}

/// A copy of a journal under way; see `Journal.beginCopy`. Owned by the journal's queue.
public protocol JournalCopy: AnyObject {
  /// Copies some more pages. What is appended between two steps is in the copy too: it is the
  /// journal as of its last step, and its file is closed, and not synced, when nothing remains.
  ///
  /// - Throws: `copyFailed`; the journal itself is as it was.
  func step(pages: Int) throws(StorageError) -> CopyProgress

  /// Ends a copy that is not wanted any more; a second time does nothing.
  func end()
}

/// How far a copy has come, in pages.
public struct CopyProgress: Sendable, Equatable {
  /// Still to copy; 0: the copy is whole.
  public let remaining: Int
  /// All of them, as of the newest step.
  public let total: Int

  /// Some of all pages.
  public init(remaining: Int, total: Int) {
    self.remaining = remaining
    self.total = total
  }
}
