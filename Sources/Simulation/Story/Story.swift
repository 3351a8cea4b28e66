internal import AuthorityLink
internal import AuthorityServer
internal import Foundation
internal import WatchClient
internal import WatchTransfer

/// One simulated life of a server and its devices; everything in it follows from the seed.
final class Story {
  let seed: UInt64
  let world: World
  let network: Network
  let server: SimulatedServer
  let checker: Checker
  private(set) var devices: [SimulatedDevice] = []
  private var mixes: [AccountID: ActionMix] = [:]
  private var copies: Set<String> = []
  private var backup: SimulatedStore.Backup?
  private let moves: Int
  private let folder: String
  /// What was done, newest last; told when something is wrong.
  private(set) var log: [String] = []
  private let keepsLog: Bool

  /// A story of `moves` moves. `folder` holds the devices' files, and is the story's alone.
  init(seed: UInt64, moves: Int, folder: String, keepsLog: Bool, zones: any ZoneRulesSource) {
    self.seed = seed
    self.moves = moves
    self.folder = folder
    self.keepsLog = keepsLog
    world = World(seed: seed)
    network = Network(world)
    let cast = Cast(world)
    server = SimulatedServer(
      world, network, registry: DeviceRegistry(accounts: cast.accounts, devices: cast.pairings),
      limits: Self.limits(world), partitions: Int(world.pick(1...3)), zones: zones)
    checker = Checker(server.store, zones: zones)
    for (index, member) in cast.members.enumerated() {
      devices.append(SimulatedDevice(member, directory: "\(folder)/\(index)", world, network))
    }
    for account in cast.accounts { mixes[account.id] = ActionMix(world) }
  }

  /// Tells the story to its end; what went wrong, or nil.
  func tell() -> String? {
    defer { end() }
    do {
      watchDevices()
      server.start()
      for device in devices where !world.chance(oneIn: 4) { try device.launch() }
      for _ in 0..<moves {
        try move()
        world.run(for: pause())
        if let violation = checker.violation { return violation }
      }
      return try settle()
    } catch {
      return "the story broke off: \(error)"
    }
  }

  /// Events that happened.
  var steps: Int { world.steps }

  private static func limits(_ world: World) -> ServerLimits {
    var limits = ServerLimits()
    limits.checkpointSeconds = Int(world.pick(1...20))
    limits.checkpointAccountsMax = Int(world.pick(1...4))
    limits.idleAccountsMax = world.chance(oneIn: 2) ? 0 : 10
    limits.inFlightMax = Int(world.pick(1...64))
    limits.batchEntriesMax = Int(world.pick(1...16))
    return limits
  }

  private func watchDevices() {
    for device in devices {
      device.onEvent = { [checker, unowned self, unowned device] event in
        note("  \(device.name) hears \(Self.words(of: event))")
        checker.heard(event, by: device)
      }
      device.onLaunch = { [checker, unowned device] in checker.launched(device) }
      device.onSubmitted = { [checker, unowned self, unowned device] number, _ in
        note("  \(device.name) queued \(Self.words(of: number))")
        checker.submitted(number, by: device)
      }
    }
  }

  private static func words(of number: IncarnationNumber) -> String {
    "\(number.incarnation.description.prefix(4))·\(number.number)"
  }

  private static func words(of event: WatchEvent) -> String {
    switch event {
    case .receipt(let receipt):
      "\(receipt.incarnation.description.prefix(4))·\(receipt.number) \(receipt.outcome)"
    case .update(let update): "\(update.from) to \(update.to)"
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

  private func pause() -> Int64 {
    switch world.pick(0...9) {
    case 0...4: world.pick(0...5 * Span.millisecond)
    case 5...7: world.pick(0...400 * Span.millisecond)
    case 8: world.pick(0...3 * Span.second)
    default: world.pick(0...20 * Span.second)
    }
  }

  private func move() throws {
    let device = devices[Int(world.pick(0...Int64(devices.count - 1)))]
    switch world.pick(0...99) {
    case 0..<62: act(device, count: world.chance(oneIn: 8) ? world.pick(2...12) : 1)
    case 62..<69: try toggle(device)
    case 69..<71: try turnBack(device)
    case 71..<72: try pairAgain(device)
    case 72..<77:
      note("cut \(device.name)")
      device.cutLink()
    case 77..<80:
      note("\(device.name) asks for everything")
      device.resumeEverything()
    case 80..<86: crashServer()
    case 86..<87: restoreServer()
    case 87..<91: failNextWrite()
    case 91..<94: stepServerClock()
    case 94..<97:
      network.faults.count("device clock step")
      device.stepClock(
        byMilliseconds: world.pick(-3_600_000...3_600_000), reboots: world.chance(oneIn: 3))
    case 97..<98:
      network.faults.count("disk full")
      note("the disk is full, or not")
      server.space.set(acceptsActs: !server.space.acceptsActs)
    default: server.start()
    }
    // Nobody leaves it down for long.
    if !server.isRunning, world.chance(oneIn: 2) { restart() }
  }

  private func act(_ device: SimulatedDevice, count: Int64) {
    guard device.isRunning, let mix = mixes[device.paired.account] else { return }
    for _ in 0..<count {
      let action = mix.next(
        at: Instant(milliseconds: SimulatedMachine.epochMilliseconds + world.now / 1_000_000))
      note("\(device.name) \("\(action)".prefix { $0 != "(" })")
      device.act(action)
    }
  }

  private func toggle(_ device: SimulatedDevice) throws {
    if device.isRunning {
      network.faults.count("client kill")
      note("kill \(device.name)")
      device.kill()
    } else {
      note("launch \(device.name)")
      try device.launch()
    }
  }

  /// The device's files are copied; later they are what the copy had.
  private func turnBack(_ device: SimulatedDevice) throws {
    let copy = "\(folder)/copy-\(device.name.filter { $0 != " " })"
    if !copies.contains(copy) {
      note("copy the files of \(device.name)")
      if device.isRunning || FileManager.default.fileExists(atPath: device.directory) {
        try device.copyFiles(to: copy)
        copies.insert(copy)
        checker.copied(device)
      }
      return
    }
    network.faults.count("outbox back in time")
    note("\(device.name) goes back to its copy")
    device.kill()
    try device.restoreFiles(from: copy)
    copies.remove(copy)
    checker.wentBack(device)
  }

  private func pairAgain(_ device: SimulatedDevice) throws {
    device.kill()
    checker.pairsAgain(device)
    guard device.pairAgain() else { return }
    network.faults.count("paired again")
    note("\(device.name) is paired again")
  }

  /// The server's disk is copied; later it is what the copy had.
  private func restoreServer() {
    guard let backup else {
      note("back the server up")
      backup = server.store.backUp()
      return
    }
    network.faults.count("server restored")
    note("the server is restored from its backup")
    server.crash()
    server.store.restore(backup)
    self.backup = nil
    checker.serverWentBack()
  }

  private func crashServer() {
    guard server.isRunning else { return }
    network.faults.count("server kill")
    note("kill the server")
    server.crash()
  }

  private func restart() {
    note("start the server")
    server.start()
  }

  private func failNextWrite() {
    let kind = world.pick(0...2)
    var isOver = false
    let faults = ["write lost", "write kept, said lost", "checkpoint without room"]
    network.faults.count(faults[Int(kind)])
    note(faults[Int(kind)])
    server.store.fate = { write in
      if isOver || kind == 2 && write == .rows { return .done }
      isOver = true
      return kind == 0 ? .lost : kind == 1 ? .kept : .full
    }
  }

  private func stepServerClock() {
    network.faults.count("server clock step")
    let day: Int64 = 86_400_000
    let step = world.chance(oneIn: 3) ? world.pick(-2 * day...9 * day) : world.pick(-5_000...5_000)
    note("the server's clock steps by \(step) ms")
    server.wallOffset += step
  }

  /// Faults stop; after a while everybody must show the same, and every action have its receipt.
  private func settle() throws -> String? {
    note("faults stop")
    network.isFaulty = false
    server.store.fate = { _ in .done }
    server.space.set(acceptsActs: true)
    server.start()
    if let failure = server.startFailure { return "the server does not start: \(failure)" }
    for device in devices { try device.launch() }
    for _ in 0..<120 {
      world.run(for: 2 * Span.second)
      if let violation = checker.violation { return violation }
      server.start()
      if devices.allSatisfy({ $0.isSettled == true }) { break }
    }
    // A connection that fell silent is noticed after 90 s.
    // What is offered again after a restore comes behind the greeting: quiet is what stays so.
    var quietRounds = 0
    for _ in 0..<70 where quietRounds < 3 {
      for device in devices { device.resumeEverything() }
      world.run(for: 2 * Span.second)
      if let violation = checker.violation { return violation }
      let isQuiet = devices.allSatisfy { checker.isUpToDate($0) && $0.isSettled == true }
      quietRounds = isQuiet ? quietRounds + 1 : 0
    }
    return checker.violation ?? checker.final(devices)
  }

  private func end() {
    for device in devices { device.kill() }
    server.crash()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private func note(_ text: @autoclosure () -> String) {
    guard keepsLog else { return }
    log.append("\(world.now / Span.millisecond) ms  \(text())")
  }
}

/// Who takes part.
struct Cast {
  var accounts: [ListedAccount] = []
  var members: [Member] = []

  /// A device with its pairing, and one for later.
  struct Member {
    let device: PairedDevice
    let token: Token
    let spare: (device: PairedDevice, token: Token)
  }

  /// All pairings, those for later too.
  var pairings: [(device: PairedDevice, token: Token)] {
    members.flatMap { [($0.device, $0.token), $0.spare] }
  }

  init(_ world: World) {
    for number in 1...world.pick(1...2) {
      let account = ListedAccount(
        id: Self.id(world), name: "account \(number)", zoneID: "Europe/Berlin",
        created: Instant(milliseconds: SimulatedMachine.epochMilliseconds))
      accounts.append(account)
      for member in 1...world.pick(1...3) {
        let kind: DeviceKind = world.chance(oneIn: 2) ? .phone : .watch
        let name = "\(kind) \(number).\(member)"
        func pairing() -> (device: PairedDevice, token: Token)? {
          let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: world.random.next()) }
          let device = PairedDevice(
            id: Self.id(world), account: account.id, kind: kind, name: name)
          return Token(bytes: bytes).map { (device, $0) }
        }
        if let first = pairing(), let spare = pairing() {
          members.append(Member(device: first.device, token: first.token, spare: spare))
        }
      }
    }
  }

  private static func id<Tag>(_ world: World) -> Identifier<Tag> {
    Identifier(high: world.random.next() | 1, low: world.random.next())
  }
}
