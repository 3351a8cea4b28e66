internal import Glibc
public import WatchTransfer

/// The device's clocks as the client libraries read them; an emulator substitutes its own.
public protocol DeviceClockSource: Sendable {
  /// What both clocks show now.
  func now() -> DeviceClock
}

/// The clocks of this machine: CLOCK_REALTIME and CLOCK_BOOTTIME (clock_gettime(2)), with the boot
/// id that the kernel drew (random(4)).
public struct SystemDeviceClock: DeviceClockSource {
  private let boot: BootID?

  /// Reads the boot id once; without one, readings have no boot time.
  public init() {
    boot = Self.readBootID()
  }

  /// What both clocks show now.
  public func now() -> DeviceClock {
    let wall = Instant(milliseconds: Self.milliseconds(of: CLOCK_REALTIME))
    guard let boot else { return DeviceClock(wall: wall) }
    let reading = BootReading(id: boot, milliseconds: Self.milliseconds(of: CLOCK_BOOTTIME))
    return DeviceClock(wall: wall, boot: reading)
  }

  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var time = timespec()
    // Both clocks exist on every Linux since 2.6.39; a failure would leave zero.
    _ = clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func readBootID() -> BootID? {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let digits = bytes.prefix(count).filter { $0 != UInt8(ascii: "-") && $0 > UInt8(ascii: " ") }
    return BootID(hex: String(decoding: digits, as: UTF8.self))
  }
}
