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
  public var addresses: [SocketAddress] { endpoints.map(\.address) }
  /// The same, and where TLS is spoken.
  public var endpoints: [EndpointAddress] {
    listeners.withLock { list in
      list.map { EndpointAddress($0.listener.boundAddress, isSecured: $0.isSecured) }
    }
  }
  /// What clients pin; nil: no certificate.
  public var pin: CertificatePin? { tls.withLock { $0?.pin } }
  /// What admin commands talk to.
  public var admin: AdminService { core.admin }

  private let configuration: ServerConfiguration
  private let directory: DataDirectory
  let core: ServerCore
  private let space: SpaceWatch
  private let listenQueue = DispatchWorkQueue(label: "wristwire.listen")
  private let listeners = Lock<[(listener: Listener, isSecured: Bool)]>([])
  private let tls = Lock<TLSServer?>(nil)
  private let adminSocket = Lock<AdminSocket?>(nil)
  private let wasListening = Lock(false)
  private let fileWatch = Lock<(any Tick)?>(nil)
  private let schedule: BackupSchedule?

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

  /// A server whose work is named to `wrapSlots` too, which may trap where a rule would; for tests.
  package convenience init(
    _ configuration: ServerConfiguration, wrapSlots: (any WorkSlots) -> any WorkSlots,
    onFailure: @escaping @Sendable (any Error) -> Void
  ) throws {
    let directory = try DataDirectory(path: configuration.directory)
    try self.init(
      configuration, directory: directory, wrapSlots: wrapSlots, onFailure: onFailure
    ) { epoch, now in
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
    wrapSlots: (any WorkSlots) -> any WorkSlots = { $0 },
    onFailure: @escaping @Sendable (any Error) -> Void,
    openJournal: (EpochID, Instant) throws -> sending any Journal
  ) throws {
    ignoreBrokenPipes()
    let limits = configuration.limits
    let counters = Counters { Instant(milliseconds: HostMachine().wallMilliseconds()) }
    let free = FreeSpace(
      of: directory,
      policy: SpacePolicy(
        reserveBytes: Int64(limits.freeSpaceReserveBytes), ballastBytes: Int64(limits.ballastBytes)
      ))
    try free.prepareStart()
    space = SpaceWatch(space: free, counters: counters)
    let tape = try configuration.record.map { options in
      try Tape(options) { counters.alarm($0) }
    }
    let machine: any Machine = tape.map { RecordingMachine(tape: $0) } ?? HostMachine()
    let clock = AuthorityClock(testStart: configuration.testClock, machine: machine)
    let epoch = EpochID.random()
    var parts = ServerParts(
      machine: machine, limits: limits, clock: clock, zones: try MachineZones(),
      registry: try DeviceRegistry(directory: directory) { onFailure($0) }, counters: counters,
      space: space, epoch: epoch,
      connectionsMax: try Self.connectionsMax(limits),
      partitions: Self.partitionCount(configuration.partitions),
      audit: AuditLog(
        directory: directory.path, bytesMax: limits.auditFileBytes, clock: clock.beside,
        counters: counters),
      poison: try PoisonGuard.open(
        in: directory, build: runningBuild(), counters: counters, wrap: wrapSlots),
      continuity: Continuity(
        plan: configuration.backup, directory: directory, counters: counters),
      dataPath: directory.path)
    let journal = try openJournal(epoch, clock.now())
    if let tape {
      parts.tape = tape
      parts.space = RecordingSpace(space: space, tape: tape)
      core = try ServerCore(parts, journal: RecordingJournal(journal, tape: tape)) {
        onFailure($0)
      }
    } else {
      core = try ServerCore(parts, journal: journal) { onFailure($0) }
    }
    self.configuration = configuration
    self.directory = directory
    schedule = core.backups.map { [core] in BackupSchedule(service: $0, shared: core.shared) }
    space.start(on: listenQueue)
    let watch = listenQueue.tick(every: .seconds(1)) { [core] in
      core.shared.committer.submit(.expectInPlace)
      core.shared.pairing.sweep()
      core.shared.audit.tick()
    }
    fileWatch.withLock { $0 = watch }
  }

  /// Begins to listen at the configured addresses and at the admin socket of the directory.
  ///
  /// - Throws: `ListenError`, `ServerStartError.notLocal`, `.noCertificate`, `TLSSetupError`.
  public func listen() throws {
    let tls = try configuration.certificate.map {
      try TLSServer(certificatePath: $0.certificate, keyPath: $0.key)
    }
    let endpoints = try secured(hasCertificate: tls != nil)
    self.tls.withLock { $0 = tls }
    core.shared.audit.note(.started(epoch: core.shared.epoch))
    wasListening.withLock { $0 = true }
    core.backups?.beginServing()
    core.open()
    core.startTape()
    for endpoint in endpoints {
      let secures = endpoint.isSecured ? tls : nil
      let listener = try makeListener(endpoint.address) { [core] socket in
        guard let secures else { return core.receive(socket) }
        guard let secured = secures.secured(socket) else {
          core.shared.counters.closed("tlsNoMemory")
          return socket.close()
        }
        core.receive(secured)
      }
      listeners.withLock { $0.append((listener, endpoint.isSecured)) }
    }
    let socket = try AdminSocket(service: core.admin)
    let address = try SocketAddress(parsing: "unix:\(AdminSocket.path(in: directory.path))")
    let listener = try makeListener(address) { socket.receive($0) }
    socket.start(listener: listener)
    adminSocket.withLock { $0 = socket }
    schedule?.start(on: listenQueue)
  }

  /// Reads certificate and key again: connections that stand go on, new ones have the new
  /// certificate. Whatever is wrong with them, the old ones stay, with an alarm.
  ///
  /// - Throws: `TLSSetupError`.
  public func reloadCertificate() throws {
    do throws(TLSSetupError) {
      try tls.withLock { $0 }?.reload()
    } catch {
      core.shared.counters.alarm("the certificate was not read anew, the old one stays: \(error)")
      throw error
    }
  }

  /// Where TLS is spoken, and where not; nowhere is a token sent in the clear unless that was asked
  /// for.
  private func secured(hasCertificate: Bool) throws(ServerStartError) -> [EndpointAddress] {
    if !hasCertificate, let address = configuration.securedAddresses.first {
      throw .noCertificate(address)
    }
    if !hasCertificate, !configuration.isInsecure,
      let address = configuration.addresses.first(where: { !$0.isLocal })
    {
      throw .notLocal(address)
    }
    let plain = configuration.addresses.map {
      EndpointAddress($0, isSecured: hasCertificate && !$0.isLocal)
    }
    return configuration.securedAddresses.map { EndpointAddress($0, isSecured: true) } + plain
  }

  private func makeListener(
    _ address: SocketAddress, onAccept: @escaping @Sendable (AcceptedSocket) -> Void
  ) throws(ListenError) -> Listener {
    let counters = core.shared.counters
    return try Listener(
      address: address, queue: listenQueue.queue, limits: ListenerLimits(), onAccept: onAccept
    ) { starvation in
      // Once a spell, not once a refusal.
      if starvation.inARow == 1 { counters.alarm("out of descriptors: \(starvation.error)") }
    }
  }

  /// Stops: accepts nothing more, lets what is decided become durable, answers it, checkpoints, and
  /// lets go of the directory.
  public func stop() async {
    for (listener, _) in listeners.withLock({ $0 }) { listener.close() }
    schedule?.stop()
    core.backups?.stop()
    await core.stopServing()
    adminSocket.withLock { $0 }?.stop()
    space.stop()
    fileWatch.withLock { $0?.cancel() }
    await core.closeJournal()
    if wasListening.withLock({ $0 }) { core.shared.audit.note(.stopped) }
    core.shared.audit.close()
    core.shared.registry.close()
    core.shared.poison.close()
    directory.release()
  }

  /// Stops, and calls `overrun` when that takes longer than `seconds`, as when a disk never
  /// answers: the caller ends the process then, which loses nothing that was acknowledged.
  public func stop(withinSeconds seconds: Double, overrun: @escaping @Sendable () -> Void) async {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue.global())
    timer.schedule(deadline: .now() + seconds)
    timer.setEventHandler(handler: overrun)
    timer.activate()
    await stop()
    timer.cancel()
  }

  private static func partitionCount(_ asked: Int) -> Int {
    let usual = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) - 1)
    return min(64, asked > 0 ? asked : usual)
  }

  private static func connectionsMax(_ limits: ServerLimits) throws -> Int {
    let room = try DescriptorLimit.raiseToHard().connectionsMax
    guard room > 0 else { throw ServerStartError.notEnoughDescriptors(connections: room) }
    return limits.connectionsMax == 0 ? room : min(room, limits.connectionsMax)
  }
}
