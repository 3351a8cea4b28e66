internal import Authority
internal import Storage
internal import Transport
internal import WatchTransfer

/// What the partition has decided since its last batch was closed, and who waits for it.
struct OpenBatch {
  /// What one account owes to a batch.
  struct Touched {
    let account: Account
    var facets: FacetSet
    var cues: [Cue]
    /// What the batch closed with; set when it closes.
    var revision: Revision = 0
    var epoch: EpochID?
    var changed: [EncodedFacet] = []

    /// Owes what one more entry touches.
    mutating func take(_ more: FacetSet, _ moreCues: [Cue]) {
      facets.formUnion(more)
      if !moreCues.isEmpty { cues.append(contentsOf: moreCues) }
    }
  }

  /// What leaves when the batch is durable.
  enum Answer {
    /// An encoded frame.
    case frame([UInt8])
    /// A receipt, behind an update that shows its revision.
    case receipt(Receipt)
    /// The Welcome's frame; afterwards the session is sent updates from this revision on.
    case welcome([UInt8], from: Revision)
    /// Readings, at whatever revision the session then is.
    case readings([Reading])
    /// What a widget should fetch again.
    case reload([WidgetKind])
    /// What a session that is not read meanwhile has waited for: an encoded frame.
    case bytes([UInt8])
    /// Everything after this revision again.
    case resume(from: Revision)
  }

  /// Counts batches of this partition.
  let id: UInt64
  var writer = ByteWriter()
  var entries = 0
  /// What becomes of bytes of attachments.
  private(set) var attachments: [AttachmentWrite] = []
  private var attachmentBytes = 0
  /// Acts of connections among the entries.
  var acts = 0
  var touched: [AccountID: Touched] = [:]
  var answers: [(session: Session, answer: Answer)] = []
  /// Told with the outcome, for those who have no connection.
  var callbacks: [Partition.Work] = []

  init(id: UInt64) {
    self.id = id
    writer.byte(JournalEntry.batchForm)
  }

  /// Whether nothing was decided.
  var isEmpty: Bool { entries == 0 }

  /// Bytes of its row, and of the attachments beside it.
  var bytes: Int { writer.bytes.count + attachmentBytes }

  /// Bytes that the newest entry tells of.
  mutating func keep(_ piece: AttachmentPiece) {
    attachments.append(.keep(piece))
    attachmentBytes += piece.bytes.count
  }

  /// What it writes, which it has no more.
  mutating func takeAttachments() -> [AttachmentWrite] {
    defer { attachments = [] }
    return attachments
  }

  /// Takes an entry in.
  mutating func add(_ entry: JournalEntry, of account: Account, facets: FacetSet, cues: [Cue]) {
    entry.encode(into: &writer)
    entries += 1
    for case .attachment(.attachmentDropped(let hash)) in entry.events {
      attachments.append(.drop(account.id, hash))
    }
    touched[account.id, default: Touched(account: account, facets: FacetSet(), cues: [])]
      .take(facets, cues)
  }
}
