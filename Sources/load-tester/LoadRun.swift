internal import CommandLineTool
internal import Glibc
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// One load: every device connects and is welcomed; then all send, and send again when they are
/// answered.
///
/// It runs on one thread, which waits for sockets and nothing else. What an answer costs is kept
/// down to reading it: frames are told apart by their first byte, requests are written from memory
/// that is reused, and nothing is allocated.
final class LoadRun {
  let options: LoadOptions
  let tokens: [[UInt8]]
  let stop: StopFlag
  let pool: ConnectionPool
  let encoder = MessageEncoder()
  let decoder = MessageDecoder()
  /// By the slots of their connections, which are dense from 0.
  let devices: UnsafeMutablePointer<Device>
  var deviceCount = 0
  /// Devices that are connected and not gone.
  var aliveCount = 0
  /// The requests of a device: the same for all, or room to write them.
  let requests: UnsafeMutableRawBufferPointer
  /// How many connections of an account there are.
  var sharers: [AccountID: Int] = [:]
  /// Slots of devices that have acts to send again.
  var held: [UInt32] = []
  var isLoading = false
  /// Why the run cannot go on.
  var failure: ToolFailure?
  var report: LoadReport
  /// What the wall clock showed when the monotonic clock showed 0; milliseconds.
  let wallOffset: Int64

  /// A run that has done nothing yet. Throws when the machine has no descriptors for it.
  init(_ options: LoadOptions, tokens: [[UInt8]], stop: StopFlag) throws {
    self.options = options
    self.tokens = tokens
    self.stop = stop
    pool = try Self.pool(connections: tokens.count)
    devices = .allocate(capacity: tokens.count)
    requests = Self.requests(options, encoder)
    report = LoadReport(
      scenario: options.scenario, connections: tokens.count, pipeline: options.pipeline)
    wallOffset = Self.wallOffset()
  }

  deinit {
    devices.deallocate()
    requests.deallocate()
  }

  /// Loads for the time that was asked, or until it is stopped or nobody is left.
  func load() {
    isLoading = true
    let usage = Self.processorMicroseconds()
    let start = MonotonicInstant.now().nanoseconds
    let end = start + Int64(options.seconds) * 1_000_000_000
    if options.scenario != .idle {
      for slot in 0..<deviceCount { sendNext(devices + slot, at: start) }
      pool.flush()
    }
    var now = start
    while now < end, aliveCount > 0, stop.signal == nil {
      turn()
      now = MonotonicInstant.now().nanoseconds
      if !held.isEmpty { resendHeld(at: now) }
    }
    report.nanoseconds = now - start
    report.ownMicroseconds = Self.processorMicroseconds() - usage
    pool.closeAll()
  }

  /// One round of the connections.
  func turn() {
    pool.turn(waiting: .milliseconds(20)) { connection, event in
      switch event {
      case .received(let bytes): return receive(bytes, from: devices + Int(connection.slot))
      case .connected: greet(devices + Int(connection.slot))
      case .endOfInput: lost(devices + Int(connection.slot), "closed by the server")
      case .closed(let reason): lost(devices + Int(connection.slot), reason.words)
      case .drained: break
      }
      return 0
    }
  }

  /// Takes whole frames off the front of `bytes`; returns how many bytes they were.
  private func receive(_ bytes: UnsafeRawBufferPointer, from device: UnsafeMutablePointer<Device>)
    -> Int
  {
    let before = device.pointee.unanswered
    var consumed = 0
    var answered = 0
    while bytes.count - consumed > FrameLimits.prefixBytes {
      let prefix = bytes.loadUnaligned(fromByteOffset: consumed, as: UInt32.self)
      let length = Int(UInt32(bigEndian: prefix))
      guard length > 0, length <= FrameLimits.serverFrameBytesMax else {
        lost(device, "no frame of this protocol")
        return bytes.count
      }
      let end = consumed + FrameLimits.prefixBytes + length
      if end > bytes.count { break }
      let start = consumed + FrameLimits.prefixBytes
      let payload = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if take(payload, from: device) { answered += 1 }
      consumed = end
    }
    if before > 0 { finish(answered, of: device) }
    return consumed
  }

  /// Takes one message; whether it is an answer that counts.
  private func take(
    _ payload: UnsafeRawBufferPointer, from device: UnsafeMutablePointer<Device>
  ) -> Bool {
    switch AnswerKind(payloadStart: payload[0]) {
    case .widget: return true
    case .receipt: return receipt(payload, of: device)
    case .news, .pong: return false
    case .ping, .other:
      decode(payload, of: device)
      return false
    }
  }

  /// Takes down answers, and sends the next requests when none is missing.
  private func finish(_ answered: Int, of device: UnsafeMutablePointer<Device>) {
    device.pointee.unanswered -= answered
    let now = MonotonicInstant.now().nanoseconds
    if answered > 0 { report.latencies.add(now - device.pointee.sentAt, count: answered) }
    if device.pointee.unanswered <= 0, device.pointee.phase == .welcomed {
      sendNext(device, at: now)
    }
  }

  /// Sends the next requests of a device, as many as shall be in flight.
  func sendNext(_ device: UnsafeMutablePointer<Device>, at now: Int64) {
    device.pointee.unanswered = options.pipeline
    device.pointee.sentAt = now
    if options.scenario == .act {
      sendActs(device, at: now)
    } else {
      pool.send(device.pointee.connection, UnsafeRawBufferPointer(requests))
    }
  }

  /// The connection is over, or of no use any more.
  func lost(_ device: UnsafeMutablePointer<Device>, _ reason: String) {
    guard device.pointee.phase != .gone else { return }
    if isLoading {
      report.wentWrong(reason)
      if device.pointee.phase == .welcomed { aliveCount -= 1 }
    } else {
      failure = ToolFailure("connection \(device.pointee.token + 1): \(reason)")
    }
    device.pointee.phase = .gone
    device.pointee.unanswered = 0
    pool.close(device.pointee.connection)
  }

  private static func requests(_ options: LoadOptions, _ encoder: MessageEncoder)
    -> UnsafeMutableRawBufferPointer
  {
    if options.scenario == .act {
      return .allocate(byteCount: options.pipeline * ActFrames.frameBytesMax, alignment: 8)
    }
    let view = WidgetView(kind: .streak, family: .small, appearance: .day)
    let frame = encoder.frame(ClientMessage.fetch(Fetch(view: view)))
    let requests = UnsafeMutableRawBufferPointer.allocate(
      byteCount: options.pipeline * frame.count, alignment: 8)
    requests.copyBytes(from: (0..<options.pipeline).flatMap { _ in frame })
    return requests
  }

  /// A pool for so many connections. Throws when the machine has no descriptors for it.
  static func pool(connections: Int) throws -> ConnectionPool {
    let room = try DescriptorLimit.raiseToHard().connectionsMax
    guard connections <= room else {
      throw ToolFailure(
        "the descriptor limit leaves room for \(room) connections: raise it (ulimit -n)")
    }
    var limits = ConnectionLimits()
    limits.connectionsMax = connections
    limits.keptBytesMax = FrameLimits.prefixBytes + FrameLimits.serverFrameBytesMax
    return try ConnectionPool(limits: limits)
  }

  /// What the wall clock showed when the monotonic clock showed 0; milliseconds.
  static func wallOffset() -> Int64 {
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    return Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000
      - MonotonicInstant.now().nanoseconds / 1_000_000
  }

  /// Processor time of this program so far.
  static func processorMicroseconds() -> Int64 {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Int64($1.tv_sec) * 1_000_000 + Int64($1.tv_usec)
    }
  }
}

extension CloseReason {
  /// Why, for a person.
  var words: String {
    switch self {
    case .connectFailed(let error): "cannot connect: \(error.number)"
    case .connectTimedOut: "cannot connect: nobody answers"
    case .endOfStream, .finished: "closed by the server"
    case .reset: "reset by the server"
    case .secureFailed(.pinMismatch(let presented)):
      "the server has another key than the pinned one: \(presented)"
    case .secureFailed(let failure): "TLS with the server failed (\(failure.word))"
    case .failed(let error): "\(error)"
    case .outputOverflow, .overBudget, .poolFull, .stalledInput, .stalledOutput: "\(self)"
    }
  }
}
