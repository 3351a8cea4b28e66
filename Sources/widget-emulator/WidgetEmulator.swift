import AuthorityLink
import CommandLineTool
import Transport
import WatchTransfer
import WidgetClient

/// One run of the emulated widget: fetches a timeline and draws it.
struct WidgetEmulator {
  /// What ends the wait.
  private enum Happening: Sendable {
    case fetched(FetchedSnapshot)
    case failed(WidgetError)
    case interrupted(Int32)
  }

  private let options: WidgetOptions
  private let client: WidgetClient
  private let pairing: PairingStore?
  private let credential: Credential

  /// Prepares the client; nothing is sent yet.
  init(_ options: WidgetOptions) async throws {
    self.options = options
    pairing = options.cache.map { PairingStore(directory: $0) }
    if options.code != nil, pairing == nil {
      throw UsageError.contradiction("--code needs --cache, where the token is kept")
    }
    var link = LinkConfiguration(
      address: options.place.endpoint.address, tls: try options.place.client(),
      token: options.token ?? [])
    if options.code != nil || options.token == nil {
      link.credential = try await Self.credential(options, pairing, link)
    }
    credential = link.credential
    client = WidgetClient(link: link, cacheDirectory: options.cache)
  }

  private static func credential(
    _ options: WidgetOptions, _ pairing: PairingStore?, _ link: LinkConfiguration
  ) async throws -> Credential {
    switch try await pairing?.settle(options.code, at: link) {
    case .credential(let credential): return credential
    case .codeRefused: throw WidgetError.codeRefused
    case .unpaired, nil:
      throw UsageError.contradiction(
        "this widget is not paired: give --token, WRISTWIRE_TOKEN or --code")
    }
  }

  /// Fetches and draws; how the program ends.
  func run() async throws -> ExitStatus {
    let happening = await fetchOrInterruption()
    let offset = await client.clockOffsetMilliseconds
    await client.stop()
    switch happening {
    case .fetched(let snapshot):
      if !snapshot.isFromCache { try pairing?.welcomed(credential) }
      draw(snapshot, at: SystemDeviceClock().now().wall.advanced(milliseconds: offset))
      return .ok
    case .failed(let error):
      if error == .codeRefused { try pairing?.refused(credential) }
      throw error
    case .interrupted(let signal): return .interrupted(by: signal)
    }
  }

  /// Whichever comes first.
  private func fetchOrInterruption() async -> Happening {
    let (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
    let interruption = Interruption()
    let tasks = [
      Task.detached { [client, view = options.view] in
        do throws(WidgetError) {
          continuation.yield(.fetched(try await client.fetch(view)))
        } catch {
          continuation.yield(.failed(error))
        }
      },
      Task.detached {
        for await signal in interruption.signals { continuation.yield(.interrupted(signal)) }
      },
    ]
    defer { for task in tasks { task.cancel() } }
    for await happening in happenings { return happening }
    return .failed(.stopped)
  }

  /// `now` is what the server's clock shows.
  private func draw(_ snapshot: FetchedSnapshot, at now: Instant) {
    if snapshot.isFromCache {
      WidgetOptions.tool.fail("nobody answers at \(options.server); this is the last kept snapshot")
    }
    let drawing = WidgetDrawing(
      timeline: snapshot.timeline, revision: snapshot.revision,
      appearance: options.view.appearance,
      at: options.at.resolved(now: now))
    switch options.format {
    case .ansi: printText(drawing.ansi)
    case .json: printLine(drawing.json.json)
    case .svg: printText(drawing.svg)
    }
  }
}
