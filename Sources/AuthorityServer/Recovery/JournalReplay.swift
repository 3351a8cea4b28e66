internal import Authority
package import Storage
package import WatchTransfer
internal import WireFormat

/// Replays a whole journal: compares what its rows yield with its checkpoints, and says what it
/// holds.
///
/// Where the oldest rows were dropped, the accounts that are older than what is left begin with
/// their checkpoints, which were compared before the rows went. What is wrong with one account is
/// found for that account alone.
struct JournalReplay {
  private let journal: any JournalReading
  private let build: String
  private let notReplayed: Set<AccountID>
  private let slots: any WorkSlots
  private let isEnded: @Sendable () -> Bool
  private let encoder = MessageEncoder()

  private var stored: [AccountID: AccountCheckpoint] = [:]
  private var records: [AccountID: AccountRecord] = [:]
  /// Accounts whose oldest rows were dropped, with the row that their checkpoint includes.
  private var cut: [AccountID: Int64] = [:]
  private var compared: Set<AccountID> = []
  private var firstRow: Int64 = 0
  private var lastRow: Int64 = 0
  private var lastRowEpoch: EpochID?
  /// Accounts that are not what they should be, each with what was found first.
  private(set) var damaged: [AccountID: Finding] = [:]

  /// Replays `journal`; `build` names the projection. Accounts of `notReplayed`, as a server has
  /// crashed on them, are left out. Whose rows are replayed is named in `slots`, in the verifier's.
  ///
  /// - Parameter isEnded: asked before each row and each account, whether to break off.
  /// - Throws: `ReplayEnded` then; else what reading comes to.
  init(
    of journal: any JournalReading, build: String, notReplayed: Set<AccountID> = [],
    slots: any WorkSlots = UnwatchedSlots(), isEnded: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.journal = journal
    self.build = build
    self.notReplayed = notReplayed
    self.slots = slots
    self.isEnded = isEnded
    defer { slots.write(nil, in: PoisonGuard.verifierSlot) }
    for id in try journal.accounts() where !notReplayed.contains(id) {
      try goOn()
      do throws(StorageError) {
        stored[id] = try journal.loadAccount(id)
      } catch {
        guard case .corruptCheckpoint = error else { throw error }
        damaged[id] = Finding(file: .journal, problem: .checkpointChecksum(account: id))
      }
    }
    try journal.eachRow(after: 0) { try take($0) }
    if firstRow == 0, try journal.lastSequence > 0 { firstRow = .max }
    for id in stored.keys.sorted() where !isLeftOut(id) && !compared.contains(id) {
      try goOn()
      name(id)
      if firstRow > 1, records[id] == nil { beginCut(id) }
      compare(id)
    }
  }

  /// What differs.
  var findings: [Finding] { damaged.values.sorted { $0.description < $1.description } }

  /// What the journal holds as of its newest row, of accounts that are what they should be.
  var contents: BackupContents {
    BackupContents(
      firstRow: firstRow == .max ? 0 : firstRow, lastRow: lastRow,
      lastRowEpoch: lastRowEpoch?.description ?? "",
      setAside: notReplayed.sorted().map(\.description),
      accounts: records.sorted { $0.key < $1.key }.compactMap { id, record in
        guard damaged[id] == nil, let epoch = record.epochs.newest else { return nil }
        return BackupContents.Account(
          id: id.description, epoch: epoch.description, revision: record.revision,
          outboxes: Dictionary(
            uniqueKeysWithValues: record.ledger.incarnations.map {
              ($0.key.description, $0.value.last)
            }))
      })
  }

  /// Attachments whose bytes are not there, or are others: no reason to do without the account, as
  /// who has them may send them again.
  func lostBytes() throws -> [Finding] {
    var findings: [Finding] = []
    for (id, record) in records.sorted(by: { $0.key < $1.key }) where damaged[id] == nil {
      for attachment in record.state.attachments.all {
        try goOn()
        let key = AttachmentKey(account: id, hash: attachment.hash)
        let isThere =
          attachment.isComplete
          ? try journal.isWhole(key, totalBytes: attachment.totalBytes)
          : try journal.attachment(key, 0..<attachment.storedBytes) != nil
        if !isThere {
          findings.append(finding("bytes of a photo of account \(id) are gone or damaged"))
        }
      }
    }
    return findings
  }

  private func isLeftOut(_ id: AccountID) -> Bool {
    notReplayed.contains(id) || damaged[id] != nil
  }

  private func goOn() throws(ReplayEnded) {
    if isEnded() { throw ReplayEnded() }
  }

  /// Names whose rows and facets come next: a crash in them is told by it.
  private func name(_ id: AccountID) {
    slots.write(AccountWork(.verifying, of: id), in: PoisonGuard.verifierSlot)
  }

  private mutating func take(_ row: JournalRow) throws {
    try goOn()
    if firstRow == 0 { firstRow = row.sequence }
    lastRow = row.sequence
    lastRowEpoch = row.epoch
    for entry in try JournalEntry.entries(of: row) {
      let id = entry.account
      if isLeftOut(id) { continue }
      name(id)
      if records[id] == nil, firstRow > 1, !entry.beginsAccount { beginCut(id) }
      if let included = cut[id], row.sequence <= included { continue }
      if let checkpoint = stored[id], row.sequence > checkpoint.throughRow, !compared.contains(id) {
        compare(id)
      }
      if damaged[id] != nil { continue }
      records[id, default: AccountRecord()].apply(entry, epoch: row.epoch)
    }
  }

  private mutating func beginCut(_ id: AccountID) {
    guard let checkpoint = stored[id] else {
      damaged[id] = finding("account \(id) has neither its oldest rows nor a checkpoint")
      return
    }
    records[id] = kept(checkpoint)
    cut[id] = checkpoint.throughRow
  }

  /// nil: it cannot be read, which is found.
  private mutating func kept(_ checkpoint: AccountCheckpoint) -> AccountRecord? {
    do throws(StoredFormError) {
      return try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger)
    } catch {
      let id = checkpoint.account
      damaged[id] = finding("the checkpoint of account \(id) cannot be read: \(error)")
      return nil
    }
  }

  private mutating func compare(_ id: AccountID) {
    compared.insert(id)
    guard damaged[id] == nil, let checkpoint = stored[id] else { return }
    let replayed = records[id] ?? AccountRecord()
    guard let kept = kept(checkpoint) else { return }
    guard
      replayed.encodedState == kept.encodedState && replayed.encodedLedger == kept.encodedLedger
    else {
      damaged[id] = finding("account \(id) is not what its rows make of it")
      return
    }
    let facets: FacetTable
    do throws(StoredFormError) {
      facets = try FacetTable.decoded(checkpoint.facets, build: build) ?? FacetTable()
    } catch {
      damaged[id] = finding("facets of account \(id) cannot be read: \(error)")
      return
    }
    let wrong = FacetKind.allCases.filter { kind in
      guard let facet = facets[kind] else { return false }
      return facet.revision > replayed.revision
        || facet.content != encoder.encode(project(replayed.state, kind))
    }
    if wrong.isEmpty { return }
    let words = wrong.map(\.word).joined(separator: ", ")
    damaged[id] = finding("facets of account \(id) are not its state's: \(words)")
  }

  private func finding(_ words: String) -> Finding {
    Finding(file: .journal, problem: .replay(words))
  }
}

/// A replay was broken off, as whoever wanted it ends.
struct ReplayEnded: Error {}

extension JournalEntry {
  /// Whether it is the first of its account: the turn that makes it.
  var beginsAccount: Bool { revision == 1 && !events.isEmpty }
}

/// What is wrong with the checkpoints of a journal and with the bytes of its attachments, compared
/// with a replay of its rows.
package func replayFindings(
  of journal: any JournalReading, zones: any ZoneRulesSource
) throws -> [String] {
  let replay = try JournalReplay(of: journal, build: facetBuild(zones))
  return try (replay.findings + replay.lostBytes()).map(\.description)
}
