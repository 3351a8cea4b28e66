internal import AuthorityLink
public import CommandLineTool
internal import PhoneClient
internal import Transport
internal import WatchClient
internal import WatchTransfer

/// One run of an emulated watch or phone: queues the script's actions, waits for their receipts,
/// listens on; or, on a terminal, shows the watch's screen.
public struct DeviceEmulator {
  /// The run was interrupted by a signal.
  private struct Interrupted: Error {
    let signal: Int32
  }

  /// How long to wait for the server's newest match before the kept one will do.
  private static let freshMatchWait = Duration.seconds(5)
  /// How long the client may take to tell its last after it was stopped.
  private static let drainWait = Duration.seconds(5)

  let options: DeviceOptions
  /// What only a phone may do; nil on a watch.
  private let phone: PhoneClient?
  /// What acts; a phone's, too.
  let client: WatchClient
  let clock: any DeviceClockSource
  let pairing: PairingStore
  let credential: Credential
  let lines: DeviceLines
  /// Says what went wrong.
  let tool: Tool
  var happenings: Happenings
  /// Where the watch is shown on a terminal.
  private let terminal: Terminal?
  /// Actions that have no receipt yet, as far as was printed.
  var awaited: Set<IncarnationNumber> = []
  var quarantinedCount = 0
  var hasFailedToConnect = false
  var toldFailure: LinkFailure?
  /// The authority does not want this watch, or the outbox cannot be written.
  var hasGivenUp = false
  private var clientHasEnded = false

  /// Opens the outbox; nothing is sent or queued yet.
  public init(_ options: DeviceOptions) async throws {
    self.options = options
    tool = options.kind.tool
    lines = DeviceLines(isJSON: options.isJSON)
    if options.token == nil, options.code == nil,
      try PairingStore(directory: options.outbox).credential() == nil
    {
      throw Self.unpaired(options.kind)
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
    let configuration = WatchConfiguration(
      link: link, directory: options.outbox, clock: clock,
      zone: { MachineZone.stamp(at: clock.now().wall) }, minimumIntervalMilliseconds: 0,
      lock: lock)
    switch options.kind {
    case .watch:
      phone = nil
      client = try WatchClient(configuration)
    case .phone:
      let phone = try PhoneClient(configuration)
      self.phone = phone
      client = phone.device
    }
    try emulated?.keep()
    let terminal = options.showsScreen(onTerminal: Terminal.isThere) ? try Terminal() : nil
    self.terminal = terminal
    let interruption = Interruption(endsWithTerminal: terminal != nil) { terminal?.close() }
    happenings = Happenings(events: await client.events(), interruption: interruption)
    // Signals are looked after by now.
    terminal?.open()
  }

  private static func unpaired(_ kind: EmulatedKind) -> UsageError {
    .contradiction(
      "this \(kind.rawValue) is not paired: give --token, WRISTWIRE_TOKEN or --code")
  }

  /// What the watch is known by; with a server at hand, as that says.
  private static func credential(
    _ options: DeviceOptions, _ pairing: PairingStore, _ link: LinkConfiguration
  ) async throws -> Credential {
    if options.code == nil, let token = options.token { return .token(token) }
    if options.isOffline {
      if let code = options.code { return try pairing.credential(for: code) }
      guard let known = try pairing.credential() else { throw unpaired(options.kind) }
      return known
    }
    switch try await pairing.settle(options.code, at: link) {
    case .credential(let credential): return credential
    case .codeRefused: throw ToolFailure(codeRefused)
    case .unpaired: throw unpaired(options.kind)
    }
  }

  /// Runs the script; how the program ends.
  public mutating func run() async throws -> ExitStatus {
    if let terminal { return try await runScreen(on: terminal) }
    do {
      do {
        try await perform()
      } catch let error where !(error is Interrupted) {
        // Half of the script may be in the outbox, and is carried out later.
        try await end()
        tellWaiting()
        throw error
      }
      try await end()
      return status
    } catch let interrupted as Interrupted {
      await client.stop()
      return .interrupted(by: interrupted.signal)
    }
  }

  /// Stops the client, and takes what it still tells.
  private mutating func end() async throws {
    // A stopped client lists nothing; what it still tells of these is taken while it ends.
    awaited.formUnion(await waiting())
    await client.stop()
    try await listen(until: .now + Self.drainWait) { _ in false }
    happenings.close()
  }

  private mutating func runScreen(on terminal: Terminal) async throws -> ExitStatus {
    defer { terminal.close() }
    let status = try await showScreen(on: terminal)
    if status == .ok { awaited = Set(await waiting()) }
    await client.stop()
    happenings.close()
    guard status == .ok else { return status }
    terminal.close()
    return tellWaiting() ? .queued : .ok
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
      case .ask(let question):
        try await settle(before: deadline)
        try await ask(question)
      case .onLog(let word):
        // A log that has an id needs nobody to be named.
        if !word.isOffline { try await settle(before: deadline) }
        try await perform(word, before: deadline)
      case .outbox(let word):
        try await settle(before: deadline)
        try await handle(word)
      case .pulse(let pulse):
        // What it belongs to is decided by then.
        try await settle(before: deadline)
        await send(pulse)
      default:
        try await submit(action, before: deadline)
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

  /// The match that an action means: the newest that is pending, else the one in the last state.
  private func newestMatch() async -> MatchID? {
    if let made = await pending().compactMap(\.action?.madeMatch).last { return made }
    guard case .teams(let teams) = await client.state.facets[.teams] else { return nil }
    return teams?.match
  }

  /// Sends a live value of the session that runs, if anybody can hear it.
  private func send(_ pulse: ScriptedPulse) async {
    guard let session = await scene().sessionID else {
      return tool.fail("no pulse: no session runs")
    }
    let isSent = await client.pulse(
      session, heartRate: pulse.heartRate, energyKilocalories: pulse.energyKilocalories,
      distanceMeters: pulse.distanceMeters)
    if !isSent { tool.fail("no pulse: nobody is connected to hear it") }
  }

  /// What the watch knows of routines and sessions.
  func scene() async -> StrengthScene {
    // First what is pending: what is shown meanwhile is then known twice, and not lost. What has
    // its receipt is shown, for the update goes before it, or will never be.
    var scene = StrengthScene(pending: await pending().compactMap(\.action))
    scene.asked = await asked()
    let facets = await client.state.facets
    if case .routines(let routines) = facets[.routines] { scene.routines = routines }
    if case .session(let session) = facets[.session] { scene.session = session }
    if case .lastSession(let summary) = facets[.lastSession] { scene.lastSession = summary }
    return scene
  }

  /// What this device has asked for and may be true, in order.
  func asked() async -> [Action] {
    await client.actions(newest: .max).filter(\.mayBeTrue).compactMap(\.action)
  }

  private mutating func submit(
    _ scripted: ScriptedAction, before deadline: ContinuousClock.Instant
  ) async throws {
    let match = scripted.needsMatch ? await newestMatch() : nil
    var scene = StrengthScene()
    switch scripted {
    case .strength(let word):
      // Names are the authority's: what this device asked for is decided by then.
      if !word.exerciseNames.isEmpty { try await settle(before: deadline) }
      scene = await self.scene()
      scene.library = try await library(of: word.exerciseNames)
    case .workout: try await settle(before: deadline)
    default: break
    }
    show(lines.queued(try await queue(scripted, match: match, scene: scene)))
  }

  /// Queues what a script says of a match and a session.
  mutating func queue(
    _ scripted: ScriptedAction, match: MatchID?, scene: StrengthScene
  ) async throws -> IncarnationNumber {
    if let phone, let match, let number = try await lineUp(scripted, in: match, by: phone) {
      awaited.insert(number)
      return number
    }
    let made: Action? =
      switch scripted {
      case .strength(let word): try word.action(now: clock.now().wall, in: scene)
      case .workout(let word): word.action(on: try await workout(word.workout))
      default: scripted.action(now: clock.now().wall, match: match)
      }
    guard let action = made else {
      throw ToolFailure("the match is gone from the last state; make one first: match HOME AWAY")
    }
    let number = try await client.submit(action)
    awaited.insert(number)
    return number
  }

  /// What only a phone says, by its typed calls; nil for everything else.
  private func lineUp(
    _ scripted: ScriptedAction, in match: MatchID, by phone: PhoneClient
  ) async throws(OutboxError) -> IncarnationNumber? {
    switch scripted {
    case .squad(let team, let players):
      try await phone.setSquad(players, of: team, in: match)
    case .sub(let team, let off, let on):
      try await substitute(off, for: on, of: team, in: match, by: phone)
    case .undoSub(let id): try await phone.undoSubstitution(id, in: match)
    default: nil
    }
  }

  /// A player whom no squad names may be one to come, or a name mistyped: it is done and said.
  private func substitute(
    _ off: String, for on: String, of team: Team, in match: MatchID, by phone: PhoneClient
  ) async throws(OutboxError) -> IncarnationNumber {
    var known: Set<PlayerID> = []
    if let squads = await phone.squads, squads.match == match {
      known.formUnion((squads.home + squads.away).map(\.player.id))
    }
    for case .setSquad(match, _, let players) in await asked() {
      known.formUnion(players.map(\.id))
    }
    for name in [off, on] where !known.contains(ScriptedAction.playerID(named: name)) {
      tool.fail("\"\(printable(name))\" is in no squad of this match; substituted all the same")
    }
    return try await phone.substitute(
      ScriptedAction.playerID(named: off), for: ScriptedAction.playerID(named: on), of: team,
      in: match
    ).1
  }

  /// What is done with a photo's bytes, and with the newest log, needs the authority.
  private mutating func perform(
    _ word: LogWord, before deadline: ContinuousClock.Instant
  ) async throws {
    let number: IncarnationNumber
    switch word {
    case .edit(let place, let change):
      number = try await client.editLog(try await log(at: place), change)
    case .delete(let place): number = try await client.deleteLog(try await log(at: place))
    case .attach(let place, let file):
      let log = try await log(at: place)
      let hash = try await upload(file, before: deadline)
      number = try await client.attachPhoto(hash, to: log)
    case .remove(let place):
      number = try await client.removePhoto(of: try await log(at: place))
    case .fetch(let place, let file):
      return try await fetchPhoto(place, into: file, before: deadline)
    case .preview(let place): return try await showDeletion(of: place)
    }
    awaited.insert(number)
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
    until deadline: ContinuousClock.Instant, isDone: (DeviceEmulator) async -> Bool
  ) async throws {
    let alarm = happenings.setAlarm(at: deadline)
    defer { alarm.task.cancel() }
    while !clientHasEnded, await !isDone(self) {
      switch await happenings.next() {
      case .event(let event): await take(event)
      case .clientEnded: clientHasEnded = true
      case .alarm(alarm.number): return
      case .alarm, .input: break
      case .interrupted(let signal): throw Interrupted(signal: signal)
      }
    }
  }

  /// Prints lines on stdout.
  func show(_ lines: [String]) {
    for line in lines { printLine(line) }
  }
}

extension QueuedAction {
  /// Whether it took effect, or still may.
  var mayBeTrue: Bool {
    switch stage {
    case .queued, .received, .applied, .shown: true
    case .durable, .quarantined: false
    }
  }
}
