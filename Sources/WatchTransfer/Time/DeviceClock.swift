/// A device's clocks at one moment.
public struct DeviceClock: Hashable, Sendable {
  /// What the device's wall clock showed.
  public var wall: Instant
  /// The boot that `bootTime` counts from, with its reading; absent when the device has none.
  public var boot: BootReading?

  /// A reading of both clocks.
  public init(wall: Instant, boot: BootReading? = nil) {
    self.wall = wall
    self.boot = boot
  }
}

/// A reading of a clock that never steps: milliseconds since one boot of a device.
public struct BootReading: Hashable, Sendable {
  /// Which boot.
  public var id: BootID
  /// Milliseconds since it, suspended time included (CLOCK_BOOTTIME, clock_gettime(2)).
  public var milliseconds: Int64

  /// `milliseconds` since the boot `id`.
  public init(id: BootID, milliseconds: Int64) {
    self.id = id
    self.milliseconds = milliseconds
  }
}

/// The zone a device was in when something happened there.
public struct ZoneStamp: Hashable, Sendable {
  /// IANA id.
  public var id: String
  /// Seconds east of UTC at that moment.
  public var offsetSeconds: Int32

  /// Zone `id`, then at `offsetSeconds`.
  public init(id: String, offsetSeconds: Int32) {
    self.id = id
    self.offsetSeconds = offsetSeconds
  }
}
