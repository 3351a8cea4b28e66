internal import CommandLineTool
internal import Transport
internal import WatchTransfer
internal import WireFormat

/// What the server says to a crowd, and what storms and floods ask next.
extension MixedRun {
  /// Takes whole frames off the front of `bytes`; returns how many bytes they were.
  func receive(_ bytes: UnsafeRawBufferPointer, of index: Int) -> Int {
    var consumed = 0
    while members[index].isAttached {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[consumed...])
      switch scanFrame(rest, payloadBytesMax: FrameLimits.serverFrameBytesMax) {
      case .incomplete:
        return consumed
      case .failed:
        report.wentWrong("no frame of this protocol")
        lost(index, "no frame of this protocol")
      case .frame(let length):
        consumed += 4 + length
        take(UnsafeRawBufferPointer(rebasing: rest[4..<4 + length]), of: index)
      }
    }
    return bytes.count
  }

  private func take(_ payload: UnsafeRawBufferPointer, of index: Int) {
    switch AnswerKind(payloadStart: payload[0]) {
    case .widget, .pong: answered(index)
    case .receipt: receipt(payload, of: index)
    case .news: news(payload, of: index)
    case .ping, .other: decode(payload, of: index)
    }
  }

  private func decode(_ payload: UnsafeRawBufferPointer, of index: Int) {
    let message: ServerMessage
    do throws(WireError) {
      message = try decoder.decodeServerMessage(payload)
    } catch {
      return report.wentWrong("a message that cannot be read: \(error)")
    }
    switch message {
    case .welcome(let welcome): welcomed(index, welcome)
    case .ping(let ping):
      pool.send(
        members[index].connection, encoder.frame(ClientMessage.pong(Pong(nonce: ping.nonce))))
    case .hold(let hold): wasHeld(index, hold)
    case .conflict, .settled: report.wentWrong("the server knows acts that were never sent")
    case .goodbye(let goodbye): wasSentAway(index, goodbye)
    case .receipt, .update, .snapshot, .notModified, .reload, .page, .chunkState, .pong: break
    }
  }

  /// A crowd may be turned away for what it does, but not for what it says.
  private func wasSentAway(_ index: Int, _ goodbye: Goodbye) {
    let reason = "the server said goodbye: \(goodbye.reason.word)"
    switch goodbye.reason {
    case .tooMany, .idle, .stalled, .replaced, .shuttingDown: break
    default: report.wentWrong(reason)
    }
    lost(index, reason)
  }

  /// An update must not take back what was seen, and follow it.
  private func news(_ payload: UnsafeRawBufferPointer, of index: Int) {
    guard let update = UpdateScan(payload), let epoch = update.epoch,
      let cursor = members[index].cursor
    else { return }
    let isOfOneLife = cursor.epoch == epoch
    if isOfOneLife, update.to < cursor.revision {
      report.wentWrong(OpenActs.Fault.revision.rawValue)
    }
    // Others have asked for everything again, or begin anew with each connection.
    if members[index].behaviour == .stampede, isOfOneLife, update.from != 0,
      update.from != cursor.revision
    {
      report.wentWrong("an update that does not follow what is shown")
    }
    members[index].cursor = Cursor(
      epoch: epoch, revision: update.to, facetSet: cursor.facetSet)
    guard members[index].awaitsUpdate else { return }
    members[index].awaitsUpdate = false
    if members[index].behaviour == .stampede {
      returns.add(MonotonicInstant.now().nanoseconds - members[index].connectedAt, count: 1)
    }
  }

  private func receipt(_ payload: UnsafeRawBufferPointer, of index: Int) {
    guard let scan = ReceiptScan(payload) else {
      return report.wentWrong("a receipt that cannot be read")
    }
    do throws(OpenActs.Fault) {
      // Its revision is not read: updates tell it.
      _ = try members[index].acts.receipt(
        of: scan.number, isApplied: scan.isApplied, revision: members[index].acts.revision + 1)
    } catch {
      report.wentWrong(error.rawValue)
    }
    answered(index)
  }

  private func answered(_ index: Int) {
    guard members[index].unanswered > 0 else { return }
    members[index].unanswered -= 1
    guard members[index].unanswered == 0, case .welcomed = members[index].phase else { return }
    let now = MonotonicInstant.now().nanoseconds
    switch members[index].behaviour {
    case .storm:
      report.latencies.add(
        now - members[index].sentAt,
        count: CrowdRequests.stormActs + 2 * CrowdRequests.stormOthers)
      stormOn(index, at: now)
    case .flood:
      happened("floods read")
      floodOn(index, at: now)
    case .idle, .slow, .mute, .stampede: break
    }
  }

  /// The next burst of a storm.
  func stormOn(_ index: Int, at now: Int64) {
    let first = members[index].acts.newest + 1
    for _ in 0..<CrowdRequests.stormActs { _ = members[index].acts.add(due: now) }
    members[index].unanswered = CrowdRequests.stormActs + 2 * CrowdRequests.stormOthers
    members[index].sentAt = now
    send(first...members[index].acts.newest, of: index, at: now)
    pool.send(members[index].connection, requests.storm)
  }

  /// The next burst of a flood.
  func floodOn(_ index: Int, at now: Int64) {
    members[index].unanswered = 1
    pool.send(members[index].connection, requests.flood)
  }

  private func wasHeld(_ index: Int, _ hold: Hold) {
    let now = MonotonicInstant.now().nanoseconds
    switch hold.reason {
    case .gap:
      happened("held: gap")
      members[index].acts.hold(until: now)
    case .busy(let retryAfter), .storageUnavailable(let retryAfter):
      happened("held: busy")
      members[index].acts.hold(until: now + Int64(retryAfter) * 1_000_000)
    }
    held.insert(index)
  }

  /// Sends what was held and is due.
  func resendHeld(by now: Int64) {
    for index in held {
      guard case .welcomed = members[index].phase else {
        held.remove(index)
        continue
      }
      guard let numbers = members[index].acts.resend(by: now) else { continue }
      held.remove(index)
      send(numbers, of: index, at: now)
    }
  }

  private func send(_ numbers: ClosedRange<UInt64>, of index: Int, at now: Int64) {
    let frames = ActFrames(
      incarnation: members[index].incarnation, goal: members[index].goal ?? 0)
    withUnsafeTemporaryAllocation(byteCount: ActFrames.frameBytesMax, alignment: 8) { room in
      guard let start = room.baseAddress else { return }
      for number in numbers {
        let length = frames.write(
          number: number, confirmed: members[index].acts.confirmed,
          wall: wallOffset + now / 1_000_000, to: start)
        pool.send(
          members[index].connection, UnsafeRawBufferPointer(start: start, count: length))
      }
    }
  }
}
