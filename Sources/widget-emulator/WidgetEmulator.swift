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
    /// From this moment on another entry of what was fetched is to be shown.
    case passed(FetchedSnapshot, Instant)
    case fetched(FetchedSnapshot)
    case failed(WidgetError)
    case interrupted(Int32)
  }

  private let options: WidgetOptions
  private let client: WidgetClient
  private let pairing: WidgetPairing

  /// Prepares the client; nothing is sent yet.
  init(_ options: WidgetOptions) async throws {
    self.options = options
    pairing = try await WidgetPairing(options)
    client = WidgetClient(link: pairing.link, cacheDirectory: options.cache)
  }

  /// Fetches and draws, once or until it is interrupted; how the program ends.
  func run() async throws -> ExitStatus {
    let (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
    let interruption = Interruption()
    // Listening from before the first fetch on: what it is told to fetch again may come at once.
    let reloads = options.follows ? await client.reloads() : nil
    var tasks = [
      fetch(continuation),
      Task.detached {
        for await signal in interruption.signals { continuation.yield(.interrupted(signal)) }
      },
    ]
    if let reloads {
      tasks.append(
        Task.detached { [kind = options.view.kind] in
          for await kinds in reloads where kinds.contains(kind) { continuation.yield(.due) }
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
          let now = await now()
          if !options.follows { await client.stop() }
          if !snapshot.isFromCache { try pairing.welcomed() }
          if snapshot.isFromCache {
            WidgetOptions.tool.fail(
              "nobody answers at \(options.server); this is the last kept snapshot")
          }
          draw(snapshot, at: now)
          if !options.follows { return .ok }
          timer?.cancel()
          timer = wait(for: snapshot, at: now, continuation)
        case .passed(let snapshot, let moment):
          // The clock's offset may be another one by now: an entry is not drawn before its moment.
          let now = max(await now(), moment)
          draw(snapshot, at: now)
          timer = wait(for: snapshot, at: now, continuation)
        case .failed(let error):
          if error == .codeRefused { try pairing.refused() }
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

  /// What was fetched says itself when it looks otherwise, and when it should be fetched again.
  private func wait(
    for snapshot: FetchedSnapshot, at now: Instant,
    _ happenings: AsyncStream<Happening>.Continuation
  ) -> Task<Void, Never> {
    let next = WidgetFollowing.next(
      of: snapshot.timeline, isFromCache: snapshot.isFromCache, showsNow: options.at == .now,
      at: now)
    return Task.detached {
      do {
        try await Task.sleep(for: .milliseconds(next.milliseconds))
        let moment = now.advanced(milliseconds: next.milliseconds)
        happenings.yield(next.fetches ? .due : .passed(snapshot, moment))
      } catch {
        // Something newer was drawn meanwhile.
      }
    }
  }

  /// What the server's clock shows.
  private func now() async -> Instant {
    let offset = await client.clockOffsetMilliseconds
    return SystemDeviceClock().now().wall.advanced(milliseconds: offset)
  }

  /// `now` is what the server's clock shows.
  private func draw(_ snapshot: FetchedSnapshot, at now: Instant) {
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
