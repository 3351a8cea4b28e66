internal import Guards

/// Hands each value to every stream there is. A stream that ends, by its consumer or by
/// cancellation, is forgotten at once: nothing of it stays.
package final class Broadcast<Element: Sendable>: Sendable {
  private struct State {
    var continuations: [UInt64: AsyncStream<Element>.Continuation] = [:]
    var lastID: UInt64 = 0
    var isFinished = false
  }

  private let state = Lock(State())

  /// Without streams.
  package init() {}

  /// How many streams there are.
  package var count: Int { state.withLock { $0.continuations.count } }

  /// A new stream, `first` ahead of what comes; finished at once when the broadcast is.
  package func stream(
    buffering policy: AsyncStream<Element>.Continuation.BufferingPolicy, first: Element? = nil
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    if let first { continuation.yield(first) }
    let id = state.withLock { state -> UInt64? in
      guard !state.isFinished else { return nil }
      state.lastID += 1
      state.continuations[state.lastID] = continuation
      return state.lastID
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.forget(id) }
    return stream
  }

  /// Hands on a value.
  package func send(_ element: Element) {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      continuation.yield(element)
    }
  }

  /// Ends all streams after what they still hold, and every later one at once.
  package func finish() {
    let ended = state.withLock { state in
      state.isFinished = true
      defer { state.continuations = [:] }
      return Array(state.continuations.values)
    }
    // Outside the lock: finishing calls onTermination.
    for continuation in ended { continuation.finish() }
  }

  private func forget(_ id: UInt64) {
    _ = state.withLock { $0.continuations.removeValue(forKey: id) }
  }
}
