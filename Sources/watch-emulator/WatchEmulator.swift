import AuthorityLink
import CommandLineTool
import Transport
import WatchClient
import WatchTransfer

/// One run of the emulated watch: queues the script's actions, waits for their receipts, listens
/// on.
struct WatchEmulator {
  /// The run was interrupted by a signal.
  private struct Interrupted: Error {
    let signal: Int32
  }

  /// How long to wait for the server's newest match before the kept one will do.
  private static let freshMatchWait = Duration.seconds(5)
  /// How long the client may take to tell its last after it was stopped.
  private static let drainWait = Duration.seconds(5)

  let options: WatchOptions
  let client: WatchClient
  let clock: any DeviceClockSource
  let pairing: PairingStore
  let credential: Credential
  let lines: WatchLines
  private var happenings: Happenings
  /// Actions that have no receipt yet, as far as was printed.
  var awaited: Set<IncarnationNumber> = []
  /// What this run has queued of exercises, routines and sessions.
  private var submitted: [Action] = []
  var quarantinedCount = 0
  var hasFailedToConnect = false
  var toldFailure: LinkFailure?
  /// The authority does not want this watch, or the outbox cannot be written.
  var hasGivenUp = false
  private var clientHasEnded = false

  /// Opens the outbox; nothing is sent or queued yet.
  init(_ options: WatchOptions) async throws {
    self.options = options
    lines = WatchLines(isJSON: options.isJSON)
    if options.token == nil, options.code == nil,
      try PairingStore(directory: options.outbox).credential() == nil
    {
      throw Self.unpaired
    }
    // Another process may be using the pairing: before the lock nothing is changed.
    let lock = try DirectoryLock(options.outbox)
    pairing = PairingStore(lock)
    var link = LinkConfiguration(
      address: options.place.endpoint.address, tls: try options.place.client(),
      token: options.token ?? [])
    credential = try await Self.credential(options, pairing, link)
    link.credential = credential
    let emulated = options.deviceClock.map {
      EmulatedDeviceClock(start: $0, directory: options.outbox)
    }
    let clock: any DeviceClockSource = emulated ?? SystemDeviceClock()
    self.clock = clock
    client = try WatchClient(
      WatchConfiguration(
        link: link, directory: options.outbox, clock: clock,
        zone: { MachineZone.stamp(at: clock.now().wall) }, minimumIntervalMilliseconds: 0,
        lock: lock))
    try emulated?.keep()
    happenings = Happenings(events: await client.events(), interruption: Interruption())
  }

  private static let unpaired = UsageError.contradiction(
    "this watch is not paired: give --token, WRISTWIRE_TOKEN or --code")

  /// What the watch is known by; with a server at hand, as that says.
  private static func credential(
    _ options: WatchOptions, _ pairing: PairingStore, _ link: LinkConfiguration
  ) async throws -> Credential {
    if options.code == nil, let token = options.token { return .token(token) }
    if options.isOffline {
      if let code = options.code { return try pairing.credential(for: code) }
      guard let known = try pairing.credential() else { throw unpaired }
      return known
    }
    switch try await pairing.settle(options.code, at: link) {
    case .credential(let credential): return credential
    case .codeRefused: throw ToolFailure(codeRefused)
    case .unpaired: throw unpaired
    }
  }

  /// Runs the script; how the program ends.
  mutating func run() async throws -> ExitStatus {
    do {
      try await perform()
    } catch let interrupted as Interrupted {
      await client.stop()
      return .interrupted(by: interrupted.signal)
    } catch {
      await client.stop()
      throw error
    }
    // A stopped client lists nothing; what it still tells of these is taken while it ends.
    awaited.formUnion(await waiting())
    await client.stop()
    try await listen(until: .now + Self.drainWait) { _ in false }
    happenings.close()
    return status
  }

  private mutating func perform() async throws {
    let deadline = ContinuousClock.now + .seconds(options.timeoutSeconds)
    awaited = Set(await waiting())
    if !options.isOffline { await client.start() }
    if options.needsKnownMatch { try await findMatch(before: deadline) }
    if options.needsKnownRoutines, !options.isOffline {
      try await listen(until: min(deadline, .now + Self.freshMatchWait)) { emulator in
        if emulator.hasGivenUp || emulator.hasFailedToConnect { return true }
        return await !emulator.client.state.isStale
      }
    }
    for action in options.script {
      switch action {
      case .state:
        try await settle(before: deadline)
        await showState()
      case .history(let count):
        try await settle(before: deadline)
        try await showHistory(count)
      case .pulse(let pulse):
        // What it belongs to is decided by then.
        try await settle(before: deadline)
        await send(pulse)
      default:
        try await submit(action)
      }
    }
    try await settle(before: deadline)
    if options.staySeconds > 0 {
      try await listen(until: .now + .seconds(options.staySeconds)) { $0.hasGivenUp }
    }
  }

  /// Makes sure of a match to act on, before anything is queued.
  private mutating func findMatch(before deadline: ContinuousClock.Instant) async throws {
    if !options.isOffline {
      let soon = min(deadline, .now + Self.freshMatchWait)
      try await listen(until: soon) { emulator in
        if emulator.hasGivenUp { return true }
        let isKnown = await emulator.newestMatch() != nil
        return await !emulator.client.state.isStale || (emulator.hasFailedToConnect && isKnown)
      }
    }
    if await newestMatch() == nil {
      throw UsageError.contradiction(
        "there is no match in the outbox or in the last state; make one first: match HOME AWAY")
    }
  }

  /// The match that an action means: the newest in the outbox, else the one in the last state.
  private func newestMatch() async -> MatchID? {
    if let made = await client.queued.compactMap(\.action?.madeMatch).last { return made }
    guard case .teams(let teams) = await client.state.facets[.teams] else { return nil }
    return teams?.match
  }

  /// Prints the newest logs, page by page.
  private func showHistory(_ count: Int) async throws {
    var left = count
    var before: HistoryKey?
    repeat {
      let page: (entries: [HistoryEntry], next: HistoryKey?)
      do throws(QueryError) {
        page = try await client.history(
          before: before, limit: min(left, QueryLimits.historyEntries.upperBound))
      } catch {
        throw ToolFailure("no history: \(error)")
      }
      for entry in page.entries { show(lines.history(entry)) }
      left -= page.entries.count
      before = page.next
    } while before != nil && left > 0
  }

  /// Sends a live value of the session that runs, if anybody can hear it.
  private func send(_ pulse: ScriptedPulse) async {
    guard let session = await scene().sessionID else {
      return WatchOptions.tool.fail("no pulse: no session runs")
    }
    let isSent = await client.pulse(
      session, heartRate: pulse.heartRate, energyKilocalories: pulse.energyKilocalories,
      distanceMeters: pulse.distanceMeters)
    if !isSent { WatchOptions.tool.fail("no pulse: nobody is connected to hear it") }
  }

  /// What the watch knows of routines and sessions.
  private func scene() async -> StrengthScene {
    let facets = await client.state.facets
    // What has a receipt already is no longer queued, and may not be shown yet.
    let waiting = await client.queued.compactMap(\.action).filter { !submitted.contains($0) }
    var scene = StrengthScene(queued: waiting + submitted)
    if case .routines(let routines) = facets[.routines] { scene.routines = routines }
    if case .session(let session) = facets[.session] { scene.session = session }
    if case .lastSession(let summary) = facets[.lastSession] { scene.lastSession = summary }
    return scene
  }

  private mutating func submit(_ scripted: ScriptedAction) async throws {
    let match = scripted.needsMatch ? await newestMatch() : nil
    let made: Action? =
      if case .strength(let word) = scripted {
        try word.action(now: clock.now().wall, in: await scene())
      } else {
        scripted.action(now: clock.now().wall, match: match)
      }
    guard let action = made else {
      throw ToolFailure("the match is gone from the last state; make one first: match HOME AWAY")
    }
    let number = try await client.submit(action)
    awaited.insert(number)
    if case .strength = scripted { submitted.append(action) }
    show(lines.queued(number))
  }

  /// Waits for all receipts and for a state the server has confirmed; offline there is no waiting.
  private mutating func settle(before deadline: ContinuousClock.Instant) async throws {
    if options.isOffline { return }
    try await listen(until: deadline) { emulator in
      if emulator.hasGivenUp { return true }
      guard emulator.awaited.isEmpty, await emulator.client.isSettledAll else { return false }
      return await !emulator.client.state.isStale
    }
  }

  /// Prints what happens until `isDone`, the deadline, or the end of the client.
  private mutating func listen(
    until deadline: ContinuousClock.Instant, isDone: (WatchEmulator) async -> Bool
  ) async throws {
    let alarm = happenings.setAlarm(at: deadline)
    defer { alarm.task.cancel() }
    while !clientHasEnded, await !isDone(self) {
      switch await happenings.next() {
      case .event(let event): await take(event)
      case .clientEnded: clientHasEnded = true
      case .alarm(alarm.number): return
      case .alarm: break
      case .interrupted(let signal): throw Interrupted(signal: signal)
      }
    }
  }

  /// Prints lines on stdout.
  func show(_ lines: [String]) {
    for line in lines { printLine(line) }
  }
}
