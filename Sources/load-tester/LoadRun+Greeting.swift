internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Before the load: every device connects and is welcomed, or the run fails.
extension LoadRun {
  /// Connections that have not been welcomed yet, at once: a server turns away what crowds its
  /// lobby.
  private static var greetingMax: Int { 256 }
  /// Without any progress for so long the run fails; nanoseconds.
  private static var patience: Int64 { 10_000_000_000 }

  /// Connects every device and waits for its Welcome.
  func connect(to address: SocketAddress, securedBy tls: TLSClient?) throws {
    var progress = Progress("connected", of: tokens.count)
    var progressAt = MonotonicInstant.now().nanoseconds
    while aliveCount < tokens.count {
      let before = aliveCount
      while deviceCount < tokens.count, deviceCount - aliveCount < Self.greetingMax {
        // The pool has as many slots as there are tokens, and none is given back before the load.
        let connection = try pool.connect(to: address, securedBy: tls)
        (devices + Int(connection.slot)).initialize(
          to: Device(
            connection: connection, token: deviceCount,
            incarnation: Self.incarnation(of: tokens[deviceCount])))
        deviceCount += 1
      }
      turn()
      if let failure { throw failure }
      if stop.signal != nil { return }
      let now = MonotonicInstant.now().nanoseconds
      if aliveCount > before { progressAt = now }
      guard now - progressAt < Self.patience else {
        throw ToolFailure(
          "the server has welcomed \(aliveCount) of \(tokens.count) connections and says no more")
      }
      progress.reached(aliveCount)
    }
  }

  /// The outbox of a device: told by its token, of which a hash says nothing.
  static func incarnation(of token: [UInt8]) -> IncarnationID {
    IncarnationID(high: 0x6C6F_6164_7465_7374, low: contentHash(token))
  }

  /// Sends the Hello.
  func greet(_ device: UnsafeMutablePointer<Device>) {
    var hello = Hello(token: tokens[device.pointee.token])
    if options.scenario == .act {
      hello.incarnations = [
        IncarnationState(
          incarnation: device.pointee.incarnation, confirmed: 0, oldest: 1, next: 1)
      ]
    }
    pool.send(device.pointee.connection, encoder.frame(ClientMessage.hello(hello)))
  }

  /// Messages that come seldom.
  func decode(_ payload: UnsafeRawBufferPointer, of device: UnsafeMutablePointer<Device>) {
    let message: ServerMessage
    do throws(WireError) {
      message = try decoder.decodeServerMessage(payload)
    } catch {
      return lost(device, "a message that cannot be read: \(error)")
    }
    switch message {
    case .welcome(let welcome): welcomed(device, welcome)
    case .ping(let ping):
      pool.send(
        device.pointee.connection, encoder.frame(ClientMessage.pong(Pong(nonce: ping.nonce))))
    case .hold(let hold): wasHeld(device, hold)
    case .conflict, .settled:
      report.wentWrong("the server knows acts that were never sent")
      startOver(device)
    case .goodbye(let goodbye):
      lost(device, "the server said goodbye: \(goodbye.reason.word)")
    case .receipt, .update, .snapshot, .notModified, .reload, .page, .chunkState, .pong: break
    }
  }

  private func welcomed(_ device: UnsafeMutablePointer<Device>, _ welcome: Welcome) {
    guard device.pointee.phase == .connecting else { return }
    let suits =
      switch options.scenario {
      case .fetch: welcome.kind.may(.fetch)
      case .act, .paced, .mixed: welcome.kind.may(.offer)
      case .idle: true
      }
    guard suits else {
      return lost(device, "a \(welcome.kind.word) cannot \(options.scenario.rawValue)")
    }
    device.pointee.phase = .welcomed
    // Earlier runs of the same outbox: it goes on behind what they did.
    if let expected = welcome.expected.first?.number { device.pointee.confirmed = expected - 1 }
    device.pointee.goal =
      sharers[welcome.account, default: 0] % LoadOptions.actorsPerAccountMax
    sharers[welcome.account, default: 0] += 1
    aliveCount += 1
  }
}
