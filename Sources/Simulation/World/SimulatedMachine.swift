internal import Guards
internal import Transport

/// The machine of one process: it lives until it is killed, and nothing it had to do happens then.
final class SimulatedMachine: Machine, @unchecked Sendable {
  let world: World
  let network: Network
  /// For stories.
  let name: String
  /// False once it was killed.
  private(set) var isRunning = true
  /// What its wall clock shows beyond the world's, in milliseconds.
  var wallOffset: Int64 = 0
  /// Until when its disk is slow, in the world's time.
  var isDiskSlowUntil: Int64 = 0

  // Unchecked: see `World`.
  init(_ name: String, in world: World, _ network: Network) {
    self.name = name
    self.world = world
    self.network = network
  }

  /// Ends it as SIGKILL would: its sockets are closed by the kernel, its memory is gone.
  func kill() {
    isRunning = false
    world.forget(self)
    network.processDied(self)
  }

  /// See `Machine`.
  func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: world.now) }

  /// See `Machine`.
  func wallMilliseconds() -> Int64 {
    Self.epochMilliseconds + world.now / Span.millisecond + wallOffset
  }

  /// See `Machine`.
  func random() -> UInt64 { world.random.next() }

  /// See `Machine`.
  func queue(label: String) -> any WorkQueue { SimulatedQueue(label, of: self) }

  /// See `Machine`.
  func connections(limits: ConnectionLimits) throws(SystemError) -> any Connections {
    SimulatedConnections(limits: limits, on: self)
  }

  /// What wall clocks show when a world begins: Monday, 15 June 2026, 10:00 UTC.
  static let epochMilliseconds: Int64 = 1_781_517_600_000
}

/// A serial queue in simulated time: work waits a little, sometimes long, and never overtakes.
final class SimulatedQueue: WorkQueue, @unchecked Sendable {
  let label: String
  /// The queue that waits for the disk.
  private static let diskLabel = "wristwire.committer"
  private let machine: SimulatedMachine
  private var lastAt: Int64 = 0

  // Unchecked: see `World`.
  init(_ label: String, of machine: SimulatedMachine) {
    self.label = label
    self.machine = machine
  }

  func async(_ work: @escaping @Sendable () -> Void) { schedule(after: delay(), work) }

  func checkIsolated() {
    invariant(machine.world.running === self, "work of one queue runs on another")
  }

  func tick(every interval: Duration, _ handler: @escaping @Sendable () -> Void) -> any Tick {
    SimulatedTick(every: interval.nanoseconds, on: self, handler)
  }

  func alarm(_ handler: @escaping @Sendable () -> Void) -> any Alarm {
    SimulatedAlarm(on: self, handler)
  }

  /// Runs work not before `moment`.
  func schedule(at moment: Int64, _ work: @escaping @Sendable () -> Void) {
    machine.world.schedule(at: moment, of: machine, on: self, work)
  }

  /// Runs work `delay` nanoseconds from now.
  fileprivate func scheduleLater(_ delay: Int64, _ work: @escaping @Sendable () -> Void) {
    schedule(at: machine.world.now + delay, work)
  }

  private func schedule(after delay: Int64, _ work: @escaping @Sendable () -> Void) {
    lastAt = max(lastAt, machine.world.now + delay)
    schedule(at: lastAt, work)
  }

  /// Runs work on the queue at this moment, between its events.
  func enter<Result>(_ work: () -> Result) -> Result {
    let before = machine.world.running
    machine.world.running = self
    defer { machine.world.running = before }
    return work()
  }

  private func delay() -> Int64 {
    let world = machine.world
    if label == Self.diskLabel, world.now < machine.isDiskSlowUntil {
      return world.pick(0...1_500 * Span.millisecond)
    }
    if world.chance(oneIn: 200) { return world.pick(0...30 * Span.millisecond) }
    return world.pick(0...80 * Span.microsecond)
  }
}

/// See `SimulatedQueue.tick`. What is scheduled holds it until it is cancelled or its machine dies.
private final class SimulatedTick: Tick, @unchecked Sendable {
  private let interval: Int64
  private let queue: SimulatedQueue
  private let handler: @Sendable () -> Void
  private var isCancelled = false

  // Unchecked: see `World`.
  init(
    every interval: Int64, on queue: SimulatedQueue, _ handler: @escaping @Sendable () -> Void
  ) {
    self.interval = interval
    self.queue = queue
    self.handler = handler
    queue.scheduleLater(interval, fire)
  }

  func cancel() { isCancelled = true }

  @Sendable private func fire() {
    if isCancelled { return }
    handler()
    queue.scheduleLater(interval, fire)
  }
}

/// See `SimulatedQueue.alarm`.
private final class SimulatedAlarm: Alarm, @unchecked Sendable {
  private let queue: SimulatedQueue
  private let handler: @Sendable () -> Void
  private var generation = 0

  // Unchecked: see `World`.
  init(on queue: SimulatedQueue, _ handler: @escaping @Sendable () -> Void) {
    self.queue = queue
    self.handler = handler
  }

  func set(_ deadline: MonotonicInstant?) {
    generation += 1
    guard let deadline else { return }
    let mine = generation
    queue.schedule(at: deadline.nanoseconds) { [self] in
      if generation == mine { handler() }
    }
  }

  func cancel() { set(nil) }
}

extension Duration {
  /// Nanoseconds.
  var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
