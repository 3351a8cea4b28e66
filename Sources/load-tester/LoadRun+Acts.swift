internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// Durable actions: consecutive numbers, each answered by its receipt.
extension LoadRun {
  /// Sends the acts that are missing their receipt: the next ones, or those that were held again.
  func sendActs(_ device: UnsafeMutablePointer<Device>, at now: Int64) {
    guard let start = requests.baseAddress else { return }
    let frames = device.pointee.frames
    let confirmed = device.pointee.confirmed
    let wall = wallOffset + now / 1_000_000
    var length = 0
    for offset in 1...UInt64(max(1, device.pointee.unanswered)) {
      length += frames.write(
        number: confirmed + offset, confirmed: confirmed, wall: wall, to: start + length)
    }
    pool.send(
      device.pointee.connection, UnsafeRawBufferPointer(start: start, count: length))
  }

  /// Takes a receipt; whether the act was applied. Refused and expired acts are errors, and consume
  /// their numbers.
  func receipt(_ payload: UnsafeRawBufferPointer, of device: UnsafeMutablePointer<Device>) -> Bool {
    guard let receipt = ReceiptScan(payload), receipt.number == device.pointee.confirmed + 1 else {
      lost(device, "a receipt that is not the next one's")
      return false
    }
    device.pointee.confirmed = receipt.number
    if receipt.isApplied { return true }
    device.pointee.unanswered -= 1
    report.wentWrong(outcome(of: payload))
    return false
  }

  /// "Not now": nothing was consumed, and what came behind is dropped until it comes again.
  func wasHeld(_ device: UnsafeMutablePointer<Device>, _ hold: Hold) {
    let delay: UInt32
    switch hold.reason {
    case .gap(let expected):
      report.wentWrong("held: gap")
      if expected != device.pointee.confirmed + 1 { device.pointee.startOver() }
      delay = 0
    case .busy(let retryAfter):
      report.wentWrong("held: busy")
      delay = retryAfter
    case .storageUnavailable(let retryAfter):
      report.wentWrong("held: storageUnavailable")
      delay = retryAfter
    }
    sendAgain(device, after: Int64(delay) * 1_000_000)
  }

  /// The server has other acts under these numbers.
  func startOver(_ device: UnsafeMutablePointer<Device>) {
    device.pointee.startOver()
    sendAgain(device, after: 0)
  }

  /// Sends what was held and is due.
  func resendHeld(at now: Int64) {
    held.removeAll { slot in
      let device = devices + Int(slot)
      guard device.pointee.resendAt <= now else { return false }
      device.pointee.resendAt = .max
      if device.pointee.phase == .welcomed, device.pointee.unanswered > 0 {
        sendActs(device, at: now)
      }
      return true
    }
    pool.flush()
  }

  private func sendAgain(_ device: UnsafeMutablePointer<Device>, after delay: Int64) {
    guard isLoading, device.pointee.unanswered > 0 else { return }
    if device.pointee.resendAt == .max { held.append(device.pointee.connection.slot) }
    device.pointee.resendAt = MonotonicInstant.now().nanoseconds + delay
  }

  private func outcome(of payload: UnsafeRawBufferPointer) -> String {
    guard let message = try? decoder.decodeServerMessage(payload),
      case .receipt(let receipt) = message
    else { return "a receipt that cannot be read" }
    guard case .refused(let reason) = receipt.outcome else { return receipt.outcome.word }
    return "refused: \(reason.word)" + (reason.detail.map { " \($0)" } ?? "")
  }
}
