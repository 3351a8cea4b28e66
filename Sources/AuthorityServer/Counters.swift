internal import Guards
internal import Synchronization
package import WatchTransfer

/// What `wristwire status` counts; touched from every queue, so each is a small atomic.
package final class Counters: Sendable {
  /// Nothing has happened. `clock` says when alarms come; nil: nobody asks.
  package init(clock: (@Sendable () -> Instant)? = nil) {
    self.clock = clock
  }

  private let clock: (@Sendable () -> Instant)?

  let connections = Count()
  let commits = Count()
  let entries = Count()
  /// Acts that were read, those that came again included.
  let received = Count()
  let applied = Count()
  let refused = Count()
  let expired = Count()
  let held = Count()
  /// Revisions that surfaces have said they show, each counted once for a connection.
  let shown = Count()
  /// Acts under a number that has other bytes, and under one whose receipt is no longer kept.
  let conflicts = Count()
  let settled = Count()
  /// Ranges of numbers found lost on both sides.
  let missing = Count()
  let fetched = Count()
  let updates = Count()
  /// Pulses, and those of them that nobody was shown.
  let pulses = Count()
  let pulsesDropped = Count()
  let recoveredRows = Count()
  /// Acts that wait for their commit.
  let waiting = Count()
  /// Connections that have not greeted yet.
  let greeting = Count()
  /// Connections that are owed an update, and bytes that sockets have not taken; as of the last
  /// second.
  let owedUpdates = Count()
  let unsentBytes = Count()
  private let closed = Lock<[String: Int]>([:])
  private let reached = Lock<[ReachedLimit: Int]>([:])
  private let partitionUse = Lock<[Int: PartitionUse]>([:])
  private let alarmList = Lock<[Alarm]>([])

  /// Something a person should look at, how often it has come, and when first and last.
  private struct Alarm {
    let text: String
    let first: Instant?
    var last: Instant?
    var count = 1

    init(_ text: String, at moment: Instant?) {
      self.text = text
      first = moment
      last = moment
    }

    /// Ready to be read.
    var line: String {
      var notes: [String] = []
      if count > 1 { notes.append("\(count) times") }
      if let first { notes.append("\(count > 1 ? "first " : "")\(first.rfc3339)") }
      if count > 1, let last { notes.append("last \(last.rfc3339)") }
      return notes.isEmpty ? text : "\(text) (\(notes.joined(separator: ", ")))"
    }
  }

  /// Alarms that are kept; older ones give way.
  static let alarmsMax = 64

  /// Takes down why a connection ended.
  func closed(_ reason: String) {
    closed.withLock { $0[reason, default: 0] += 1 }
  }

  /// Takes down that a limit has turned somebody away or made him wait.
  func reached(_ limit: ReachedLimit) {
    reached.withLock { $0[limit, default: 0] += 1 }
  }

  /// How often each limit has done so.
  var reachedLimits: [ReachedLimit: Int] { reached.withLock { $0 } }

  /// Takes down what a partition holds.
  func note(_ use: PartitionUse, of partition: Int) {
    partitionUse.withLock { $0[partition] = use }
  }

  /// What the partitions hold: the sum, or the largest of them.
  var heldByPartitions: PartitionUse {
    partitionUse.withLock { uses in
      uses.values.reduce(into: PartitionUse()) { all, use in
        all.connectionsOfOneAccount = max(
          all.connectionsOfOneAccount, use.connectionsOfOneAccount)
        all.unusedAccounts += use.unusedAccounts
      }
    }
  }

  /// Takes down something a person should look at; the same text again only counts.
  func alarm(_ text: String) {
    let now = clock?()
    alarmList.withLock { alarms in
      // What comes again and again must not push out what came once.
      if let index = alarms.firstIndex(where: { $0.text.utf8.elementsEqual(text.utf8) }) {
        alarms[index].count += 1
        alarms[index].last = now
        return
      }
      alarms.append(Alarm(text, at: now))
      if alarms.count > Self.alarmsMax { alarms.removeFirst() }
    }
  }

  /// Takes down that a damaged account was made again from its rows.
  func rebuilt(_ account: AccountID) {
    alarm("the checkpoint of account \(account) was damaged: made again from the journal")
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

  /// The newest alarms, oldest first, with when they came.
  package var alarms: [String] {
    alarmList.withLock { $0.map(\.line) }
  }
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
