internal import AuthorityLink
internal import CommandLineTool
internal import WatchTransfer

/// The clocks of the emulated watch, read on the machine's steady clock.
struct EmulatedDeviceClock: DeviceClockSource {
  private let clock: EmulatedClock
  private let file: String

  /// Clocks that show `start` now, with the boot that is kept in `directory` where it can go on.
  init(start: InstantArgument, directory: String) {
    file = "\(directory)/emulated-boot"
    clock = EmulatedClock(
      startWall: start.resolved(now: SystemDeviceClock().now().wall),
      startSteadyMilliseconds: SteadyClock.milliseconds, kept: try? SmallFile.read(file),
      freshBoot: .random())
  }

  /// What both clocks show now.
  func now() -> DeviceClock {
    clock.reading(atSteadyMilliseconds: SteadyClock.milliseconds)
  }

  /// Keeps the boot for the next run.
  func keep() throws(ToolFailure) {
    try SmallFile.replace(file, with: clock.kept)
  }
}
