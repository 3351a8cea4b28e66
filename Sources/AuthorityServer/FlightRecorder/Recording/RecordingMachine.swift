internal import Dispatch
internal import Synchronization
internal import Transport

/// The host, with everything it tells and is told taken down on a tape.
struct RecordingMachine: Machine {
  let tape: Tape
  private let host = HostMachine()
  private let numbers = Numbers()

  /// Counts queues.
  private final class Numbers: Sendable {
    let next = Atomic<Int>(0)
  }

  init(tape: Tape) {
    self.tape = tape
  }

  func now() -> MonotonicInstant {
    let now = host.now()
    tape.note(.now(now.nanoseconds))
    return now
  }

  func wallMilliseconds() -> Int64 {
    let wall = host.wallMilliseconds()
    tape.note(.wall(wall))
    return wall
  }

  func random() -> UInt64 {
    let random = host.random()
    tape.note(.random(random))
    return random
  }

  func queue(label: String) -> any WorkQueue {
    let number = numbers.next.wrappingAdd(1, ordering: .relaxed).oldValue
    let queue = RecordingQueue(label: label, number: number, tape: tape)
    if queue.role == .recorded { tape.add(queue) }
    return queue
  }

  func connections(limits: ConnectionLimits) throws(SystemError) -> any Connections {
    RecordingConnections(try ConnectionPool(limits: limits), tape: tape)
  }
}

/// What a record has of a queue.
enum QueueRole {
  /// What it does, piece by piece.
  case recorded
  /// Nothing, since it follows from what it is given: the committer's.
  case beside
  /// Nothing, since it belongs to the world outside, which tells what comes of it: that of pairing
  /// codes, whose hashes and tries are in no record.
  case outside

  /// Of the queue of this name.
  init(label: String) {
    switch label {
    case Committer.queueLabel: self = .beside
    case PairingDesk.queueLabel: self = .outside
    default: self = .recorded
    }
  }
}

/// A queue of the host whose work is taken down.
final class RecordingQueue: WorkQueue {
  let number: Int
  let host: DispatchWorkQueue
  let tape: Tape
  let role: QueueRole
  /// Work that waits.
  private let waiting = Atomic<Int>(0)
  private let ticks = Atomic<Int>(0)
  /// Whether a round of the connections comes again after a hold.
  private let isDeferred = Atomic<Bool>(false)

  init(label: String, number: Int, tape: Tape) {
    self.number = number
    self.tape = tape
    role = QueueRole(label: label)
    host = DispatchWorkQueue(label: label)
  }

  /// Whether no work waits.
  var isIdle: Bool { waiting.load(ordering: .acquiring) == 0 }

  func async(_ work: @escaping @Sendable () -> Void) {
    switch role {
    case .outside: return host.async(work)
    case .beside: return host.async { [self] in tape.runBeside(number, work) }
    case .recorded: break
    }
    let giver = tape.giver
    waiting.add(1, ordering: .acquiringAndReleasing)
    host.async { [self] in
      tape.run(number, .work(from: giver)) {
        waiting.subtract(1, ordering: .acquiringAndReleasing)
        work()
      }
    }
  }

  func checkIsolated() {
    if tape.isInside, tape.isCopying { return }
    host.checkIsolated()
  }

  func tick(every interval: Duration, _ handler: @escaping @Sendable () -> Void) -> any Tick {
    let tick = ticks.wrappingAdd(1, ordering: .relaxed).oldValue
    return host.tick(every: interval) { [self] in tape.run(number, .tick(tick), handler) }
  }

  func alarm(_ handler: @escaping @Sendable () -> Void) -> any Alarm {
    // The server sets none; one that did would run unrecorded.
    host.alarm(handler)
  }

  /// A round of the connections; put off while input is held back.
  func ready(_ onReady: @escaping @Sendable () -> Void) {
    guard tape.isHolding else { return tape.run(number, .ready, onReady) }
    if isDeferred.exchange(true, ordering: .relaxed) { return }
    host.queue.asyncAfter(deadline: .now() + .milliseconds(1)) { [self] in
      isDeferred.store(false, ordering: .relaxed)
      ready(onReady)
    }
  }
}
