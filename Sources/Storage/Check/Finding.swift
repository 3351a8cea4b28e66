public import WatchTransfer

/// One thing a check found wrong.
public struct Finding: Sendable, Equatable {
  /// The file it is in.
  public let file: DataFile
  /// What is wrong.
  public let problem: Problem

  /// A finding from its parts.
  public init(file: DataFile, problem: Problem) {
    self.file = file
    self.problem = problem
  }

  /// What can be wrong.
  public enum Problem: Sendable, Equatable {
    /// There is no such file.
    case missing
    /// The file could not be opened, or reading it broke off.
    case unreadable(StorageError)
    /// Written by an older version; a start of the server brings it up to date.
    case olderVersion(found: Int64, known: Int64)
    /// Damage, in SQLite's words.
    case damage(String)
    /// A journal row whose bytes are not those that were written.
    case rowChecksum(sequence: Int64)
    /// Rows that are not there, though older and newer ones, or a start, need them.
    case rowsMissing(ClosedRange<Int64>)
    /// A checkpoint whose bytes are not those that were written.
    case checkpointChecksum(account: AccountID)
    /// A checkpoint that includes a row the journal does not have yet.
    case checkpointAhead(account: AccountID, throughRow: Int64, lastSequence: Int64)
    /// Recovery would start after a row the journal does not have yet.
    case foldedAhead(foldedThrough: Int64, lastSequence: Int64)
    /// Replaying the rows does not yield what is stored; in the words of the one who replayed.
    case replay(String)
    /// As many more of the same kinds were found as are not listed.
    case more(Int)
  }
}

extension Finding: CustomStringConvertible {
  /// One line for a person.
  public var description: String { "\(file.name): \(problem)" }
}

extension Finding.Problem: CustomStringConvertible {
  /// One line for a person, without the file.
  public var description: String {
    switch self {
    case .missing: "is missing"
    case .unreadable(let error): error.description
    case .olderVersion(let found, let known):
      "has version \(found) of \(known); start the server once"
    case .damage(let words): words
    case .rowChecksum(let sequence): "row \(sequence) is damaged"
    case .rowsMissing(let rows):
      "rows \(rows.lowerBound) to \(rows.upperBound) are missing"
    case .checkpointChecksum(let account): "the checkpoint of account \(account) is damaged"
    case .checkpointAhead(let account, let throughRow, let lastSequence):
      "the checkpoint of account \(account) includes row \(throughRow), the newest is "
        + "\(lastSequence)"
    case .foldedAhead(let foldedThrough, let lastSequence):
      "rows are folded up to \(foldedThrough), the newest is \(lastSequence)"
    case .replay(let words): words
    case .more(let count): "\(count) more like these"
    }
  }
}
