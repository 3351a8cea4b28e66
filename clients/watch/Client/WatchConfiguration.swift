public import AuthorityLink
public import WatchTransfer

/// A watch: where its authority is, where it keeps its outbox, and by which clocks it acts.
public struct WatchConfiguration: Sendable {
  /// Where the authority is, and the device's token.
  public var link: LinkConfiguration
  /// Holds outbox and cache; made with mode 0700, locked while the client lives.
  public var directory: String
  /// The device's clocks.
  public var clock: any DeviceClockSource
  /// The zone the device is in at this moment; nil: not known. When it changes the client sends
  /// `setZone` by itself.
  public var zone: @Sendable () -> ZoneStamp?
  /// Least time between two updates; 0: as they come.
  public var minimumIntervalMilliseconds: UInt32
  /// The lock of `directory`, when the caller has it and lends it; nil: the client takes it.
  public var lock: DirectoryLock?

  /// A watch with this machine's clocks, in a zone nobody knows, unless told otherwise.
  public init(
    link: LinkConfiguration, directory: String,
    clock: any DeviceClockSource = SystemDeviceClock(),
    zone: @escaping @Sendable () -> ZoneStamp? = { nil },
    minimumIntervalMilliseconds: UInt32 = 0, lock: DirectoryLock? = nil
  ) {
    self.link = link
    self.directory = directory
    self.clock = clock
    self.zone = zone
    self.minimumIntervalMilliseconds = minimumIntervalMilliseconds
    self.lock = lock
  }
}
