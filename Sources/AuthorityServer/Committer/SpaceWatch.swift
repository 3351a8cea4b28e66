internal import Guards
internal import Storage
internal import Synchronization
internal import Transport

/// How much room there is, and whether acts may be decided.
package protocol SpaceGauge: Sendable {
  /// Whether acts may be decided.
  var acceptsActs: Bool { get }
  /// Free bytes as of the last look.
  var freeBytes: Int64 { get }
}

/// Watches free space: while it is under the reserve, acts are held before they are decided, and
/// reads go on (DESIGN section 8).
final class SpaceWatch: SpaceGauge {
  private struct State {
    var space: FreeSpace
    var freeBytes: Int64 = 0
    var timer: (any Tick)?
  }

  private let state: Lock<State>
  private let accepts = Atomic<Bool>(true)
  private let counters: Counters

  init(space: FreeSpace, counters: Counters) {
    state = Lock(State(space: space))
    self.counters = counters
    look()
  }

  /// Whether acts may be decided.
  var acceptsActs: Bool { accepts.load(ordering: .relaxed) }

  /// Free bytes as of the last look.
  var freeBytes: Int64 { state.withLock { $0.freeBytes } }

  /// Looks every second from now on.
  func start(on queue: any WorkQueue) {
    let timer = queue.tick(every: .seconds(1)) { [weak self] in self?.look() }
    state.withLock { $0.timer = timer }
  }

  /// Looks no more.
  func stop() {
    state.withLock { state in
      state.timer?.cancel()
      state.timer = nil
    }
  }

  private func look() {
    let reading = state.withLock { state -> FreeSpace.Reading? in
      guard let reading = try? state.space.look() else { return nil }
      state.freeBytes = reading.freeBytes
      return reading
    }
    guard let reading else { return }
    if reading.changed {
      counters.alarm(
        reading.acceptsActs
          ? "free space is back: acts are taken again"
          : "free space is under the reserve: acts are held")
    }
    accepts.store(reading.acceptsActs, ordering: .relaxed)
  }
}
