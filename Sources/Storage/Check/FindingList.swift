internal import SQLite
internal import WatchTransfer

/// The findings in one file, bounded in number.
struct FindingList {
  /// What was found so far.
  var findings: [Finding] = []
  /// Accounts whose checkpoints are damaged, kept apart; nil: they are listed.
  var damaged: Set<AccountID>?
  private let file: DataFile
  private var unlisted = 0

  /// An empty list.
  init(_ file: DataFile) {
    self.file = file
  }

  /// True if nothing was found.
  var isEmpty: Bool { findings.isEmpty }

  /// Lists a problem, or counts it once there are many.
  mutating func add(_ problem: Finding.Problem) {
    if findings.count < StorageLimits.findingsMax {
      findings.append(Finding(file: file, problem: problem))
      return
    }
    unlisted += 1
    if unlisted > 1 { findings.removeLast() }
    findings.append(Finding(file: file, problem: .more(unlisted)))
  }

  /// Takes down that a checkpoint is damaged.
  mutating func addDamaged(_ account: AccountID) {
    if damaged?.insert(account) == nil { add(.checkpointChecksum(account: account)) }
  }

  /// Lists an error that broke the check off.
  mutating func add(_ error: any Error, in file: DataFile) {
    switch error {
    case let error as StorageError: add(.unreadable(error))
    case let error as SQLiteError: add(.unreadable(StorageError(error, in: file)))
    default: add(.replay("\(error)"))
    }
  }
}
