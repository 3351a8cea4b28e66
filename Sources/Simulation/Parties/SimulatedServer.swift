internal import AuthorityLink
internal import AuthorityServer
internal import Guards
internal import Synchronization
internal import WatchTransfer

/// The server as its supervisor sees it: started, killed, started again on the same disk.
///
/// Unchecked: see `World`.
final class SimulatedServer: @unchecked Sendable {
  let world: World
  let network: Network
  let store = SimulatedStore()
  let registry: DeviceRegistry
  let space = SimulatedSpace()
  let limits: ServerLimits
  private let partitions: Int
  private let zones: any ZoneRulesSource
  private(set) var machine: SimulatedMachine?
  private(set) var core: ServerCore?
  private var counters = Counters()
  /// What its wall clock shows beyond the world's, in milliseconds; it outlives a start.
  var wallOffset: Int64 = 0 {
    didSet { machine?.wallOffset = wallOffset }
  }
  /// Starts so far.
  private(set) var starts = 0
  /// What the disk did not keep, as the newest start found; nil: nothing.
  private(set) var startBreach: String?
  /// Why the newest start failed; nil: it did not.
  private(set) var startFailure: String?

  init(
    _ world: World, _ network: Network, registry: DeviceRegistry, limits: ServerLimits,
    partitions: Int, zones: any ZoneRulesSource
  ) {
    self.world = world
    self.network = network
    self.registry = registry
    self.limits = limits
    self.partitions = partitions
    self.zones = zones
  }

  /// Whether it runs.
  var isRunning: Bool { machine?.isRunning == true }

  /// What a person should look at, of the newest start.
  var alarms: [String] { counters.alarms }

  /// Starts it, if it does not run.
  func start() {
    if isRunning { return }
    starts += 1
    let machine = SimulatedMachine("server \(starts)", in: world, network)
    machine.wallOffset = wallOffset
    counters = Counters()
    let epoch: EpochID = Identifier(from: machine)
    let parts = ServerParts(
      machine: machine, limits: limits, clock: AuthorityClock(machine: machine), zones: zones,
      registry: registry, counters: counters, space: space, epoch: epoch,
      connectionsMax: 1_000, partitions: partitions)
    do {
      let journal = try store.open(epoch: epoch, at: machine.wallMilliseconds())
      let core = try ServerCore(parts, journal: journal) { [weak self] _ in
        self?.crash()
      }
      self.machine = machine
      self.core = core
      startFailure = nil
      core.open()
      network.listen(machine) { core.receive($0) }
    } catch {
      machine.kill()
      store.crash(losesPower: false)
      startFailure = "\(error)"
      startBreach = (error as? SimulatedStore.StoreFailure)?.description
    }
  }

  /// Ends it as SIGKILL would, or as if the power went.
  func crash(losesPower: Bool = false) {
    if isRunning { store.crash(losesPower: losesPower) }
    machine?.kill()
    machine = nil
    core = nil
  }
}

/// How much room the disk has.
final class SimulatedSpace: SpaceGauge {
  private let accepts = Atomic<Bool>(true)

  var acceptsActs: Bool { accepts.load(ordering: .relaxed) }

  var freeBytes: Int64 { acceptsActs ? 1 << 30 : 0 }

  /// Fills the disk up to the reserve, or frees it.
  func set(acceptsActs: Bool) { accepts.store(acceptsActs, ordering: .relaxed) }
}
