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
  /// Told that the program runs, before it is told anything.
  var onLaunch: () -> Void = {}
  /// Hears what the client is told.
  var onEvent: (WatchEvent) -> Void = { _ in }
  /// Told the number of each action that is durable in the outbox.
  var onSubmitted: (IncarnationNumber, Action) -> Void = { _, _ in }

  init(
    _ member: Cast.Member, directory: String, _ world: World, _ network: Network
  ) {
    paired = member.device
    token = member.token
    name = member.device.name
    spare = member.spare
    self.directory = directory
    self.world = world
    self.network = network
    clock = SimulatedDeviceClock(world)
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
      WatchConfiguration(link: link, directory: directory, clock: clock))
    self.machine = machine
    self.client = client
    onLaunch()
    onQueue { client in
      client.observe { [weak self] in self?.onEvent($0) }
      client.start()
    }
  }

  /// It is paired again, with another token; it must not run. False when that has happened before.
  func pairAgain() -> Bool {
    guard let next = spare else { return false }
    (paired, token) = next
    spare = nil
    return true
  }

  /// Ends the program as SIGKILL would.
  func kill() {
    machine?.kill()
    machine = nil
    client = nil
  }

  /// Does something.
  func act(_ action: Action) {
    onQueue { client in
      client.submit(action) { [weak self] result in
        if case .success(let number) = result { self?.onSubmitted(number, action) }
      }
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
