internal import Guards

/// How far each partition's accounts are included in checkpoints: recovery may begin after the
/// lowest.
final class FoldedRows: Sendable {
  private let through: Lock<[Int64]>

  /// No partition knows of accounts that are set aside, whose rows are not included anywhere.
  private let highest: Int64

  /// `recovered`: the row up to which recovery has folded all accounts of the partitions; `atMost`:
  /// the row before the first of an account that is set aside, if that is an earlier one.
  init(partitions: Int, recovered: Int64, atMost folded: Int64) {
    highest = folded < recovered ? folded : .max
    through = Lock(Array(repeating: recovered, count: partitions))
  }

  /// Takes down that every row up to `row` is included for the accounts of a partition.
  func set(_ partition: Int, through row: Int64) {
    through.withLock { $0[partition] = max($0[partition], row) }
  }

  /// The row up to which that holds for all.
  var lowest: Int64 { min(highest, through.withLock { $0.min() ?? 0 }) }
}
