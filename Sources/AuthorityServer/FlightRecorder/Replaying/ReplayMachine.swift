internal import Guards
internal import Storage
internal import Transport

/// A machine on which a record runs again, on the caller's thread.
///
/// Unchecked: one thread runs a replay.
final class ReplayMachine: Machine, @unchecked Sendable {
  let head: ReplayHead
  /// By number.
  private(set) var queues: [ReplayQueue] = []

  init(head: ReplayHead) {
    self.head = head
  }

  func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: head.now()) }

  func wallMilliseconds() -> Int64 { head.wall() }

  func random() -> UInt64 {
    head.told("a random number") { if case .random(let value) = $0 { value } else { nil } } ?? 0
  }

  func queue(label: String) -> any WorkQueue {
    let queue = ReplayQueue(label: label, number: queues.count, head: head)
    queues.append(queue)
    return queue
  }

  func connections(limits: ConnectionLimits) throws(SystemError) -> any Connections {
    ReplayedConnections(head: head)
  }

  /// Runs what the committer has to do, until it has nothing more.
  func runBeside() {
    for queue in queues where queue.role == .beside {
      head.giver = queue.number
      while queue.runNext(from: nil) {}
      head.giver = nil
    }
  }
}

/// A queue that runs what the record says, when it says so.
///
/// Unchecked: one thread runs a replay.
final class ReplayQueue: WorkQueue, @unchecked Sendable {
  let label: String
  let number: Int
  let role: QueueRole
  /// What runs when connections may be ready.
  var onReady: (@Sendable () -> Void)?
  private let head: ReplayHead
  /// Work that waits, by who gave it; -1: somebody outside of all queues.
  private var waiting: [Int: (first: Int, work: [@Sendable () -> Void])] = [:]
  private var ticks: [(tick: ReplayTick, handler: @Sendable () -> Void)] = []

  init(label: String, number: Int, head: ReplayHead) {
    self.label = label
    self.number = number
    self.head = head
    role = QueueRole(label: label)
  }

  func async(_ work: @escaping @Sendable () -> Void) {
    // What came of it is in the record.
    if role == .outside { return }
    // The committer takes everything in the order in which it comes.
    let giver = role == .beside ? -1 : head.giver ?? head.running?.number ?? -1
    waiting[giver, default: (0, [])].work.append(work)
  }

  func checkIsolated() {
    invariant(head.running === self, "work of one queue runs on another")
  }

  func tick(every interval: Duration, _ handler: @escaping @Sendable () -> Void) -> any Tick {
    let tick = ReplayTick()
    ticks.append((tick, handler))
    return tick
  }

  func alarm(_ handler: @escaping @Sendable () -> Void) -> any Alarm { ReplayAlarm() }

  /// Runs the next work of a giver; false when there is none.
  func runNext(from giver: Int?) -> Bool {
    let key = giver ?? -1
    guard let list = waiting[key], list.first < list.work.count else { return false }
    let work = list.work[list.first]
    waiting[key]?.first += 1
    if list.first + 1 == list.work.count { waiting[key] = nil }
    enter(work)
    return true
  }

  /// Runs a tick; false when there is no such one any more.
  func runTick(_ number: Int) -> Bool {
    guard ticks.indices.contains(number), !ticks[number].tick.isCancelled else { return false }
    enter(ticks[number].handler)
    return true
  }

  /// Runs a round of the connections; false when there are none.
  func runReady() -> Bool {
    guard let onReady else { return false }
    enter(onReady)
    return true
  }

  /// Runs something as the queue's work.
  func enter<Result, Failure: Error>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    let before = head.running
    head.running = self
    defer { head.running = before }
    return try work()
  }
}

/// A tick that comes when the record says so.
///
/// Unchecked: one thread runs a replay.
final class ReplayTick: Tick, @unchecked Sendable {
  private(set) var isCancelled = false

  func cancel() { isCancelled = true }
}

/// The server sets no alarms.
final class ReplayAlarm: Alarm {
  func set(_ deadline: MonotonicInstant?) {}

  func cancel() {}
}
