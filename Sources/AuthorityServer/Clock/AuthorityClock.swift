internal import Guards
package import Transport
public import WatchTransfer

/// The authority's clocks: a wall clock that tests may set, and a monotonic one that nobody can.
public final class AuthorityClock: Sendable {
  private let machine: any Machine
  /// nil: the machine's wall clock; else what the wall clock shows minus the monotonic one, in ms.
  private let testOffset: Lock<Int64?>

  /// The machine's clock, or one that starts at `testStart` and runs on.
  package init(testStart: Instant? = nil, machine: any Machine = HostMachine()) {
    self.machine = machine
    let monotonic = Self.milliseconds(of: machine)
    testOffset = Lock(testStart.map { $0.milliseconds - monotonic })
  }

  private init(sharing testOffset: Lock<Int64?>) {
    machine = HostMachine()
    self.testOffset = testOffset
  }

  /// The same clock, for what is no part of a recorded run: who asks it is not taken down.
  var beside: AuthorityClock { AuthorityClock(sharing: testOffset) }

  /// What the wall clock shows.
  public func now() -> Instant {
    let offset = testOffset.withLock { $0 }
    if let offset { return Instant(milliseconds: monotonic() + offset) }
    return Instant(milliseconds: machine.wallMilliseconds())
  }

  /// What the monotonic clock shows, in milliseconds.
  public func monotonic() -> Int64 { Self.milliseconds(of: machine) }

  /// Whether the wall clock is a test's.
  public var isTest: Bool { testOffset.withLock { $0 != nil } }

  /// Sets a test's wall clock; false when the clock is the machine's.
  public func set(_ instant: Instant) -> Bool {
    let monotonic = monotonic()
    return testOffset.withLock { offset in
      guard offset != nil else { return false }
      offset = instant.milliseconds - monotonic
      return true
    }
  }

  /// What a test's wall clock is ahead of the monotonic one, in milliseconds; nil: no test's.
  var offset: Int64? {
    get { testOffset.withLock { $0 } }
    set { testOffset.withLock { $0 = newValue } }
  }

  private static func milliseconds(of machine: any Machine) -> Int64 {
    machine.now().nanoseconds / 1_000_000
  }
}
