internal import Synchronization
internal import WatchTransfer

/// What `wristwire status` counts; touched from every queue, so each is a small atomic.
final class Counters: Sendable {
  let connections = Atomic<Int>(0)
  let commits = Atomic<Int>(0)
  let entries = Atomic<Int>(0)
  let applied = Atomic<Int>(0)
  let refused = Atomic<Int>(0)
  let expired = Atomic<Int>(0)
  let held = Atomic<Int>(0)
  let fetched = Atomic<Int>(0)
  let updates = Atomic<Int>(0)
  let recoveredRows = Atomic<Int>(0)
  /// Acts that wait for their commit.
  let waiting = Atomic<Int>(0)
  private let closed = Mutex<[String: Int]>([:])
  private let alarmList = Mutex<[String]>([])

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
    case .applied: applied.add(1, ordering: .relaxed)
    case .refused: refused.add(1, ordering: .relaxed)
    case .expired: expired.add(1, ordering: .relaxed)
    }
  }

  /// Closed connections by reason.
  var closedByReason: [String: Int] { closed.withLock { $0 } }

  /// The newest alarms, oldest first.
  var alarms: [String] { alarmList.withLock { $0 } }
}
