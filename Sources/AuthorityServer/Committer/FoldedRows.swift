internal import Guards

/// How far each partition's accounts are included in checkpoints: recovery may begin after the
/// lowest.
final class FoldedRows: Sendable {
  private let through: Lock<[Int64]>

  /// `recovered`: the row up to which recovery has folded everything.
  init(partitions: Int, recovered: Int64) {
    through = Lock(Array(repeating: recovered, count: partitions))
  }

  /// Takes down that every row up to `row` is included for the accounts of a partition.
  func set(_ partition: Int, through row: Int64) {
    through.withLock { $0[partition] = max($0[partition], row) }
  }

  /// The row up to which that holds for all.
  var lowest: Int64 { through.withLock { $0.min() ?? 0 } }
}
