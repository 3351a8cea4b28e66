internal import AuthorityLink
internal import AuthorityServer
internal import Foundation
internal import Transport
internal import WatchClient
internal import WatchTransfer

/// A phone or watch: the real client library, launched and killed on the same files.
///
/// Unchecked: see `World`.
final class SimulatedDevice: @unchecked Sendable {
  /// As it is paired now.
  private(set) var paired: PairedDevice
  /// For stories; the same however often it is paired.
  let name: String
  let world: World
  let network: Network
  private var token: Token
  /// The next pairing, if it is paired again.
  private var spare: (device: PairedDevice, token: Token)?
  let directory: String
  private(set) var machine: SimulatedMachine?
  private(set) var client: WatchClient?
  private let clock: SimulatedDeviceClock
  /// Where it is.
  let zone: SimulatedDeviceZone
  /// Told that the program runs, before it is told anything.
  var onLaunch: () -> Void = {}
  /// Hears what the client is told.
  var onEvent: (WatchEvent) -> Void = { _ in }
  /// Told which photos the authority has.
  var onUploaded: (AttachmentHash) -> Void = { _ in }
  /// Told what came of a question.
  var onAnswered: (Checker.Asked, Result<Page, QueryError>) -> Void = { _, _ in }
  /// Told the number of each action that is durable in the outbox.
  var onSubmitted: (IncarnationNumber, Action) -> Void = { _, _ in }

  init(
    _ member: Cast.Member, directory: String, _ world: World, _ network: Network,
    zones: any ZoneRulesSource
  ) {
    paired = member.device
    token = member.token
    name = member.device.name
    spare = member.spare
    self.directory = directory
    self.world = world
    self.network = network
    clock = SimulatedDeviceClock(world)
    zone = SimulatedDeviceZone(world, zones: zones)
  }

  var isRunning: Bool { client != nil }

  /// Launches the program, if it does not run.
  func launch() throws {
    if isRunning { return }
    let machine = SimulatedMachine(paired.name, in: world, network)
    var link = LinkConfiguration(
      address: try SocketAddress(parsing: "unix:/simulated"), token: token.bytes)
    link.machine = machine
    link.backoffMaxMilliseconds = 4_000
    let client = try WatchClient(
      WatchConfiguration(
        link: link, directory: directory, clock: clock, zone: { [zone] in zone.now() }))
    self.machine = machine
    self.client = client
    onLaunch()
    onQueue { client in
      client.observe { [weak self] in self?.onEvent($0) }
      client.start()
    }
  }

  /// Whose it is once it is paired again; nil: it will not be.
  var nextAccount: AccountID? { spare?.device.account }

  /// It is paired again, with another token, if it was not before; it must not run.
  func pairAgain() {
    guard let next = spare else { return }
    (paired, token) = next
    spare = nil
  }

  /// Ends the program as SIGKILL would.
  func kill() {
    machine?.kill()
    machine = nil
    client = nil
  }

  /// Does something. Most photos are uploaded before they are named.
  func act(_ action: Action) {
    guard case .attachPhoto(_, let hash) = action, let bytes = SimulatedPhotos.bytes(of: hash),
      !world.chance(oneIn: 4), paired.kind.may(.upload)
    else { return submit(action) }
    onQueue { client in
      client.upload(bytes) { [weak self] result in
        guard case .success = result, let self, let client = self.client else { return }
        self.onUploaded(hash)
        // It is told on the client's own queue.
        client.assumeIsolated { self.submit(action, to: $0) }
      }
    }
  }

  private func submit(_ action: Action) {
    onQueue { [weak self] client in self?.submit(action, to: client) }
  }

  private func submit(_ action: Action, to client: isolated WatchClient) {
    client.submit(action) { [weak self] result in
      if case .success(let number) = result { self?.onSubmitted(number, action) }
    }
  }

  /// Says what it measures in a session.
  func pulse(_ session: SessionID, heartRate: Double) {
    onQueue { $0.pulse(session, heartRate: heartRate, cadenceMilliseconds: 1_000) }
  }

  /// Asks; what a program that was killed asked is not answered.
  func ask(_ asked: Checker.Asked) {
    onQueue { [weak self] client in
      client.ask(asked.question) { self?.onAnswered(asked, $0) }
    }
  }

  /// What it shows; nil when it does not run.
  var state: SurfaceState? { onQueue { $0.state } }

  /// Whether every action has its receipt; nil when it does not run.
  var isSettled: Bool? { onQueue { $0.isSettledAll } }

  /// Asks for everything again.
  func resumeEverything() { onQueue { $0.resumeEverything() } }

  /// Its connections end, or fall silent.
  func cutLink() {
    if let machine { network.cut(of: machine) }
  }

  /// Its wall clock is set; rebooted, it has another boot id.
  func stepClock(byMilliseconds step: Int64, reboots: Bool) {
    clock.step(byMilliseconds: step, reboots: reboots)
  }

  /// It is somewhere else from now on, and its program is told.
  func travel() {
    zone.move()
    onQueue { $0.zoneMayHaveChanged() }
  }

  /// A copy of its files, as a backup of the device has them.
  func copyFiles(to path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: directory, toPath: path)
  }

  /// Its files are what an older copy had; it must not run.
  func restoreFiles(from path: String) throws {
    try FileManager.default.removeItem(atPath: directory)
    try FileManager.default.copyItem(atPath: path, toPath: directory)
  }

  /// Its files are gone.
  func loseFiles() throws { try FileManager.default.removeItem(atPath: directory) }

  @discardableResult
  private func onQueue<Result: Sendable>(
    _ work: @Sendable (isolated WatchClient) -> Result
  ) -> Result? {
    guard let client, let queue = client.executor.queue as? SimulatedQueue else { return nil }
    return queue.enter { client.assumeIsolated { work($0) } }
  }
}
