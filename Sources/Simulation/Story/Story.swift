internal import AuthorityLink
internal import AuthorityServer
internal import Foundation
internal import WatchClient
internal import WatchTransfer
internal import WidgetClient

/// One simulated life of a server and its devices; everything in it follows from the seed.
final class Story {
  let seed: UInt64
  let world: World
  let network: Network
  let server: SimulatedServer
  let checker: Checker
  private(set) var devices: [SimulatedDevice] = []
  private(set) var widgets: [SimulatedWidget] = []
  private(set) var mixes: [AccountID: ActionMix] = [:]
  /// Copies of devices' files that were not put back yet.
  var copies: Set<String> = []
  /// Where a page of somebody's history ended.
  var seenHistory: HistoryKey?
  /// Of the server's disk.
  var backup: SimulatedStore.Backup?
  private let moves: [UInt64]
  /// Holds the devices' files.
  let folder: String
  /// What was done, newest last; told when something is wrong.
  private(set) var log: [String] = []
  private let keepsLog: Bool

  /// A story of these moves, each given by its seed. `folder` holds the devices' files, and is the
  /// story's alone.
  init(seed: UInt64, moves: [UInt64], folder: String, keepsLog: Bool, zones: any ZoneRulesSource) {
    self.seed = seed
    self.moves = moves
    self.folder = folder
    self.keepsLog = keepsLog
    world = World(seed: seed)
    world.stepsMax = Self.stepsMax
    network = Network(world)
    let cast = Cast(world)
    server = SimulatedServer(
      world, network, registry: DeviceRegistry(accounts: cast.accounts, devices: cast.pairings),
      limits: Self.limits(world), partitions: Int(world.pick(1...3)), zones: zones)
    checker = Checker(server, zones: zones)
    for (index, member) in cast.members.enumerated() {
      devices.append(
        SimulatedDevice(member, directory: "\(folder)/\(index)", world, network, zones: zones))
    }
    widgets = cast.widgets.map { SimulatedWidget($0, world, network) }
    for account in cast.accounts { mixes[account.id] = ActionMix(world) }
  }

  /// Tells the story to its end; what went wrong, or nil.
  func tell() -> String? {
    defer { end() }
    do {
      watchDevices()
      watchWidgets()
      // Half of the stories have a real database, on a disk that is not.
      if world.chance(oneIn: 2) {
        server.store.disk = try SimulatedDisk(folder: "\(folder)/server", seed: world.random.next())
      }
      server.start()
      for device in devices where !world.chance(oneIn: 4) { try device.launch() }
      begin()
      for move in moves {
        try make(move)
        if let violation { return violation }
      }
      return try settle()
    } catch {
      return "the story broke off: \(error)"
    }
  }

  /// In half of the stories people have something to begin with.
  private func begin() {
    for (account, mix) in mixes.sorted(by: { $0.key < $1.key }) where world.chance(oneIn: 2) {
      let device = devices.first {
        $0.paired.account == account && $0.paired.kind.may(.change) && $0.isRunning
      }
      for action in mix.opening() { device?.act(action) }
    }
  }

  /// Far above what any story needs: most have 3,000.
  private static let stepsMax = 200_000

  /// Events that happened.
  var steps: Int { world.steps }

  private var violation: String? {
    checker.violation ?? server.startBreach
      ?? (world.isStorm ? "a storm: \(world.steps) events" : nil)
  }

  private static func limits(_ world: World) -> ServerLimits {
    var limits = ServerLimits()
    limits.checkpointSeconds = Int(world.pick(1...20))
    limits.checkpointAccountsMax = Int(world.pick(1...4))
    limits.idleAccountsMax = world.chance(oneIn: 2) ? 0 : 10
    limits.inFlightMax = Int(world.pick(1...64))
    limits.batchEntriesMax = Int(world.pick(1...16))
    if world.chance(oneIn: 3) {
      limits.actsPerSecond = Int(world.pick(1...20))
      limits.actsBurst = Int(world.pick(1...20))
    }
    limits.reloadsPerDay = Int(world.pick(0...40))
    if world.chance(oneIn: 4) { limits.commitQueueMax = Int(world.pick(1...8)) }
    return limits
  }

  private func watchDevices() {
    for device in devices {
      device.onEvent = { [checker, unowned self, unowned device] event in
        note("  \(device.name) hears \(Self.words(of: event))")
        checker.heard(event, by: device)
      }
      device.onUploaded = { [checker, unowned device] in checker.uploaded($0, by: device) }
      device.onAnswered = { [checker, unowned self, unowned device] asked, result in
        note("  \(device.name) is \(Self.words(of: result))")
        if case .success(let page) = result, case .history(_, let next?) = page.answer {
          seenHistory = next
        }
        checker.answered(asked, result, to: device)
      }
      device.onLaunch = { [checker, unowned device] in checker.launched(device) }
      device.onSubmitted = { [checker, unowned self, unowned device] number, action in
        note("  \(device.name) queued \(Self.words(of: number))")
        checker.submitted(number, action, by: device)
      }
    }
  }

  private func watchWidgets() {
    for widget in widgets {
      widget.onFetched = { [checker, unowned self, unowned widget] result in
        note(
          "  \(widget.name) fetched \((try? result.get()).map { "\($0.revision)" } ?? "nothing")")
        checker.fetched(result, by: widget)
      }
    }
  }

  private static func words(of number: IncarnationNumber) -> String {
    "\(number.incarnation.description.prefix(4))·\(number.number)"
  }

  private static func words(of result: Result<Page, QueryError>) -> String {
    switch result {
    case .success(let page): "answered as of \(page.revision)"
    case .failure(let error): "not answered: \(error)"
    }
  }

  private static func words(of event: WatchEvent) -> String {
    switch event {
    case .receipt(let receipt):
      "\(receipt.incarnation.description.prefix(4))·\(receipt.number) \(receipt.outcome)"
    case .update(let update): "\(update.from) to \(update.to)"
    case .stage(let number, let stage): "\(words(of: number)) \(stage.word)"
    case .quarantined(let number, let reason): "\(words(of: number)) quarantined \(reason)"
    case .movedToNewIncarnation(let old, let new, let count):
      "\(count) moved from \(old.description.prefix(4)) to \(new.description.prefix(4))"
    case .connected(let welcome):
      "welcome at \(welcome.revision), expected "
        + welcome.expected.map { words(of: $0) }.joined(separator: " ")
    case .disconnected(let failure): "disconnected \(failure)"
    case .ended(let goodbye): "goodbye \(goodbye.reason.word)"
    case .failed(let error): "\(error)"
    }
  }

  /// Faults stop; after a while everybody must show the same, and every action have its receipt.
  private func settle() throws -> String? {
    note("faults stop")
    network.isFaulty = false
    server.store.heal()
    server.space.set(acceptsActs: true)
    server.start()
    if let failure = server.startFailure { return "the server does not start: \(failure)" }
    for device in devices { try device.launch() }
    for _ in 0..<120 {
      world.run(for: 2 * Span.second)
      if let violation { return violation }
      server.start()
      if devices.allSatisfy({ $0.isSettled == true }) { break }
    }
    // A connection that fell silent is noticed after 90 s.
    // What is offered again after a restore comes behind the greeting: quiet is what stays so.
    var quietRounds = 0
    for _ in 0..<280 where quietRounds < 3 {
      if quietRounds == 0 {
        for device in devices { device.resumeEverything() }
      }
      world.run(for: 500 * Span.millisecond)
      if let violation { return violation }
      let isQuiet = devices.allSatisfy { checker.isUpToDate($0) && $0.isSettled == true }
      quietRounds = isQuiet ? quietRounds + 1 : 0
    }
    if let broken = violation ?? checker.final(devices) { return broken }
    for widget in widgets {
      checker.expectsFresh(from: widget)
      try widget.fetch(.any(world))
    }
    // A connection that fell silent is noticed after 90 s, and a fetch waits no longer than 10.
    for _ in 0..<15 where !checker.isFresh {
      world.run(for: 10 * Span.second)
      for widget in widgets { try widget.fetch(.any(world)) }
    }
    if let broken = violation ?? checker.missingFetch { return broken }
    askEverything()
    if let broken = violation ?? checker.missingAnswer { return broken }
    return try checkDisk()
  }

  /// Everybody must be answered, whatever it asks.
  private func askEverything() {
    for device in devices {
      guard let mix = mixes[device.paired.account], device.paired.kind.may(.query) else {
        continue
      }
      for _ in 0..<8 {
        let question = mix.question(at: checker.serverClock, behind: seenHistory)
        if question.fieldOutOfBounds == nil { checker.expectsAnswer(to: question, by: device) }
      }
    }
    // A connection that fell silent is noticed after 90 s.
    for _ in 0..<15 where checker.missingAnswer != nil {
      for device in devices {
        for question in checker.unanswered[device.name] ?? [] { ask(question, of: device) }
      }
      world.run(for: 10 * Span.second)
    }
  }

  /// What a start would find now: the rows that are durable, and checkpoints that replay gives.
  private func checkDisk() throws -> String? {
    server.crash(losesPower: world.chance(oneIn: 2))
    let epoch = EpochID(high: world.random.next() | 1, low: 0)
    let journal = try server.store.open(epoch: epoch, at: 0)
    return checker.findings(in: journal)
  }

  private func end() {
    for device in devices { device.kill() }
    for widget in widgets { widget.kill() }
    server.crash()
    network.end()
    world.end()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Takes down what is done, for the story.
  func note(_ text: @autoclosure () -> String) {
    guard keepsLog else { return }
    log.append("\(world.now / Span.millisecond) ms  \(text())")
  }
}
