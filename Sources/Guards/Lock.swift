internal import Glibc

/// A value that only the holder of its lock touches.
///
/// A POSIX mutex, not `Synchronization.Mutex`: the waiting half of that one lives in a library that
/// is built without the thread sanitizer, which then sees no order between two holders and reports
/// every contended use as a race. Not recursive: a second lock by its holder never returns.
///
/// Unchecked: the value is reached only inside `withLock`, by one thread at a time. Both pointers
/// are set once, by `init`, and freed once, by `deinit`.
public final class Lock<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  /// Guards `value` from now on.
  public init(_ value: consuming sending Value) {
    mutex = .allocate(capacity: 1)
    self.value = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    self.value.initialize(to: value)
  }

  deinit {
    value.deinitialize(count: 1)
    value.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value, alone.
  public func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value.pointee)
  }
}
