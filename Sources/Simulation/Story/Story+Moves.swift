internal import AuthorityLink
internal import AuthorityServer
internal import Foundation
internal import WatchTransfer

/// What happens to whom. Each move draws its chances from its own seed, so that a story stays
/// nearly the same when another move is left out of it.
extension Story {
  /// Makes one move, and lets some time pass.
  func make(_ move: UInt64) throws {
    let later = world.random
    world.random = SplitMix64(seed: move)
    let span: Int64
    do {
      defer { world.random = later }
      try makeMove()
      span = pause()
    }
    world.run(for: span)
  }

  private func makeMove() throws {
    let device = devices[Int(world.pick(0...Int64(devices.count - 1)))]
    switch world.pick(0...99) {
    case 0..<3: try fetch()
    case 3..<56: act(device, count: world.chance(oneIn: 3) ? world.pick(2...12) : 1)
    case 56..<58: ask(device)
    case 58..<59: try goThereAndBack(device)
    case 59..<61: slowDisk()
    case 61..<62: travel(device)
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
      note("the clock of \(device.name) steps")
      device.stepClock(
        byMilliseconds: world.pick(-3_600_000...3_600_000), reboots: world.chance(oneIn: 3))
    case 97..<98:
      network.faults.count("disk full")
      note("the disk is full, or not")
      server.space.set(acceptsActs: !server.space.acceptsActs)
    case 98..<100: pulse(device)
    default: server.start()
    }
    // Nobody leaves it down for long.
    if !server.isRunning, world.chance(oneIn: 2) { restart() }
  }

  private func pause() -> Int64 {
    switch world.pick(0...9) {
    case 0...4: world.pick(0...5 * Span.millisecond)
    case 5...7: world.pick(0...400 * Span.millisecond)
    case 8: world.pick(0...3 * Span.second)
    case _ where world.chance(oneIn: 5): world.pick(0...200 * Span.second)
    default: world.pick(0...20 * Span.second)
    }
  }

  private func act(_ device: SimulatedDevice, count: Int64) {
    guard device.isRunning, device.paired.kind.may(.offer),
      let mix = mixes[device.paired.account]
    else { return }
    for _ in 0..<count {
      let now = Instant(
        milliseconds: SimulatedMachine.epochMilliseconds + world.now / Span.millisecond)
      let action = mix.next(at: now, on: device.paired.kind)
      note("\(device.name) \("\(action)".prefix { $0 != "(" })")
      device.act(action)
    }
  }

  /// A few questions at once.
  private func ask(_ device: SimulatedDevice) {
    guard device.isRunning, device.paired.kind.may(.query),
      let mix = mixes[device.paired.account]
    else { return }
    network.faults.count("questions")
    for _ in 0..<world.pick(1...4) {
      ask(mix.question(at: checker.serverClock, behind: seenHistory), of: device)
    }
  }

  /// Asks; where a page of the history ended, another may begin.
  func ask(_ question: Question, of device: SimulatedDevice) {
    note("\(device.name) asks \(question)")
    device.ask(checker.asked(question))
  }

  /// Live values of the session that the device shows, its own or another's.
  private func pulse(_ device: SimulatedDevice) {
    guard device.paired.kind.may(.pulse),
      case .session(let shown?) = device.state?.facets[.session]
    else { return }
    network.faults.count("pulses")
    note("\(device.name) measures a heart rate")
    for _ in 0..<world.pick(1...4) {
      let heartRate = Double(world.pick(60...180))
      checker.pulsed(shown.session, heartRate, by: device)
      device.pulse(shown.session, heartRate: heartRate)
      world.run(for: world.pick(0...1_500 * Span.millisecond))
    }
    // It may end, or be another's, while it is measured.
    guard world.chance(oneIn: 2), let other = devices.randomElement(using: &world.random),
      other.paired.account == device.paired.account, other.paired.kind.may(.change)
    else { return }
    other.act(
      world.chance(oneIn: 2)
        ? .controlSession(session: shown.session, control: .finish)
        : .takeOverSession(session: shown.session))
  }

  private func fetch() throws {
    guard let widget = widgets.randomElement(using: &world.random) else { return }
    switch world.pick(0...9) {
    case 0:
      note("kill \(widget.name)")
      widget.kill()
    case 1:
      note("cut \(widget.name)")
      widget.cutLink()
    default:
      network.faults.count("fetch")
      for _ in 0..<world.pick(1...4) { try widget.fetch(.any(world)) }
    }
  }

  /// A setting changes, is seen by a device that goes away, and changes back before a crash: what
  /// recovery finds is what it was, and not what the device saw last.
  private func goThereAndBack(_ device: SimulatedDevice) throws {
    let others = devices.filter {
      $0.paired.account == device.paired.account && $0.name != device.name && $0.isRunning
        && $0.paired.kind.may(.change)
    }
    guard let other = others.first, device.isRunning else { return }
    note("\(other.name) sets the theme there and back")
    let modes: [ThemeMode] = [.day, .night].shuffled(using: &world.random)
    for mode in modes + modes {
      other.act(.setTheme(mode: mode))
      world.run(for: world.pick(0...200 * Span.millisecond))
      if mode == modes[1], world.chance(oneIn: 2) { device.kill() }
    }
    crashServer()
    restart()
    try device.launch()
  }

  private func slowDisk() {
    guard let machine = server.machine else { return }
    network.faults.count("slow disk")
    note("the server's disk is slow")
    machine.isDiskSlowUntil = world.now + world.pick(0...10 * Span.second)
    guard world.chance(oneIn: 3) else { return }
    // Much is decided and little durable, and then it ends.
    for _ in 0..<world.pick(2...8) {
      act(devices[Int(world.pick(0...Int64(devices.count - 1)))], count: world.pick(1...3))
      world.run(for: world.pick(0...600 * Span.millisecond))
    }
    crashServer()
    restart()
  }

  private func travel(_ device: SimulatedDevice) {
    network.faults.count("travel")
    device.travel()
    note("\(device.name) travels to \(device.zone.id ?? "nowhere known")")
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
    guard world.chance(oneIn: 2) else { return }
    // What it queues now it may have sent, for all that its next start knows.
    try device.launch()
    act(device, count: world.pick(1...3))
    world.run(for: 100 * Span.microsecond)
    note("kill \(device.name)")
    device.kill()
    try device.launch()
  }

  private func pairAgain(_ device: SimulatedDevice) throws {
    guard let account = device.nextAccount else { return }
    device.kill()
    checker.pairsAgain(device)
    let isSame = account == device.paired.account
    network.faults.count(isSame ? "paired again" : "paired to another account")
    note("\(device.name) is paired again, \(isSame ? "as before" : "to another account")")
    device.pairAgain()
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

  private func crashServer(losesPower: Bool? = nil) {
    guard server.isRunning else { return }
    let losesPower = losesPower ?? world.chance(oneIn: 3)
    network.faults.count(losesPower ? "power lost" : "server kill")
    note(losesPower ? "the server's power is gone" : "kill the server")
    server.crash(losesPower: losesPower)
  }

  private func restart() {
    note("start the server")
    server.start()
  }

  private func failNextWrite() {
    let faults = SimulatedStore.WriteFault.allCases
    let fault = faults[Int(world.pick(0...Int64(faults.count - 1)))]
    network.faults.count(fault.words)
    note(fault.words)
    server.store.failWrite(fault, nth: server.store.disk == nil ? 1 : world.pick(1...20))
    guard fault == .kept, world.chance(oneIn: 3) else { return }
    // What a start finds in memory only, the power takes.
    for device in devices { act(device, count: world.pick(1...4)) }
    world.run(for: 100 * Span.millisecond)
    restart()
    world.run(for: world.pick(0...500 * Span.millisecond))
    crashServer(losesPower: true)
    restart()
  }

  private func stepServerClock() {
    network.faults.count("server clock step")
    let day: Int64 = 86_400_000
    let step = world.chance(oneIn: 3) ? world.pick(-2 * day...9 * day) : world.pick(-5_000...5_000)
    note("the server's clock steps by \(step) ms")
    server.wallOffset += step
    checker.clockStepped()
  }
}
