internal import Dispatch

/// Something that happens on another queue, waited for at most 20 s.
public final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  public init() {}

  /// It has happened.
  public func open() { semaphore.signal() }

  /// Waits until it has happened once more; throws when it does not.
  public func wait() throws {
    if semaphore.wait(timeout: .now() + .seconds(20)) == .timedOut {
      throw WireClient.Failure.timedOut
    }
  }
}
