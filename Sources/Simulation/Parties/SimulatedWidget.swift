internal import AuthorityLink
internal import AuthorityServer
internal import Transport
internal import WatchTransfer
internal import WidgetClient

/// A widget: the real client library, launched and killed; what it has kept is gone then.
///
/// Unchecked: see `World`.
final class SimulatedWidget: @unchecked Sendable {
  /// As it is paired.
  let paired: PairedDevice
  private let token: Token
  private let world: World
  private let network: Network
  private let clock: SimulatedDeviceClock
  private var machine: SimulatedMachine?
  private var client: WidgetClient?
  /// Hears what each fetch came to.
  var onFetched: (Result<FetchedSnapshot, WidgetError>) -> Void = { _ in }

  init(_ member: Cast.Member, _ world: World, _ network: Network) {
    paired = member.device
    token = member.token
    self.world = world
    self.network = network
    clock = SimulatedDeviceClock(world)
  }

  /// For stories.
  var name: String { paired.name }

  /// Fetches, and launches the program if it does not run.
  func fetch(_ view: WidgetView) throws {
    let client = try client ?? launch()
    guard let queue = client.executor.queue as? SimulatedQueue else { return }
    queue.enter {
      client.assumeIsolated { client in
        client.fetch(view) { [weak self] in self?.onFetched($0) }
      }
    }
  }

  /// Ends the program as SIGKILL would.
  func kill() {
    machine?.kill()
    machine = nil
    client = nil
  }

  /// Its connection ends, or falls silent.
  func cutLink() {
    if let machine { network.cut(of: machine) }
  }

  private func launch() throws -> WidgetClient {
    let machine = SimulatedMachine(paired.name, in: world, network)
    var link = LinkConfiguration(
      address: try SocketAddress(parsing: "unix:/simulated"), token: token.bytes)
    link.machine = machine
    link.backoffMaxMilliseconds = 4_000
    let client = WidgetClient(link: link, cacheDirectory: nil, clock: clock)
    self.machine = machine
    self.client = client
    return client
  }
}

extension WidgetView {
  /// One of all that there are.
  static func any(_ world: World) -> WidgetView {
    WidgetView(
      kind: WidgetKind.allCases.randomElement(using: &world.random) ?? .streak,
      family: WidgetFamily.allCases.randomElement(using: &world.random) ?? .small,
      appearance: Appearance.allCases.randomElement(using: &world.random) ?? .both)
  }
}
