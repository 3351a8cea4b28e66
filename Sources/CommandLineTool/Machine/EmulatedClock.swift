public import WatchTransfer

/// The clocks of an emulated device: a wall clock that began at a chosen instant and runs on, and a
/// boot of its own whose time runs with it.
///
/// The boot outlives a run of the emulator, as a watch outlives an app: text of it is kept between
/// runs, so that an action queued in one run and sent in another can be corrected through its boot
/// time. Between runs the boot time moves as far as the wall clock was moved. A run that begins
/// before the newest one began is a boot of its own, because boot time never goes back.
public struct EmulatedClock: Hashable, Sendable {
  /// Which boot.
  public let boot: BootID
  /// What the wall clock showed at the boot.
  public let bootWall: Instant
  /// What the wall clock showed when this run began.
  public let startWall: Instant
  /// The machine's own steady clock at that moment, in milliseconds.
  private let startSteady: Int64

  /// A clock that shows `startWall` when the machine's steady clock shows `startSteady`; goes on
  /// with the boot that `kept` describes where that is possible, else boots as `freshBoot`.
  public init(
    startWall: Instant, startSteadyMilliseconds startSteady: Int64, kept: String?, freshBoot: BootID
  ) {
    self.startWall = startWall
    self.startSteady = startSteady
    let words = kept?.split(whereSeparator: \.isWhitespace) ?? []
    if words.count == 3, let id = BootID(hex: words[0]), let atBoot = Int64(words[1]),
      let newest = Int64(words[2]), atBoot <= newest, newest <= startWall.milliseconds
    {
      boot = id
      bootWall = Instant(milliseconds: atBoot)
    } else {
      boot = freshBoot
      // Some seconds up already: no device acts at the moment it boots.
      bootWall = startWall.advanced(milliseconds: -10_000)
    }
  }

  /// What to keep for the next run.
  public var kept: String { "\(boot) \(bootWall.milliseconds) \(startWall.milliseconds)\n" }

  /// Both clocks when the machine's steady clock shows `steadyMilliseconds`.
  public func reading(atSteadyMilliseconds steadyMilliseconds: Int64) -> DeviceClock {
    let wall = startWall.advanced(milliseconds: steadyMilliseconds - startSteady)
    return DeviceClock(
      wall: wall, boot: BootReading(id: boot, milliseconds: wall.milliseconds(since: bootWall)))
  }
}
