internal import Guards
internal import Transport
public import WatchTransfer

/// The clocks of an emulated device: they run on with the machine's monotonic clock, and may be
/// moved ahead together, or the wall clock alone.
public final class TestClock: Sendable {
  private struct State {
    var boot = BootID.random()
    var bootOffset: Int64
    var wallOffset: Int64
  }

  private let state: Lock<State>

  /// A device booted a minute ago whose wall clock shows `wall`.
  public init(wall: Instant) {
    let machine = Self.machineMilliseconds()
    state = Lock(
      State(bootOffset: 60_000 - machine, wallOffset: wall.milliseconds - machine))
  }

  /// What both clocks show.
  public func reading() -> DeviceClock {
    let machine = Self.machineMilliseconds()
    return state.withLock { state in
      DeviceClock(
        wall: Instant(milliseconds: machine + state.wallOffset),
        boot: BootReading(id: state.boot, milliseconds: machine + state.bootOffset))
    }
  }

  /// Time passes for the device.
  public func advance(milliseconds: Int64) {
    state.withLock { state in
      state.bootOffset += milliseconds
      state.wallOffset += milliseconds
    }
  }

  /// Somebody sets the wall clock.
  public func setWall(_ wall: Instant) {
    let machine = Self.machineMilliseconds()
    state.withLock { $0.wallOffset = wall.milliseconds - machine }
  }

  /// The device starts again.
  public func reboot() {
    let machine = Self.machineMilliseconds()
    state.withLock { state in
      state.boot = .random()
      state.bootOffset = 1_000 - machine
    }
  }

  /// The machine's monotonic clock, in milliseconds.
  public static func machineMilliseconds() -> Int64 {
    MonotonicInstant.now().nanoseconds / 1_000_000
  }
}
