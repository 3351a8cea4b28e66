import AuthorityLink
import CommandLineTool
import Transport
import WatchTransfer
import WidgetClient

/// One run of the emulated widget: fetches a timeline and draws it.
struct WidgetEmulator {
  private enum Happening: Sendable {
    /// It should fetch again.
    case due
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

  /// Fetches and draws, once or until it is interrupted; how the program ends.
  func run() async throws -> ExitStatus {
    let (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
    let interruption = Interruption()
    var tasks = [
      fetch(continuation),
      Task.detached {
        for await signal in interruption.signals { continuation.yield(.interrupted(signal)) }
      },
    ]
    if options.follows {
      tasks.append(
        Task.detached { [client, kind = options.view.kind] in
          for await kinds in await client.reloads() where kinds.contains(kind) {
            continuation.yield(.due)
          }
        })
    }
    var timer: Task<Void, Never>?
    defer {
      timer?.cancel()
      for task in tasks { task.cancel() }
    }
    do {
      for await happening in happenings {
        switch happening {
        case .fetched(let snapshot):
          let offset = await client.clockOffsetMilliseconds
          if !options.follows { await client.stop() }
          if !snapshot.isFromCache { try pairing?.welcomed(credential) }
          let now = SystemDeviceClock().now().wall.advanced(milliseconds: offset)
          draw(snapshot, at: now)
          if !options.follows { return .ok }
          timer?.cancel()
          timer = wait(for: snapshot, at: now, continuation)
        case .failed(let error):
          if error == .codeRefused { try pairing?.refused(credential) }
          throw error
        case .due:
          tasks[0].cancel()
          tasks[0] = fetch(continuation)
        case .interrupted(let signal):
          await client.stop()
          return .interrupted(by: signal)
        }
      }
    } catch {
      await client.stop()
      throw error
    }
    throw WidgetError.stopped
  }

  private func fetch(_ happenings: AsyncStream<Happening>.Continuation) -> Task<Void, Never> {
    Task.detached { [client, view = options.view] in
      do throws(WidgetError) {
        happenings.yield(.fetched(try await client.fetch(view)))
      } catch {
        if error != .cancelled { happenings.yield(.failed(error)) }
      }
    }
  }

  /// What was fetched says itself when it should be fetched again; what is kept, in a minute.
  private func wait(
    for snapshot: FetchedSnapshot, at now: Instant,
    _ happenings: AsyncStream<Happening>.Continuation
  ) -> Task<Void, Never> {
    let wait = snapshot.timeline.reloadAfter.milliseconds(since: now)
    let milliseconds = snapshot.isFromCache ? 60_000 : min(max(wait, 60_000), 86_400_000)
    return Task.detached {
      do {
        try await Task.sleep(for: .milliseconds(milliseconds))
        happenings.yield(.due)
      } catch {
        // Something newer was drawn meanwhile.
      }
    }
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
