internal import AuthorityLink
internal import Guards

/// Simulated time: whatever happens, happens in order of its moment, on the caller's thread.
///
/// Unchecked: one thread owns a world and all in it; the code that runs in it asks for `Sendable`
/// because on a host it would not.
final class World: @unchecked Sendable {
  /// When something happens, and where its work lies; events of one moment in the order in which
  /// they were scheduled. It holds no reference, so that the heap moves plain numbers.
  private struct Event {
    let at: Int64
    let order: UInt64
    let slot: Int

    func precedes(_ other: Event) -> Bool {
      at == other.at ? order < other.order : at < other.at
    }
  }

  /// What happens, on whose machine and in which of its queues.
  private struct Work {
    let machine: SimulatedMachine?
    let queue: SimulatedQueue?
    let run: () -> Void
  }

  /// Nanoseconds since the beginning.
  private(set) var now: Int64 = 0
  /// Decides everything that chance decides.
  var random: SplitMix64
  /// The queue whose work runs.
  var running: SimulatedQueue?
  /// Events that happened.
  private(set) var steps = 0
  /// So many are a storm: nobody has that much to say, and time stands still.
  var stepsMax = Int.max
  /// Whether there were as many events as there may be.
  var isStorm: Bool { steps >= stepsMax }
  /// Nothing happens any more: a promise was broken, and what follows tells nothing.
  var isOver = false
  /// A binary heap, the next event first.
  private var events: [Event] = []
  /// The work of events, by slot; nil: the slot is free.
  private var works: [Work?] = []
  private var freeSlots: [Int] = []
  private var nextOrder: UInt64 = 0

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
  }

  /// Schedules work, of a queue if it is one's; that of a machine which has died by then does not
  /// happen.
  func schedule(
    at moment: Int64, of machine: SimulatedMachine?, on queue: SimulatedQueue? = nil,
    _ work: @escaping () -> Void
  ) {
    if let machine, !machine.isRunning { return }
    let slot = freeSlots.popLast() ?? works.count
    if slot == works.count { works.append(nil) }
    works[slot] = Work(machine: machine, queue: queue, run: work)
    events.append(Event(at: max(moment, now), order: nextOrder, slot: slot))
    nextOrder += 1
    var index = events.count - 1
    while index > 0, events[index].precedes(events[(index - 1) / 2]) {
      events.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Schedules work `delay` nanoseconds from now.
  func schedule(after delay: Int64, of machine: SimulatedMachine?, _ work: @escaping () -> Void) {
    schedule(at: now + delay, of: machine, work)
  }

  /// Lets the next event happen, if it does so before `end`; else moves time there.
  func step(until end: Int64) -> Bool {
    guard let next = events.first, next.at <= end, !isStorm, !isOver else {
      now = max(now, end)
      return false
    }
    removeFirst()
    now = next.at
    guard let work = takeWork(next.slot) else { return true }
    if let machine = work.machine, !machine.isRunning { return true }
    steps += 1
    running = work.queue
    work.run()
    running = nil
    return true
  }

  /// Lets time pass.
  func run(for nanoseconds: Int64) {
    let end = now + nanoseconds
    while step(until: end) {}
  }

  /// Forgets what a machine that has died still had to do.
  func forget(_ machine: SimulatedMachine) {
    var kept: [Event] = []
    for event in events {
      if works[event.slot]?.machine === machine {
        _ = takeWork(event.slot)
      } else {
        kept.append(event)
      }
    }
    events = kept.sorted { $0.precedes($1) }
  }

  /// Forgets everything that would still happen: what is scheduled holds whom it is about, and they
  /// the world.
  func end() {
    isOver = true
    events = []
    works = []
    freeSlots = []
  }

  private func takeWork(_ slot: Int) -> Work? {
    freeSlots.append(slot)
    return works[slot].take()
  }

  private func removeFirst() {
    let last = events.removeLast()
    guard !events.isEmpty else { return }
    events[0] = last
    var index = 0
    while true {
      let left = 2 * index + 1
      guard left < events.count else { return }
      let right = left + 1
      let child = right < events.count && events[right].precedes(events[left]) ? right : left
      guard events[child].precedes(events[index]) else { return }
      events.swapAt(index, child)
      index = child
    }
  }

  // Chance.

  /// A number of a range.
  func pick(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

  /// Whether something that happens once in `times` happens now.
  func chance(oneIn times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }
}

/// Spans, in nanoseconds.
enum Span {
  static let microsecond: Int64 = 1_000
  static let millisecond: Int64 = 1_000_000
  static let second: Int64 = 1_000_000_000
}
