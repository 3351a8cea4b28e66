import AuthorityLink
import CommandLineTool
import WatchTransfer
import WidgetClient

/// One run of the emulated live activity: waits for a session, draws it as it changes, and ends
/// with it.
struct ActivityEmulator {
  private enum Happening: Sendable {
    case event(ActivityEvent)
    /// It looks otherwise, though nothing arrived.
    case passed
    case interrupted(Int32)
  }

  private let options: WidgetOptions
  private let face: ActivityFace
  private let client: ActivityClient
  private let pairing: WidgetPairing
  /// What the surface shows, as it was told last.
  private var state = SurfaceState.empty
  /// What was drawn last; nil: no session was shown yet.
  private var drawn: ActivityDrawing.Content?
  private var hasToldWaiting = false
  private var toldFailure: LinkFailure?

  /// Prepares the client; nothing is sent yet.
  init(_ options: WidgetOptions, _ face: ActivityFace) async throws {
    self.options = options
    self.face = face
    pairing = try await WidgetPairing(options)
    client = ActivityClient(link: pairing.link)
  }

  /// Draws until the session ends or somebody interrupts; how the program ends.
  mutating func run() async throws -> ExitStatus {
    let (happenings, continuation) = AsyncStream.makeStream(of: Happening.self)
    let interruption = Interruption()
    let events = await client.events()
    let feeders = [
      Task.detached { for await event in events { continuation.yield(.event(event)) } },
      Task.detached {
        for await signal in interruption.signals { continuation.yield(.interrupted(signal)) }
      },
    ]
    var timer: Task<Void, Never>?
    defer {
      timer?.cancel()
      for feeder in feeders { feeder.cancel() }
    }
    await client.start()
    do {
      for await happening in happenings {
        switch happening {
        case .event(let event): try take(event)
        case .passed: break
        case .interrupted(let signal):
          await client.stop()
          return .interrupted(by: signal)
        }
        if let ended = drawn?.session.session, hasEnded(ended) {
          await client.stop()
          tellEnd(of: ended)
          return .ok
        }
        timer?.cancel()
        timer = show().map { moment in wait(until: moment, continuation) }
      }
    } catch {
      await client.stop()
      throw error
    }
    throw WidgetError.stopped
  }

  private mutating func take(_ event: ActivityEvent) throws {
    switch event {
    case .connected(let welcome):
      try pairing.welcomed()
      toldFailure = nil
      guard welcome.kind == .activity else {
        throw ToolFailure(
          "this token is a \(welcome.kind.word)'s; pair an activity: wristwire pair --kind activity"
        )
      }
    case .shown(let new): state = new
    case .disconnected(let failure):
      if failure.isWrongServer { throw WidgetError.wrongServer(failure) }
      // Said once for each cause, not at each new try.
      if toldFailure != failure {
        toldFailure = failure
        WidgetOptions.tool.fail(
          "no connection to \(options.server) (\(failure.word)); trying again")
      }
    case .ended(let goodbye):
      if goodbye.reason == .codeRefused {
        try pairing.refused()
        throw WidgetError.codeRefused
      }
      throw WidgetError.refused(goodbye)
    }
  }

  /// An activity is its session's: another one is another activity.
  private func hasEnded(_ session: SessionID) -> Bool {
    guard case .session(let shown) = state.facets[.session] else { return false }
    return shown?.session != session
  }

  /// Draws what has changed; when it changes by itself.
  private mutating func show() -> Instant? {
    let clock = SystemDeviceClock().now()
    let drawing = ActivityDrawing(
      face, facets: state.facets, live: state.live(at: clock), isStale: state.isStale,
      revision: state.revision, appearance: options.look, at: state.correctedNow(clock))
    guard let drawing else {
      if !state.isStale, !hasToldWaiting {
        hasToldWaiting = true
        WidgetOptions.tool.fail("no session runs; waiting for one")
      }
      return nil
    }
    if drawing.content != drawn {
      drawn = drawing.content
      switch options.format {
      case .ansi: printText(drawing.ansi)
      case .json: printLine(drawing.json.json)
      case .svg: printText(drawing.svg)
      }
    }
    return drawing.nextMoment
  }

  private func wait(
    until moment: Instant, _ happenings: AsyncStream<Happening>.Continuation
  ) -> Task<Void, Never> {
    let now = state.correctedNow(SystemDeviceClock().now())
    return Task.detached {
      do {
        try await Task.sleep(for: .milliseconds(max(1, moment.milliseconds(since: now))))
        happenings.yield(.passed)
      } catch {
        // Something newer was drawn meanwhile.
      }
    }
  }

  private func tellEnd(of session: SessionID) {
    var text: String?
    if case .lastSession(let summary?) = state.facets[.lastSession], summary.session == session {
      text = summary.text
    }
    switch options.format {
    case .ansi: printLine("ended" + (text.map { ": \(printable($0))" } ?? ""))
    case .json:
      let members: [(String, JSONValue)] = [
        ("type", .string("ended")), ("session", .string(session.description)),
        ("text", .optional(text)),
      ]
      printLine(JSONValue.object(members).json)
    case .svg: break
    }
  }
}
