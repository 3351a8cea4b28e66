import WatchTransfer

@testable import Storage

let epoch = EpochID(high: 0xe, low: 1)

func id<Tag>(_ number: UInt64) -> Identifier<Tag> { Identifier(high: 0xa, low: number) }

func batch(_ number: Int, bytes: Int = 100) -> JournalBatch {
  JournalBatch(
    epoch: epoch, bytes: (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
}

func checkpoint(_ account: UInt64, through row: Int64, size: Int = 50) -> AccountCheckpoint {
  AccountCheckpoint(
    account: id(account), throughRow: row,
    state: [UInt8](repeating: UInt8(truncatingIfNeeded: row), count: size), ledger: [1, 2],
    facets: [3])
}

extension SQLiteJournal {
  /// Opens as a further start would, with an epoch of its own.
  static func start(_ directory: DataDirectory, _ number: UInt64 = 1) throws -> SQLiteJournal {
    try open(
      directory: directory, epoch: EpochID(high: 0xe, low: number), startedMilliseconds: 1_000)
  }
}

extension JournalReading {
  func rows(after sequence: Int64 = 0) throws -> [JournalRow] {
    var rows: [JournalRow] = []
    try eachRow(after: sequence) { rows.append($0) }
    return rows
  }

  func checkpoints() throws -> [AccountCheckpoint] {
    var checkpoints: [AccountCheckpoint] = []
    try eachCheckpoint { checkpoints.append($0) }
    return checkpoints
  }
}
