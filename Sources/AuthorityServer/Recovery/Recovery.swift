internal import Authority
internal import Storage
internal import WatchTransfer
internal import WireFormat

/// Folds the journal rows that no checkpoint includes yet into their accounts, and checkpoints
/// those, before the first answer. kill -9 takes this path too; there is no other (DESIGN section
/// 8).
struct Recovery {
  private let journal: any JournalReading
  private let build: String
  private let poison: PoisonGuard
  private let encoder = MessageEncoder()

  /// An account while rows are folded into it.
  private struct Folding {
    var record = AccountRecord()
    var facets: FacetTable?
    /// Whether its checkpoint has facets that another build made.
    var isOfAnotherBuild = false
    var throughRow: Int64 = 0
    /// The closing revision of the last row that touched each facet.
    var touched: [FacetKind: Revision] = [:]
  }

  /// What recovery found.
  struct Summary: Sendable {
    var rows = 0
    var accounts = 0
    /// Accounts whose checkpoint was damaged, made again from their rows.
    var rebuilt: [AccountCheckpoint] = []
    /// Why damaged accounts could not be made again; their checkpoints and rows stay as they are.
    var unreadable: String?
    /// The first row with something of an account that is set aside, which no checkpoint includes:
    /// nothing counts as folded from there on, or its rows would never be folded.
    var heldBack: Int64?
  }

  /// Reads `journal`; `build` names the projection. Accounts that `poison` sets aside are left out,
  /// whatever is asked.
  init(journal: any JournalReading, build: String, poison: PoisonGuard = PoisonGuard()) {
    self.journal = journal
    self.build = build
    self.poison = poison
  }

  /// Names whose rows are folded, for as long as `body` runs.
  private func folding<Result, Failure: Error>(
    _ account: AccountID, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    poison.slots.write(AccountWork(.folding, of: account), in: PoisonGuard.committerSlot)
    defer { poison.slots.write(nil, in: PoisonGuard.committerSlot) }
    return try body()
  }

  /// The checkpoints of every account that a row after `foldedThrough` touches.
  func fold() throws -> (checkpoints: [AccountCheckpoint], summary: Summary) {
    var foldings: [AccountID: Folding] = [:]
    var damaged: Set<AccountID> = []
    var summary = Summary()
    var newest = try journal.lastSequence
    var heldThrough: [AccountID: Int64] = [:]
    try journal.eachRow(after: journal.foldedThrough) { row in
      summary.rows += 1
      newest = max(newest, row.sequence)
      try fold(row, into: &foldings, &damaged)
      if summary.heldBack == nil, try holdsBack(row, &heldThrough) {
        summary.heldBack = row.sequence
      }
    }
    summary.accounts = foldings.count
    let checkpoints = foldings.sorted { $0.key < $1.key }.map { id, folding in
      checkpoint(of: id, folding, through: newest)
    }
    if !damaged.isEmpty {
      do {
        let rebuilt = try rebuild(damaged)
        summary.rebuilt = rebuilt.checkpoints
        let lost = damaged.subtracting(rebuilt.checkpoints.map(\.account))
        if rebuilt.droppedThrough > 0, let first = lost.min() {
          let why = StorageError.rowsDropped(account: first, through: rebuilt.droppedThrough)
          summary.unreadable = "\(lost.count) accounts cannot be read: \(why)"
        }
      } catch {
        summary.unreadable = "\(damaged.count) accounts cannot be read: \(error)"
      }
    }
    return (checkpoints, summary)
  }

  /// What making accounts again came to.
  struct Rebuilt {
    /// Those that have all their rows; accounts without any row are not among them.
    var checkpoints: [AccountCheckpoint] = []
    /// Those whose oldest rows were dropped: only a backup has them whole.
    var cut: Set<AccountID> = []
    /// The newest row that was dropped; 0: none was.
    var droppedThrough: Int64 = 0
    /// The newest moment in the oldest row that is kept; nil: there is no row.
    var oldestKept: Instant?

    /// Whether rows that were dropped may have had an account that was listed at `created`. Its
    /// first row cannot be older than that.
    func mayHaveDropped(_ created: Instant) -> Bool {
      droppedThrough > 0 && oldestKept.map { created <= $0 } ?? true
    }
  }

  /// Makes accounts again from all their rows, for a checkpoint that cannot be read. Whoever has
  /// seen their facets is sent all of them again.
  ///
  /// - Throws: `missingRow`, `corruptRow`.
  func rebuild(_ accounts: Set<AccountID>) throws -> Rebuilt {
    var rebuilt = Rebuilt()
    var foldings: [AccountID: Folding] = [:]
    var last: Int64 = 0
    try journal.eachRow(after: 0) { row in
      if last == 0 { rebuilt.droppedThrough = row.sequence - 1 }
      guard last == 0 || row.sequence == last + 1 else {
        throw StorageError.missingRow(sequence: last + 1)
      }
      last = row.sequence
      let epoch = row.epoch
      let entries = try JournalEntry.entries(of: row)
      if rebuilt.oldestKept == nil { rebuilt.oldestKept = entries.map(\.at).max() }
      for entry in entries where accounts.contains(entry.account) {
        if poison.isSetAside(entry.account) { continue }
        // A part of its history must not pass for all of it.
        if foldings[entry.account] == nil, rebuilt.droppedThrough > 0, !entry.beginsAccount {
          rebuilt.cut.insert(entry.account)
        }
        if rebuilt.cut.contains(entry.account) { continue }
        folding(entry.account) {
          foldings[entry.account, default: Folding()].record.apply(entry, epoch: epoch)
        }
      }
    }
    // Not one is left: all of them were dropped, or cut out by other means.
    if last == 0 { rebuilt.droppedThrough = try journal.lastSequence }
    // Nobody knows what was seen of their facets: left for the turn that loading the account makes.
    rebuilt.checkpoints = foldings.sorted { $0.key < $1.key }.map { id, folding in
      var folding = folding
      folding.isOfAnotherBuild = true
      return checkpoint(of: id, folding, through: last)
    }
    return rebuilt
  }

  private func fold(
    _ row: JournalRow, into foldings: inout [AccountID: Folding],
    _ damaged: inout Set<AccountID>
  ) throws {
    let epoch = row.epoch
    var closing: [AccountID: FacetSet] = [:]
    for entry in try JournalEntry.entries(of: row) {
      if damaged.contains(entry.account) || poison.isSetAside(entry.account) { continue }
      guard var folding = try foldings[entry.account] ?? load(entry.account) else {
        damaged.insert(entry.account)
        continue
      }
      if folding.record.revision == 0, entry.revision > 1 || entry.events.isEmpty {
        // It has a past, and no checkpoint that can be found.
        damaged.insert(entry.account)
        foldings[entry.account] = nil
        continue
      }
      if row.sequence > folding.throughRow {
        self.folding(entry.account) {
          folding.record.apply(entry, epoch: epoch)
          if !entry.events.isEmpty {
            closing[entry.account, default: FacetSet()]
              .formUnion(touchedFacets(by: entry.events))
          }
        }
      }
      foldings[entry.account] = folding
    }
    for (id, facets) in closing {
      guard let revision = foldings[id]?.record.revision else { continue }
      for kind in facets { foldings[id]?.touched[kind] = revision }
    }
  }

  /// Whether the row has something of an account that is set aside which its checkpoint lacks.
  private func holdsBack(
    _ row: JournalRow, _ through: inout [AccountID: Int64]
  ) throws -> Bool {
    if poison.setAside.isEmpty { return false }
    for entry in try JournalEntry.entries(of: row) where poison.isSetAside(entry.account) {
      let included: Int64
      if let known = through[entry.account] {
        included = known
      } else {
        // One that cannot be read includes nothing.
        included = (try? journal.loadAccount(entry.account))?.throughRow ?? 0
        through[entry.account] = included
      }
      if row.sequence > included { return true }
    }
    return false
  }

  /// nil: the account's checkpoint is damaged.
  private func load(_ id: AccountID) throws -> Folding? {
    var folding = Folding()
    let checkpoint: AccountCheckpoint?
    do throws(StorageError) {
      checkpoint = try journal.loadAccount(id)
    } catch {
      if case .corruptCheckpoint = error { return nil }
      throw error
    }
    guard let checkpoint else { return folding }
    do {
      try self.folding(id) { try take(checkpoint, into: &folding) }
    } catch {
      return nil
    }
    return folding
  }

  private func take(_ checkpoint: AccountCheckpoint, into folding: inout Folding) throws {
    folding.record = try AccountRecord(state: checkpoint.state, ledger: checkpoint.ledger)
    folding.facets = try FacetTable.decoded(checkpoint.facets, build: build)
    folding.isOfAnotherBuild = folding.facets == nil
    folding.throughRow = checkpoint.throughRow
  }

  private func checkpoint(of id: AccountID, _ folding: Folding, through row: Int64)
    -> AccountCheckpoint
  {
    if folding.isOfAnotherBuild {
      // Nobody knows what was seen of them: left for the turn that loading the account makes.
      return AccountCheckpoint(
        account: id, throughRow: row, state: folding.record.encodedState,
        ledger: folding.record.encodedLedger, facets: FacetTable().encoded(build: ""))
    }
    var facets = folding.facets ?? FacetTable()
    for kind in FacetKind.allCases {
      // None yet: all of them are projected.
      let revision = folding.facets == nil ? folding.record.revision : folding.touched[kind]
      guard let revision else { continue }
      let content = self.folding(id) { encoder.encode(project(folding.record.state, kind)) }
      facets.putRecovered(kind, content: content, revision: revision)
    }
    return AccountCheckpoint(
      account: id, throughRow: row, state: folding.record.encodedState,
      ledger: folding.record.encodedLedger,
      facets: facets.encoded(build: build))
  }
}
