internal import Dispatch
internal import Guards

/// Runs blocking work on a thread of its own, so that the tests beside it go on.
public func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "test.thread").async {
      continuation.resume(with: Result { try body() })
    }
  }
}

/// Waits for asynchronous work; only on a thread of `onThread`.
public func waiting<Value: Sendable>(
  for body: @escaping @Sendable () async throws -> Value
) throws -> Value {
  let outcome = Outcome<Value>()
  Task {
    do { outcome.come(.success(try await body())) } catch { outcome.come(.failure(error)) }
  }
  return try outcome.wait()
}

/// What asynchronous work gave, once.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Lock<Result<Value, any Error>?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  func come(_ value: Result<Value, any Error>) {
    result.withLock { $0 = value }
    arrival.signal()
  }

  func wait() throws -> Value {
    arrival.wait()
    guard let value = result.withLock({ $0 }) else { throw WireClient.Failure.timedOut }
    return try value.get()
  }
}
