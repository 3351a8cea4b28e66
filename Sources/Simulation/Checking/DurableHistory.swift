internal import Authority
internal import Storage
internal import WatchTransfer

/// What the durable rows of a journal say, kept up as they come: the truth that everything else is
/// compared with.
struct DurableHistory {
  /// Every account, replayed.
  private(set) var records: [AccountID: AccountRecord] = [:]
  /// How each number was decided.
  private(set) var outcomes: [DecidedNumber: Outcome] = [:]
  /// How often each device was told to fetch.
  private(set) var reloads: [DeviceID: [CivilDay: Int]] = [:]
  /// What broke the journal's own order.
  private(set) var violations: [String] = []

  /// A number of an account's incarnation.
  struct DecidedNumber: Hashable {
    let account: AccountID
    let number: IncarnationNumber
  }

  /// Takes the next row; tells each entry, with the account as it was before.
  mutating func take(
    _ row: JournalRow, telling body: (JournalEntry, AccountRecord?) -> Void = { _, _ in }
  ) {
    guard let entries = try? JournalEntry.entries(of: row) else {
      return violations.append("row \(row.sequence) cannot be read")
    }
    for entry in entries {
      body(entry, records[entry.account])
      take(entry, epoch: row.epoch)
    }
  }

  private mutating func take(_ entry: JournalEntry, epoch: EpochID) {
    let before = records[entry.account]?.revision ?? 0
    if entry.revision != before + (raises(entry) ? 1 : 0) {
      violations.append("revision \(entry.revision) of \(entry.account) follows \(before)")
    }
    if case .action(let action) = entry.cause {
      let number = DecidedNumber(
        account: entry.account,
        number: IncarnationNumber(incarnation: action.incarnation, number: action.number))
      if outcomes.updateValue(action.outcome, forKey: number) != nil {
        violations.append("number \(action.number) of \(entry.account) was decided twice")
      }
    }
    for event in entry.events {
      if case .reloadTold(let device, let day) = event {
        reloads[device, default: [:]][day, default: 0] += 1
      }
    }
    records[entry.account, default: AccountRecord()].apply(entry, epoch: epoch)
  }

  /// The revision grows by one for each applied action and each turn (DESIGN section 2).
  private func raises(_ entry: JournalEntry) -> Bool {
    switch entry.cause {
    case .turn: true
    case .missing: false
    case .action(let action):
      if case .applied = action.outcome { true } else { false }
    }
  }
}
