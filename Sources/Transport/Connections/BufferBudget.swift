internal import Synchronization

/// Memory for the input that is kept and the output that waits, of all connections of the pools
/// that share it (fault E10). Pools say how much they hold at the end of each round; what goes over
/// is given back by ending connections, those that hold most first.
public final class BufferBudget: Sendable {
  /// Bytes that all together may hold.
  public let bytesMax: Int
  private let held = Atomic<Int>(0)
  private let pools = Atomic<Int>(0)

  /// Nothing is held yet.
  public init(bytesMax: Int) {
    self.bytesMax = bytesMax
  }

  /// Bytes that are held now.
  public var bytes: Int { held.load(ordering: .relaxed) }

  /// Whether that is more than may be.
  var isOver: Bool { bytes > bytesMax }

  /// What one of the pools may hold in any case: while all hold too much, one of them holds more.
  var shareBytes: Int { bytesMax / max(1, pools.load(ordering: .relaxed)) }

  /// A pool holds `more` than it last said.
  func changed(by more: Int) { held.add(more, ordering: .relaxed) }

  /// A pool has come (1) or gone (-1) that gives only what is beyond its share.
  func poolsChanged(by count: Int) { pools.add(count, ordering: .relaxed) }
}
