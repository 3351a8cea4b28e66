internal import Guards
internal import Synchronization
internal import WatchTransfer

/// What `wristwire status` counts; touched from every queue, so each is a small atomic.
final class Counters: Sendable {
  let connections = Count()
  let commits = Count()
  let entries = Count()
  let applied = Count()
  let refused = Count()
  let expired = Count()
  let held = Count()
  let fetched = Count()
  let updates = Count()
  let recoveredRows = Count()
  /// Acts that wait for their commit.
  let waiting = Count()
  private let closed = Lock<[String: Int]>([:])
  private let alarmList = Lock<[String]>([])

  /// Alarms that are kept; older ones give way.
  static let alarmsMax = 64

  /// Takes down why a connection ended.
  func closed(_ reason: String) {
    closed.withLock { $0[reason, default: 0] += 1 }
  }

  /// Takes down something a person should look at.
  func alarm(_ text: String) {
    alarmList.withLock { alarms in
      alarms.append(text)
      if alarms.count > Self.alarmsMax { alarms.removeFirst() }
    }
  }

  /// Takes down an answered action.
  func decided(_ outcome: Outcome) {
    switch outcome {
    case .applied: applied.add(1)
    case .refused: refused.add(1)
    case .expired: expired.add(1)
    }
  }

  /// Closed connections by reason.
  var closedByReason: [String: Int] { closed.withLock { $0 } }

  /// The newest alarms, oldest first.
  var alarms: [String] { alarmList.withLock { $0 } }
}

/// A number that any queue may change. Nothing is ordered by it.
struct Count: ~Copyable {
  private let number = Atomic<Int>(0)

  /// What it is now.
  var value: Int { number.load(ordering: .relaxed) }

  func add(_ more: Int) {
    number.add(more, ordering: .relaxed)
  }

  func subtract(_ less: Int) {
    number.subtract(less, ordering: .relaxed)
  }
}
