import Testing

@testable import Transport

/// An owner as the server has them: an actor over a queue, entered from Dispatch handlers without a
/// hop; answers with what it gets.
actor EchoOwner {
  private let queue: DispatchWorkQueue
  private let executor: SerialQueueExecutor
  private let pool: ConnectionPool
  private var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  /// Connections that ended, by whatever end.
  private(set) var closedCount = 0
  /// Turns taken: tells whether anything spins.
  private(set) var turnCount = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init() throws {
    queue = DispatchWorkQueue(label: "echo")
    executor = SerialQueueExecutor(on: queue)
    pool = try ConnectionPool()
  }

  /// Begins to take turns, and listens.
  func start(
    at address: SocketAddress, onStarved: @escaping @Sendable (Starvation) -> Void = { _ in }
  ) throws -> Listener {
    pool.activate(on: executor.queue) { [weak self] in self?.assumeIsolated { $0.turn() } }
    return try Listener(
      address: address, queue: queue.queue,
      onAccept: { [weak self] socket in self?.assumeIsolated { $0.adopt(socket) } },
      onStarved: onStarved)
  }

  /// Returns when the pool holds so many connections.
  func holds(_ count: Int) async {
    if pool.count == count { return }
    await withCheckedContinuation { waiting.append((count, $0)) }
  }

  private func adopt(_ socket: AcceptedSocket) {
    _ = pool.adopt(socket)
    resumeWaiting()
  }

  private func turn() {
    turnCount += 1
    pool.turn { id, event in
      switch event {
      case .received(let bytes):
        pool.send(id, bytes)
        return bytes.count
      case .endOfInput: pool.closeAfterSending(id)
      case .closed: closedCount += 1
      case .connected, .drained: break
      }
      return 0
    }
    resumeWaiting()
  }

  private func resumeWaiting() {
    let count = pool.count
    for waiter in waiting where waiter.count == count { waiter.continuation.resume() }
    waiting.removeAll { $0.count == count }
  }
}
