internal import Authority
internal import Dispatch
internal import Glibc
internal import Guards
package import Storage
public import Transport
internal import WatchTransfer

/// The phone authority: lobby, partitions and committer over one data directory.
///
/// Opening it recovers; `listen` makes it reachable. Without `listen` it is what admin commands use
/// when no server runs.
public final class AuthorityServer: Sendable {
  /// Where it can be reached, with the ports that were picked.
  public var addresses: [SocketAddress] { listeners.withLock { $0.map(\.boundAddress) } }
  /// What admin commands talk to.
  public let admin: AdminService

  private let configuration: ServerConfiguration
  private let directory: DataDirectory
  private let shared: SharedServices
  private let partitions: [Partition]
  private let lobby: Lobby
  private let listenQueue = DispatchQueue(label: "wristwire.listen")
  private let listeners = Lock<[Listener]>([])
  private let adminSocket = Lock<AdminSocket?>(nil)

  /// Opens the data directory, alone, and brings everything in it up to date.
  ///
  /// - Parameter onFailure: called when a commit's outcome is unknown. It must end the process at
  ///   once, without closing anything: only a fresh start can tell what is on disk.
  /// - Throws: `StorageError`, `MachineZonesError`, `SystemError`, `ServerStartError`.
  public convenience init(
    _ configuration: ServerConfiguration,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let directory = try DataDirectory(path: configuration.directory)
    try self.init(configuration, directory: directory, onFailure: onFailure) { epoch, now in
      try SQLiteJournal.open(
        directory: directory, epoch: epoch, startedMilliseconds: now.milliseconds)
    }
  }

  /// A server whose journal does what `faults` says, for tests.
  package convenience init(
    _ configuration: ServerConfiguration, faults: JournalFaults,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let directory = try DataDirectory(path: configuration.directory)
    try self.init(configuration, directory: directory, onFailure: onFailure) { epoch, now in
      FaultyJournal(
        try SQLiteJournal.open(
          directory: directory, epoch: epoch, startedMilliseconds: now.milliseconds),
        faults: faults)
    }
  }

  private init(
    _ configuration: ServerConfiguration, directory: DataDirectory,
    onFailure: @escaping @Sendable (any Error) -> Void,
    openJournal: (EpochID, Instant) throws -> sending any Journal
  ) throws {
    ignoreBrokenPipes()
    let limits = configuration.limits
    let clock = AuthorityClock(testStart: configuration.testClock)
    let zones = try MachineZones()
    let counters = Counters()
    let space = FreeSpace(
      of: directory,
      policy: SpacePolicy(
        reserveBytes: Int64(limits.freeSpaceReserveBytes), ballastBytes: Int64(limits.ballastBytes)
      ))
    try space.prepareStart()
    let registry = try DeviceRegistry(directory: directory) { onFailure($0) }
    let epoch = EpochID.random()
    let journal = try openJournal(epoch, clock.now())
    let recovered = try Self.recover(
      journal, build: facetBuild(zones), counters: counters)
    let lost = registry.accounts.filter { Self.isMissing($0.id, in: journal) }
    let partitionCount = Self.partitionCount(configuration.partitions)
    let committer = Committer(journal: journal, counters: counters) { onFailure($0) }
    shared = SharedServices(
      limits: limits, clock: clock, zones: zones, registry: registry, committer: committer,
      counters: counters, epoch: epoch, connectionsMax: try Self.connectionsMax(limits),
      space: SpaceWatch(space: space, counters: counters),
      folded: FoldedRows(partitions: partitionCount, recovered: recovered), startedAt: clock.now())
    let shared = shared
    partitions = try (0..<partitionCount).map { try Partition(index: $0, shared: shared) }
    lobby = try Lobby(shared: shared, partitions: partitions)
    admin = AdminService(shared: shared, partitions: partitions)
    self.configuration = configuration
    self.directory = directory
    for partition in partitions { partition.start() }
    // Accounts of the list that the journal lacks are made again now, with an alarm.
    for account in lost {
      partitions[Int(account.id.low % UInt64(partitions.count))].enter {
        $0.whenDurable(account.id) { _ in }
      }
    }
    shared.space.start(on: listenQueue)
  }

  /// Begins to listen at the configured addresses and at the admin socket of the directory.
  ///
  /// - Throws: `ListenError`, `ServerStartError.notLocal`.
  public func listen() throws {
    for address in configuration.addresses where !address.isLocal {
      throw ServerStartError.notLocal(address)
    }
    lobby.start()
    for address in configuration.addresses {
      let listener = try makeListener(address) { [lobby] in lobby.receive($0) }
      listeners.withLock { $0.append(listener) }
    }
    let socket = try AdminSocket(service: admin)
    let address = try SocketAddress(parsing: "unix:\(AdminSocket.path(in: directory.path))")
    let listener = try makeListener(address) { socket.receive($0) }
    socket.start(listener: listener)
    adminSocket.withLock { $0 = socket }
  }

  private func makeListener(
    _ address: SocketAddress, onAccept: @escaping @Sendable (AcceptedSocket) -> Void
  ) throws(ListenError) -> Listener {
    let counters = shared.counters
    return try Listener(
      address: address, queue: listenQueue, limits: ListenerLimits(), onAccept: onAccept
    ) { starvation in
      // Once a spell, not once a refusal.
      if starvation.inARow == 1 { counters.alarm("out of descriptors: \(starvation.error)") }
    }
  }

  /// Stops: accepts nothing more, lets what is decided become durable, answers it, checkpoints, and
  /// lets go of the directory.
  public func stop() async {
    for listener in listeners.withLock({ $0 }) { listener.close() }
    await withCheckedContinuation { done in lobby.stop { done.resume() } }
    for partition in partitions {
      await withCheckedContinuation { done in
        partition.enter { $0.stop { done.resume() } }
      }
    }
    // All at once: each may have peers that take nothing, and waits for them a moment.
    await withTaskGroup(of: Void.self) { group in
      for partition in partitions {
        group.addTask {
          await withCheckedContinuation { done in
            partition.enter { $0.linger { done.resume() } }
          }
        }
      }
    }
    adminSocket.withLock { $0 }?.stop()
    shared.space.stop()
    await withCheckedContinuation { done in
      shared.committer.submit(
        .checkpoint([], foldedThrough: shared.folded.lowest) { _ in done.resume() })
    }
    await withCheckedContinuation { done in
      shared.committer.submit(.close { done.resume() })
    }
    shared.registry.close()
    directory.release()
  }

  /// Folds what no checkpoint includes; the row up to which everything is included now.
  private static func recover(_ journal: any Journal, build: String, counters: Counters) throws
    -> Int64
  {
    do {
      let (checkpoints, summary) = try Recovery(journal: journal, build: build).fold()
      let newest = try journal.lastSequence
      for start in stride(from: 0, to: checkpoints.count, by: 256) {
        let slice = Array(checkpoints[start..<min(start + 256, checkpoints.count)])
        try journal.storeCheckpoints(slice, foldedThrough: nil)
      }
      try journal.storeCheckpoints([], foldedThrough: newest)
      counters.recoveredRows.add(summary.rows)
      return newest
    } catch let error as StoredFormError {
      throw ServerStartError.recovery("\(error)")
    }
  }

  /// Whether the journal does not have the account; one that cannot be read is not missing.
  private static func isMissing(_ account: AccountID, in journal: any JournalReading) -> Bool {
    do throws(StorageError) {
      return try journal.loadAccount(account) == nil
    } catch {
      return false
    }
  }

  private static func partitionCount(_ asked: Int) -> Int {
    asked > 0 ? min(asked, 64) : max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) - 1)
  }

  private static func connectionsMax(_ limits: ServerLimits) throws -> Int {
    let room = try DescriptorLimit.raiseToHard().connectionsMax
    guard room > 0 else { throw ServerStartError.notEnoughDescriptors(connections: room) }
    return limits.connectionsMax == 0 ? room : min(room, limits.connectionsMax)
  }
}
