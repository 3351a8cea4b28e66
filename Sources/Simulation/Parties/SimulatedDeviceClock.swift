internal import AuthorityLink
internal import Transport
internal import WatchTransfer

/// A device's clocks: the wall clock may be wrong, the other counts from the boot.
final class SimulatedDeviceClock: DeviceClockSource, @unchecked Sendable {
  private let world: World
  private var wallOffset: Int64
  private var bootedAt: Int64
  private var boot: BootID

  // Unchecked: see `World`.
  init(_ world: World) {
    self.world = world
    wallOffset = world.chance(oneIn: 3) ? world.pick(-7_200_000...7_200_000) : 0
    bootedAt = -world.pick(1...1_000_000)
    boot = BootID(high: world.random.next() | 1, low: world.random.next())
  }

  func now() -> DeviceClock {
    let milliseconds = world.now / Span.millisecond
    return DeviceClock(
      wall: Instant(
        milliseconds: SimulatedMachine.epochMilliseconds + milliseconds + wallOffset),
      boot: BootReading(id: boot, milliseconds: milliseconds - bootedAt))
  }

  func step(byMilliseconds step: Int64, reboots: Bool) {
    wallOffset += step
    guard reboots else { return }
    boot = BootID(high: world.random.next() | 1, low: world.random.next())
    bootedAt = world.now / Span.millisecond - 1
  }
}

/// Where a device is: mostly somewhere it knows.
final class SimulatedDeviceZone: @unchecked Sendable {
  /// The zone; nil: it does not know.
  private(set) var id: String?
  private let world: World
  private let zones: any ZoneRulesSource

  // Unchecked: see `World`.
  init(_ world: World, zones: any ZoneRulesSource) {
    self.world = world
    self.zones = zones
    move()
  }

  /// It is somewhere else, or there still.
  func move() { id = world.chance(oneIn: 4) ? nil : ActionMix.zone(world) }

  /// What it stamps its actions with.
  func now() -> ZoneStamp? {
    guard let id else { return nil }
    let now = Instant(
      milliseconds: SimulatedMachine.epochMilliseconds + world.now / Span.millisecond)
    let rules = zones.rules(for: id, from: now, to: now)
    return ZoneStamp(id: id, offsetSeconds: Int32(rules?.initialOffsetSeconds ?? 0))
  }
}
