import Transport

@testable import AuthorityServer

extension ServerCore {
  /// What a core that has read a state writes.
  func stateAgain(_ head: CoreHead, entering replay: ReplayHead) -> [UInt8] {
    defer { replay.running = nil }
    replay.running = lobby.executor.queue as? ReplayQueue
    let first = lobby.assumeIsolated { $0.encodedState }
    let states = partitions.map { partition in
      replay.running = partition.executor.queue as? ReplayQueue
      return partition.assumeIsolated { $0.encodedState }
    }
    return encodedState(head, lobby: first, partitions: states)
  }
}
