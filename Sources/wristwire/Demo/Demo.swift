internal import AuthorityLink
internal import AuthorityServer
internal import CommandLineTool
internal import Glibc
internal import Transport
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient

/// The story that `wristwire demo` tells: each step prints a claim, and checks it.
struct Demo {
  let folder: String
  var server: ServerProcess
  let phone: WatchClient
  var watch: WatchClient
  let widget: WidgetClient
  let tokens: Tokens
  private(set) var claims = 0

  /// The devices' secrets.
  struct Tokens {
    let phone: [UInt8]
    let watch: [UInt8]
    let widget: [UInt8]
  }

  /// Monday evening in Berlin, by the server's test clock.
  static let evening = "2026-03-02T18:30:00+01:00"

  /// The server's data directory.
  var data: String { "\(folder)/data" }

  /// Starts a server on a temporary directory, with an account and three paired devices.
  init(folder: String) async throws {
    self.folder = folder
    let data = "\(folder)/data"
    server = try ServerProcess(data: data, listen: "127.0.0.1:0", testClock: Self.evening)
    printLine("· a server on \(server.address), its clock at \(Self.evening)")
    _ = try await ask(.addAccount(name: "anna", zone: "Europe/Berlin"), of: data)
    tokens = Tokens(
      phone: try await Self.pair("phone", data), watch: try await Self.pair("watch", data),
      widget: try await Self.pair("widget", data))
    printLine("· the account anna, with a phone, a watch and a widget")
    phone = try Self.surface("phone", tokens.phone, server.address, folder)
    watch = try Self.surface("watch", tokens.watch, server.address, folder)
    widget = WidgetClient(
      link: LinkConfiguration(address: server.address, token: tokens.widget),
      cacheDirectory: nil)
    await phone.start()
  }

  /// Prints a claim that has been checked, or ends the demo.
  mutating func claim(_ text: String, _ holds: Bool) throws {
    guard holds else { throw DemoError("this did not hold: \(text)") }
    claims += 1
    printLine("✓ \(text)")
  }

  /// Says something that is not a claim.
  func say(_ text: String) {
    printLine("· \(text)")
  }

  /// Waits until the surface shows what `isReached` wants, at most 15 s.
  func wait(
    for surface: WatchClient, _ what: String,
    _ isReached: @escaping @Sendable (SurfaceState) -> Bool
  ) async throws -> SurfaceState {
    try await Self.within(seconds: 15, what) {
      for await state in await surface.states() where isReached(state) { return state }
      throw DemoError("the stream of states ended")
    }
  }

  /// Waits until every action of the surface has its receipt, at most 30 s.
  func settle(_ surface: WatchClient) async throws {
    try await Self.within(seconds: 30, "every action has its receipt") {
      // Listening from before the first look on: the last receipt may come in between.
      let events = await surface.events()
      if await surface.isSettledAll { return }
      for await _ in events where await surface.isSettledAll { return }
    }
  }

  static func within<Value: Sendable>(
    seconds: Int, _ what: String, _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await work() }
      group.addTask {
        try await Task.sleep(for: .seconds(seconds))
        throw DemoError("waited \(seconds) s in vain: \(what)")
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw DemoError(what) }
      return value
    }
  }

  static func surface(
    _ name: String, _ token: [UInt8], _ address: SocketAddress, _ folder: String
  ) throws -> WatchClient {
    try WatchClient(
      WatchConfiguration(
        link: LinkConfiguration(address: address, token: token), directory: "\(folder)/\(name)",
        clock: SystemDeviceClock(),
        zone: { ZoneStamp(id: "Europe/Berlin", offsetSeconds: 3_600) },
        minimumIntervalMilliseconds: 0))
  }

  private static func pair(_ kind: String, _ data: String) async throws -> [UInt8] {
    let response = try await ask(
      .pair(account: "anna", kind: kind, name: "Anna's \(kind)"), of: data)
    guard case .paired(let token, _) = response, let bytes = hexadecimalBytes(of: token) else {
      throw DemoError("pairing the \(kind) gave no token")
    }
    return bytes
  }
}
