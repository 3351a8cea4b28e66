internal import CommandLineTool
internal import Glibc
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// A well-behaved load: requests leave when they are due, whatever the answers do, and every answer
/// is read and checked. In the end each device asks for the whole state, which must show its last
/// act.
final class PacedRun {
  let options: LoadOptions
  let tokens: [[UInt8]]
  let stop: StopFlag
  let pool: ConnectionPool
  let encoder = MessageEncoder()
  let decoder = MessageDecoder(limits: .fromServer)
  /// By the slots of their connections, which are dense from 0.
  var devices: [PacedDevice] = []
  var aliveCount = 0
  /// Those that have to connect yet, or again.
  var arrivals: [Arrival] = []
  /// Connections without a Welcome.
  var greetingCount = 0
  /// How many connections of an account there are.
  var sharers: [AccountID: Int] = [:]
  var isLoading = false
  /// Why the run cannot go on.
  var failure: ToolFailure?
  var report: LoadReport
  /// How late requests left this program; nanoseconds.
  private var lateness = LatencyHistogram()
  private let wallOffset = LoadRun.wallOffset()
  private let fetchFrame: [UInt8]
  private let room = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ActFrames.frameBytesMax, alignment: 8)

  /// A device that connects at a moment, in nanoseconds on the monotonic clock.
  struct Arrival {
    /// Index into the list of tokens.
    let token: Int
    let due: Int64
  }

  /// For so long answers that are missing are waited for; nanoseconds.
  static var patience: Int64 { 10_000_000_000 }
  /// Connections without a Welcome at once.
  private static var greetingMax: Int { 256 }

  /// A run that has done nothing yet.
  init(_ options: LoadOptions, tokens: [[UInt8]], stop: StopFlag) throws {
    self.options = options
    self.tokens = tokens
    self.stop = stop
    pool = try LoadRun.pool(connections: tokens.count)
    report = LoadReport(
      scenario: options.scenario, connections: tokens.count, pipeline: options.pipeline)
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    fetchFrame = encoder.frame(ClientMessage.fetch(Fetch(view: view)))
  }

  deinit { room.deallocate() }

  /// Connects every device and waits for its Welcome. Who is turned away for a while comes back
  /// when it was told to.
  func connect(to address: SocketAddress, securedBy tls: TLSClient?) throws {
    arrivals = tokens.indices.map { Arrival(token: $0, due: 0) }
    var welcomed = (count: 0, at: MonotonicInstant.now().nanoseconds)
    while aliveCount < tokens.count, failure == nil, stop.signal == nil {
      let now = MonotonicInstant.now().nanoseconds
      if aliveCount > welcomed.count { welcomed = (aliveCount, now) }
      guard now - welcomed.at < Self.patience else {
        throw ToolFailure("the server has welcomed \(aliveCount) of \(tokens.count) connections")
      }
      try connectThoseDue(by: now, to: address, securedBy: tls)
      turn(waiting: 20)
    }
    if let failure { throw failure }
  }

  private func connectThoseDue(
    by now: Int64, to address: SocketAddress, securedBy tls: TLSClient?
  ) throws {
    var later: [Arrival] = []
    for arrival in arrivals {
      // A server turns away what crowds its lobby.
      guard arrival.due <= now, greetingCount < Self.greetingMax else {
        later.append(arrival)
        continue
      }
      let connection = try pool.connect(to: address, securedBy: tls)
      let device = PacedDevice(
        connection: connection, token: arrival.token,
        incarnation: LoadRun.incarnation(of: tokens[arrival.token]))
      // Slots are dense; one that is given again was of a device that has gone.
      let index = Int(connection.slot)
      if index < devices.count { devices[index] = device } else { devices.append(device) }
      greetingCount += 1
    }
    arrivals = later
  }

  /// Loads for the time that was asked, waits for what is missing, and looks at the end state.
  func load() {
    isLoading = true
    let usage = LoadRun.processorMicroseconds()
    let start = MonotonicInstant.now().nanoseconds
    let end = start + Int64(options.seconds) * 1_000_000_000
    var schedule = PacedSchedule(
      start: start, perSecond: options.rate, connections: devices.count)
    var now = start
    while now < end, aliveCount > 0, stop.signal == nil {
      while let request = schedule.next(by: min(now, end - 1)) { send(request, at: now) }
      resendHeld(by: now)
      pool.flush()
      turn(waiting: max(1, (schedule.nextDue - now) / 1_000_000))
      now = MonotonicInstant.now().nanoseconds
    }
    report.nanoseconds = now - start
    if stop.signal == nil {
      while let request = schedule.next(by: end - 1) { send(request, at: now) }
    }
    finish()
    report.ownMicroseconds = LoadRun.processorMicroseconds() - usage
    report.figures["sentLateP99Ms"] = Double(lateness.quantile(0.99)) / 1e6
    pool.closeAll()
  }

  private func send(_ request: PacedSchedule.Request, at now: Int64) {
    let index = request.connection
    guard devices[index].phase == .welcomed else { return }
    lateness.add(now - request.due, count: 1)
    guard request.isAct else {
      devices[index].fetches.append(request.due)
      return pool.send(devices[index].connection, fetchFrame)
    }
    devices[index].hasActed = true
    let act = devices[index].acts.add(due: request.due)
    if act.isSent { sendAct(act.number, of: index, at: now) }
  }

  private func sendAct(_ number: UInt64, of index: Int, at now: Int64) {
    guard let start = room.baseAddress else { return }
    let length = devices[index].frames.write(
      number: number, confirmed: devices[index].acts.confirmed,
      wall: wallOffset + now / 1_000_000, to: start)
    pool.send(
      devices[index].connection, UnsafeRawBufferPointer(start: start, count: length))
  }

  private func resendHeld(by now: Int64) {
    for index in devices.indices {
      guard let numbers = devices[index].acts.resend(by: now) else { continue }
      for number in numbers { sendAct(number, of: index, at: now) }
    }
  }

  /// Waits for every answer; then has everything told again, and looks for the last acts.
  private func finish() {
    waitUntil { $0.acts.count == 0 && $0.fetches.isEmpty }
    for index in devices.indices where devices[index].phase == .welcomed {
      devices[index].isSettled = false
      pool.send(devices[index].connection, encoder.frame(ClientMessage.resume(nil)))
    }
    pool.flush()
    waitUntil(\.isSettled)
    for device in devices where device.phase == .welcomed {
      report.wentWrong("an act without a receipt", count: device.acts.count)
      report.wentWrong("a fetch without an answer", count: device.fetches.count)
      let value = Double(device.acts.confirmed % 1_000_000_000)
      if !device.isSettled {
        report.wentWrong("no whole state at the end")
      } else if device.hasActed, device.shownValue != value {
        report.wentWrong("a state that does not show the last act")
      }
    }
  }

  private func waitUntil(_ holds: (PacedDevice) -> Bool) {
    let deadline = MonotonicInstant.now().nanoseconds + Self.patience
    var now: Int64 = 0
    while now < deadline, stop.signal == nil,
      devices.contains(where: { $0.phase == .welcomed && !holds($0) })
    {
      turn(waiting: 5)
      now = MonotonicInstant.now().nanoseconds
      resendHeld(by: now)
      pool.flush()
    }
  }

  private func turn(waiting milliseconds: Int64) {
    pool.turn(waiting: .milliseconds(milliseconds)) { connection, event in
      let index = Int(connection.slot)
      switch event {
      case .received(let bytes): return receive(bytes, of: index)
      case .connected: greet(index)
      case .endOfInput: lost(index, "closed by the server")
      case .closed(let reason): lost(index, reason.words)
      case .drained: break
      }
      return 0
    }
  }

  /// The connection is over, or of no use any more.
  func lost(_ index: Int, _ reason: String) {
    guard devices[index].phase != .gone else { return }
    if isLoading {
      report.wentWrong(reason)
    } else {
      failure = ToolFailure("connection \(devices[index].token + 1): \(reason)")
    }
    leave(index)
  }

  /// Closes its connection.
  func leave(_ index: Int) {
    switch devices[index].phase {
    case .connecting: greetingCount -= 1
    case .welcomed: aliveCount -= 1
    case .gone: return
    }
    devices[index].phase = .gone
    pool.close(devices[index].connection)
  }
}
